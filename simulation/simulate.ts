import { findings } from './comparison.ts';
import { Merchants } from './merchants.ts';
import { operate } from './operator.ts';
import { ourBooks } from './our-books.ts';
import { openWorld, type Settings, START, type World } from './world.ts';

/** How a run ended. */
export interface Result {
  /** Over all that happened; null where a law was broken before the end. */
  sha256: string | null;
  /** What was broken, and at which virtual moment. */
  broken: { at: string; lines: string[] } | null;
  counts: ReadonlyMap<string, number>;
  lines: string[];
}

/** Hears of the progress, once a virtual day. */
export type Progress = (day: number, counts: ReadonlyMap<string, number>) => void;

const CALM_DAYS = 8;
const CRASHES_A_DAY = 0.5;
const MINUTE_MS = 60_000;
const MINUTES_OF_A_DAY = 24 * 60;
const MOST_STEPS_A_DAY = 5_000;

/** Lives through all the days of a seed, and through a calm week after them; stops at the first broken law. */
export async function simulate(settings: Settings, progress: Progress): Promise<Result> {
  const world = await openWorld(settings);
  try {
    return await live(world, progress);
  } finally {
    await world.close();
  }
}

async function live(world: World, progress: Progress): Promise<Result> {
  const { settings, history, troubles, clock } = world;
  const ended = (sha256: string | null, lines: string[]): Result => ({
    sha256,
    broken: sha256 === null ? { at: clock.at.toString(), lines } : null,
    counts: history.counts,
    lines: history.sorted(),
  });
  await new Merchants(world).begin();
  operate(world);
  planCrashes(world);
  const last = settings.days + CALM_DAYS;
  for (let day = 1; day <= last; day++) {
    troubles.isCalm = day > settings.days;
    const wrong = await wrongOf(world, START.add({ hours: 24 * day }), day === last);
    if (wrong.length > 0) return ended(null, wrong);
    progress(day, history.counts);
  }
  const books = await ourBooks(world);
  for (const line of books) history.count(`our books: ${line.split(' ', 1)}`);
  history.add(books);
  return ended(history.sha256(), []);
}

/** Lives through a day and looks at the books; what nobody expected is a finding too. */
async function wrongOf(world: World, end: Temporal.Instant, isOver: boolean): Promise<string[]> {
  try {
    await liveUntil(world, end);
    return await findings(world, isOver);
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
}

function planCrashes({ settings, chance, agenda, processes }: World): void {
  for (let day = 0; day < settings.days; day++) {
    if (!chance.happens(CRASHES_A_DAY, 'crash', day)) continue;
    const minutes = day * MINUTES_OF_A_DAY + chance.whole(0, MINUTES_OF_A_DAY - 1, 'crash at', day);
    agenda.add(START.add({ minutes }), 'crash', () => processes.doom(String(day)));
  }
}

/** From one moment at which somebody acts or something is due to the next, in steps of whole minutes. */
async function liveUntil(world: World, end: Temporal.Instant): Promise<void> {
  const { agenda, clock, processes } = world;
  for (let step = 0; step < MOST_STEPS_A_DAY; step++) {
    const due = await processes.current.engine.nextDue();
    const next = [due, agenda.next(), end].filter((at) => at !== null);
    const [first = end] = next.sort(Temporal.Instant.compare);
    clock.at = later(clock.at, wholeMinute(first));
    if (Temporal.Instant.compare(clock.at, end) >= 0) {
      clock.at = end;
      return;
    }
    world.history.count('steps');
    await agenda.actUntil(clock.at);
    await processes.drain();
  }
  throw new Error('this day does not end: something stays due');
}

function wholeMinute(at: Temporal.Instant): Temporal.Instant {
  return at.round({ smallestUnit: 'minute', roundingMode: 'ceil' });
}

/** Something that could not be done stays due, and is tried again a minute later. */
function later(now: Temporal.Instant, next: Temporal.Instant): Temporal.Instant {
  const soonest = Temporal.Instant.fromEpochMilliseconds(now.epochMilliseconds + MINUTE_MS);
  return Temporal.Instant.compare(next, now) > 0 ? next : soonest;
}
