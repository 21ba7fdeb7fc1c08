import { LIMIT_PERIODS } from '../../banks/bank.ts';
import { localTimeOf } from '../../platform/time/local-time.ts';
import { stepOf } from '../terms/frequency.ts';
import { occurrence, type Series } from '../terms/occurrences.ts';
import { BANK_TIME_ZONE, dateIn, type PeriodType, periodIndex } from './limit-window.ts';

interface PeriodFacts {
  periodType: PeriodType;
  longestDays: number;
  /** Exact: 400 Gregorian years are 146,097 days, a whole number of weeks. */
  per400Years: number;
}

/** An occurrence's date at the bank, and its distance from the merchant's date. */
interface Shifted {
  bank: Temporal.PlainDate;
  shiftDays: number;
}

/** From shortest to longest, so that the shortest wins a tie. */
const PERIODS: readonly PeriodFacts[] = [
  { periodType: 'Day', longestDays: 1, per400Years: 146_097 },
  { periodType: 'Week', longestDays: 7, per400Years: 20_871 },
  { periodType: 'Fortnight', longestDays: 14, per400Years: 10_435.5 },
  { periodType: 'Month', longestDays: 31, per400Years: 4_800 },
  { periodType: 'Half-year', longestDays: 184, per400Years: 800 },
  { periodType: 'Year', longestDays: 366, per400Years: 400 },
];

/** The number of occurrences simulated; with monthly steps that is five years, which include a leap year. */
const SIMULATED = 60;
/** If the zone's dates differ from the bank's: 28 years of months, the cycle of years and weekdays. */
const SIMULATED_ACROSS_ZONES = 336;

/**
 * Returns the period of a series' limit, and how many collections it allows per period: the tightest that fits, except for a
 * daily series. A bank counts calendar days, so with a daily limit a retry after midnight, or a payment delayed by an outage,
 * would use the next day's room. A daily series gets a week with room for one extra payment. So does the period of a series
 * whose occurrences move to working days: one may move into the period of another. Where the bank does not take the tightest one
 * (`taken`: those that it takes), it is the next longer one.
 */
export function limitPeriod(
  series: Series,
  first: number,
  taken: readonly PeriodType[] = LIMIT_PERIODS,
): LimitPeriod {
  const key = `${keyOf(series, first)} ${taken.join()}`;
  const known = KNOWN.get(key);
  if (known !== undefined) return known;
  const found = findTaken(series, first, taken);
  if (KNOWN.size >= MAX_KNOWN) KNOWN.clear();
  KNOWN.set(key, found);
  return found;
}

interface LimitPeriod {
  periodType: PeriodType;
  collections: number;
  /** Those of `collections` that fall due in one period, without the extra one. */
  own: number;
}

/** What was found before: every view of a schedule shows its limits, and a simulation takes milliseconds. */
const KNOWN = new Map<string, LimitPeriod>();
const MAX_KNOWN = 10_000;

/** Names everything that the result follows from. The time of day counts only where a date differs from the bank's. */
function keyOf(series: Series, first: number): string {
  const { frequency, firstAt, timeOfDay, timeZone, nonWorkingDay } = series;
  const from =
    timeZone === BANK_TIME_ZONE
      ? localTimeOf(firstAt, BANK_TIME_ZONE).day
      : `${firstAt.epochMilliseconds} ${timeOfDay}`;
  const { type, day, interval } = frequency;
  return `${type} ${day} ${interval} ${timeZone} ${nonWorkingDay} ${from} ${first}`;
}

function findTaken(series: Series, first: number, taken: readonly PeriodType[]): LimitPeriod {
  const tightest = findLimitPeriod(series, first, LIMIT_PERIODS);
  if (taken.includes(tightest.periodType)) return tightest;
  const longer = LIMIT_PERIODS.slice(LIMIT_PERIODS.indexOf(tightest.periodType));
  const next = longer.find((periodType) => taken.includes(periodType));
  return findLimitPeriod(series, first, next === undefined ? taken : [next]);
}

function findLimitPeriod(series: Series, first: number, taken: readonly PeriodType[]): LimitPeriod {
  const { type, interval } = series.frequency;
  const { nonWorkingDay = 'same' } = series;
  const periods = PERIODS.filter(({ periodType }) => taken.includes(periodType));
  if (nonWorkingDay !== 'same')
    return withOneMore(tightestPeriod({ ...series, nonWorkingDay: 'same' }, first, periods));
  if (type !== 'daily' || interval !== 1) return tightestPeriod(series, first, periods);
  const longer = periods.filter(({ periodType }) => periodType !== 'Day').slice(0, 1);
  return withOneMore(tightestPeriod(series, first, longer.length > 0 ? longer : periods));
}

const withOneMore = (period: LimitPeriod): LimitPeriod => ({
  ...period,
  collections: period.collections + 1,
});

/**
 * Returns the period and the collections per period that allow a series' own occurrences from index `first` on, with the lowest
 * yearly rate; in a tie, the shortest period. Ignores `endAt`: the consent's validity ends with it.
 */
function tightestPeriod(
  series: Series,
  first: number,
  periods: readonly PeriodFacts[],
): LimitPeriod {
  const dates = bankDates({ ...series, endAt: null }, first);
  const candidates = periods.map((period) => {
    const collections = maxInOnePeriod(series, period, dates);
    const { periodType } = period;
    return { periodType, collections, rate: collections * period.per400Years };
  });
  const { periodType, collections } = candidates.reduce((best, next) =>
    next.rate < best.rate ? next : best,
  );
  return { periodType, collections, own: collections };
}

/** Returns how many occurrences of a series are simulated. */
export const simulatedOccurrences = ({ timeZone }: Series): number =>
  timeZone === BANK_TIME_ZONE ? SIMULATED : SIMULATED_ACROSS_ZONES;

/** Returns the bank's dates of the simulated occurrences. */
function bankDates(series: Series, first: number): readonly Shifted[] {
  return Array.from({ length: simulatedOccurrences(series) }, (_, k) => {
    const at = occurrence(series, first + k);
    if (at === null) throw new RangeError('A series without an end has every occurrence');
    const bank = dateIn(at, BANK_TIME_ZONE);
    const own = dateIn(at, series.timeZone);
    return { bank, shiftDays: own.until(bank, { largestUnit: 'days' }).days };
  });
}

function maxInOnePeriod(series: Series, period: PeriodFacts, dates: readonly Shifted[]): number {
  const step = stepOf(series.frequency);
  if (step.unit === 'months') return maxSimulated(period.periodType, dates);
  // Occurrences a fixed number of days apart eventually meet a long period in every phase, later than any affordable
  // simulation: so the maximum is computed. If clock changes shift them against the bank's dates, a period can reach one day
  // further.
  const reach = new Set(dates.map((date) => date.shiftDays)).size > 1 ? 1 : 0;
  return Math.ceil((period.longestDays + reach) / step.size);
}

function maxSimulated(periodType: PeriodType, dates: readonly Shifted[]): number {
  const anchor = dates[0]?.bank;
  if (!anchor) return 0;
  const counts = new Map<number, number>();
  for (const { bank } of dates) {
    const index = periodIndex(periodType, anchor, bank);
    counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  return Math.max(...counts.values());
}

/** Returns how many periods of one type a period of another can touch at most, which is as long or longer. */
export function periodsWithin(within: PeriodType, narrow: PeriodType): number {
  const days = (type: PeriodType): number =>
    PERIODS.find(({ periodType }) => periodType === type)?.longestDays ?? 0;
  return Math.ceil(days(within) / days(narrow));
}
