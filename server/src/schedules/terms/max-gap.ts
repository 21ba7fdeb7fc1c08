import { isAfter } from '../../platform/values/instants.ts';
import { stepOf } from './frequency.ts';
import { firstIndexAfter, occurrence } from './occurrences.ts';
import type { Terms } from './schedule.ts';

/** What a merchant should know of terms that are allowed. */
export interface Warning {
  code: 'max_gap';
  message: string;
}

/** Some banks and schemes end a consent under which nothing was collected for 13 months. */
const LONGEST_GAP_MONTHS = 12;

const MESSAGE =
  'More than twelve months lie between two collections. Some banks end a consent that lies unused for 13 months: ' +
  'collect something in between, or be ready to ask the customer again.';

/**
 * Returns what to know of terms as they go on after `now`: whether more than twelve months lie between two collections, or,
 * unless the customer has agreed already, until the first. See docs/rules/consents.md#consents-that-lie-unused.
 */
export function warningsOf(
  { series }: Pick<Terms, 'series'>,
  now: Temporal.Instant,
  isAgreed: boolean,
): Warning[] {
  const index = firstIndexAfter(series, now);
  const next = occurrence(series, index);
  if (next === null) return [];
  const { unit, size } = stepOf(series.frequency);
  const exceedsMaxGap =
    unit === 'months' && size > LONGEST_GAP_MONTHS && occurrence(series, index + 1) !== null;
  const soonEnough = now
    .toZonedDateTimeISO(series.timeZone)
    .add({ months: LONGEST_GAP_MONTHS })
    .toInstant();
  const isFarOff = !isAgreed && isAfter(next, soonEnough);
  return exceedsMaxGap || isFarOff ? [{ code: 'max_gap', message: MESSAGE }] : [];
}
