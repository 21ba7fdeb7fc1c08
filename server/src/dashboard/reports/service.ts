import { readMerchant } from '../../merchants/service.ts';
import type { Tx } from '../../platform/db/db.ts';
import { monthOf } from '../../platform/http/lists/list-filters.ts';
import type { Platform } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { ApiError, invalid } from '../../platform/values/errors.ts';
import { labelCustomers } from '../customers/label.ts';
import { readComing } from '../overview/coming.ts';
import { totalOf } from '../overview/days.ts';
import { CURRENCY } from '../overview/service.ts';
import { AGE_BOUNDS, agesOf, owedByCustomer } from './ageing.ts';
import { calendarOf } from './calendar.ts';
import { cohortsOf, monthsBetween } from './cohorts.ts';
import { failuresOf, PART_BOUNDS } from './failures.ts';
import { dayOf, rangeOf, startOf, todayIn, type ZonedCall } from './range.ts';
import { frameOf, statementOf } from './statement.ts';
import { readMoved } from './statement-store.ts';
import type { Statement } from './statement-view.ts';
import { sumArrears, sumCalendar, sumCohorts, sumDue, tryReportSlot } from './store.ts';
import type { AgeingReport, CalendarReport, CohortReport, FailureReport } from './view.ts';

/** The days of a report's query. */
export interface ReportRange {
  from?: string;
  to?: string;
}

const USUAL_WEEKS = 12;
const USUAL_MONTHS = 6;
/** How far ahead a calendar looks. */
const MAX_MONTHS_AHEAD = 12;
/** A year and its broken weeks. */
const MAX_DAYS = 372;
const MAX_CUSTOMERS = 1_000;

/**
 * Lets a merchant add up two reports at once, for as long as their transactions last: a report over many payments takes a
 * connection for seconds. Throws 429.
 */
export async function reserveReportSlot(tx: Tx, merchantId: string): Promise<void> {
  if (await tryReportSlot(tx, merchantId)) return;
  throw new ApiError(
    'rate_limit_exceeded',
    'Two other reports are being added up for your team; try again in a moment.',
  );
}

const reportHeader = ({ now }: ZonedCall) => ({ currency: CURRENCY, as_of: formatInstant(now) });

/**
 * Returns the payments of a range that failed, among those due: over time, by reason, bank, amount and age of the schedule, and
 * beside as many days before. Throws 400 for a wrong range.
 */
export async function reportFailures(
  call: ZonedCall,
  query: ReportRange & { by: 'week' | 'month' },
): Promise<FailureReport> {
  const { tx, merchantId, timeZone } = call;
  const last = dayOf('to', query.to, todayIn(timeZone, call.now));
  const first = dayOf('from', query.from, last.subtract({ days: USUAL_WEEKS * 7 - 1 }));
  const range = rangeOf(first, last, timeZone, MAX_DAYS);
  const before = startOf(first.subtract(first.until(last)).subtract({ days: 1 }), timeZone);
  const counted = { range, before, by: query.by, ...PART_BOUNDS };
  const rows = await sumDue(tx, merchantId, counted, timeZone);
  return {
    ...reportHeader(call),
    from: first.toString(),
    to: last.toString(),
    by: query.by,
    bounds: PART_BOUNDS,
    ...failuresOf(rows, range, query.by),
  };
}

/** Returns what failed and was not collected since, by age and customer. Throws 400 for a wrong range. */
export async function reportAgeing(
  platform: Platform,
  call: ZonedCall,
  query: ReportRange,
): Promise<AgeingReport> {
  const { tx, merchantId, timeZone } = call;
  const today = todayIn(timeZone, call.now);
  const [first, last] = [dayOf('from', query.from, null), dayOf('to', query.to, null)];
  if (first !== null && last !== null) rangeOf(first, last, timeZone, Number.MAX_SAFE_INTEGER);
  const range = {
    since: first && startOf(first, timeZone),
    until: last && startOf(last.add({ days: 1 }), timeZone),
  };
  const rows = await sumArrears(tx, merchantId, range, today, AGE_BOUNDS, timeZone);
  const owed = owedByCustomer(rows);
  const shown = owed.slice(0, MAX_CUSTOMERS);
  const ids = shown.map((one) => one.customerId);
  const labels = await labelCustomers(platform, tx, merchantId, ids);
  return {
    ...reportHeader(call),
    ages: agesOf(rows, today, { first, last }),
    total: totalOf(rows),
    customers: shown.map(({ customerId: id, ages, total, oldest }) => ({
      customer: labels.get(id) ?? { id, label: id },
      ages,
      total,
      oldest: formatInstant(oldest),
    })),
    customers_total: owed.length,
  };
}

/** Returns what schedules collected, by the month in which they became active. Throws 400 for a wrong range. */
export async function reportCohorts(call: ZonedCall, query: ReportRange): Promise<CohortReport> {
  const { tx, merchantId, timeZone } = call;
  const today = todayIn(timeZone, call.now);
  const last = monthOf('to', query.to, today.with({ day: 1 }));
  const first = monthOf('from', query.from, last.subtract({ months: USUAL_MONTHS - 1 }));
  const range = rangeOf(first, endOf(last), timeZone, MAX_DAYS);
  const months = monthsBetween(first, laterDate(last, today)).map((month) => ({
    month,
    since: startOf(month, timeZone),
  }));
  const rows = await sumCohorts(tx, merchantId, range, months, timeZone);
  const cohorts = cohortsOf(rows, first, last, today);
  return {
    ...reportHeader(call),
    from: first.toPlainYearMonth().toString(),
    to: last.toPlainYearMonth().toString(),
    cohorts,
    total: totalOf(cohorts.map((cohort) => cohort.total)),
  };
}

/**
 * Returns a month, by default the present one, day by day: what was due and how it stands, what is to come, and what was paid
 * out. Throws 400 for a month more than a year ahead.
 */
export async function reportCalendar(
  call: ZonedCall,
  month: string | undefined,
): Promise<CalendarReport> {
  const { tx, merchantId, timeZone, now } = call;
  const today = todayIn(timeZone, now);
  const first = monthOf('month', month, today.with({ day: 1 }));
  const furthest = today.add({ months: MAX_MONTHS_AHEAD });
  if (Temporal.PlainDate.compare(first, furthest) > 0)
    throw invalid({ month: 'must be at most a year ahead' });
  const range = rangeOf(first, endOf(first), timeZone, MAX_DAYS);
  const from = laterDate(first, today);
  const ahead = from.until(range.last, { largestUnit: 'days' }).days + 1;
  const coming = ahead > 0 ? await readComing(call, ahead, from) : [];
  const rows = await sumCalendar(tx, merchantId, range, now, timeZone);
  return {
    ...reportHeader(call),
    month: first.toPlainYearMonth().toString(),
    today: today.toString(),
    ...calendarOf(rows, coming, range),
  };
}

/**
 * Returns the statement of a month of the merchant's wallet, by default the last one that is over. Throws 400 for a month that is
 * still to come.
 */
export async function readStatement(
  platform: Platform,
  call: ZonedCall,
  month: string | undefined,
): Promise<Statement> {
  const { tx, merchantId, timeZone, now } = call;
  const present = todayIn(timeZone, now).with({ day: 1 });
  const first = monthOf('month', month, present.subtract({ months: 1 }));
  if (Temporal.PlainDate.compare(first, present) > 0) throw invalid({ month: 'is still to come' });
  const range = rangeOf(first, endOf(first), timeZone, MAX_DAYS);
  const { rows, ...balances } = await readMoved(tx, merchantId, range, timeZone);
  const { name, legalName, address } = await readMerchant(platform, tx, merchantId);
  return {
    currency: CURRENCY,
    merchant: { name, legal_name: legalName, address },
    time_zone: timeZone,
    ...frameOf(range, now),
    ...statementOf(rows, balances),
  };
}

/** Returns the last day of the month that begins on `first`. */
const endOf = (first: Temporal.PlainDate): Temporal.PlainDate =>
  first.add({ months: 1 }).subtract({ days: 1 });

const laterDate = (a: Temporal.PlainDate, b: Temporal.PlainDate): Temporal.PlainDate =>
  Temporal.PlainDate.compare(a, b) > 0 ? a : b;
