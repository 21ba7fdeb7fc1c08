import type { Static } from 'typebox';
import type { Asked } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { findChangesOf } from '../books/changes-store.ts';
import { readTermsInForce } from '../books/store.ts';
import type { OccurrenceAnswer } from '../request/occurrence-schemas.ts';
import { type Planned, plannedOccurrences } from '../terms/amounts.ts';
import { comingSince } from '../terms/schedule.ts';
import { requireSchedule } from './service.ts';

/** A coming occurrence in responses: docs/rules/schedules.md#upcoming-occurrences. */
export type OccurrenceView = Static<typeof OccurrenceAnswer>;

/** Converts a planned occurrence to its form in responses. */
export function viewOccurrence(planned: Planned, currency: string): OccurrenceView {
  const { dueDate, amountPence, isSkipped, isChanged } = planned;
  const reasons = [planned.reason, planned.amountReason].filter((reason) => reason !== null);
  return {
    due_date: formatInstant(dueDate),
    amount: amountPence === null ? null : { value: amountPence, currency },
    skipped: isSkipped,
    changed: isChanged,
    reason: reasons.length > 0 ? reasons.join('; ') : null,
  };
}

/** Returns the coming occurrences under the current terms, what each collects, and why a date or an amount is not the usual. */
export async function showUpcoming(
  { tx, now, merchantId }: Asked,
  scheduleId: string,
  limit: number,
): Promise<{ data: OccurrenceView[] }> {
  const schedule = await requireSchedule(tx, merchantId, scheduleId);
  if (schedule.status === 'cancelled') return { data: [] };
  const terms = await readTermsInForce(tx, schedule);
  const changes = await findChangesOf(tx, schedule, now);
  const planned = plannedOccurrences(terms, changes, comingSince(schedule, now), limit);
  return { data: planned.map((one) => viewOccurrence(one, terms.currency)) };
}
