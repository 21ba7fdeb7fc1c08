import type { AppendedEvent, DataOf, FanOut } from '../platform/events.ts';
import type { NewNotice, Notify } from '../platform/notify.ts';
import { describeAmount } from '../schedules/describe.ts';
import type { SETTLEMENT_EVENTS } from '../settlements/events.ts';

/** The notices that an event causes, by its kind. All other events cost nothing here. */
const CAUSES: Readonly<Record<string, (event: AppendedEvent) => NewNotice>> = {
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
};

/** Returns a fan-out that also writes the notices of the events, after their deliveries. */
export function tellByEmail(fanOut: FanOut, notify: Notify): FanOut {
  return async (tx, at, events) => {
    await fanOut(tx, at, events);
    const notices = events.flatMap((event) => CAUSES[event.kind]?.(event) ?? []);
    await notify(tx, at, notices);
  };
}
