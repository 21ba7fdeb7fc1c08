import { LONDON, londonDay, startOf } from '../laws/reconciliation/london-day.ts';
import { businessDayOf, isBusinessDay, nextBusinessDay } from '../platform/time/calendar.ts';
import { earlier, isAfter } from '../platform/values/instants.ts';

/** How long after the reconciliation point the books are taken: what was booked at the point has been written by then. */
const TAKEN_AFTER = Temporal.Duration.from({ minutes: 15 });
/** Delay before a run that could not compare everything, or that differs, is made again. */
const AGAIN_AFTER = Temporal.Duration.from({ hours: 1 });

/** Returns the reconciliation point of a day: the moment as of which what is owed and what is held are taken. */
export const pointOf = (day: Temporal.PlainDate, at: Temporal.PlainTime): Temporal.Instant =>
  day.toZonedDateTime({ timeZone: LONDON, plainTime: at }).toInstant();

/** Returns the moment by which what a day asks for has been done: its end, in London. */
export const endOf = (day: Temporal.PlainDate): Temporal.Instant => startOf(day.add({ days: 1 }));

/** Returns the moment by which money that arrived is allocated to a client: the end of the next business day. */
export const allocatedBy = (arrivedAt: Temporal.Instant): Temporal.Instant =>
  endOf(nextBusinessDay(londonDay(arrivedAt)));

/** Returns the last business day before a day. */
export function businessDayBefore(day: Temporal.PlainDate): Temporal.PlainDate {
  let before = day.subtract({ days: 1 });
  while (!isBusinessDay(before)) before = before.subtract({ days: 1 });
  return before;
}

/** Returns the reconciliation days from one day to another, both included: the business days. */
export function reconciliationDays(
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): Temporal.PlainDate[] {
  const days: Temporal.PlainDate[] = [];
  for (let day = from; Temporal.PlainDate.compare(day, to) <= 0; day = day.add({ days: 1 }))
    if (isBusinessDay(day)) days.push(day);
  return days;
}

/** Returns the day whose run is to be made now; null: it is no reconciliation day, or its point has not come. */
export function dayToRun(now: Temporal.Instant, at: Temporal.PlainTime): Temporal.PlainDate | null {
  const today = londonDay(now);
  if (!isBusinessDay(today)) return null;
  return isAfter(pointOf(today, at).add(TAKEN_AFTER), now) ? null : today;
}

/** Returns when to check next: after the next point, after the end of a business day, and sooner while today's run is open. */
export function nextCheckAt(
  now: Temporal.Instant,
  at: Temporal.PlainTime,
  isOpen: boolean,
): Temporal.Instant {
  const today = londonDay(now);
  const own = pointOf(today, at).add(TAKEN_AFTER);
  const isToCome = isBusinessDay(today) && isAfter(own, now);
  const run = isToCome ? own : pointOf(nextBusinessDay(today), at).add(TAKEN_AFTER);
  const next = earlier(run, endOf(businessDayOf(today)).add(TAKEN_AFTER));
  return isOpen ? earlier(next, now.add(AGAIN_AFTER)) : next;
}
