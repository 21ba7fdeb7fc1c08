import { dropConsents, openConsent, retargetOpenConsent } from '../consents/service.ts';
import { recordChanges } from '../platform/audit-trail.ts';
import type { Tx } from '../platform/db.ts';
import { ApiError, notFound } from '../platform/errors.ts';
import { describeAmount, describeSeries } from './describe.ts';
import { cancel, NOTHING_NEXT, nextAfter, pause, resume } from './lifecycle.ts';
import type { UpdateBody } from './request.ts';
import { type Schedule, statusChange, type Terms } from './schedule.ts';
import { type ScheduleDeps, showSchedule } from './service.ts';
import { changeSchedule, insertTerms, lockSchedule, type ScheduleChange } from './store.ts';
import { planTermsChange, type TermsChange } from './terms-change.ts';
import type { ScheduleView } from './view.ts';

/**
 * Updates the fields of a schedule that a checked body contains. The schedule is locked from the first read to the last write, so
 * that neither a collection nor another update is lost. See docs/rules/schedules.md#updates.
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
  refuseCancelled(schedule, body);
  schedule = await changePlainFields(tx, now, schedule, body);
  schedule = await changeTerms(deps, tx, now, schedule, body);
  if (body.status !== undefined)
    schedule = await changeStatusTo(deps, tx, now, schedule, body.status);
  return showSchedule(deps, tx, now, merchantId, scheduleId);
}

/** Throws 409 `schedule_cancelled` if the schedule is cancelled, unless the body only asks for that. */
export function refuseCancelled(schedule: Schedule, body: UpdateBody): void {
  if (schedule.status === 'cancelled' && !asksOnlyForCancelled(body))
    throw new ApiError('schedule_cancelled', 'A cancelled schedule cannot be changed.');
}

function asksOnlyForCancelled(body: UpdateBody): boolean {
  return body.status === 'cancelled' && Object.keys(body).length === 1;
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
  switch (plannedStatusChange(schedule, to)) {
    case 'none':
      return schedule;
    case 'pause':
      return pause(deps, tx, schedule);
    case 'resume':
      return resume(deps, tx, now, schedule);
    case 'cancel':
      return cancel(deps, tx, schedule, 'cancelled by the merchant');
  }
}

/** Returns what requesting a status does; throws 409 if it is refused. */
export function plannedStatusChange(
  schedule: Schedule,
  to: NonNullable<UpdateBody['status']>,
): 'none' | 'pause' | 'resume' | 'cancel' {
  const change = statusChange(schedule.status, to, schedule.consentId !== null);
  switch (change) {
    case 'none':
    case 'pause':
    case 'resume':
    case 'cancel':
      return change;
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
  const planned = await planTermsChange(deps, tx, now, schedule, sent);
  if (planned === null) return schedule;
  const { terms, verdict } = planned;
  await insertTerms(tx, merchantId, scheduleId, terms, now);
  await recordTerms(tx, now, schedule, planned);
  const change: ScheduleChange = { termsVersion: terms.version };
  if (verdict === 'covered') return makeLive(deps, tx, now, schedule, terms, change);
  const isAsking = await retargetOpenConsent(tx, now, merchantId, scheduleId, terms.version);
  if (verdict === 'beyond' && !isAsking)
    await openConsent(
      { platform: deps.platform, tx, now },
      {
        merchantId,
        scheduleId,
        customerId: schedule.customerId,
        termsVersion: terms.version,
      },
    );
  return changeSchedule(tx, schedule, change, now);
}

/** Records in the audit trail what was requested, and its effect. */
async function recordTerms(
  tx: Tx,
  now: Temporal.Instant,
  { merchantId, scheduleId, status }: Schedule,
  { terms, verdict, refusal }: TermsChange,
): Promise<void> {
  const { amountPence, currency, series } = terms;
  const asked = `${describeAmount(amountPence, currency)} ${describeSeries(series)}`;
  const follows = {
    unconsented: 'the customer has not given consent yet',
    covered: 'the consent allows it',
    beyond: `a new consent is needed: ${refusal}`,
  }[verdict];
  const reason = `${asked}; ${follows}`;
  await recordChanges(tx, now, [
    { merchantId, objectId: scheduleId, scheduleId, from: status, to: 'terms_changed', reason },
  ]);
}

/** Makes the new terms live from the next occurrence on; earlier ones are collected on the old terms. */
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
