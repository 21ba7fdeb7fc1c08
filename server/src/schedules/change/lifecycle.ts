import type { ConsentRef, RevocationReason, SetupFailure } from '../../consents/consent.ts';
import { discardOpenConsents } from '../../consents/service.ts';
import { type ConsentRow, lockConsent, reassignConsent } from '../../consents/store.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Work } from '../../platform/platform.ts';
import { appendEvents, type DataOf } from '../../platform/state/events.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { momentIn } from '../../platform/time/clock.ts';
import type { Next } from '../books/agenda-store.ts';
import type { PlannedHook } from '../books/next-payment.ts';
import { changeSchedule, moveSchedule, type ScheduleChange } from '../books/state-store.ts';
import {
  findSchedule,
  findSchedulesUnder,
  lockSchedule,
  lockSchedules,
  lockSchedulesOfConsent,
  readTerms,
} from '../books/store.ts';
import type { CountedPayment } from '../limits/room.ts';
import type { SCHEDULE_EVENTS } from '../request/events.ts';
import { firstIndexSince, hasSameDays, occurrence, type Since } from '../terms/occurrences.ts';
import {
  checkMoment,
  type PaymentUnderWay,
  type Schedule,
  type ScheduleStatus,
  sinceUnder,
  type Terms,
} from '../terms/schedule.ts';
import { viewAmount, viewFrequency } from './view.ts';

/** What happens to a schedule's payments when it changes; the app passes it in, and it runs in the same transaction. */
export interface ScheduleHooks extends PlannedHook {
  /** Opens the schedule's due occurrences under the current terms. */
  openDue(tx: Tx, now: Temporal.Instant, schedule: Schedule): Promise<void>;
  /** Ends the payments of a locked schedule that have nothing at the bank; no further order is sent for the others. */
  stopPayments(
    tx: Tx,
    now: Temporal.Instant,
    schedule: Schedule,
    code: 'consent_revoked' | 'schedule_paused' | 'schedule_cancelled',
  ): Promise<void>;
  /** Returns the payments that may still arrive. */
  underWay(tx: Tx, merchantId: string, scheduleId: string): Promise<PaymentUnderWay[]>;
  /** Sends the payments of these schedules that waited until their customer had confirmed the consent. */
  sendNow(
    tx: Tx,
    now: Temporal.Instant,
    merchantId: string,
    scheduleIds: readonly string[],
  ): Promise<void>;
  hasPayments(tx: Tx, schedule: Schedule): Promise<boolean>;
  /** Whether payments of other schedules, which go on under consents of their own, still wait under this one's consent. */
  othersWaitUnder(tx: Tx, schedule: Schedule): Promise<boolean>;
  /** Moves the payments of a schedule that are not due yet to its new consent, which it has just joined. */
  followConsent(tx: Tx, now: Temporal.Instant, consent: ConsentRow): Promise<void>;
  /** Returns what counts against the limits of a consent: every payment under it that did not fail. */
  usedUnder(tx: Tx, merchantId: string, consentId: string): Promise<CountedPayment[]>;
}

/** The context of changes to a schedule within one transaction. */
export interface Lifecycle extends Work {
  readonly hooks: ScheduleHooks;
}

type ScheduleEvents = typeof SCHEDULE_EVENTS;
type StatusKind = 'schedule.cancelled' | 'schedule.paused' | 'schedule.resumed';

/** Returns where a series continues after `now`. Earlier occurrences are skipped. */
export function nextAfter(terms: Terms, now: Temporal.Instant): Next {
  return nextAt(terms, { after: now, index: 0 }, { now, after: now });
}

function nextAt(
  { series }: Terms,
  since: Since,
  { now, after }: { now: Temporal.Instant; after: Temporal.Instant },
): Next {
  const index = firstIndexSince(series, since);
  const dueAt = occurrence(series, index);
  return { occurrence: index, dueAt, checkAt: checkMoment(dueAt, now), after };
}

/** Returns where a locked schedule, of which nothing is due any more, goes on under `terms` after a moment. */
export async function nextUnder(
  { tx, now }: Lifecycle,
  schedule: Schedule,
  terms: Terms,
  after: Temporal.Instant = now,
): Promise<Next> {
  const { merchantId, scheduleId, liveVersion } = schedule;
  const live =
    liveVersion === null ? null : await readTerms(tx, merchantId, scheduleId, liveVersion);
  return nextAt(terms, sinceUnder(schedule, live, terms, after), { now, after });
}

/** Nothing is collected. */
const NOTHING_NEXT: Next = { occurrence: null, dueAt: null, checkAt: null, after: null };

/**
 * Returns the agenda of a locked schedule that collects nothing for now, under `terms`: where it will go on, it has not forgotten
 * which occurrences are accounted for.
 */
export async function nothingUnder(
  { tx }: Lifecycle,
  { merchantId, scheduleId, liveVersion, nextOccurrence }: Schedule,
  terms?: Terms,
): Promise<Next> {
  if (liveVersion === null) return NOTHING_NEXT;
  const isSame =
    terms === undefined ||
    hasSameDays((await readTerms(tx, merchantId, scheduleId, liveVersion)).series, terms.series);
  return { ...NOTHING_NEXT, occurrence: isSame ? nextOccurrence : null };
}

/** Opens what is due of a locked schedule under its current terms, and returns the schedule as it is then. */
export async function openWhatIsDue(life: Lifecycle, schedule: Schedule): Promise<Schedule> {
  const { tx, now, hooks } = life;
  const { dueAt, merchantId, scheduleId } = schedule;
  if (dueAt === null || Temporal.Instant.compare(dueAt, now) > 0) return schedule;
  await hooks.openDue(tx, now, schedule);
  const opened = await findSchedule(tx, merchantId, scheduleId);
  if (opened === null) throw new Error(`no schedule ${scheduleId}`);
  return opened;
}

const CANCELLED = { status: 'cancelled' as const, resumeAt: null, next: NOTHING_NEXT };

/** Changes a locked schedule, with its event and audit-trail entry if its status changes. */
async function changeStatus(
  life: Lifecycle,
  schedule: Schedule,
  change: ScheduleChange & { status: ScheduleStatus },
  reason: string,
): Promise<Schedule> {
  const { platform, tx, now } = life;
  const { status, ...fields } = change;
  if (status === schedule.status) return changeSchedule(tx, schedule, fields, now);
  return moveSchedule(tx, now, schedule, change, {
    audit: ({ merchantId, scheduleId }) => ({
      merchantId,
      objectId: scheduleId,
      scheduleId,
      reason,
    }),
    events: { platform, of: (changed) => ({ data: statusData(life, changed, reason) }) },
  });
}

const statusData = (
  { now }: Work,
  { scheduleId, customerId, status }: Schedule,
  reason: string,
): DataOf<ScheduleEvents, StatusKind> => ({
  schedule_id: scheduleId,
  customer_id: customerId,
  status,
  reason,
  created_at: formatInstant(now),
});

/** Appends the event of a status that stays: what should have ended it could not. */
export function appendStatusEvent(
  life: Lifecycle,
  schedule: Schedule,
  kind: StatusKind,
  reason: string,
): Promise<void> {
  return append(life, schedule, kind, statusData(life, schedule, reason));
}

async function append<K extends keyof ScheduleEvents>(
  { platform, tx, now }: Lifecycle,
  schedule: Schedule,
  kind: K,
  data: DataOf<ScheduleEvents, K>,
): Promise<void> {
  const { merchantId, scheduleId } = schedule;
  await appendEvents(tx, platform, now, [
    { merchantId, kind, scheduleId, subjectId: scheduleId, data },
  ]);
}

/** Returns the same work with the present moment: it may have waited for its locks. */
async function asOfNow(life: Lifecycle): Promise<Lifecycle> {
  return { ...life, now: await momentIn(life.platform.clock, life.tx) };
}

/**
 * Cancels a locked schedule: revokes the consent, also at the bank, and stops waiting retries. It is cancelled as of when its
 * consent is locked, not when that was requested: until then payments were sent under it.
 */
export async function cancel(
  begun: Lifecycle,
  locked: Schedule,
  reason: string,
  code: 'consent_revoked' | 'schedule_cancelled' = 'schedule_cancelled',
): Promise<Schedule> {
  await leaveConsent(begun.tx, locked);
  const life = await asOfNow(begun);
  const { tx, now } = life;
  const schedule = await openWhatIsDue(life, locked);
  const isNeeded =
    code === 'schedule_cancelled' && (await life.hooks.othersWaitUnder(tx, schedule));
  await discardOpenConsents(tx, now, schedule, isNeeded ? 'replaced' : 'revoked');
  await life.hooks.stopPayments(tx, now, schedule, code);
  return changeStatus(life, schedule, CANCELLED, reason);
}

/**
 * Prepares a locked schedule to leave its consent: if others collect under it too, one of them takes it over; otherwise it stays
 * and can be ended. Locks the consent, so that no schedule joins or leaves it meanwhile.
 */
export async function leaveConsent(tx: Tx, schedule: Schedule): Promise<void> {
  const { merchantId, scheduleId, consentId } = schedule;
  if (consentId === null) return;
  const consent = await lockConsent(tx, merchantId, consentId);
  if (consent?.status !== 'granted' || consent.scheduleId !== scheduleId) return;
  const under = await findSchedulesUnder(tx, merchantId, consentId);
  const successor = under.find((other) => other.scheduleId !== scheduleId);
  if (successor !== undefined) await reassignConsent(tx, consent, successor);
}

/**
 * Pauses a locked schedule, until `resumeAt` if it is given: no further order is sent, and occurrences during the pause are
 * skipped.
 */
export async function pause(
  begun: Lifecycle,
  locked: Schedule,
  resumeAt: Temporal.Instant | null,
): Promise<Schedule> {
  const life = await asOfNow(begun);
  const schedule = await openWhatIsDue(life, locked);
  await life.hooks.stopPayments(life.tx, life.now, schedule, 'schedule_paused');
  const next = await nothingUnder(life, schedule);
  const change = { status: 'paused' as const, resumeAt, next };
  const until = resumeAt === null ? '' : ` until ${formatInstant(resumeAt)}`;
  return changeStatus(life, schedule, change, `paused by the merchant${until}`);
}

/** Resumes a locked schedule with a live consent, from the first occurrence after `after` on. */
export async function resume(
  life: Lifecycle,
  schedule: Schedule,
  after: Temporal.Instant = life.now,
  reason = 'resumed by the merchant',
): Promise<Schedule> {
  const { merchantId, scheduleId, liveVersion } = schedule;
  if (liveVersion === null) throw new Error('a schedule without a live consent was resumed');
  const terms = await readTerms(life.tx, merchantId, scheduleId, liveVersion);
  const next = await nextUnder(life, schedule, terms, after);
  const change = { status: 'active' as const, resumeAt: null, next };
  return changeStatus(life, schedule, change, reason);
}

/** Locks the schedule of a consent. */
export async function holdSchedule(tx: Tx, ref: ConsentRef): Promise<Schedule> {
  const schedule = await lockSchedule(tx, ref.merchantId, ref.scheduleId);
  if (schedule === null) throw new Error(`no schedule ${ref.scheduleId}`);
  return schedule;
}

/**
 * Locks the schedule of a consent and all others that collect under it. A schedule that joins meanwhile has to lock the consent,
 * which is locked next.
 */
export async function holdSchedulesUnder(
  tx: Tx,
  ref: Pick<ConsentRef, 'merchantId' | 'scheduleId' | 'consentId'>,
): Promise<void> {
  const { merchantId, scheduleId, consentId } = ref;
  const under = await findSchedulesUnder(tx, merchantId, consentId);
  await lockSchedules(tx, merchantId, [scheduleId, ...under.map((one) => one.scheduleId)]);
}

/**
 * Activates a schedule whose customer consented and whose wallet is open, on the terms that they saw, from the next occurrence
 * on. One that was paused meanwhile stays paused and keeps the consent. See
 * docs/rules/consents.md#the-first-consent-of-a-schedule.
 */
export async function onGranted(life: Lifecycle, consent: ConsentRow): Promise<void> {
  const { tx, now } = life;
  const locked = await lockSchedule(tx, consent.merchantId, consent.scheduleId);
  if (locked === null || locked.status === 'cancelled')
    throw new Error('a consent outlived its schedule');
  const schedule = await openWhatIsDue(life, locked);
  const version = consent.termsVersion;
  const terms = await readTerms(tx, schedule.merchantId, schedule.scheduleId, version);
  const status = schedule.status === 'paused' ? 'paused' : 'active';
  const change: ScheduleChange & { status: ScheduleStatus } = {
    status,
    termsVersion: version,
    liveVersion: version,
    consentedVersion: version,
    consentId: consent.consentId,
    next: await (status === 'active' ? nextUnder : nothingUnder)(life, schedule, terms),
  };
  await changeStatus(life, schedule, change, 'the customer consented');
  await life.hooks.followConsent(tx, now, consent);
  // What waits until an earlier consent is confirmed, which nobody can do any more, is decided about at once.
  await life.hooks.sendNow(tx, now, schedule.merchantId, [schedule.scheduleId]);
  await append(life, schedule, 'schedule.setup_success', {
    schedule_id: schedule.scheduleId,
    customer_id: schedule.customerId,
    amount: viewAmount(terms),
    frequency: viewFrequency(terms.series.frequency),
    created_at: formatInstant(now),
  });
}

/**
 * Ends a set-up that was refused or expired. Without an earlier consent, the schedule is cancelled
 * (docs/rules/consents.md#failed-set-ups); with one, the change is dropped (docs/rules/consents.md#changes-beyond-the-consent).
 */
export async function onFailed(
  life: Lifecycle,
  ref: ConsentRef,
  error: { code: SetupFailure; message: string },
): Promise<void> {
  const { tx, now } = life;
  const schedule = await holdSchedule(tx, ref);
  await append(life, schedule, 'schedule.setup_failed', {
    schedule_id: schedule.scheduleId,
    customer_id: schedule.customerId,
    error,
    created_at: formatInstant(now),
  });
  if (schedule.liveVersion !== null)
    await changeSchedule(tx, schedule, { termsVersion: schedule.liveVersion }, now);
  else await cancel(life, schedule, error.code);
}

/** Cancels every schedule under a revoked consent. */
export async function onRevoked(
  life: Lifecycle,
  ref: ConsentRef,
  reason: RevocationReason,
): Promise<void> {
  for (const schedule of await lockSchedulesOfConsent(life.tx, ref.merchantId, ref.consentId)) {
    if (schedule.status === 'cancelled') continue;
    await append(life, schedule, 'consent.revoked', {
      schedule_id: schedule.scheduleId,
      customer_id: schedule.customerId,
      reason,
      created_at: formatInstant(life.now),
    });
    await cancel(life, schedule, reason, 'consent_revoked');
  }
}
