import type { Db } from '../db/db.ts';
import type { Log } from '../log/log.ts';
import { type Clock, momentIn } from '../time/clock.ts';
import { machineClock } from '../time/clock-skew.ts';
import { compareInstants, isAfter } from '../values/instants.ts';
import { runByShard } from './by-shard.ts';
import { EngineLoops, type Pulse, setRunning } from './engine-loops.ts';
import { type Due, queryStages } from './engine-query.ts';
import type { Stage } from './stage.ts';

export interface Engine {
  /** Starts polling: one statement queries what is due for all stages; each stage then works on its own. */
  start(): void;
  /** Checks at once for due work. */
  wake(): void;
  /** Stops claiming, waits for calls in progress, and gives back what was claimed and not begun. */
  stop(): Promise<void>;
  /** Returns how it is. */
  pulse(): Pulse;
  /** Returns the earliest due moment of all stages. */
  nextDue(): Promise<Temporal.Instant | null>;
  /**
   * Runs every stage until nothing is due at the clock's time. `leavesSending`: does not wait for stages that are sending, so
   * that a slow receiver holds up nothing but the end.
   */
  drain(options?: { leavesSending?: boolean }): Promise<Drained>;
}

/** What a drain did. */
export interface Drained {
  /** How many pieces of work. */
  done: number;
  /** The earliest due moment of all stages, as `nextDue` returns it. At the clock's time: work that could not be claimed. */
  nextDue: Temporal.Instant | null;
  /** Whether a stage is still sending. */
  isSending: boolean;
}

const MAX_ROUNDS = 100_000;
const NO_DELAY = new Temporal.Duration();

const earliestOf = (due: Due): Temporal.Instant | null =>
  [...due.values()].sort(compareInstants)[0] ?? null;

/** Makes an engine that runs stages on the given clock: the machine's in production, the sandbox's, or a simulation's. */
export function makeEngine(db: Db, clock: Clock, log: Log, stages: readonly Stage[]): Engine {
  /** By how much this process's clock is ahead of the database's: nothing opens before it is due by the latter. */
  const howFarAhead = async (): Promise<Temporal.Duration> => {
    if (clock.within === undefined) return NO_DELAY;
    const shared = await db.read((tx) => momentIn(clock, tx));
    const ahead = shared.until(clock.now());
    return ahead.sign > 0 ? ahead : NO_DELAY;
  };

  const skew = machineClock;
  const loops = new EngineLoops({ db, clock, log, stages, skew });
  /**
   * Runs each due stage once; `nextDue` is as of before. A failing stage does not stop the others; the error is thrown after all
   * have run.
   */
  const drainOnce = async (leavesSending: boolean): Promise<Omit<Drained, 'isSending'>> => {
    let done = 0;
    const failures: unknown[] = [];
    // Most stages have nothing to do, and checking is cheaper than claiming.
    const all = await queryStages(db, stages, null, skew);
    const ahead = await howFarAhead();
    for (const [stage, due] of all) {
      const now = clock.now().subtract(ahead);
      if (isAfter(due, now)) continue;
      try {
        done += await runByShard(db, stage, now);
        if (!leavesSending || stage.isSending === undefined) await stage.idle?.();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return { done, nextDue: earliestOf(all) };
  };

  /** Waits for what an earlier drain has left. */
  const sent = async (): Promise<void> => {
    for (const stage of stages) if (stage.isSending?.() === true) await stage.idle?.();
  };

  return {
    start: () => loops.start(),
    wake: () => loops.wake(),
    stop: () => loops.stop(),
    pulse: () => loops.pulse(),
    async nextDue() {
      return earliestOf(await queryStages(db, stages, null, skew));
    },
    async drain({ leavesSending = false } = {}) {
      setRunning(stages, true);
      if (!leavesSending) await sent();
      let total = 0;
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const { done, nextDue } = await drainOnce(leavesSending);
        const isSending = stages.some((stage) => stage.isSending?.() ?? false);
        if (done === 0) return { done: total, nextDue, isSending };
        total += done;
      }
      throw new Error(
        `still work after ${MAX_ROUNDS} rounds: a stage does not finish what it claims`,
      );
    },
  };
}
