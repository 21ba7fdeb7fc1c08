import type { Store } from './store.ts';

/** Formats an instant for the store and the API: UTC with milliseconds; sorts as text. */
export function isoInstant(instant: Temporal.Instant): string {
  return instant.toString({ fractionalSecondDigits: 3 });
}

/** The sandbox clock: stopped, or running in real time from a set moment. Survives restarts. */
export interface SandboxClock {
  now(): Temporal.Instant;
  isRunning(): boolean;
  /** Sets the clock to `now`; `running` lets it run on in real time. */
  set(now: Temporal.Instant, running: boolean): void;
}

interface ClockRow {
  base_sandbox: string;
  base_real: string;
  running: number;
}

const CLOCK_SCHEMA = `CREATE TABLE IF NOT EXISTS clock (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  base_sandbox TEXT NOT NULL,
  base_real TEXT NOT NULL,
  running INTEGER NOT NULL CHECK (running IN (0, 1))
) STRICT`;

/** Returns the machine's time (protocol time). This is the only place that reads it. */
export function realNow(): Temporal.Instant {
  return Temporal.Now.instant();
}

/** Opens the clock in `store`; a new one starts at real time, running. */
export function openClock(store: Store, machineNow = realNow): SandboxClock {
  store.run(CLOCK_SCHEMA);
  const row = store.get<ClockRow>('SELECT base_sandbox, base_real, running FROM clock');
  let base = row ? Temporal.Instant.from(row.base_sandbox) : machineNow();
  let baseReal = row ? Temporal.Instant.from(row.base_real) : base;
  let running = row ? row.running === 1 : true;
  return {
    now: () => (running ? base.add(machineNow().since(baseReal)) : base),
    isRunning: () => running,
    set: (now, run) => {
      base = now;
      baseReal = machineNow();
      running = run;
      store.run(
        `INSERT INTO clock (id, base_sandbox, base_real, running) VALUES (1, :base, :real, :running)
         ON CONFLICT (id) DO UPDATE
         SET base_sandbox = :base, base_real = :real, running = :running`,
        { base: isoInstant(base), real: isoInstant(baseReal), running: running ? 1 : 0 },
      );
    },
  };
}

/** The work that a program does automatically at a time of the sandbox clock. */
export interface DueWork {
  /** Returns the earliest time at which something falls due, or null. */
  nextDue(): Temporal.Instant | null;
  /** Does the work due at or before `at`, with `at` as its time; must complete or reschedule each item. */
  runDue(at: Temporal.Instant): Promise<void>;
}

/** Drives the due work of one program, one step after another, never two at once. */
export interface Timekeeper {
  /** Does all work due up to `now`, each at its own time, then sets the clock to `now`. */
  advance(now: Temporal.Instant, running: boolean): Promise<Temporal.Instant | null>;
  /** Does all due work immediately, whether the clock is running or stopped. Work due within one second is done together. */
  settle(): Promise<void>;
  /** While the clock is running, does due work every `every` real milliseconds. */
  start(every?: number): void;
  /** Stops the timer and waits for work in progress. */
  stop(): Promise<void>;
}

/** Maximum steps in one `advance`: far more than a year of collections needs, but it stops work that never completes. */
const MAX_STEPS = 1_000_000;
const MAX_STEPS_AT_ONE_MOMENT = 1_000;
/**
 * Work that falls due within this time is done in one step. Under load, work falls due every millisecond: with a step for each,
 * payments would be processed one at a time, each waiting for the responses to all before it.
 */
const STEP = Temporal.Duration.from({ seconds: 1 });

/** Creates a timekeeper for `clock` and `work`; `onError` receives failures in the background timer. */
export function createTimekeeper(
  clock: SandboxClock,
  work: DueWork,
  onError: (error: unknown) => void,
): Timekeeper {
  let queue: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let settling: Promise<void> | null = null;
  const exclusively = <T>(task: () => Promise<T>): Promise<T> => {
    const result = queue.then(task);
    queue = result.catch(() => undefined);
    return result;
  };
  const settle = (): Promise<void> => {
    settling ??= exclusively(async () => {
      settling = null;
      const now = clock.now();
      await drain(work, now, (at) => earlier(at.add(STEP), now));
    });
    return settling;
  };
  return {
    advance: (now, running) =>
      exclusively(async () => {
        await drain(work, now, (at) => {
          clock.set(at, false);
          return at;
        });
        clock.set(now, running);
        return work.nextDue();
      }),
    settle,
    start: (every = 500) => {
      timer = setInterval(() => {
        if (clock.isRunning()) settle().catch(onError);
      }, every);
    },
    stop: async () => {
      clearInterval(timer);
      await queue;
    },
  };
}

/** Does the work due up to `until`, step by step; `reach` returns the time of the step for the earliest due time. */
async function drain(
  work: DueWork,
  until: Temporal.Instant,
  reach: (at: Temporal.Instant) => Temporal.Instant,
): Promise<void> {
  let last: Temporal.Instant | null = null;
  let stepsHere = 0;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const at = work.nextDue();
    if (!at || Temporal.Instant.compare(at, until) > 0) return;
    const isHere: boolean = last !== null && Temporal.Instant.compare(at, last) <= 0;
    stepsHere = isHere ? stepsHere + 1 : 0;
    if (stepsHere > MAX_STEPS_AT_ONE_MOMENT) {
      throw new Error(`Work that is due at ${isoInstant(at)} stays due`);
    }
    if (last === null || !isHere) last = reach(at);
    await work.runDue(last);
  }
  throw new Error(`More than ${MAX_STEPS} pieces of work were due at once`);
}

function earlier(a: Temporal.Instant, b: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(a, b) < 0 ? a : b;
}

/** Returns an instant as a Date, for libraries that take nothing else. */
export const dateOf = (instant: Temporal.Instant): Date => new Date(instant.epochMilliseconds);
