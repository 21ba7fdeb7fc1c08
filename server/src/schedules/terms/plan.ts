import { isAfter, isBefore } from '../../platform/values/instants.ts';
import { type FrequencyType, normaliseFrequency } from './frequency.ts';
import { firstOccurrence, type Series } from './occurrences.ts';
import { type NonWorkingDay, nonWorkingDayErrors } from './working-day.ts';

/** The time of day of occurrences without a `start_date`: docs/rules/schedules.md#time-of-day. */
const DEFAULT_TIME = Temporal.PlainTime.from('09:00');

/** The error for an end date before the first occurrence. */
export const NOTHING_FITS = { end_date: 'leaves no occurrence: the first one would be after it' };

/** The furthest date that is accepted. */
const MAX_DISTANCE = Temporal.Duration.from({ hours: 24 * 365 * 50 });

export type FrequencyInput =
  | FrequencyType
  | { type: FrequencyType; day?: number; interval?: number };

/** The input for planning a series. */
export interface SeriesRequest {
  frequency: FrequencyInput;
  startDate: Temporal.Instant | null;
  endDate: Temporal.Instant | null;
  timeZone: string;
  now: Temporal.Instant;
  nonWorkingDay?: NonWorkingDay;
}

/**
 * Plans the series of a schedule: the first occurrence is the first matching moment at or after `startDate`, or after now if none
 * is given (or it has passed). `errors` names `end_date` if no occurrence is before it.
 */
export function planSeries(
  r: SeriesRequest,
): { series: Series } | { errors: Record<string, string> } {
  const { startDate, now, timeZone } = r;
  const isAhead = startDate !== null && !isBefore(startDate, now);
  const from = isAhead ? startDate : now;
  const frequency = normaliseFrequency(
    r.frequency,
    (startDate ?? now).toZonedDateTimeISO(timeZone),
  );
  const time = startDate?.toZonedDateTimeISO(timeZone).toPlainTime() ?? DEFAULT_TIME;
  const firstAt = firstOccurrence(frequency, from, isAhead, time, timeZone);
  if (r.endDate !== null && isAfter(firstAt, r.endDate)) return { errors: NOTHING_FITS };
  const { nonWorkingDay = 'same', endDate: endAt } = r;
  const errors = nonWorkingDayErrors(frequency.type, nonWorkingDay);
  if (Object.keys(errors).length > 0) return { errors };
  const shape = { frequency, firstAt, timeZone, endAt, timeOfDay: time };
  return { series: { ...shape, nonWorkingDay, notBefore: from } };
}

/** Returns what is wrong with a pair of dates, by field. `startDate` is compared with now only if it is being set. */
export function dateErrors(
  startDate: Temporal.Instant | null,
  endDate: Temporal.Instant | null,
  now: Temporal.Instant,
  startIsNew: boolean,
): Record<string, string> {
  const errors: Record<string, string> = {};
  if (startIsNew && startDate !== null && isBefore(startDate, now))
    errors.start_date = 'must not lie in the past';
  if (startIsNew && startDate !== null && isAfter(startDate, now.add(MAX_DISTANCE)))
    errors.start_date = 'must not lie more than 50 years ahead';
  if (endDate === null) return errors;
  if (!isAfter(endDate, now)) errors.end_date = 'must lie after now';
  else if (startDate !== null && !isAfter(endDate, startDate))
    errors.end_date = 'must lie after start_date';
  return errors;
}
