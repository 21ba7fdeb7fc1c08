import { Link } from 'react-router';
import { useAccountChanges } from '../../api/settlement-account.ts';
import { Notice } from '../../ui/notice.tsx';
import { useNow } from '../../ui/values/time-zone.tsx';
import { When } from '../../ui/values/when.tsx';
import { useCan } from '../session.tsx';

const SHOWN_FOR_MS = 7 * 24 * 3_600_000;

/** Notifies every owner, on every page, of a pending change of the settlement account, and for a week of a past one. */
export function AccountNotice() {
  return useCan('change_settlement_account') ? <ForOwners /> : null;
}

function ForOwners() {
  const now = useNow();
  const { data } = useAccountChanges();
  const link = <Link to="/settings">See the change</Link>;
  if (data?.pending != null)
    return (
      <section className="stage-notice" aria-label="Notice about the settlement account">
        <Notice tone="warning" title="The settlement account is about to change" action={link}>
          {data.pending.requested_by.name} requested it. From{' '}
          <When at={data.pending.takes_effect_at} />
          {data.pending.waits_for_second ? ', if a second operator agrees' : ''}, settlements will
          go to {data.pending.new_account.account_number}.
        </Notice>
      </section>
    );
  const last = data?.changes.find(({ status }) => status === 'in_force');
  if (last?.ended_at == null || now - Date.parse(last.ended_at) > SHOWN_FOR_MS) return null;
  return (
    <section className="stage-notice" aria-label="Notice about the settlement account">
      <Notice tone="info" title="The settlement account has changed" action={link}>
        Since <When at={last.ended_at} />, settlements go to {last.new_account.account_number}.
      </Notice>
    </section>
  );
}
