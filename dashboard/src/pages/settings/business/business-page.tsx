import '../frame/settings.css';
import { useMerchant } from '../../../api/merchant.ts';
import { useCan } from '../../../app/session.tsx';
import { QueryView } from '../../../ui/data/query-view.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { SettingsNav } from '../frame/settings-nav.tsx';
import { AccountCard } from './account-card.tsx';
import { BrandingCard } from './branding-card.tsx';
import { DetailsCard } from './details-card.tsx';
import { FeesCard } from './fees-card.tsx';
import { JourneyCard } from './journey-card.tsx';
import { RefundsCard } from './refunds-card.tsx';
import { StatementCard } from './statement-card.tsx';
import { TimeZoneCard } from './time-zone-card.tsx';

/** /settings */
export function BusinessPage() {
  const merchant = useMerchant();
  const mayChange = useCan('manage_settings');
  return (
    <Page title="Settings" lead="How your customers see you, and where your money is paid.">
      <SettingsNav />
      {mayChange ? null : <Notice tone="info">Only team owners can change these settings.</Notice>}
      <QueryView query={merchant}>
        {(data) => (
          <div className="stack">
            <DetailsCard merchant={data} isLocked={!mayChange} />
            <BrandingCard name={data.name} isLocked={!mayChange} />
            <StatementCard merchant={data} isLocked={!mayChange} />
            <JourneyCard merchant={data} isLocked={!mayChange} />
            <RefundsCard merchant={data} isLocked={!mayChange} />
            <FeesCard merchant={data} />
            <div className="columns">
              <AccountCard merchant={data} isLocked={!mayChange} />
              <TimeZoneCard merchant={data} isLocked={!mayChange} />
            </div>
          </div>
        )}
      </QueryView>
    </Page>
  );
}
