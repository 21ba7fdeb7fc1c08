import type { LimitPeriod } from '../../banks/bank.ts';
import { earlier, isAfter, isBefore, later } from '../../platform/values/instants.ts';
import { firstIndexAfter, occurrence, type Series } from '../terms/occurrences.ts';
import { retryTime } from '../terms/retry-times.ts';
import { type ControlParameters, endOfDay, firstIndexFrom, startOfDay } from './headroom.ts';
import {
  BANK_TIME_ZONE,
  dateIn,
  type PeriodicLimit,
  type PeriodType,
  periodIndex,
  windowOf,
} from './limit-window.ts';
import { controlParameters, eachInPeriod, type LimitedTerms } from './limits.ts';
import { limitPeriod, simulatedOccurrences } from './tightest-limit.ts';

/** When a consent is asked of the bank, and until when the customer may agree to it. */
export interface Asking {
  now: Temporal.Instant;
  until: Temporal.Instant;
  maxRetries: number;
}

/** The days at the bank on which one occurrence may be collected: its own, to that of its last retry. */
interface Attempts {
  from: Temporal.PlainDate;
  to: Temporal.PlainDate;
}

/**
 * Returns the control parameters to ask for now: those of the schedule's occurrences at or after `from` (`controlParameters`),
 * valid at once wherever an occurrence and its retries still share a period, and otherwise from the first occurrence. With a
 * first payment they are always valid at once, and have room for it, and for retries that leave the period of their occurrence.
 * See docs/rules/consents.md#from-when-a-consent-is-valid. Throws RangeError if no occurrence is left.
 */
export function parametersAtAgreement(
  terms: LimitedTerms,
  from: Temporal.Instant,
  asking: Asking,
  taken?: readonly LimitPeriod[],
): ControlParameters {
  const { series, firstPence = null } = terms;
  const own = controlParameters({ ...terms, firstPence: null }, from, taken);
  const begins = earlier(beginning(asking.now), own.validFrom);
  const [limit] = own.periodicLimits;
  if (limit === undefined) throw new Error('a schedule has a limit per period');
  const first = firstIndexFrom(series, from);
  const { collections } = limitPeriod(series, first, taken);
  const attempts = attemptsOf(series, first, asking.maxRetries);
  const atOnce = countsFrom(begins, limit.periodType, attempts);
  const isAsGood =
    Math.max(...atOnce.due.values()) <= collections &&
    (atOnce.isShared || !countsFrom(own.validFrom, limit.periodType, attempts).isShared);
  if (firstPence === null) return isAsGood ? { ...own, validFrom: begins } : own;
  const each = eachInPeriod(terms);
  const beside = mostBeside(series, first, {
    limit,
    begins,
    last: lastOfFirst(series, begins, asking),
  });
  const crowd = isAsGood ? 0 : Math.max(...atOnce.attempted.values());
  const amountPence = Math.max(limit.amountPence, each * crowd, firstPence + each * beside);
  return {
    ...own,
    validFrom: begins,
    maximumAmountPence: Math.max(own.maximumAmountPence, firstPence),
    periodicLimits: [{ ...limit, amountPence }],
  };
}

/** Returns the most occurrences that fall due in one of the periods in which the first payment may be collected. */
function mostBeside(
  series: Series,
  first: number,
  {
    limit,
    begins,
    last,
  }: { limit: PeriodicLimit; begins: Temporal.Instant; last: Temporal.Instant },
): number {
  const end = series.endAt === null ? Infinity : firstIndexAfter(series, series.endAt);
  let most = 0;
  for (let at = begins; !isAfter(at, last); ) {
    const next = startOfDay(windowOf(limit, begins, at).end.add({ days: 1 }));
    const from = Math.max(first, firstIndexFrom(series, at));
    most = Math.max(most, Math.min(end, firstIndexFrom(series, next)) - from);
    at = next;
  }
  return most;
}

/** How long a request may be on its way to the bank, which refuses a consent that begins on a day that is over. */
const ON_ITS_WAY = { minutes: 1 };

/** Returns when a consent that is asked for now begins: now, or with the next day of the bank where that is about to begin. */
function beginning(now: Temporal.Instant): Temporal.Instant {
  const arrives = dateIn(now.add(ON_ITS_WAY), BANK_TIME_ZONE);
  return dateIn(now, BANK_TIME_ZONE).equals(arrives) ? now : startOfDay(arrives);
}

/**
 * Returns when the first payment may be tried for the last time, whenever the customer agrees: no retry comes at the next
 * occurrence or after it.
 */
function lastOfFirst(
  series: Series,
  begins: Temporal.Instant,
  { until, maxRetries }: Asking,
): Temporal.Instant {
  // In the last minute of a day, and of the link, the consent begins after the last agreement.
  const due = later(until, begins);
  const next = occurrence(series, firstIndexAfter(series, due));
  let last = due;
  for (let retries = 1; retries <= maxRetries; retries += 1) {
    if (next && !isBefore(lastRetry(series, begins, null, retries), next)) break;
    const latest = lastRetry(series, due, null, retries);
    last = earlier(latest, next?.subtract({ milliseconds: 1 }) ?? null);
  }
  return last;
}

/** Returns the last planned retry of a payment whose attempts fail at once; without any, the payment's own moment. */
function lastRetry(
  series: Series,
  dueAt: Temporal.Instant,
  before: Temporal.Instant | null,
  maxRetries: number,
): Temporal.Instant {
  const { timeZone, frequency, endAt } = series;
  const end = endAt && endOfDay(endAt, timeZone);
  let last = dueAt;
  for (let failedAttempts = 1; failedAttempts <= maxRetries; failedAttempts += 1) {
    const retry = retryTime({
      frequencyType: frequency.type,
      failedAttempts,
      failedAt: last,
      timeZone,
    });
    if ((before && !isBefore(retry, before)) || (end && isAfter(retry, end))) break;
    last = retry;
  }
  return last;
}

/** Returns the days of the occurrences that are simulated, from index `first` on. */
function attemptsOf(series: Series, first: number, maxRetries: number): Attempts[] {
  const attempts: Attempts[] = [];
  for (let n = first; n < first + simulatedOccurrences(series); n += 1) {
    const at = occurrence(series, n);
    if (at === null) break;
    const last = lastRetry(series, at, occurrence(series, n + 1), maxRetries);
    attempts.push({ from: dateIn(at, BANK_TIME_ZONE), to: dateIn(last, BANK_TIME_ZONE) });
  }
  return attempts;
}

/** What falls into the periods that are counted from one day, by their number. */
interface Counts {
  /** How many occurrences fall due in each. */
  due: Map<number, number>;
  /** How many may be collected in each, at their date or by a retry. */
  attempted: Map<number, number>;
  /** Each occurrence shares its period with its retries. */
  isShared: boolean;
}

function countsFrom(
  validFrom: Temporal.Instant,
  periodType: PeriodType,
  attempts: readonly Attempts[],
): Counts {
  const anchor = dateIn(validFrom, BANK_TIME_ZONE);
  const counts: Counts = { due: new Map(), attempted: new Map(), isShared: true };
  for (const { from, to } of attempts) {
    const [start, end] = [from, to].map((date) => periodIndex(periodType, anchor, date)) as [
      number,
      number,
    ];
    counts.due.set(start, (counts.due.get(start) ?? 0) + 1);
    for (let n = start; n <= end; n += 1)
      counts.attempted.set(n, (counts.attempted.get(n) ?? 0) + 1);
    counts.isShared &&= start === end;
  }
  return counts;
}
