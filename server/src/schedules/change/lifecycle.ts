import { discardOpenConsents } from '../../consents/service.ts';
import { lockConsent, reassignConsent } from '../../consents/store.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Work } from '../../platform/platform.ts';
import { appendEvents, type DataOf } from '../../platform/state/events.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { momentIn } from '../../platform/time/clock.ts';
import { isAfter } from '../../platform/values/instants.ts';
import type { Next } from '../books/agenda-store.ts';
import { changeSchedule, moveSchedule, type ScheduleChange } from '../books/state-store.ts';
import { findSchedule, findSchedulesUnder, readTerms } from '../books/store.ts';
import type { SCHEDULE_EVENTS } from '../request/events.ts';
import { firstIndexSince, hasSameDays, occurrence, type Since } from '../terms/occurrences.ts';
import {
  checkMoment,
  firstOpen,
  type Schedule,
  type ScheduleStatus,
  sinceUnder,
  type Terms,
} from '../terms/schedule.ts';
import type { Lifecycle } from './hooks.ts';

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
  return nextAt(terms, sinceUnder(schedule, live, terms, { now, after }), { now, after });
}

/** Nothing is collected. */
const NOTHING_NEXT: Next = { occurrence: null, dueAt: null, checkAt: null, after: null };

/**
 * Returns the agenda of a locked schedule that collects nothing for now, under `terms`: where it will go on, it has not forgotten
 * which occurrences are accounted for.
 */
export async function idleAgenda(
  { tx, now }: Lifecycle,
  schedule: Schedule,
  terms?: Terms,
): Promise<Next> {
  const { merchantId, scheduleId, liveVersion } = schedule;
  if (liveVersion === null) return NOTHING_NEXT;
  const live = await readTerms(tx, merchantId, scheduleId, liveVersion);
  const isSame = terms === undefined || hasSameDays(live.series, terms.series);
  return { ...NOTHING_NEXT, occurrence: isSame ? firstOpen(schedule, live, now) : null };
}

/** Opens what is due of a locked schedule under its current terms, and returns the schedule as it is then. */
export async function openWhatIsDue(life: Lifecycle, schedule: Schedule): Promise<Schedule> {
  const { tx, now, hooks } = life;
  const { dueAt, merchantId, scheduleId } = schedule;
  if (dueAt === null || isAfter(dueAt, now)) return schedule;
  await hooks.openDue(tx, now, schedule);
  const opened = await findSchedule(tx, merchantId, scheduleId);
  if (opened === null) throw new Error(`no schedule ${scheduleId}`);
  return opened;
}

const CANCELLED = { status: 'cancelled' as const, resumeAt: null, next: NOTHING_NEXT };

/** Changes a locked schedule, with its event and audit-trail entry if its status changes. */
export async function changeStatus(
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
  return appendScheduleEvent(life, schedule, kind, statusData(life, schedule, reason));
}

/** Appends an event about a schedule. */
export async function appendScheduleEvent<K extends keyof ScheduleEvents>(
  { platform, tx, now }: Work,
  schedule: Schedule,
  kind: K,
  data: DataOf<ScheduleEvents, K>,
): Promise<void> {
  const { merchantId, scheduleId } = schedule;
  await appendEvents({ platform, tx, now }, [
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
  const next = await idleAgenda(life, schedule);
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
