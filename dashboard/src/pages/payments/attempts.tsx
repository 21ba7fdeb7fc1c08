import type { Attempt, NoRetryReason, Payment } from '@recollect/sdk';
import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Timeline } from '../../ui/data/timeline.tsx';
import { Id } from '../../ui/values/id.tsx';
import { When } from '../../ui/values/when.tsx';
import { NotSent } from './not-sent.tsx';
import { bankStatusWords, outcomeOf } from './outcome-words.ts';

/** Every attempt to collect a payment, newest first. */
export function Attempts({ payment }: { payment: Payment }) {
  const { attempts, next_retry_at: retry } = payment;
  return (
    <Card title="Attempts">
      {attempts.length === 0 ? (
        <p className="quiet">
          None yet. The first is due <When at={payment.due_date} as="datetime" />.
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
        <p className="quiet">{NO_RETRY[payment.no_retry_reason]}</p>
      )}
    </Card>
  );
}

const NO_RETRY: Readonly<Record<NoRetryReason, string>> = {
  final: 'No retry: another attempt would fail for the same reason.',
  max_retries: 'No retry: all retries have been used.',
  next_occurrence: 'No retry: the next collection is due first.',
  end_date: 'No retry: the consent ends first.',
  limits: 'No retry: it would not fit within the customer’s limits alongside upcoming collections.',
  by_hand: 'No automatic retry, because this was a manual attempt.',
  stopped: 'No retry: collections were stopped.',
};

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
