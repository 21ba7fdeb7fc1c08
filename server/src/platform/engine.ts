import type { Clock } from './clock.ts';
import type { Db, Tx } from './db.ts';
import type { Log } from './log.ts';

/** Something that happens automatically: what is due, and what to do with a batch of it. */
export interface Stage {
  readonly name: string;
  readonly batch: number;
  /** The next moment at which this stage has work, or null. */
  nextDue(tx: Tx): Promise<Temporal.Instant | null>;
  /** The same as an expression of SQL, where it is one: all of them are asked for in one statement. */
  readonly dueSql?: string;
  /** Claims and does up to `limit` of what is due at `now`; answers how many it claimed. */
  run(now: Temporal.Instant, limit: number): Promise<number>;
  /** How long it lets work gather after a run that did not fill its batch, in milliseconds; absent: `GATHER_MS`. */
  readonly gatherMs?: number;
  /** Settles when nothing that `run` set off is still under way. Absent: `run` waits on its own. */
  idle?(): Promise<void>;
}

export interface Engine {
  /** Starts polling: what is due is asked for in one statement for all stages; each stage then works on its own. */
  start(): void;
  /** Looks again at once. */
  wake(): void;
  /** Stops claiming and waits for what is under way. */
  stop(): Promise<void>;
  /** The next due moment of all stages. */
  nextDue(): Promise<Temporal.Instant | null>;
  /** Runs every stage until nothing is due at the clock's time; answers how many pieces of work it did. */
  drain(): Promise<number>;
}

/** When a stage has work, by an expression of SQL: an instant, or null. */
export function dueBy(sql: string): Required<Pick<Stage, 'nextDue' | 'dueSql'>> {
  return {
    dueSql: sql,
    async nextDue(tx) {
      const row = await tx.row<{ due: Temporal.Instant | null }>(`SELECT (${sql}) AS due`);
      return row?.due ?? null;
    },
  };
}

/**
 * The least of a moment (a column, or an expression that an index holds) among the rows of a table that satisfy `where`, as an
 * expression of SQL: the first entry of an index that holds only them. See docs/decisions/0020-what-the-planner-is-not-told.md.
 */
export function earliest(moment: string, table: string, where: string): string {
  return `(SELECT ${moment} FROM ${table} WHERE ${where} ORDER BY ${moment} LIMIT 1)`;
}

type Due = Map<Stage, Temporal.Instant>;

/** When each stage has work; those that have none are left out. */
function askAll(db: Db, stages: readonly Stage[]): Promise<Due> {
  return db.transaction((tx) => askWithin(tx, stages), { onlyLooks: true });
}

async function askWithin(tx: Tx, stages: readonly Stage[]): Promise<Due> {
  const all: Due = new Map();
  const bySql = stages.filter((stage) => stage.dueSql !== undefined);
  const columns = bySql.map(({ dueSql }, n) => `(${dueSql}) AS s${n}`).join(', ');
  type Row = Record<string, Temporal.Instant | null>;
  const row = columns === '' ? {} : await tx.row<Row>(`SELECT ${columns}`);
  for (const stage of stages) {
    const n = bySql.indexOf(stage);
    const due = n < 0 ? await stage.nextDue(tx) : (row?.[`s${n}`] ?? null);
    if (due !== null) all.set(stage, due);
  }
  return all;
}

const SHORTEST_SLEEP_MS = 25; // due, but held by another process or waiting for room
const LONGEST_SLEEP_MS = 1000;
/** After this a stage looks for itself, whatever it says of when it is due. */
const BACKSTOP_MS = 10_000;
/**
 * What trickles in is done a hundredfold in one transaction or one by one in a hundred, which costs ten times as much: a stage
 * that found less than a batch begins again only after this. What comes to a stage at rest is done at once.
 */
const GATHER_MS = 100;
/** So many short sleeps follow a piece of work: what it set off (calls to partners) makes work for the next stage. */
const LOOKS_AFTER_WORK = 40;
const AFTER_ERROR_MS = 1000;
const MAX_ROUNDS = 100_000;

/** Wakes sleepers. A ring between looking and lying down is not lost: whoever saw an earlier count does not sleep. */
class Bell {
  rings = 0;
  #sleepers = new Set<() => void>();

  ring(): void {
    this.rings++;
    const all = this.#sleepers;
    this.#sleepers = new Set();
    for (const wake of all) wake();
  }

  /** Sleeps until the next ring, `ms` at the longest; not at all where it has rung since. */
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

/** Runs each stage in a loop of its own, and one more loop that asks for all of them what is due. */
function makeLoops(
  db: Db,
  clock: Clock,
  log: Log,
  stages: readonly Stage[],
): Pick<Engine, 'start' | 'wake' | 'stop'> {
  let running = false;
  let loops: Promise<void>[] = [];
  const bells = new Map(stages.map((stage) => [stage, new Bell()]));
  const wakes = new Bell();
  const news = new Bell();
  const pause = new Bell(); // rung at the end only
  let looksAfterWork = 0;

  /** One turn of a stage; where it had nothing to do, its sleep until somebody says that it has. */
  const turn = async (stage: Stage, bell: Bell): Promise<void> => {
    const since = bell.rings;
    const done = await stage.run(clock.now(), stage.batch);
    if (!running) return;
    if (done === 0) {
      await bell.sleep(BACKSTOP_MS, since);
      return;
    }
    looksAfterWork = LOOKS_AFTER_WORK;
    news.ring(); // what one stage does is the next one's work
    if (done < stage.batch) await pause.sleep(stage.gatherMs ?? GATHER_MS, pause.rings);
  };

  const loop = async (stage: Stage): Promise<void> => {
    const bell = bells.get(stage) ?? news;
    while (running)
      try {
        await turn(stage, bell);
      } catch (error) {
        log.report('engine.stage_failed', { stage: stage.name, err: error });
        if (running) await wakes.sleep(AFTER_ERROR_MS, wakes.rings);
      }
    await stage.idle?.();
  };

  /** Wakes the stages that have work; answers how long there is none for the others, in milliseconds. */
  const look = async (): Promise<number> => {
    try {
      let sleep = LONGEST_SLEEP_MS;
      for (const [stage, due] of await askAll(db, stages)) {
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

  /** One statement asks for all stages, however many wake it: never twice within the shortest sleep. */
  const watch = async (): Promise<void> => {
    while (running) {
      const since = news.rings;
      const wait = await look();
      await new Promise((resolve) => setTimeout(resolve, SHORTEST_SLEEP_MS));
      if (running && wait > SHORTEST_SLEEP_MS) await news.sleep(wait - SHORTEST_SLEEP_MS, since);
    }
  };

  return {
    start() {
      if (running) return;
      running = true;
      loops = [...stages.map(loop), watch()];
    },
    wake() {
      wakes.ring();
      news.ring();
    },
    async stop() {
      running = false;
      for (const bell of [wakes, news, pause, ...bells.values()]) bell.ring();
      await Promise.all(loops);
      loops = [];
    },
  };
}

/** Runs stages over the clock that it is given: the machine's in production, the sandbox's, a simulation's. */
export function makeEngine(db: Db, clock: Clock, log: Log, stages: readonly Stage[]): Engine {
  /** A stage that fails holds up no other; its error is thrown when all have had their turn. */
  const drainOnce = async (): Promise<number> => {
    let done = 0;
    const failures: unknown[] = [];
    // Most have nothing to do, and looking is cheaper than claiming.
    for (const [stage, due] of await askAll(db, stages)) {
      if (Temporal.Instant.compare(due, clock.now()) > 0) continue;
      try {
        done += await stage.run(clock.now(), stage.batch);
        await stage.idle?.();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return done;
  };

  return {
    ...makeLoops(db, clock, log, stages),
    async nextDue() {
      const all = await askAll(db, stages);
      return [...all.values()].sort(Temporal.Instant.compare)[0] ?? null;
    },
    async drain() {
      let total = 0;
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const done = await drainOnce();
        if (done === 0) return total;
        total += done;
      }
      throw new Error(
        `still work after ${MAX_ROUNDS} rounds: a stage does not finish what it claims`,
      );
    },
  };
}
