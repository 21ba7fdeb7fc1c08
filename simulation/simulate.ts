import { findings } from './comparison.ts';
import { letCustomersConfirm } from './confirming.ts';
import { planDisputes } from './disputes.ts';
import { planHolds } from './holds.ts';
import { planOutages } from './in-outages.ts';
import { Losses, loseStep } from './lost-database.ts';
import { Merchants } from './merchants.ts';
import { operate } from './operator.ts';
import { ourBooks } from './our-books.ts';
import { planRandomEdits } from './random-edits.ts';
import { rowsOf } from './rows-of.ts';
import { StepCheck } from './step-check.ts';
import { openWorld, type Settings, tidyUp, type World } from './world.ts';

/** What was found broken, at which virtual moment and after how many steps. */
export interface Broken {
  at: string;
  step: number;
  lines: string[];
  /** The rows and the history of what is named in the lines. */
  rows: string[];
}

/** How a run ended. */
export interface Result {
  /** Over all that happened; null where a law was broken, or where it stopped before the end. */
  sha256: string | null;
  broken: Broken | null;
  counts: ReadonlyMap<string, number>;
  lines: string[];
  steps: number;
  /** What happened in the last step. */
  lastStep: string[];
}

/** Hears of the progress, once a virtual day. */
export type Progress = (day: number, counts: ReadonlyMap<string, number>) => void;

const CALM_DAYS = 8;
const CRASHES_A_DAY = 2;
const STALLS_A_DAY = 2;
const MINUTES_OF_A_DAY = 24 * 60;
const MAX_STEPS_PER_DAY = 5_000;

/** Lives through all the days of a seed, and through a calm week after them; stops at the first broken law. */
export async function simulate(settings: Settings, progress: Progress): Promise<Result> {
  const world = await openWorld(settings);
  try {
    return await new Life(world, progress).live();
  } finally {
    await world.close();
  }
}

/** A run, step by step: from one moment at which somebody acts or something is due to the next. */
class Life {
  readonly #world: World;
  readonly #progress: Progress;
  readonly #check: StepCheck;
  readonly #losses: Losses;
  #steps = 0;
  /** How long the history was when the step began. */
  #mark = 0;

  constructor(world: World, progress: Progress) {
    this.#world = world;
    this.#progress = progress;
    this.#check = new StepCheck(world);
    this.#losses = new Losses(world);
  }

  async live(): Promise<Result> {
    const { settings, history, troubles } = this.#world;
    const merchants = new Merchants(this.#world);
    await merchants.begin();
    planOutages(this.#world, merchants);
    planRandomEdits(this.#world, merchants);
    planHolds(this.#world, merchants.ids());
    planDisputes(this.#world, merchants.ids());
    operate(this.#world);
    letCustomersConfirm(this.#world);
    planCrashes(this.#world);
    const last = settings.days + CALM_DAYS;
    for (let day = 1; day <= last; day++) {
      troubles.isCalm = day > settings.days;
      const wrong = await this.#day(settings.start.add({ hours: 24 * day }), day === last);
      if (wrong.length > 0 || this.#isOver()) return this.#ended(null, wrong);
      this.#progress(day, history.counts);
    }
    const books = await ourBooks(this.#world);
    for (const line of books) history.count(`our books: ${line.split(' ', 1)}`);
    history.add(books);
    return this.#ended(history.sha256(), []);
  }

  #isOver(): boolean {
    const { untilStep } = this.#world.settings;
    return untilStep !== null && this.#steps >= untilStep;
  }

  async #ended(sha256: string | null, wrong: string[]): Promise<Result> {
    const { history, clock } = this.#world;
    const rows = await rowsOf(this.#world, wrong);
    const broken = { at: clock.at.toString(), step: this.#steps, lines: wrong, rows };
    return {
      sha256,
      broken: wrong.length === 0 ? null : broken,
      counts: history.counts,
      lines: history.sorted(),
      steps: this.#steps,
      lastStep: history.since(this.#mark),
    };
  }

  /** Lives through a day and looks at the books; what nobody expected is a finding too. */
  async #day(end: Temporal.Instant, isLast: boolean): Promise<string[]> {
    try {
      const wrong = await this.#liveUntil(end);
      if (wrong.length > 0) return wrong;
      await tidyUp(this.#world.db);
      return await findings(this.#world, isLast && !this.#isOver());
    } catch (error) {
      return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
    }
  }

  /** In steps of whole minutes, or of some. */
  async #liveUntil(end: Temporal.Instant): Promise<string[]> {
    const { clock } = this.#world;
    for (let step = 0; step < MAX_STEPS_PER_DAY; step++) {
      if (this.#isOver()) return [];
      const next = await this.#next(end);
      if (Temporal.Instant.compare(next, end) >= 0) {
        clock.at = end;
        return [];
      }
      clock.at = next;
      const wrong = await this.#step();
      if (wrong.length > 0) return wrong;
    }
    throw new Error('this day does not end: something stays due');
  }

  async #next(end: Temporal.Instant): Promise<Temporal.Instant> {
    const { agenda, clock, processes, settings } = this.#world;
    const due = await processes.nextDue();
    const next = [due, agenda.next(), end].filter((at) => at !== null);
    const [first = end] = next.sort(Temporal.Instant.compare);
    return postpone(clock.at, onGrid(first, settings.every), settings.every);
  }

  async #step(): Promise<string[]> {
    const { agenda, clock, processes, history } = this.#world;
    this.#steps += 1;
    this.#mark = history.length;
    await agenda.actUntil(clock.at);
    const backUp = this.#losses.due();
    if (backUp !== null) await loseStep(this.#world, backUp);
    await processes.drain();
    return this.#check.findings();
  }
}

/** The moments at which a process begins to die, or to stand still. */
function planCrashes({ settings, chance, agenda, processes }: World): void {
  const plan = (what: string, aDay: number, act: (name: string) => void): void => {
    for (let n = 0; n < settings.days * aDay; n++) {
      const minutes = chance.whole(0, settings.days * MINUTES_OF_A_DAY - 1, `${what} at`, n);
      agenda.add(settings.start.add({ minutes }), what, () => act(String(n)));
    }
  };
  plan('crash', CRASHES_A_DAY, (name) => processes.doom(name));
  plan('stall', STALLS_A_DAY, (name) => processes.stall(name));
}

function onGrid(at: Temporal.Instant, minutes: number): Temporal.Instant {
  return at.round({ smallestUnit: 'minute', roundingIncrement: minutes, roundingMode: 'ceil' });
}

/** Something that could not be done stays due, and is tried again in the next step. */
function postpone(
  now: Temporal.Instant,
  next: Temporal.Instant,
  minutes: number,
): Temporal.Instant {
  const soonest = now.add({ minutes });
  return Temporal.Instant.compare(next, now) > 0 ? next : soonest;
}
