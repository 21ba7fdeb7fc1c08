import './settings.css';
import { useMe } from '../../app/session.tsx';
import { Page } from '../../ui/page.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { SettingsNav } from './settings-nav.tsx';
import { TwoFactorCard } from './two-factor-card.tsx';

/** /settings/security */
export function SecurityPage() {
  const { user } = useMe();
  return (
    <Page
      title="Your security"
      lead={`How ${user.email} signs in, for every merchant you work with.`}
    >
      <SettingsNav />
      <div className="columns">
        <TwoFactorCard />
        <PasskeysCard />
      </div>
      <SessionsCard />
      <PasswordCard />
    </Page>
  );
}
