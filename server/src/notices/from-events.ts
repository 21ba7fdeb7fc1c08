import { findUnderWay } from '../payments/books/read-store.ts';
import type { PAYMENT_EVENTS } from '../payments/payment/events.ts';
import type { Tx } from '../platform/db/db.ts';
import type { AppendedEvent, DataOf, FanOut } from '../platform/state/events.ts';
import type { NewNotice, Notify } from '../platform/state/notify.ts';
import type { REFUND_EVENTS } from '../refunds/events.ts';
import type { SCHEDULE_EVENTS } from '../schedules/request/events.ts';
import { describeAmount } from '../schedules/terms/describe.ts';
import type { SETTLEMENT_EVENTS } from '../settlements/events.ts';

const LIST = new Intl.ListFormat('en-GB');

type Cause = (event: AppendedEvent, tx: Tx) => NewNotice | null | Promise<NewNotice>;

/** The notices that an event causes, by its kind. All other events cost nothing here. */
const CAUSES: Readonly<Record<string, Cause>> = {
  'schedule.cancelled': async ({ merchantId, subjectId, data }, tx) => {
    const { reason } = data as DataOf<typeof SCHEDULE_EVENTS, 'schedule.cancelled'>;
    const underWay = await findUnderWay(tx, merchantId, [subjectId]);
    const amounts = underWay.map(({ amount }) => describeAmount(amount.value, amount.currency));
    return {
      merchantId,
      kind: 'payments_ended',
      causeId: subjectId,
      customer: { scheduleId: subjectId, hasAgreed: true },
      facts: {
        reason,
        ...(amounts.length === 0 ? {} : { under_way: LIST.format(amounts) }),
      },
    };
  },
  'settlement.failed': ({ merchantId, subjectId, data }) => {
    const failed = data as DataOf<typeof SETTLEMENT_EVENTS, 'settlement.failed'>;
    return {
      merchantId,
      kind: 'settlement_failed',
      causeId: `${subjectId} ${failed.failed_at}`,
      facts: {
        settlement_id: subjectId,
        amount: describeAmount(failed.amount.value),
        account_ending: failed.destination_account.account_number.slice(-4),
        reason: failed.error.message,
      },
    };
  },
  'collection.failed': ({ merchantId, subjectId, data }) => {
    const failed = data as DataOf<typeof PAYMENT_EVENTS, 'collection.failed'>;
    const { attempt, next_retry_at: retryAt, amount, error } = failed;
    // Whoever stopped the payments knows; and between the first attempt and the end the customer hears nothing new.
    if (failed.reason === 'stopped' || (attempt > 1 && retryAt !== null)) return null;
    return {
      merchantId,
      kind: 'payment_failed',
      causeId: `${subjectId} ${attempt}`,
      customer: { scheduleId: failed.schedule_id },
      facts: {
        amount: describeAmount(amount.value, amount.currency),
        code: error.code,
        ...(retryAt === null ? {} : { next_retry_at: retryAt }),
      },
    };
  },
  'consent.reauthentication_needed': ({ merchantId, subjectId, data }) => {
    const asked = data as DataOf<typeof SCHEDULE_EVENTS, 'consent.reauthentication_needed'>;
    return {
      merchantId,
      kind: 'confirm_again',
      causeId: `${subjectId} ${asked.created_at}`,
      customer: { scheduleId: asked.schedule_id },
      facts: {},
    };
  },
  'refund.success': ({ merchantId, subjectId, data }) => {
    const paid = data as DataOf<typeof REFUND_EVENTS, 'refund.success'>;
    const { amount, completed_at, schedule_id: scheduleId } = paid;
    return {
      merchantId,
      kind: 'refund_paid',
      causeId: subjectId,
      customer: { scheduleId },
      facts: { amount: describeAmount(amount.value, amount.currency), completed_at },
    };
  },
};

/** Returns a fan-out that also writes the notices of the events, after their deliveries. */
export function withNotices(fanOut: FanOut, notify: Notify): FanOut {
  return async (tx, at, events, handing) => {
    await fanOut(tx, at, events, handing);
    const notices: NewNotice[] = [];
    for (const event of events) {
      const notice = await CAUSES[event.kind]?.(event, tx);
      if (notice) notices.push(notice);
    }
    await notify(tx, at, notices);
  };
}
