import type { Attempt, Payment, Schedule } from '@recollect/sdk';
import { Link } from 'react-router';
import { useSchedulePayments } from '../../../api/schedules.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { Empty } from '../../../ui/data/empty.tsx';
import { LoadMore } from '../../../ui/data/list-card.tsx';
import { QueryView } from '../../../ui/data/query-view.tsx';
import { ChevronDown } from '../../../ui/icons.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { Money } from '../../../ui/values/money.tsx';
import { When } from '../../../ui/values/when.tsx';
import { NotSent } from '../../payments/not-sent.tsx';
import { outcomeOf } from '../../payments/outcome-words.ts';
import { RetryPayment } from '../../payments/retry-payment.tsx';

/** The payments of a schedule, attempted or collected; each expands to its attempts. */
export function PaymentsCard({ schedule }: { schedule: Schedule }) {
  const payments = useSchedulePayments(schedule.id);
  return (
    <Card title="Payments">
      <QueryView query={payments}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No payments yet">{noneWords(schedule)}</Empty>
          ) : (
            <>
              <ul className="payments">
                {rows.map((payment) => (
                  <li key={payment.id}>
                    <PaymentLine payment={payment} isOver={schedule.status === 'cancelled'} />
                  </li>
                ))}
              </ul>
              <LoadMore query={payments} />
            </>
          )
        }
      </QueryView>
    </Card>
  );
}

function noneWords({ status, next_payment_date: next }: Schedule) {
  if (status === 'pending_consent') return 'Collections start once the customer has given consent.';
  if (status === 'active' && next !== null)
    return (
      <>
        The first is due <When at={next} as="datetime" />.
      </>
    );
  return 'No payments fell due.';
}

/** `isOver`: the consent ended with the schedule, so nothing can be retried. */
function PaymentLine({ payment, isOver }: { payment: Payment; isOver: boolean }) {
  return (
    <details className="payment">
      <summary>
        <ChevronDown aria-hidden="true" className="payment-arrow" />
        <span className="two-lines">
          <When at={payment.due_date} as="date" />
          <PaymentNote payment={payment} />
        </span>
        <StatusBadge status={payment.status} of="payment" />
        <Money amount={payment.amount} />
      </summary>
      <div className="payment-inside">
        {payment.attempts.length === 0 ? (
          <p className="quiet">Not attempted yet.</p>
        ) : (
          <ol className="attempts">
            {payment.attempts.map((attempt) => (
              <AttemptLine key={attempt.number} attempt={attempt} payment={payment} />
            ))}
          </ol>
        )}
        {payment.status === 'failed' && payment.error !== null ? (
          <p className="quiet">{lastWords(payment)}</p>
        ) : null}
        <div className="actions">
          {payment.status === 'failed' && !isOver ? <RetryPayment payment={payment} /> : null}
          <Link to={`/payments/${payment.id}`}>Payment details and evidence</Link>
        </div>
      </div>
    </details>
  );
}

function PaymentNote({ payment }: { payment: Payment }) {
  const { attempts, kind, next_retry_at: retry } = payment;
  if (kind !== 'scheduled' && retry === null) {
    const what = kind === 'first' ? 'First payment' : 'Collected once';
    return <span className="quiet">{payment.description ?? what}</span>;
  }
  if (retry !== null)
    return (
      <span className="quiet">
        tried again <When at={retry} as="datetime" />
      </span>
    );
  return attempts.length > 1 ? <span className="quiet">{attempts.length} attempts</span> : null;
}

/** Describes how a payment ended: possibly not by its last attempt, but because its schedule was paused or cancelled. */
function lastWords({ error, attempts }: Payment): string {
  const last = attempts.at(-1)?.error?.code;
  return last === error?.code ? 'No automatic retry.' : `Ended: ${error?.message}`;
}

function AttemptLine({ attempt, payment }: { attempt: Attempt; payment: Payment }) {
  const { not_sent: notSent } = payment;
  const { title, detail, tone } = outcomeOf(attempt, notSent);
  return (
    <li>
      <span className="attempt-head">
        <Badge tone={tone}>{title}</Badge>
        <span className="quiet">
          Attempt {attempt.number}, <When at={attempt.started_at} as="datetime" />
          {attempt.manual ? ', manual' : ''}
        </span>
      </span>
      <span>
        {attempt.status === 'processing' && notSent !== null ? (
          <NotSent notSent={notSent} />
        ) : (
          detail
        )}
        {attempt.error === null ? null : (
          <>
            {' '}
            <code>{attempt.error.code}</code>
          </>
        )}
      </span>
    </li>
  );
}
