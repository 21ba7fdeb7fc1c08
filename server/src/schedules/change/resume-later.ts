import { findConsent } from '../../consents/store.ts';
import type { Tx } from '../../platform/db/db.ts';
import { isDatabaseFailure } from '../../platform/db/isolate-failures.ts';
import { dueBy } from '../../platform/engine/due.ts';
import type { Stage } from '../../platform/engine/stage.ts';
import { recordChanges } from '../../platform/state/audit-trail.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { isAfter } from '../../platform/values/instants.ts';
import { findToResume, postponeResume } from '../books/resume-store.ts';
import { changeSchedule } from '../books/state-store.ts';
import { lockScheduleOf } from '../books/store.ts';
import { continuesAfter, type Schedule } from '../terms/schedule.ts';
import type { Lifecycle } from './hooks.ts';
import { appendStatusEvent, resume } from './lifecycle.ts';
import type { ScheduleDeps } from './service.ts';

/** Pauses that end automatically: docs/rules/schedules.md#pausing-until. */

/** How long a schedule that could not be resumed waits for another try. */
const AGAIN_AFTER = Temporal.Duration.from({ hours: 1 });

/** Sets or clears when a locked, paused schedule resumes automatically. */
export async function planResume(
  { tx, now }: Lifecycle,
  schedule: Schedule,
  resumeAt: Temporal.Instant | null,
): Promise<Schedule> {
  const isKept =
    resumeAt === null ? schedule.resumeAt === null : schedule.resumeAt?.equals(resumeAt) === true;
  if (schedule.status !== 'paused' || isKept) return schedule;
  const reason = resumeAt === null ? 'only by hand' : `at ${formatInstant(resumeAt)}`;
  await record(tx, now, schedule, 'resume_planned', reason);
  return changeSchedule(tx, schedule, { resumeAt }, now);
}

/** Resumes paused schedules at the time that the merchant set. */
export function resumeStage(deps: ScheduleDeps): Stage {
  const { platform } = deps;
  return {
    name: 'schedules.resume',
    batch: 100,
    ...dueBy({ table: 'schedules', moment: 'resume_at', where: 'resume_at IS NOT NULL' }),
    async run(now, limit) {
      const due = await platform.db.read((tx) => findToResume(tx, now, limit));
      for (const key of due)
        try {
          await platform.db.transaction(async (tx) =>
            resumeIfDue({ ...deps, tx, now }, await lockScheduleOf(tx, key)),
          );
        } catch (err) {
          if (isDatabaseFailure(err)) throw err;
          platform.log.report('schedule.not_resumed', { schedule_id: key.scheduleId, err });
          await platform.db.transaction((tx) => postponeResume(tx, key, now.add(AGAIN_AFTER)));
        }
      return due.length;
    },
  };
}

/**
 * Resumes a locked schedule if its time has come, from the first occurrence at or after that time: what fell due since, while the
 * service was down, is collected. Without a consent in force it stays paused, and the event says why. Returns it as it is then.
 */
export async function resumeIfDue(life: Lifecycle, schedule: Schedule): Promise<Schedule> {
  const { tx, now } = life;
  if (!isResumeDue(schedule, now)) return schedule;
  if (await canResume(tx, schedule))
    return resume(life, schedule, continuesAfter(schedule, now), 'resumed at the planned time');
  const reason = 'not resumed at the planned time: no consent of the customer is in force';
  await record(tx, now, schedule, 'not_resumed', reason);
  const paused = await changeSchedule(tx, schedule, { resumeAt: null }, now);
  await appendStatusEvent(life, paused, 'schedule.paused', reason);
  return paused;
}

/** Returns the status of a schedule as `resumeIfDue` would leave it, without writing anything. */
export async function statusOnceResumed(
  { tx, now }: Pick<Lifecycle, 'tx' | 'now'>,
  schedule: Schedule,
): Promise<Schedule['status']> {
  return isResumeDue(schedule, now) && (await canResume(tx, schedule)) ? 'active' : schedule.status;
}

const isResumeDue = ({ status, resumeAt }: Schedule, now: Temporal.Instant): boolean =>
  status === 'paused' && resumeAt !== null && !isAfter(resumeAt, now);

async function canResume(tx: Tx, { merchantId, consentId }: Schedule): Promise<boolean> {
  const consent = consentId === null ? null : await findConsent(tx, merchantId, consentId);
  return consent?.status === 'granted';
}

function record(
  tx: Tx,
  now: Temporal.Instant,
  { merchantId, scheduleId, status }: Schedule,
  to: 'resume_planned' | 'not_resumed',
  reason: string,
): Promise<void> {
  const change = { merchantId, objectId: scheduleId, scheduleId, from: status, to, reason };
  return recordChanges(tx, now, [change]);
}
