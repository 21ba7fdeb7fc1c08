import { setTimeout as sleep } from 'node:timers/promises';
import type { Drained, Engine } from '../platform/engine/engine.ts';
import { toApiError } from '../platform/http/calls/errors.ts';
import type { Platform } from '../platform/platform.ts';
import { ApiError, invalid } from '../platform/values/errors.ts';
import { earlier, isAfter, isBefore, later } from '../platform/values/instants.ts';
import { whileMoving } from './advance-lock.ts';
import type { SandboxClock } from './clock.ts';
import { type PartnerControl, PartnerError } from './control.ts';
import { recordBegin, recordEnd, recordWaiting } from './progress-store.ts';

export interface AdvanceDeps {
  platform: Pick<Platform, 'db' | 'log' | 'config'>;
  clock: Omit<SandboxClock, 'restart'>;
  engine: Pick<Engine, 'start' | 'stop' | 'drain'>;
  control: Pick<PartnerControl, 'setClock'>;
  /** Aborted when the service stops: an advance in progress ends at the moment it has reached. */
  stopping: AbortSignal;
  /** Returns the webhook endpoints that have not answered yet. */
  waitingFor: () => readonly string[];
}

/** A span of business time. */
interface Span {
  from: Temporal.Instant;
  to: Temporal.Instant;
}

/** The span that an advance went through; `stopped` if somebody had it stop before its target. */
export interface Advanced extends Span {
  stopped: boolean;
}

const LONGEST_YEARS = 5;
/** Limits the moments with due work in one advance. */
const MAX_MOMENTS = 1_000_000;
/** Limits the rounds of "partners, then us" at one moment. */
const MAX_ROUNDS = 10_000;
/** Limits the rounds in which something is due but cannot be done, because its row is locked for a moment. */
const MAX_IDLE_ROUNDS = 400;
const IDLE_WAIT_MS = 25;
/** How often a call is tried when a partner is restarting or a stage fails. */
const MAX_TRIES = 12;
const TRY_AGAIN_MS = 250;
/** How often it is recorded what an advance waits for. */
const WATCH_MS = 300;

const isDue = (due: Temporal.Instant | null, at: Temporal.Instant): boolean =>
  due !== null && !isAfter(due, at);

/** Throws 400 unless `to` is after `from` and at most five years later. */
function checkSpan({ from, to }: Span, field: 'to' | 'by'): void {
  if (!isAfter(to, from))
    throw invalid({ [field]: 'must be after the sandbox clock, which only moves forward' });
  const furthest = from.toZonedDateTimeISO('UTC').add({ years: LONGEST_YEARS }).toInstant();
  if (isAfter(to, furthest))
    throw invalid({ [field]: `must be no more than ${LONGEST_YEARS} years ahead` });
}

/** A moment, or a calendar span from where the clock is once no other process moves it. */
export type Target = { to: Temporal.Instant } | { by: Temporal.Duration; timeZone: string };

/** Returns the moment of the target. Throws 400 unless it is ahead, and at most five years. */
function targetMoment(from: Temporal.Instant, target: Target): Temporal.Instant {
  if ('to' in target) {
    checkSpan({ from, to: target.to }, 'to');
    return target.to;
  }
  try {
    const moved = from.toZonedDateTimeISO(target.timeZone).add(target.by).toInstant();
    checkSpan({ from, to: moved }, 'by');
    return Temporal.Instant.fromEpochMilliseconds(moved.epochMilliseconds);
  } catch (error) {
    if (error instanceof RangeError) throw invalid({ by: 'is too long' });
    throw error;
  }
}

/** An advance that has begun. */
export interface Begun extends Span {
  /** Settles when it ends. */
  ended: Promise<Advanced>;
}

/**
 * Begins to move the clock to its target, stopping at every moment at which something is due, here or at the partners. Throws
 * 409 `clock_busy` and 400. After an error, and when it is asked to stop, the clock resumes from where it stopped. See
 * docs/rules/sandbox.md#the-clock-belongs-to-the-user.
 */
export async function beginAdvance(deps: AdvanceDeps, target: Target): Promise<Begun> {
  const { clock, platform } = deps;
  const begun = Promise.withResolvers<Span>();
  const moving = whileMoving(platform.db, clock, () => move(deps, target, begun.resolve));
  moving.catch(begun.reject); // it was refused
  const span = await begun.promise;
  // Once the lock is free: whoever sees the end can move the clock on.
  const ended = moving.then(
    async (advanced) => {
      await recordEnded(deps, { ...span, to: advanced.to }, null);
      return advanced;
    },
    async (error: unknown) => {
      await recordEnded(deps, { ...span, to: clock.now() }, error);
      throw error;
    },
  );
  return { ...span, ended };
}

async function move(
  deps: AdvanceDeps,
  target: Target,
  begun: (span: Span) => void,
): Promise<Advanced> {
  const { clock, engine, platform } = deps;
  const from = clock.now();
  const to = targetMoment(from, target);
  await engine.stop();
  try {
    await platform.db.transaction((tx) => recordBegin(tx, from, to));
    begun({ from, to });
    const reached = await watched(deps, () => liveThrough(deps, from, to));
    return { from, to: reached, stopped: isBefore(reached, to) };
  } finally {
    await resumeEngine(deps);
  }
}

/** Moves the clock to its target, and returns once it is there. */
export async function advance(deps: AdvanceDeps, target: Target): Promise<Advanced> {
  const { ended } = await beginAdvance(deps, target);
  return ended;
}

/** Records the end for whoever follows the advance. */
async function recordEnded(
  { platform }: AdvanceDeps,
  { from, to }: Span,
  error: unknown,
): Promise<void> {
  const shown = error instanceof PartnerError ? error : toApiError(error);
  await platform.db
    .transaction((tx) => recordEnd(tx, from, to, error === null ? null : shown.message))
    .catch((err: unknown) => platform.log.report('sandbox.step_failed', { err }));
}

/** Records now and then which endpoints have not answered, while the work is under way. */
async function watched<T>(
  { platform, waitingFor }: AdvanceDeps,
  work: () => Promise<T>,
): Promise<T> {
  let last = '';
  const timer = setInterval(() => {
    const endpointIds = waitingFor();
    if (endpointIds.join() === last) return;
    last = endpointIds.join();
    platform.db.transaction((tx) => recordWaiting(tx, endpointIds)).catch(() => undefined); // the next one follows
  }, WATCH_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Returns the moment reached: `to`, or an earlier one if the clock was asked to stop. */
async function liveThrough(
  deps: AdvanceDeps,
  from: Temporal.Instant,
  to: Temporal.Instant,
): Promise<Temporal.Instant> {
  let at = from;
  for (let moments = 0; moments < MAX_MOMENTS; moments++) {
    const next = await liveAt(deps, at);
    if (deps.clock.isStopAsked()) return at;
    if (next === null || isAfter(next, to)) {
      if (isBefore(at, to)) await liveAt(deps, to);
      return to;
    }
    at = later(at, next);
  }
  throw new Error(`more than ${MAX_MOMENTS} moments between two times of the sandbox clock`);
}

/**
 * Holds the clock at a moment until nothing is due any more on either side; returns the next due moment. Setting a partner's
 * clock waits until its work in progress has reached us, so that nothing is lost between two moments.
 */
async function liveAt(
  deps: AdvanceDeps,
  moment: Temporal.Instant,
): Promise<Temporal.Instant | null> {
  const { clock } = deps;
  const at = await clock.hold(moment);
  let idle = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (deps.stopping.aborted)
      throw new ApiError('service_unavailable', 'The service is being stopped.');
    const outside = await withRetries(deps, () => deps.control.setClock(at, false));
    const { done, nextDue } = await withRetries(deps, () => drain(deps));
    const next = earlier(nextDue, outside);
    if (done === 0 && !isDue(next, at)) return next;
    idle = done > 0 ? 0 : idle + 1;
    if (idle > MAX_IDLE_ROUNDS) break;
    if (idle > 1) await sleep(IDLE_WAIT_MS);
  }
  throw new Error(`something stays due at ${at}: the sandbox clock is left there`);
}

/**
 * Drains the engine. What happens at one moment is sent together: it waits for receivers only once nothing else is left to do,
 * for otherwise a dead endpoint would hold up each round.
 */
async function drain({ engine }: AdvanceDeps): Promise<Pick<Drained, 'done' | 'nextDue'>> {
  const drained = await engine.drain({ leavesSending: true });
  return drained.done === 0 && drained.isSending ? engine.drain() : drained;
}

/** Retries after failures: a failed stage has its work due again later; a crashed partner is restarted. */
async function withRetries<T>(deps: AdvanceDeps, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const isRefused =
        error instanceof PartnerError && error.status !== null && error.status < 500;
      if (isRefused || tries >= MAX_TRIES) throw error;
      deps.platform.log.report('sandbox.step_failed', { err: error });
      await sleep(TRY_AGAIN_MS);
    }
  }
}

async function resumeEngine({ clock, control, engine, platform }: AdvanceDeps): Promise<void> {
  const log = (error: unknown): void =>
    platform.log.report('sandbox.resume_failed', { err: error });
  await clock.release().catch(log);
  await control.setClock(clock.now(), true).catch(log);
  if (platform.config.roles.includes('engine')) engine.start();
}
