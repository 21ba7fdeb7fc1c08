import type { Attempt, Payment } from '@recollect/sdk';
import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Timeline } from '../../ui/data/timeline.tsx';
import { Id } from '../../ui/values/id.tsx';
import { When } from '../../ui/values/when.tsx';
import { NotSent } from './not-sent.tsx';
import { bankStatusWords, noRetryWords, outcomeOf } from './outcome-words.ts';

/** Every attempt to collect a payment, newest first. */
export function Attempts({ payment }: { payment: Payment }) {
  const { attempts, next_retry_at: retry } = payment;
  return (
    <section className="stack stack-tight">
      <h3>Attempts</h3>
      {attempts.length === 0 ? (
        <p className="quiet">
          {payment.status === 'failed' ? (
            'None was made.'
          ) : (
            <>
              None yet. The first is due <When at={payment.due_date} as="datetime" />.
            </>
          )}
        </p>
      ) : (
        <Timeline items={attempts.map((attempt) => itemOf(attempt, payment.not_sent)).reverse()} />
      )}
      {retry === null ? null : (
        <p className="quiet">
          The next attempt is due <When at={retry} as="datetime" />.
        </p>
      )}
      {payment.no_retry_reason === null ? null : (
        <p className="quiet">{noRetryWords(payment.no_retry_reason)}</p>
      )}
    </section>
  );
}

function itemOf(attempt: Attempt, notSent: Payment['not_sent']) {
  const outcome = outcomeOf(attempt, notSent);
  return {
    at: attempt.started_at,
    title: `Attempt ${attempt.number}: ${outcome.title}`,
    detail:
      attempt.status === 'processing' && notSent !== null ? (
        <NotSent notSent={notSent} />
      ) : (
        outcome.detail
      ),
    tone: outcome.tone,
    meta: <AttemptMeta attempt={attempt} />,
  };
}

function AttemptMeta({ attempt }: { attempt: Attempt }): ReactNode {
  const { finished_at: finished, bank_payment_id: bankId, bank_status: bankStatus } = attempt;
  return (
    <span className="row">
      {attempt.manual ? <Badge tone="info">Manual</Badge> : null}
      {finished === null ? null : (
        <span>
          Ended <When at={finished} as="datetime" />
        </span>
      )}
      {bankStatus === null ? null : <span>Bank status: {bankStatusWords(bankStatus)}</span>}
      {bankId === null ? null : (
        <span>
          Bank’s ID <Id value={bankId} />
        </span>
      )}
    </span>
  );
}
