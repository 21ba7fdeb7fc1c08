import { openConsent, retargetOpenConsent, settleOpenConsent } from '../../consents/service.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Asked } from '../../platform/platform.ts';
import { recordChanges } from '../../platform/state/audit-trail.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { ApiError, invalid, orNotFound } from '../../platform/values/errors.ts';
import { changeSchedule, type ScheduleChange } from '../books/state-store.ts';
import { lockSchedule, readTerms } from '../books/store.ts';
import { insertTerms } from '../books/terms-store.ts';
import { deleteWords, insertWords } from '../books/word-store.ts';
import { amountEntry, wordsOfSchedule } from '../books/words.ts';
import { describeAsked } from '../limits/limits.ts';
import { instantOf, type UpdateBody } from '../request/request.ts';
import { referenceErrors, statementReference } from '../request/statement-reference.ts';
import { describeAmount, describeSeries } from '../terms/describe.ts';
import { type Schedule, statusChange, type Terms } from '../terms/schedule.ts';
import { defaultReferenceOf } from './default-references.ts';
import type { Lifecycle } from './hooks.ts';
import { cancel, idleAgenda, nextUnder, openWhatIsDue, pause, resume } from './lifecycle.ts';
import { describePrice } from './link-notice.ts';
import { planResume, resumeIfDue, statusOnceResumed } from './resume-later.ts';
import { sendConsentLink } from './send-link.ts';
import { type ScheduleDeps, showSchedule } from './service.ts';
import type { TermsBooks } from './terms-books.ts';
import { planTermsChange, type TermsChange } from './terms-change.ts';
import type { ScheduleView } from './view.ts';

/** Updates the fields of a schedule that a checked body contains, and returns it. See docs/rules/schedules.md#updates. */
export async function updateSchedule(
  deps: ScheduleDeps,
  asked: Asked,
  scheduleId: string,
  body: UpdateBody,
): Promise<ScheduleView> {
  const schedule = orNotFound(
    await lockSchedule(asked.tx, asked.merchantId, scheduleId),
    'schedule',
  );
  await applyUpdate({ ...deps, tx: asked.tx, now: asked.now }, schedule, body);
  return showSchedule(deps, asked, scheduleId);
}

/**
 * Applies a checked body to a schedule, which is locked from the first read to the last write, so that neither a collection nor
 * another update is lost. A pause whose end has passed has ended before it. Returns the effect.
 */
export async function applyUpdate(
  life: Lifecycle,
  locked: Schedule,
  body: UpdateBody,
): Promise<UpdateEffect> {
  refuseCancelled(locked, body);
  refuseReference(locked, body);
  const before = await resumeIfDue(life, locked);
  let schedule = await changePlainFields(life, before, body);
  schedule = await changeReference(life, schedule, body);
  const terms = await planTermsChange(life, schedule, body);
  if (terms !== null) schedule = await changeTerms(life, schedule, terms);
  await reindexSchedule(life.tx, before, schedule, body);
  const status = body.status === undefined ? 'none' : plannedStatusChange(schedule, body.status);
  if (body.status !== undefined) await changeStatusTo(life, schedule, status, body);
  else if (body.resume_at === null) await planResume(life, schedule, null);
  return { terms, status };
}

/** The effect of an update on terms and status. */
export interface UpdateEffect {
  /** Null: the terms stay. */
  terms: TermsChange | null;
  status: 'none' | 'pause' | 'resume' | 'cancel';
}

/** Returns the effect that an update would have, without writing anything. Throws what the update would throw. */
export async function planUpdate(
  life: Lifecycle,
  schedule: Schedule,
  body: UpdateBody,
  books?: TermsBooks,
): Promise<UpdateEffect> {
  refuseCancelled(schedule, body);
  refuseReference(schedule, body);
  const terms = await planTermsChange(life, schedule, body, books);
  if (body.status === undefined) return { terms, status: 'none' };
  const resumed = { ...schedule, status: await statusOnceResumed(life, schedule) };
  return { terms, status: plannedStatusChange(resumed, body.status) };
}

/** Keeps the index of words as the schedule is now. A former amount stays in it: whoever searches compares the present one. */
async function reindexSchedule(
  tx: Tx,
  before: Schedule,
  after: Schedule,
  { amount }: UpdateBody,
): Promise<void> {
  const { merchantId, scheduleId } = after;
  const [old, present] = [wordsOfSchedule(before), wordsOfSchedule(after)];
  const added = present.filter((word) => !old.includes(word));
  if (amount !== undefined) added.push(amountEntry(amount.value));
  const gone = old.filter((word) => !present.includes(word));
  await deleteWords(tx, merchantId, scheduleId, gone);
  await insertWords(tx, merchantId, scheduleId, added);
}

/** Throws 409 `schedule_cancelled` if the schedule is cancelled, unless the body only asks for that. */
function refuseCancelled(schedule: Schedule, body: UpdateBody): void {
  if (schedule.status === 'cancelled' && !asksOnlyForCancelled(body))
    throw new ApiError('schedule_cancelled', 'A cancelled schedule cannot be changed.');
}

/** Throws 400 for a reference that a bank does not take, unless it is the schedule's own, from before a rule. */
function refuseReference(schedule: Schedule, { reference }: UpdateBody): void {
  const isOwn = reference === schedule.reference || reference === statementReference(schedule);
  const errors = isOwn ? {} : referenceErrors(reference);
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

function asksOnlyForCancelled(body: UpdateBody): boolean {
  return body.status === 'cancelled' && Object.keys(body).length === 1;
}

async function changePlainFields(
  { tx, now }: Lifecycle,
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

/** The bank holds the reference with the consent: it changes only before, and a customer who is at the bank begins again. */
async function changeReference(
  { tx, now }: Lifecycle,
  schedule: Schedule,
  body: UpdateBody,
): Promise<Schedule> {
  if (body.reference === undefined || body.reference === schedule.reference) return schedule;
  // Whoever sends whole bodies back must not fail because the merchant or the customer is called otherwise by now.
  if (body.reference === null && schedule.consentId !== null) return schedule;
  const reference = body.reference ?? (await defaultReferenceOf(tx, schedule));
  if (reference === statementReference(schedule)) return schedule;
  if (schedule.consentId !== null)
    throw invalid({
      reference: 'cannot be changed once the customer has agreed: their bank holds it',
    });
  await retargetOpenConsent(tx, now, schedule, ({ termsVersion }) => termsVersion);
  return changeSchedule(tx, schedule, { reference }, now);
}

async function changeStatusTo(
  life: Lifecycle,
  schedule: Schedule,
  change: UpdateEffect['status'],
  { resume_at: resumeAt }: UpdateBody,
): Promise<Schedule> {
  switch (change) {
    case 'none':
      return resumeAt === undefined ? schedule : planResume(life, schedule, instantOf(resumeAt));
    case 'pause':
      return pause(life, schedule, instantOf(resumeAt));
    case 'resume':
      return resume(life, schedule);
    case 'cancel':
      return cancel(life, schedule, 'cancelled by the merchant');
  }
}

/** Returns what requesting a status does; throws 409 if it is refused. */
function plannedStatusChange(
  schedule: Schedule,
  to: NonNullable<UpdateBody['status']>,
): UpdateEffect['status'] {
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
  life: Lifecycle,
  schedule: Schedule,
  planned: TermsChange,
): Promise<Schedule> {
  const { tx, now } = life;
  const { merchantId, scheduleId } = schedule;
  const { terms, verdict } = planned;
  await insertTerms(tx, merchantId, [{ scheduleId, terms }], now);
  await recordTerms(life, schedule, planned);
  if (verdict === 'covered') return makeLive(life, schedule, planned);
  const isAsking = await retargetOpenConsent(tx, now, schedule, (open) =>
    versionAtLink(life, schedule, planned, open),
  );
  if (verdict === 'beyond' && !isAsking)
    openConsent(life, {
      merchantId,
      scheduleId,
      customerId: schedule.customerId,
      termsVersion: terms.version,
    });
  const change: ScheduleChange = { termsVersion: terms.version };
  const changed = await changeSchedule(tx, schedule, change, now);
  await sendConsentLink(life.platform, { tx, now, merchantId }, scheduleId);
  return changed;
}

/** Returns the version that an open link shows for new terms: with the limits that its customer has set there, if any. */
async function versionAtLink(
  { tx, now }: Lifecycle,
  { merchantId, scheduleId, termsVersion }: Schedule,
  { terms, setsLimits }: TermsChange,
  open: Pick<Schedule, 'termsVersion'>,
): Promise<number> {
  if (setsLimits || open.termsVersion === termsVersion) return terms.version;
  const { limits } = await readTerms(tx, merchantId, scheduleId, open.termsVersion);
  const own = { ...terms, version: terms.version + 1, limits };
  await insertTerms(tx, merchantId, [{ scheduleId, terms: own }], now);
  return own.version;
}

/** Records in the audit trail what was requested, and its effect. */
async function recordTerms(
  { tx, now }: Lifecycle,
  { merchantId, scheduleId, status }: Schedule,
  { terms, verdict, refusal }: TermsChange,
): Promise<void> {
  const { amountPence, currency, series } = terms;
  const asked = `${describeAmount(amountPence, currency)} ${describeSeries(series)}${describeAsked(terms)}`;
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

/** Tells the customer what they pay from the next collection on, where a change needed no new consent. */
async function notifyOfNewTerms(
  { tx, now, platform }: Lifecycle,
  { merchantId, scheduleId, liveVersion }: Schedule,
  terms: Terms,
  from: Temporal.Instant | null,
): Promise<void> {
  if (from === null || liveVersion === null) return;
  const before = describePrice(await readTerms(tx, merchantId, scheduleId, liveVersion));
  const price = describePrice(terms);
  if (price === before) return;
  await platform.notify(tx, now, [
    {
      merchantId,
      kind: 'payment_changes',
      causeId: `${scheduleId} terms ${terms.version}`,
      customer: { scheduleId },
      facts: { change: 'terms', due_date: formatInstant(from), price, old_price: before },
    },
  ]);
}

/** Makes the new terms live from the next occurrence on; earlier ones are collected on the old terms. */
async function makeLive(
  life: Lifecycle,
  locked: Schedule,
  planned: TermsChange,
): Promise<Schedule> {
  const { tx, now } = life;
  const { terms } = planned;
  const schedule = await openWhatIsDue(life, locked);
  await settleOpenConsent(tx, now, schedule, (open) =>
    versionAtLink(life, schedule, planned, open),
  );
  const isActive = schedule.status === 'active';
  const next = await (isActive ? nextUnder : idleAgenda)(life, schedule, terms);
  await notifyOfNewTerms(life, schedule, terms, next.dueAt);
  const { version } = terms;
  return changeSchedule(tx, schedule, { termsVersion: version, liveVersion: version, next }, now);
}
