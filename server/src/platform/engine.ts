import { runByShard } from './by-shard.ts';
import { type Clock, momentIn } from './clock.ts';
import type { Db } from './db.ts';
import { type HasWork, stagesDue } from './due.ts';
import type { HandedOn, OfMerchant } from './handed-on.ts';
import type { Log } from './log.ts';

/** Work that happens automatically: when it is due, and how to do a batch of it. */
export interface Stage extends HasWork {
  readonly name: string;
  readonly batch: number;
  /** Claims that are handed to this stage in memory. */
  readonly handed?: Pick<HandedOn<OfMerchant>, 'isEmpty' | 'isTaken' | 'merchantIds'>;
  /** Whether the engine stops: what is claimed and not begun is then given back, and not begun any more. */
  readonly halt?: Halt;
  /** Claims and does up to `limit` pieces of work due at `now`; returns how many it claimed. */
  run(now: Temporal.Instant, limit: number): Promise<number>;
  /** How long to let work accumulate after a run that did not fill its batch, in milliseconds; absent: `GATHER_MS`. */
  readonly gatherMs?: number;
  /** Resolves when work that found no room may find some: a stage with nothing to do is not asked before. Absent: at once. */
  makesRoom?(): Promise<void>;
  /** Resolves when all work that `run` started has ended. Absent: `run` itself waits. */
  idle?(): Promise<void>;
  /** Gives back the claims that were handed to this stage and not taken. Called when the engine has stopped. */
  handBack?(): Promise<void>;
}

/** Set while the engine stops or is stopped. */
export interface Halt {
  isHalted: boolean;
}

export interface Engine {
  /** Starts polling: one statement queries what is due for all stages; each stage then works on its own. */
  start(): void;
  /** Checks at once for due work. */
  wake(): void;
  /** Stops claiming, waits for calls in progress, and gives back what was claimed and not begun. */
  stop(): Promise<void>;
  /** Returns whether it polls, and when it last found out what is due, as `performance.now()`; null: not yet. */
  pulse(): { isRunning: boolean; lookedAt: number | null };
  /** Returns the earliest due moment of all stages. */
  nextDue(): Promise<Temporal.Instant | null>;
  /** Runs every stage until nothing is due at the clock's time. */
  drain(): Promise<Drained>;
}

/** What a drain did. */
export interface Drained {
  /** How many pieces of work. */
  done: number;
  /** The earliest due moment of all stages, as `nextDue` returns it. At the clock's time: work that could not be claimed. */
  nextDue: Temporal.Instant | null;
}

type Due = Map<Stage, Temporal.Instant>;

const earliestOf = (due: Due): Temporal.Instant | null =>
  [...due.values()].sort(Temporal.Instant.compare)[0] ?? null;

const AT_ONCE = Temporal.Instant.fromEpochMilliseconds(0);

/** Returns when each stage has work until a moment (null: ever), in its rows or handed to it; the others may be left out. */
async function askAll(
  db: Db,
  stages: readonly Stage[],
  until: Temporal.Instant | null,
): Promise<Due> {
  const due = await db.transaction((tx) => stagesDue(tx, stages, until), { onlyLooks: true });
  const all: Due = new Map();
  for (const stage of stages) {
    const at = stage.handed?.isEmpty === false ? AT_ONCE : due.get(stage);
    if (at !== undefined) all.set(stage, at);
  }
  return all;
}

/** Only where an engine runs may claims be handed to its stages, and begun. */
function setRunning(stages: readonly Stage[], isRunning: boolean): void {
  for (const { handed, halt } of stages) {
    if (handed !== undefined) handed.isTaken = isRunning;
    if (halt !== undefined) halt.isHalted = !isRunning;
  }
}

const SHORTEST_SLEEP_MS = 25; // due, but claimed by another process or waiting for room
const LONGEST_SLEEP_MS = 1000;
/** After this time a stage runs, whatever its due time says. */
const BACKSTOP_MS = 10_000;
/**
 * A hundred rows in one transaction cost a tenth of what they cost one by one: a stage that found less than a batch waits
 * this long before it runs again. Work that reaches an idle stage is done at once.
 */
const GATHER_MS = 100;
/** How many short sleeps follow a piece of work: the calls to partners that it started make work for the next stage. */
const LOOKS_AFTER_WORK = 40;
/** How long a stage without room is not asked: others than those it has no room for may have work meanwhile. */
const WITHOUT_ROOM_MS = 250;
const AFTER_ERROR_MS = 1000;
const MAX_ROUNDS = 100_000;
const NOTHING = new Temporal.Duration();

/**
 * Wakes sleepers. A ring between checking and falling asleep is not lost: a sleeper that saw an earlier count does not sleep.
 */
class Bell {
  rings = 0;
  #sleepers = new Set<() => void>();

  ring(): void {
    this.rings++;
    const all = this.#sleepers;
    this.#sleepers = new Set();
    for (const wake of all) wake();
  }

  /** Sleeps until the next ring, at most `ms`; does not sleep if it has rung since `since`. */
  sleep(ms: number, since: number): Promise<void> {
    return new Promise((resolve) => {
      if (since !== this.rings) {
        resolve();
        return;
      }
      const wake = (): void => {
        clearTimeout(timer);
        this.#sleepers.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#sleepers.add(wake);
    });
  }
}

const shortSleep = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, SHORTEST_SLEEP_MS));

async function handBackAll(stages: readonly Stage[], log: Log): Promise<void> {
  for (const stage of stages)
    try {
      await stage.handBack?.();
    } catch (error) {
      log.report('engine.stage_failed', { stage: stage.name, err: error });
    }
}

/** Sleeps until a stage that found nothing to do is rung for, but not before work that found no room may find some. */
async function rest(stage: Stage, bell: Bell, since: number, pause: Bell): Promise<void> {
  if (stage.makesRoom !== undefined)
    await Promise.race([stage.makesRoom(), pause.sleep(WITHOUT_ROOM_MS, pause.rings)]);
  await bell.sleep(BACKSTOP_MS, since);
}

/** Runs each stage in its own loop, and one more loop that queries due times for all of them. */
function makeLoops(
  db: Db,
  clock: Clock,
  log: Log,
  stages: readonly Stage[],
): Pick<Engine, 'start' | 'wake' | 'stop' | 'pulse'> {
  let running = false;
  let lookedAt: number | null = null;
  const loops: Promise<void>[] = [];
  const bells = new Map(stages.map((stage) => [stage, new Bell()]));
  const wakes = new Bell();
  const news = new Bell();
  const pause = new Bell(); // rung only on stop
  let looksAfterWork = 0;

  /** Runs a stage once; if there was nothing to do, sleeps until it is woken. */
  const turn = async (stage: Stage, bell: Bell): Promise<void> => {
    const since = bell.rings;
    const done = await runByShard(db, stage, clock.now());
    if (!running) return;
    if (done === 0) return rest(stage, bell, since, pause);
    looksAfterWork = LOOKS_AFTER_WORK;
    news.ring(); // one stage's result is the next one's work
    if (done < stage.batch) await pause.sleep(stage.gatherMs ?? GATHER_MS, pause.rings);
  };

  const loop = async (stage: Stage): Promise<void> => {
    const bell = bells.get(stage) ?? news;
    await bell.sleep(BACKSTOP_MS, bell.rings); // the first look tells which stages have work
    while (running)
      try {
        await turn(stage, bell);
      } catch (error) {
        log.report('engine.stage_failed', { stage: stage.name, err: error });
        if (running) await wakes.sleep(AFTER_ERROR_MS, wakes.rings);
      }
    await stage.idle?.();
  };

  /** Wakes the stages that have work; returns how long the others have none, in milliseconds. */
  const look = async (): Promise<number> => {
    try {
      let sleep = LONGEST_SLEEP_MS;
      const all = await askAll(db, stages, clock.now().add({ milliseconds: LONGEST_SLEEP_MS }));
      lookedAt = performance.now();
      for (const [stage, due] of all) {
        const wait = due.epochMilliseconds - clock.now().epochMilliseconds;
        if (wait <= 0) bells.get(stage)?.ring();
        sleep = Math.min(sleep, Math.max(wait, SHORTEST_SLEEP_MS));
      }
      if (looksAfterWork === 0) return sleep;
      looksAfterWork--;
      return SHORTEST_SLEEP_MS;
    } catch (error) {
      log.report('engine.look_failed', { err: error });
      for (const bell of bells.values()) bell.ring();
      return AFTER_ERROR_MS;
    }
  };

  /** Queries all stages in one statement, however often it is woken: never twice within the shortest sleep. */
  const watch = async (): Promise<void> => {
    while (running) {
      const since = news.rings;
      const wait = await look();
      await shortSleep();
      if (running && wait > SHORTEST_SLEEP_MS) await news.sleep(wait - SHORTEST_SLEEP_MS, since);
    }
  };

  return {
    start() {
      if (running) return;
      running = true;
      setRunning(stages, true);
      loops.push(...stages.map(loop), watch());
    },
    wake() {
      wakes.ring();
      news.ring();
    },
    async stop() {
      running = false;
      setRunning(stages, false);
      for (const bell of [wakes, news, pause, ...bells.values()]) bell.ring();
      await Promise.all(loops.splice(0)).then(() => handBackAll(stages, log));
    },
    pulse: () => ({ isRunning: running, lookedAt }),
  };
}

/** Makes an engine that runs stages on the given clock: the machine's in production, the sandbox's, or a simulation's. */
export function makeEngine(db: Db, clock: Clock, log: Log, stages: readonly Stage[]): Engine {
  /** By how much this process's clock is ahead of the database's: nothing opens before it is due by the latter. */
  const howFarAhead = async (): Promise<Temporal.Duration> => {
    if (clock.within === undefined) return NOTHING;
    const shared = await db.read((tx) => momentIn(clock, tx));
    const ahead = shared.until(clock.now());
    return ahead.sign > 0 ? ahead : NOTHING;
  };

  /**
   * Runs each due stage once; `nextDue` is as of before. A failing stage does not stop the others; the error is thrown after all
   * have run.
   */
  const drainOnce = async (): Promise<Drained> => {
    let done = 0;
    const failures: unknown[] = [];
    // Most stages have nothing to do, and checking is cheaper than claiming.
    const all = await askAll(db, stages, null);
    const ahead = await howFarAhead();
    for (const [stage, due] of all) {
      const now = clock.now().subtract(ahead);
      if (Temporal.Instant.compare(due, now) > 0) continue;
      try {
        done += await runByShard(db, stage, now);
        await stage.idle?.();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return { done, nextDue: earliestOf(all) };
  };

  return {
    ...makeLoops(db, clock, log, stages),
    async nextDue() {
      return earliestOf(await askAll(db, stages, null));
    },
    async drain() {
      setRunning(stages, true);
      let total = 0;
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const { done, nextDue } = await drainOnce();
        if (done === 0) return { done: total, nextDue };
        total += done;
      }
      throw new Error(
        `still work after ${MAX_ROUNDS} rounds: a stage does not finish what it claims`,
      );
    },
  };
}
