import type { Db } from '../db/db.ts';
import { isDatabaseFailure } from '../db/isolate-failures.ts';
import type { Log } from '../log/log.ts';
import type { Clock } from '../time/clock.ts';
import { type ClockSkew, NOTABLE_SKEW_MS } from '../time/clock-skew.ts';
import { runByShard } from './by-shard.ts';
import { type Due, queryStages } from './engine-query.ts';
import { BEAT_MS, Heartbeat } from './heartbeat.ts';
import type { Stage } from './stage.ts';
import { WakeSignal } from './wake-signal.ts';

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
const SHORT_POLLS_AFTER_WORK = 40;
/** How long a stage without room is not asked: others than those it has no room for may have work meanwhile. */
const WITHOUT_ROOM_MS = 250;
const AFTER_ERROR_MS = 1000;
/** How long what was under way when the database went may take to notice, before the engine goes on. */
const NOTICED_WITHIN_MS = 12_000;

/** How an engine is. */
export interface Pulse {
  isRunning: boolean;
  /** When it last found out what is due, as `performance.now()`; null: not yet. */
  lookedAt: number | null;
}

/** What an engine runs on. */
export interface EngineDeps {
  db: Db;
  clock: Clock;
  log: Log;
  stages: readonly Stage[];
  skew: ClockSkew;
}

/** Only where an engine runs may claims be handed to its stages, and begun. */
export function setRunning(stages: readonly Stage[], isRunning: boolean): void {
  for (const { handed, halt } of stages) {
    if (handed !== undefined) handed.hasConsumer = isRunning;
    if (halt !== undefined) halt.isHalted = !isRunning;
  }
}

/** Runs each stage in its own loop, one more loop that queries due times for all of them, and one for the heartbeats. */
export class EngineLoops {
  readonly #deps: EngineDeps;
  readonly #heart: Heartbeat;
  readonly #bells: Map<Stage, WakeSignal>;
  readonly #wakes = new WakeSignal();
  readonly #news = new WakeSignal();
  /** Rung after each look. */
  readonly #looks = new WakeSignal();
  /** Rung only on stop. */
  readonly #pause = new WakeSignal();
  readonly #loops: Promise<void>[] = [];
  #isRunning = false;
  #lookedAt: number | null = null;
  /** Since when the database does not answer, as `performance.now()`; null: it does. */
  #lostAt: number | null = null;
  #isSkewNoted = false;
  /** How many stages are in the middle of a turn. */
  #turns = 0;
  #looksAfterWork = 0;

  constructor(deps: EngineDeps) {
    this.#deps = deps;
    this.#heart = new Heartbeat(deps);
    this.#bells = new Map(deps.stages.map((stage) => [stage, new WakeSignal()]));
  }

  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    setRunning(this.#deps.stages, true);
    const stages = this.#deps.stages.map((stage) => this.#loop(stage));
    this.#loops.push(...stages, this.#watch(), this.#beats());
  }

  wake(): void {
    this.#wakes.ring();
    this.#news.ring();
  }

  async stop(): Promise<void> {
    const wasRunning = this.#isRunning;
    this.#isRunning = false;
    setRunning(this.#deps.stages, false);
    const bells = [this.#wakes, this.#news, this.#looks, this.#pause, ...this.#bells.values()];
    for (const bell of bells) bell.ring();
    await Promise.all(this.#loops.splice(0));
    await this.#handBackAll();
    this.#lostAt = null;
    // Where this fails it is missed, and found to have claimed nothing.
    if (wasRunning) await this.#heart.end().catch(() => undefined);
  }

  pulse(): Pulse {
    return { isRunning: this.#isRunning, lookedAt: this.#lookedAt };
  }

  async #loop(stage: Stage): Promise<void> {
    const bell = this.#bells.get(stage) ?? this.#news;
    await bell.sleep(BACKSTOP_MS, bell.rings); // the first look tells which stages have work
    while (this.#isRunning)
      await this.#turn(stage, bell).catch((error: unknown) => this.#failed(stage, error));
    await stage.idle?.();
  }

  /** Runs a stage once; if there was nothing to do, sleeps until it is woken. */
  async #turn(stage: Stage, bell: WakeSignal): Promise<void> {
    const since = bell.rings;
    if (!this.#mayClaim()) return bell.sleep(BACKSTOP_MS, since);
    this.#turns++;
    const run = runByShard(this.#deps.db, stage, this.#now());
    const done = await run.finally(() => this.#turns--);
    if (!this.#isRunning) return;
    if (done === 0) return this.#rest(stage, bell, since);
    this.#looksAfterWork = SHORT_POLLS_AFTER_WORK;
    this.#news.ring(); // one stage's result is the next one's work
    if (done < stage.batch) await this.#pause.sleep(stage.gatherMs ?? GATHER_MS, this.#pause.rings);
  }

  /** Sleeps until a stage that found nothing to do is rung for, but not before work that found no room may find some. */
  async #rest(stage: Stage, bell: WakeSignal, since: number): Promise<void> {
    const pause = this.#pause;
    if (stage.makesRoom !== undefined)
      await Promise.race([stage.makesRoom(), pause.sleep(WITHOUT_ROOM_MS, pause.rings)]);
    await bell.sleep(BACKSTOP_MS, since);
  }

  /** A look tells whether this stage failed, or the database is gone: then that is said once, for all stages. */
  async #failed(stage: Stage, err: unknown): Promise<void> {
    if (isDatabaseFailure(err) && this.#isRunning) {
      const since = this.#looks.rings;
      this.#news.ring();
      await this.#looks.sleep(BACKSTOP_MS, since);
    }
    if (this.#lostAt === null)
      this.#deps.log.report('engine.stage_failed', { stage: stage.name, err });
    if (this.#isRunning) await this.#wakes.sleep(AFTER_ERROR_MS, this.#wakes.rings);
  }

  #mayClaim(): boolean {
    return this.#lostAt === null && !this.#deps.skew.isTooFar();
  }

  /** Business time, but never ahead of the database's: nothing opens before it is due. */
  #now(): Temporal.Instant {
    const { clock, skew } = this.#deps;
    return clock.now().subtract({ milliseconds: Math.max(0, Math.round(skew.aheadMs() ?? 0)) });
  }

  /** Queries all stages in one statement, however often it is woken: never twice within the shortest sleep. */
  async #watch(): Promise<void> {
    while (this.#isRunning) {
      const since = this.#news.rings;
      const wait = await this.#look();
      await shortSleep();
      if (this.#isRunning && wait > SHORTEST_SLEEP_MS)
        await this.#news.sleep(wait - SHORTEST_SLEEP_MS, since);
    }
  }

  /** Wakes the stages that have work; returns how long the others have none, in milliseconds. */
  async #look(): Promise<number> {
    const { db, clock, stages, skew, log } = this.#deps;
    try {
      const until = clock.now().add({ milliseconds: LONGEST_SLEEP_MS });
      const all = await queryStages(db, stages, until, skew);
      this.#lookedAt = performance.now();
      this.#noteSkew();
      await this.#noteBack();
      return this.#mayClaim() ? this.#ring(all) : LONGEST_SLEEP_MS;
    } catch (error) {
      if (isDatabaseFailure(error)) this.#noteLost(error);
      else {
        log.report('engine.look_failed', { err: error });
        for (const bell of this.#bells.values()) bell.ring();
      }
      return AFTER_ERROR_MS;
    } finally {
      this.#looks.ring();
    }
  }

  #ring(all: Due): number {
    let sleep = LONGEST_SLEEP_MS;
    for (const [stage, due] of all) {
      const wait = due.epochMilliseconds - this.#now().epochMilliseconds;
      if (wait <= 0) this.#bells.get(stage)?.ring();
      sleep = Math.min(sleep, Math.max(wait, SHORTEST_SLEEP_MS));
    }
    if (this.#looksAfterWork === 0) return sleep;
    this.#looksAfterWork--;
    return SHORTEST_SLEEP_MS;
  }

  /** Says once that the database is gone. */
  #noteLost(err: unknown): void {
    if (this.#lostAt === null) this.#deps.log.report('engine.database_lost', { err });
    this.#lostAt ??= performance.now();
  }

  /** Says once that it is back; what was claimed before is given back at once. */
  async #noteBack(): Promise<void> {
    if (this.#lostAt === null) return;
    await this.#noticed();
    if (!this.#isRunning) return;
    await this.#handBackAll();
    const count = await this.#heart.giveBackOwn();
    const seconds = Math.round((performance.now() - this.#lostAt) / 1000);
    this.#deps.log.report('engine.database_back', { seconds, given_back: count });
    this.#lostAt = null;
  }

  /** Waits until whatever used the lost database has noticed. */
  async #noticed(): Promise<void> {
    const pause = this.#pause;
    const until = performance.now() + NOTICED_WITHIN_MS;
    const idle = Promise.all(this.#deps.stages.map((stage) => stage.idle?.()));
    await Promise.race([idle, pause.sleep(NOTICED_WITHIN_MS, pause.rings)]);
    while (this.#isRunning && this.#turns > 0 && performance.now() < until)
      await pause.sleep(SHORTEST_SLEEP_MS, pause.rings);
  }

  #noteSkew(): void {
    const aheadMs = this.#deps.skew.aheadMs() ?? 0;
    const isNotable = Math.abs(aheadMs) > NOTABLE_SKEW_MS;
    if (isNotable === this.#isSkewNoted) return;
    this.#isSkewNoted = isNotable;
    const facts = { seconds_ahead: Math.round(aheadMs / 1000), claims: this.#mayClaim() };
    this.#deps.log.report(isNotable ? 'engine.clock_skewed' : 'engine.clock_right', facts);
  }

  /** While the database is gone, the look says so. */
  async #beats(): Promise<void> {
    while (this.#isRunning) {
      await this.#heart.beat().catch((err: unknown) => {
        if (!isDatabaseFailure(err)) this.#deps.log.report('engine.heartbeat_failed', { err });
      });
      if (this.#isRunning) await this.#pause.sleep(BEAT_MS, this.#pause.rings);
    }
  }

  async #handBackAll(): Promise<void> {
    for (const stage of this.#deps.stages)
      try {
        await stage.handBack?.();
      } catch (error) {
        this.#deps.log.report('engine.stage_failed', { stage: stage.name, err: error });
      }
  }
}

const shortSleep = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, SHORTEST_SLEEP_MS));
