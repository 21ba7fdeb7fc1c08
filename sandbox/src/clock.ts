import type { Store } from './store.ts';

/** Text form of an instant in the store and on the wire: UTC, milliseconds; sorts as text. */
export function isoInstant(instant: Temporal.Instant): string {
  return instant.toString({ fractionalSecondDigits: 3 });
}

/** The sandbox clock: held at a moment, or running on from one with real time. Survives restarts. */
export interface SandboxClock {
  now(): Temporal.Instant;
  isRunning(): boolean;
  /** Sets the clock to `now`; `running` lets it go on from there with real time. */
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

/** The machine's clock: protocol time, and the only place that reads it. */
export function realNow(): Temporal.Instant {
  return Temporal.Now.instant();
}

/** Opens the clock kept in `store`; a new one runs from the real time. */
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

/** Everything that a program does on its own at a moment of the sandbox clock. */
export interface DueWork {
  /** The earliest moment at which something falls due, or null. */
  nextDue(): Temporal.Instant | null;
  /** Does what is due at or before `at`, with `at` as its time; must make each item not due or later. */
  runDue(at: Temporal.Instant): Promise<void>;
}

/** Drives the due work of one program, one moment after the other, never two at once. */
export interface Timekeeper {
  /** Does all that falls due up to `now`, each at its own time, then sets the clock to `now`. */
  advance(now: Temporal.Instant, running: boolean): Promise<Temporal.Instant | null>;
  /** Does what is due by now, at once, whether the clock runs or is held; what is due within a second of each other, together. */
  settle(): Promise<void>;
  /** While the clock runs, does what falls due every `every` real milliseconds. */
  start(every?: number): void;
  /** Stops the timer and waits for what is under way. */
  stop(): Promise<void>;
}

/** Steps in one `advance`: far above a year of collections, yet an end to a piece of work that stays due. */
const MAX_STEPS = 1_000_000;
const MAX_STEPS_AT_ONE_MOMENT = 1_000;
/**
 * What has fallen due on its own within so much time is done in one step. Under load every millisecond has something: a step for
 * each would do one payment after another, and each would wait for the answers to all before it.
 */
const TOGETHER = Temporal.Duration.from({ seconds: 1 });

/** A timekeeper over `clock` and `work`; `onError` learns of failures in the background timer. */
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
      await drain(work, now, (at) => earlier(at.add(TOGETHER), now));
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

/** Does what is due up to `until`, one step after the other; `reach` answers the moment of the step for what is due first. */
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
