import type { Schedule } from '@recollect/sdk';
import type { ScheduleConsent } from '../../../../../server/src/dashboard/schedules/view.ts';
import { useScheduleConsent } from '../../../api/schedules.ts';
import { Can } from '../../../app/session.tsx';
import { Card } from '../../../ui/card.tsx';
import { QueryView } from '../../../ui/data/query-view.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { When } from '../../../ui/values/when.tsx';
import { Agreement } from './agreement.tsx';
import { ConsentLink } from './consent-link.tsx';
import { CustomerLink } from './customer-link.tsx';

/** The consent of a schedule: the link that waits for the customer, the agreement, and past consents. */
export function ConsentCard({ schedule }: { schedule: Schedule }) {
  const consent = useScheduleConsent(schedule.id);
  return (
    <Card title="Consent">
      <QueryView query={consent}>
        {(found) => <Consent consent={found} schedule={schedule} />}
      </QueryView>
    </Card>
  );
}

function Consent({ consent, schedule }: { consent: ScheduleConsent; schedule: Schedule }) {
  const { link, agreement, history } = consent;
  return (
    <div className="stack">
      {link === null ? null : (
        <section>
          <h3>{waitingWords(link, agreement)}</h3>
          <ConsentLink scheduleId={schedule.id} url={link.url} expiresAt={link.expires_at} />
        </section>
      )}
      {agreement === null ? null : (
        <section className="stack">
          {link === null ? null : <h3>In force in the meantime</h3>}
          <Agreement agreement={agreement} scheduleId={schedule.id} />
          <Can do="manage_schedules">
            <CustomerLink scheduleId={schedule.id} />
          </Can>
        </section>
      )}
      {link === null && agreement === null ? (
        <p className="quiet">{noneWords(schedule, history)}</p>
      ) : null}
      {history.length > 1 || (agreement === null && history.length > 0) ? (
        <History history={history} />
      ) : null}
    </div>
  );
}

function waitingWords(
  link: NonNullable<ScheduleConsent['link']>,
  agreement: ScheduleConsent['agreement'],
): string {
  if (agreement === null) return 'Waiting for the customer';
  return link.is_for_another_account ? 'Asked for another account' : 'New consent requested';
}

function noneWords({ status }: Schedule, history: ScheduleConsent['history']): string {
  if (history.some((one) => one.status === 'pending'))
    return 'Waiting for the customer. Your role cannot see their link.';
  if (history.some((one) => one.status === 'authorising' || one.status === 'authorised'))
    return 'The customer is at the bank.';
  return status === 'cancelled'
    ? 'There is no longer a consent in force.'
    : 'There is no consent in force.';
}

function History({ history }: { history: ScheduleConsent['history'] }) {
  return (
    <section>
      <h3>Consent history</h3>
      <ul className="consent-history">
        {history.map((one) => (
          <li key={one.consent_id}>
            <StatusBadge status={one.status === 'pending' ? 'pending_consent' : one.status} />
            <span className="quiet">
              {one.bank === null ? 'requested' : `${one.bank.name},`}{' '}
              <When at={one.granted_at ?? one.created_at} as="date" />
              {one.ended_at === null ? null : (
                <>
                  {' '}
                  – <When at={one.ended_at} as="date" />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
