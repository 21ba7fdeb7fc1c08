import Type from 'typebox';
import {
  Amount,
  Failure,
  Id,
  Instant,
  OneOf,
  OrNull,
} from '../../platform/http/schemas/schemas.ts';
import type { DataOf, EventDescriptions, NewEvent } from '../../platform/state/events.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import type { DueSchedule } from '../../schedules/books/due-store.ts';
import { SKIP_REASONS, type SkipReason } from '../../schedules/terms/amounts.ts';
import { UNALLOCATED_REASONS } from './allocation.ts';
import { NO_RETRY_REASONS, type NoRetryReason, type RecordedRow } from './payment.ts';
import { ITEM_STATUSES } from './unallocated-item.ts';

const about = { payment_id: Id('pay'), schedule_id: Id('sch'), amount: Amount };

/** The events about a payment: docs/rules/webhooks.md#event-kinds. */
export const PAYMENT_EVENTS = {
  'collection.success': {
    description: "The money is in the merchant's wallet",
    data: Type.Object({ ...about, completed_at: Instant }),
  },
  'collection.failed': {
    description:
      'An attempt failed; `next_retry_at` says when the next one comes. Where it is null, `no_retry_reason` says why, and ' +
      '`reason` is `stopped` where a pause, a cancellation or a withdrawal ended the payment',
    data: Type.Object({
      ...about,
      error: Failure,
      failed_at: Instant,
      attempt: Type.Integer({
        description: 'The last one made, counted from 1; 0 where none was.',
      }),
      next_retry_at: OrNull(Instant),
      no_retry_reason: OrNull(OneOf(NO_RETRY_REASONS)),
      reason: Type.Optional(
        OneOf(
          ['stopped'],
          'There where a cancellation, a pause or a withdrawal ended the payment.',
        ),
      ),
    }),
  },
  'collection.skipped': {
    description:
      'An occurrence fell due and nothing was collected: you skipped it, or its amount was not set',
    data: Type.Object({
      schedule_id: Id('sch'),
      customer_id: Id('cus'),
      due_date: Instant,
      reason: OneOf(SKIP_REASONS),
      created_at: Instant,
    }),
  },
  'collection.returned': {
    description:
      'The money was recalled after the success of the collection, and the merchant owes it',
    data: Type.Object({ ...about, reason: Type.String(), returned_at: Instant }),
  },
  'payment.unexpected_money': {
    description:
      'Money arrived that may belong to this payment and that it does not wait for, or somebody decided what becomes of it',
    data: Type.Object({
      id: Id(
        'una',
        'Of the money: the event comes again with the same id once a decision is made.',
      ),
      ...about,
      status: OneOf(ITEM_STATUSES),
      reason: OneOf(UNALLOCATED_REASONS),
      arrived_at: Instant,
    }),
  },
} satisfies EventDescriptions;

type DataFor<K extends keyof typeof PAYMENT_EVENTS> = DataOf<typeof PAYMENT_EVENTS, K>;
type About = Pick<RecordedRow, 'paymentId' | 'scheduleId' | 'amountPence' | 'currency'>;

const aboutOf = (row: About) => ({
  payment_id: row.paymentId,
  schedule_id: row.scheduleId,
  amount: { value: row.amountPence, currency: row.currency },
});

/** Returns the `collection.skipped` of an occurrence that fell due now. */
export function skippedEvent(
  now: Temporal.Instant,
  due: Pick<DueSchedule, 'merchantId' | 'scheduleId' | 'customerId' | 'dueAt'>,
  reason: SkipReason,
): NewEvent {
  const { merchantId, scheduleId } = due;
  const data: DataFor<'collection.skipped'> = {
    schedule_id: scheduleId,
    customer_id: due.customerId,
    due_date: formatInstant(due.dueAt),
    reason,
    created_at: formatInstant(now),
  };
  return { merchantId, kind: 'collection.skipped', scheduleId, subjectId: scheduleId, data };
}

/** The data of `collection.success`. */
export function successData(now: Temporal.Instant, row: About): DataFor<'collection.success'> {
  return { ...aboutOf(row), completed_at: formatInstant(now) };
}

/** The data of `collection.failed`: the last attempt, and the next retry or why there is none. */
export function failedData(
  now: Temporal.Instant,
  row: About & Pick<RecordedRow, 'attempt'>,
  {
    failure,
    retryAt,
    noRetryReason,
    isStopped,
  }: {
    failure: { code: string; message: string };
    retryAt: Temporal.Instant | null;
    noRetryReason: NoRetryReason | null;
    isStopped: boolean;
  },
): DataFor<'collection.failed'> {
  return {
    ...aboutOf(row),
    error: failure,
    failed_at: formatInstant(now),
    attempt: row.attempt,
    next_retry_at: formatInstant(retryAt),
    no_retry_reason: noRetryReason,
    ...(isStopped ? { reason: 'stopped' as const } : {}),
  };
}
