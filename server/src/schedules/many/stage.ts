import { isDatabaseFailure } from '../../platform/db/isolate-failures.ts';
import { claim, earliestDue } from '../../platform/engine/claim.ts';
import type { Stage } from '../../platform/engine/stage.ts';
import type { Work } from '../../platform/platform.ts';
import { recordChanges } from '../../platform/state/audit-trail.ts';
import { momentIn } from '../../platform/time/clock.ts';
import { ApiError } from '../../platform/values/errors.ts';
import { lockSchedule } from '../books/store.ts';
import { remind } from '../change/send-link.ts';
import type { ScheduleDeps } from '../change/service.ts';
import { applyUpdate } from '../change/update.ts';
import type { Schedule } from '../terms/schedule.ts';
import type { ManyChange } from './body.ts';
import { effectOf, type Line, type LineErrorCode, updateOf } from './line.ts';
import { lineError } from './plan.ts';
import { type ChangeKey, endLine, findPlanned, lockPlanned, releaseChange } from './run-store.ts';
import { findChange } from './store.ts';

const LEASE_MS = 300_000;
/** How many schedules of one change are changed before the others have their turn. */
const LINES = 50;

interface Running extends ChangeKey {
  actor: string;
  change: ManyChange;
}

/**
 * Carries out changes of many schedules, each line in a transaction of its own that also ends the line: after a crash the next
 * process goes on with the first line that is still planned, and no schedule changes twice.
 */
export function manyChangesStage(deps: ScheduleDeps): Stage {
  const { db } = deps.platform;
  return {
    name: 'schedules.change_many',
    batch: 10,
    ...earliestDue('schedule_changes'),
    async run(now, limit) {
      const due = await db.transaction((tx) =>
        claim<Running>(tx, now, LEASE_MS, limit, {
          table: 'schedule_changes',
          key: ['merchant_id', 'change_id'],
          returning: 't.merchant_id, t.change_id, t.actor, t.change',
        }),
      );
      for (const one of due) await carryOn(deps, now, one);
      return due.length;
    },
  };
}

async function carryOn(deps: ScheduleDeps, now: Temporal.Instant, one: Running): Promise<void> {
  const { db } = deps.platform;
  const ids = await db.read((tx) => findPlanned(tx, one, LINES));
  for (const scheduleId of ids) await carryOut(deps, one, scheduleId);
  await db.transaction(async (tx) => {
    await findChange(tx, one.merchantId, one.changeId, true);
    if (await releaseChange(tx, one, now)) await recordEnd(tx, now, one);
  });
}

function recordEnd(
  tx: Work['tx'],
  now: Temporal.Instant,
  { merchantId, changeId }: ChangeKey,
): Promise<void> {
  const change = { merchantId, objectId: changeId, scheduleId: null };
  return recordChanges(tx, now, [
    { ...change, from: 'change_started', to: 'change_done', reason: 'every line has ended' },
  ]);
}

/** Changes one schedule, or records why not: what is refused stays so, anything else can be run again. */
async function carryOut(deps: ScheduleDeps, one: Running, scheduleId: string): Promise<void> {
  const { db, clock, log } = deps.platform;
  const key = { ...one, scheduleId };
  try {
    await db.transaction(
      async (tx) => {
        const line = await lockPlanned(tx, key);
        if (line !== null)
          await changeOne({ ...deps, tx, now: await momentIn(clock, tx) }, one, line);
      },
      { actor: one.actor },
    );
  } catch (err) {
    if (isDatabaseFailure(err)) throw err;
    const end = endOf(err);
    if (end.state === 'failed' && end.errorCode === 'internal_error')
      log.report('schedule_change.line_failed', {
        change_id: one.changeId,
        schedule_id: scheduleId,
        err,
      });
    await db.transaction((tx) => endLine(tx, key, end));
  }
}

/** A line is refused for a reason that stays. */
class LineRefused extends Error {
  readonly code: Extract<LineErrorCode, 'schedule_changed' | 'effect_changed'>;

  constructor(code: LineRefused['code'], message: string) {
    super(message);
    this.code = code;
  }
}

function endOf(
  err: unknown,
): Pick<Line, 'state' | 'errorCode' | 'reason'> & { effect?: 'refused' } {
  if (err instanceof LineRefused)
    return { state: 'done', effect: 'refused', errorCode: err.code, reason: err.message };
  if (!(err instanceof ApiError))
    return {
      state: 'failed',
      errorCode: 'internal_error',
      reason: 'Something went wrong on our side.',
    };
  if (err.code === 'request_in_progress') return { state: 'failed', ...lineError(err) };
  return { state: 'done', effect: 'refused', ...lineError(err) };
}

async function changeOne(
  work: ScheduleDeps & Pick<Work, 'tx' | 'now'>,
  { change, ...key }: Running,
  line: Line,
): Promise<void> {
  const { tx, now, platform } = work;
  const { merchantId, changeId } = key;
  const { scheduleId } = line;
  const schedule = await lockSchedule(tx, merchantId, scheduleId);
  if (schedule === null || !isAsItWas(schedule, line))
    throw new LineRefused(
      'schedule_changed',
      'The schedule was changed after this change was asked for.',
    );
  const effect = await applyUpdate(work, schedule, updateOf(change, line.newAmountPence));
  const link =
    change.send_link === true ? await remind(platform, { tx, now, merchantId }, schedule) : null;
  const isSent = link !== null && link !== 'nothing_waits';
  if (effectOf(effect, isSent) !== line.effect)
    throw new LineRefused('effect_changed', 'It would now have another effect than was said.');
  const was = { merchantId, objectId: scheduleId, scheduleId, from: schedule.status };
  await recordChanges(tx, now, [{ ...was, to: 'changed_with_many', reason: changeId }]);
  const waits = line.effect === 'needs_consent' || line.effect === 'awaiting_consent';
  await endLine(tx, { ...key, scheduleId }, { state: 'done', link: waits ? link : null });
}

const isAsItWas = ({ termsVersion, status }: Schedule, line: Line): boolean =>
  termsVersion === line.termsVersion && status === line.scheduleStatus;
