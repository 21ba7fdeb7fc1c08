import { dropConsents, openConsent, retargetOpenConsent } from '../consents/service.ts';
import { findConsent } from '../consents/store.ts';
import type { Tx } from '../platform/db.ts';
import { ApiError, invalid, notFound } from '../platform/errors.ts';
import { covers } from './cover.ts';
import { type Frequency, normaliseFrequency } from './frequency.ts';
import { cancel, NOTHING_NEXT, nextAfter, pause, resume } from './lifecycle.ts';
import { dateErrors, NOTHING_FITS, planSeries } from './plan.ts';
import { instantOf, type UpdateBody } from './request.ts';
import { type Schedule, statusChange, type Terms } from './schedule.ts';
import type { ScheduleDeps } from './service.ts';
import {
  changeSchedule,
  insertTerms,
  lastVersion,
  lockSchedule,
  readTerms,
  type ScheduleChange,
} from './store.ts';
import { type ScheduleView, viewSchedules } from './view.ts';

/**
 * Updates a schedule from a checked body: only the fields sent (SPEC, "Update a schedule"; DECISIONS, "Status changes
 * through PUT"). The schedule is held from the first look to the last write, so that neither a collection nor another
 * update is lost.
 */
export async function updateSchedule(
  deps: ScheduleDeps,
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  scheduleId: string,
  body: UpdateBody,
): Promise<ScheduleView> {
  let schedule = await lockSchedule(tx, merchantId, scheduleId);
  if (schedule === null) throw notFound('schedule');
  if (schedule.status === 'cancelled' && !asksOnlyForCancelled(body))
    throw new ApiError('schedule_cancelled', 'A cancelled schedule cannot be changed.');
  schedule = await changePlainFields(tx, now, schedule, body);
  if (changesTerms(body)) schedule = await changeTerms(deps, tx, now, schedule, body);
  if (body.status !== undefined)
    schedule = await changeStatusTo(deps, tx, now, schedule, body.status);
  const [view] = await viewSchedules(deps.platform, tx, now, merchantId, [schedule]);
  if (view === undefined) throw new Error('nothing came back');
  return view;
}

function asksOnlyForCancelled(body: UpdateBody): boolean {
  return body.status === 'cancelled' && Object.keys(body).length === 1;
}

function changesTerms(body: UpdateBody): boolean {
  return ['amount', 'frequency', 'start_date', 'end_date'].some((field) => field in body);
}

async function changePlainFields(
  tx: Tx,
  now: Temporal.Instant,
  schedule: Schedule,
  body: UpdateBody,
): Promise<Schedule> {
  const change: ScheduleChange = {
    ...(body.description === undefined ? {} : { description: body.description }),
    ...(body.metadata === undefined ? {} : { metadata: body.metadata }),
    ...(body.max_retries === undefined ? {} : { maxRetries: body.max_retries }),
  };
  return Object.keys(change).length === 0 ? schedule : changeSchedule(tx, schedule, change, now);
}

async function changeStatusTo(
  deps: ScheduleDeps,
  tx: Tx,
  now: Temporal.Instant,
  schedule: Schedule,
  to: NonNullable<UpdateBody['status']>,
): Promise<Schedule> {
  const change = statusChange(schedule.status, to, schedule.consentId !== null);
  switch (change) {
    case 'none':
      return schedule;
    case 'pause':
      return pause(deps, tx, now, schedule);
    case 'resume':
      return resume(deps, tx, now, schedule);
    case 'cancel':
      return cancel(deps, tx, now, schedule, 'cancelled by the merchant');
    case 'consent_required':
      throw new ApiError('consent_required', 'The customer has not consented yet.');
    default:
      throw new ApiError(change, 'A cancelled schedule cannot be changed.');
  }
}

async function changeTerms(
  deps: ScheduleDeps,
  tx: Tx,
  now: Temporal.Instant,
  schedule: Schedule,
  sent: UpdateBody,
): Promise<Schedule> {
  const { merchantId, scheduleId } = schedule;
  const shown = await readTerms(tx, merchantId, scheduleId, schedule.termsVersion);
  const body = withoutRepeats(sent, shown, now);
  if (!changesTerms(body)) return schedule;
  await refuseLateStart(deps, tx, schedule, body);
  const version = (await lastVersion(tx, merchantId, scheduleId)) + 1;
  const terms = planTerms(shown, version, body, now);
  await insertTerms(tx, merchantId, scheduleId, terms, now);
  const change: ScheduleChange = { termsVersion: version };
  if (schedule.consentId === null) {
    await retargetOpenConsent(tx, now, merchantId, scheduleId, version);
    return changeSchedule(tx, schedule, change, now);
  }
  if (await isCovered(deps, tx, now, schedule, terms))
    return makeLive(deps, tx, now, schedule, terms, change);
  const isAsking = await retargetOpenConsent(tx, now, merchantId, scheduleId, version);
  if (!isAsking)
    await openConsent(deps.platform, tx, now, {
      merchantId,
      scheduleId,
      customerId: schedule.customerId,
      termsVersion: version,
    });
  return changeSchedule(tx, schedule, change, now);
}

/** A program may send back the object that it has read: what a schedule has already is no change. */
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
  deps: ScheduleDeps,
  tx: Tx,
  schedule: Schedule,
  body: UpdateBody,
): Promise<void> {
  if (body.start_date !== undefined && (await deps.hooks.hasPayments(tx, schedule)))
    throw invalid({ start_date: 'can change only before the first payment' });
}

/** The terms that the update asks for: the series starts anew only where its frequency or its start changes. */
function planTerms(shown: Terms, version: number, body: UpdateBody, now: Temporal.Instant): Terms {
  const startDate = body.start_date === undefined ? shown.startDate : instantOf(body.start_date);
  const endAt = body.end_date === undefined ? shown.series.endAt : instantOf(body.end_date);
  const isDated = body.start_date !== undefined || body.end_date !== undefined;
  const wrong = isDated ? dateErrors(startDate, endAt, now, false) : {};
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
  const amountPence = body.amount?.value ?? shown.amountPence;
  const currency = body.amount?.currency ?? shown.currency;
  if (body.frequency === undefined && body.start_date === undefined) {
    if (endAt !== null && Temporal.Instant.compare(shown.series.firstAt, endAt) > 0)
      throw invalid(NOTHING_FITS);
    return { version, amountPence, currency, startDate, series: { ...shown.series, endAt } };
  }
  const { type, day, interval } = shown.series.frequency;
  const planned = planSeries({
    frequency: body.frequency ?? (day === null ? { type, interval } : { type, day, interval }),
    startDate,
    endDate: endAt,
    timeZone: shown.series.timeZone,
    now,
  });
  if ('errors' in planned) throw invalid(planned.errors);
  return { version, amountPence, currency, startDate, series: planned.series };
}

/**
 * Whether the customer's consent allows these terms for the next twelve months, beside what was collected and what other
 * schedules collect under it.
 */
async function isCovered(
  deps: ScheduleDeps,
  tx: Tx,
  now: Temporal.Instant,
  schedule: Schedule,
  terms: Terms,
): Promise<boolean> {
  const consent = await findConsent(tx, schedule.merchantId, schedule.consentId ?? '');
  return consent !== null && (await covers(deps, tx, now, consent, schedule.scheduleId, terms));
}

/** The new terms hold from the next occurrence on; what was due before is collected at the old ones. */
async function makeLive(
  deps: ScheduleDeps,
  tx: Tx,
  now: Temporal.Instant,
  schedule: Schedule,
  terms: Terms,
  change: ScheduleChange,
): Promise<Schedule> {
  if (schedule.dueAt !== null && Temporal.Instant.compare(schedule.dueAt, now) <= 0)
    await deps.hooks.openDue(tx, now, schedule);
  await dropConsents(tx, now, schedule.merchantId, schedule.scheduleId, false);
  const next = schedule.status === 'active' ? nextAfter(terms, now) : NOTHING_NEXT;
  return changeSchedule(tx, schedule, { ...change, liveVersion: terms.version, next }, now);
}
