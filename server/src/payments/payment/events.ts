import Type from 'typebox';
import {
  Amount,
  Described,
  Failure,
  Id,
  Instant,
  OneOf,
  OrNull,
  Text,
} from '../../platform/http/schemas/schemas.ts';
import type { DataOf, EventDescriptions, NewEvent } from '../../platform/state/events.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import type { DueSchedule } from '../../schedules/books/due-store.ts';
import { SKIP_REASONS, type SkipReason } from '../../schedules/terms/amounts.ts';
import type { NoRetryReason, RecordedRow } from './payment.ts';
import { MoneyReason, MoneyStatus, WhyNoRetry } from './schemas.ts';

const names = {
  payment_id: Id('pay', 'The payment.'),
  schedule_id: Id('sch', 'The schedule of the payment.'),
};
const about = { ...names, amount: Described(Amount, 'What the payment collects.') };

/** The events about a payment: docs/rules/webhooks.md#event-kinds. */
export const PAYMENT_EVENTS = {
  'collection.success': {
    description: 'a collection has succeeded: its money is in your wallet',
    data: Type.Object({ ...about, completed_at: Described(Instant, 'When it succeeded.') }),
  },
  'collection.failed': {
    description:
      'an attempt has failed; `next_retry_at` says when the next one comes, and where it is null `no_retry_reason` says why. ' +
      'Also when a pause, a cancellation or a withdrawal ends a payment: then `reason` is `stopped`',
    data: Type.Object({
      ...about,
      error: Described(Failure, 'Why it failed: one of the codes of a payment’s `error`.'),
      failed_at: Described(Instant, 'When it failed.'),
      attempt: Type.Integer({
        description: 'The number of the last attempt, counted from 1. 0: none was made.',
      }),
      next_retry_at: OrNull(Instant, 'When the payment is tried again. Null: it is not.'),
      no_retry_reason: WhyNoRetry('one does'),
      reason: Type.Optional(
        OneOf(
          ['stopped'],
          'Present where a pause, a cancellation or a withdrawal ended the payment.',
        ),
      ),
    }),
  },
  'collection.skipped': {
    description:
      'an occurrence falls due and nothing is collected, because you skip it or have set no amount for it',
    data: Type.Object({
      schedule_id: Id('sch', 'The schedule of the occurrence.'),
      customer_id: Id('cus', 'The customer of the schedule.'),
      due_date: Described(Instant, 'When the occurrence fell due.'),
      reason: OneOf(
        SKIP_REASONS,
        '`skipped`: you skipped it. `amount_not_set`: with `amount_mode: "per_occurrence"` you set no amount for it.',
      ),
      created_at: Described(Instant, 'When it was skipped.'),
    }),
  },
  'collection.returned': {
    description:
      'the customer’s bank recalls the money after the success of a collection. You owe it, and your next settlements net it',
    data: Type.Object({
      ...names,
      amount: Described(Amount, 'What you owe.'),
      reason: Text('Why, as the bank says.'),
      returned_at: Described(Instant, 'When it was recalled.'),
    }),
  },
  'payment.unexpected_money': {
    description:
      'money arrives that may belong to a payment and that it does not wait for, and again when the operator has decided what becomes of it',
    data: Type.Object({
      id: Id('una', 'The id of the money, which is the same once a decision is made.'),
      ...names,
      amount: Described(Amount, 'How much arrived.'),
      status: MoneyStatus,
      reason: MoneyReason,
      arrived_at: Described(Instant, 'When it arrived.'),
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
