import type { Delivery, DeliveryAttempt } from '@recollect/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Timeline } from '../../ui/data/timeline.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useTimeZone } from '../../ui/values/time-zone.tsx';
import { formatWhen } from '../../ui/values/when.tsx';
import { attemptWords, deliveryWords, durationWords, shortAddress } from './delivery-words.ts';

interface Props {
  delivery: Delivery & { attempts: DeliveryAttempt[] };
  action?: ReactNode;
}

/** The delivery of an event to one endpoint: its status, and every attempt, newest first. */
export function DeliveryCard({ delivery, action }: Props) {
  const zone = useTimeZone();
  const { next_attempt_at: next, attempts } = delivery;
  const nextText = next === null ? null : formatWhen(next, zone, 'datetime');
  return (
    <Card title={`Delivery to ${shortAddress(delivery.endpoint_url)}`} actions={action}>
      <div className="stack">
        <p className="row">
          <StatusBadge status={delivery.status} of="delivery" />
          <span>{deliveryWords(delivery, nextText)}</span>
          <Link to={`/webhooks/endpoints/${delivery.endpoint_id}`}>View endpoint</Link>
        </p>
        {attempts.length === 0 ? null : (
          <Timeline items={[...attempts].reverse().map((attempt) => itemOf(attempt))} />
        )}
      </div>
    </Card>
  );
}

interface AttemptProps {
  attempt: DeliveryAttempt;
}

function itemOf(attempt: DeliveryAttempt) {
  return {
    key: `${attempt.number} ${attempt.at}`,
    at: attempt.at,
    title: attemptWords(attempt),
    tone: attempt.error === null ? ('success' as const) : ('danger' as const),
    detail: (
      <>
        {attempt.error === null ? null : <p className="why-not">{sentence(attempt.error)}</p>}
        <AnswerBody attempt={attempt} />
      </>
    ),
    meta: (
      <span className="row">
        {attempt.response_status === null ? null : <span>HTTP {attempt.response_status}</span>}
        <span>{durationWords(attempt.duration_ms)}</span>
        {attempt.manual ? <Badge tone="info">Manual</Badge> : null}
      </span>
    ),
  };
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

function AnswerBody({ attempt: { response_status: status, response_body: body } }: AttemptProps) {
  if (status === null) return null;
  if (body === null || body === '') return 'The response had no body.';
  return (
    <details className="answer-body">
      <summary>Response body</summary>
      <pre>{body}</pre>
    </details>
  );
}
