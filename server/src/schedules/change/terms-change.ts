import { formatInstant } from '../../platform/time/calendar.ts';
import { invalid } from '../../platform/values/errors.ts';
import { isAfter } from '../../platform/values/instants.ts';
import { mostOfOne, penceAndPounds } from '../limits/limits.ts';
import { isSameLimits, limitsIn, refuseLowLimits } from '../request/limits-body.ts';
import { instantOf, type UpdateBody } from '../request/request.ts';
import { type Changes, isOccurrence } from '../terms/amounts.ts';
import { type Frequency, normaliseFrequency } from '../terms/frequency.ts';
import { dateErrors, NOTHING_FITS, planSeries } from '../terms/plan.ts';
import { type Schedule, type Terms, termsToAgree } from '../terms/schedule.ts';
import { nonWorkingDayErrors } from '../terms/working-day.ts';
import { coverRefusal } from './cover.ts';
import type { Lifecycle } from './hooks.ts';
import { booksOf, type TermsBooks } from './terms-books.ts';

/** The effect of an update of the terms, before anything is written. */
export interface TermsChange {
  /** The version that would be created. */
  terms: Terms;
  /**
   * unconsented: nothing was agreed to yet. covered: the consent allows it. beyond: it requires a new consent, because of
   * `refusal`.
   */
  verdict: 'unconsented' | 'covered' | 'beyond';
  /** Why the consent does not allow it; null if it does, or there is none. */
  refusal: string | null;
  /** The merchant asks for limits: they take the place of those that the customer has set on an open link. */
  setsLimits: boolean;
}

/** Returns what a checked body changes in the terms; null if nothing. Throws 400 for impossible terms. */
export async function planTermsChange(
  life: Lifecycle,
  schedule: Schedule,
  sent: UpdateBody,
  books: TermsBooks = booksOf(life),
): Promise<TermsChange | null> {
  if (!changesTerms(sent)) return null;
  const { now } = life;
  const shown = await books.asked(schedule);
  const body = withoutRepeats(sent, shown, now);
  if (!changesTerms(body)) return null;
  await refuseLateStart(life, schedule, body);
  const version = (await books.lastVersion(schedule)) + 1;
  const wanted = { ...planTerms(shown, version, body, now), firstPence: shown.firstPence ?? null };
  const terms = termsToAgree(schedule, wanted);
  refuseLowLimits(terms, body.limits);
  refuseBelowSetAmounts(await books.changes(schedule), terms, body);
  const planned = { terms, setsLimits: body.limits !== undefined };
  if (schedule.consentId === null) return { ...planned, verdict: 'unconsented', refusal: null };
  const refusal = await refusalOf(life, schedule, terms, books);
  return { ...planned, verdict: refusal === null ? 'covered' : 'beyond', refusal };
}

/** Throws 400 if the new terms leave less for one payment than was set for a coming occurrence. */
function refuseBelowSetAmounts(changes: Changes, terms: Terms, body: UpdateBody): void {
  const most = mostOfOne(terms);
  for (const [at, pence] of changes) {
    const dueDate = Temporal.Instant.fromEpochMilliseconds(at);
    if (pence === null || pence <= most || !isOccurrence(terms, dueDate)) continue;
    const field = body.limits === undefined ? 'amount.value' : 'limits.per_payment.value';
    const set = `as much is set for the collection of ${formatInstant(dueDate)}`;
    throw invalid({ [field]: `must be at least ${penceAndPounds(pence)}: ${set}` });
  }
}

const TERMS = [
  'amount',
  'frequency',
  'start_date',
  'end_date',
  'limits',
  'amount_mode',
  'non_working_day',
];

function changesTerms(body: UpdateBody): boolean {
  return TERMS.some((field) => field in body);
}

/** Removes the fields that equal the schedule's own: a client may send back the object that it has read. */
function withoutRepeats(body: UpdateBody, shown: Terms, now: Temporal.Instant): UpdateBody {
  const { series, amountPence, currency, startDate } = shown;
  const from = (startDate ?? now).toZonedDateTimeISO(series.timeZone);
  const isKept: Partial<Record<keyof UpdateBody, boolean>> = {
    amount: body.amount?.value === amountPence && body.amount.currency === currency,
    frequency:
      body.frequency !== undefined &&
      isSameFrequency(normaliseFrequency(body.frequency, from), series.frequency),
    start_date: isSameInstant(instantOf(body.start_date), startDate),
    end_date: isSameInstant(instantOf(body.end_date), series.endAt),
    amount_mode: body.amount_mode === shown.amountMode,
    non_working_day: body.non_working_day === series.nonWorkingDay,
    limits: body.limits !== undefined && isSameLimits(body.limits, shown),
  };
  const changes = Object.entries(body).filter(
    ([field]) => isKept[field as keyof UpdateBody] !== true,
  );
  return Object.fromEntries(changes) as UpdateBody;
}

function isSameFrequency(a: Frequency, b: Frequency): boolean {
  return a.type === b.type && a.day === b.day && a.interval === b.interval;
}

function isSameInstant(a: Temporal.Instant | null, b: Temporal.Instant | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}

async function refuseLateStart(
  { hooks, tx }: Lifecycle,
  schedule: Schedule,
  body: UpdateBody,
): Promise<void> {
  if (body.start_date !== undefined && (await hooks.hasPayments(tx, schedule)))
    throw invalid({ start_date: 'can change only before the first payment' });
}

/** Returns the requested terms: the series restarts only if its frequency or its start changes. */
function planTerms(shown: Terms, version: number, body: UpdateBody, now: Temporal.Instant): Terms {
  const startDate = body.start_date === undefined ? shown.startDate : instantOf(body.start_date);
  const endAt = body.end_date === undefined ? shown.series.endAt : instantOf(body.end_date);
  const isDated = body.start_date !== undefined || body.end_date !== undefined;
  const wrong = isDated ? dateErrors(startDate, endAt, now, body.start_date !== undefined) : {};
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
  const amountPence = body.amount?.value ?? shown.amountPence;
  const currency = body.amount?.currency ?? shown.currency;
  const amountMode = body.amount_mode ?? shown.amountMode;
  const nonWorkingDay = body.non_working_day ?? shown.series.nonWorkingDay ?? 'same';
  const asked = {
    version,
    amountPence,
    currency,
    startDate,
    amountMode,
    limits: limitsIn(body.limits, shown.limits),
  };
  if (body.frequency === undefined && body.start_date === undefined) {
    if (endAt !== null && isAfter(shown.series.firstAt, endAt)) throw invalid(NOTHING_FITS);
    const unfit = nonWorkingDayErrors(shown.series.frequency.type, nonWorkingDay);
    if (Object.keys(unfit).length > 0) throw invalid(unfit);
    return { ...asked, series: { ...shown.series, endAt, nonWorkingDay } };
  }
  const { type, day, interval } = shown.series.frequency;
  const planned = planSeries({
    frequency: body.frequency ?? (day === null ? { type, interval } : { type, day, interval }),
    startDate,
    endDate: endAt,
    timeZone: shown.series.timeZone,
    now,
    nonWorkingDay,
  });
  if ('errors' in planned) throw invalid(planned.errors);
  return { ...asked, series: planned.series };
}

/**
 * Returns why the customer's consent does not allow these terms for the next twelve months, given what was collected and what
 * other schedules collect under it; null if it does.
 */
async function refusalOf(
  life: Lifecycle,
  schedule: Schedule,
  terms: Terms,
  books: TermsBooks,
): Promise<string | null> {
  const consent = await books.consent(schedule);
  if (consent === null) return 'the consent is gone';
  return coverRefusal(life, consent, schedule.scheduleId, terms, books);
}
