import { setTimeout as sleep } from 'node:timers/promises';
import { type Busy, findBusy } from './books.ts';
import type { World } from './world.ts';

const POLL_MS = 300;
const QUIET_POLLS = 3;
/** How many looks without any change before time is moved on. */
const STILL_POLLS = 5;
const DRAIN_WITHIN_MS = 600_000;
/** Work that continues at moments close to each other continues together. */
const SHORTEST_STEP = Temporal.Duration.from({ minutes: 10 });
const LONGEST_STEP = Temporal.Duration.from({ hours: 1 });
const STEP = Temporal.Duration.from({ hours: 3 });
const SETTLE_WITHIN_MS = 4_000;

/**
 * Lets time pass without trouble until nothing is in progress any more. Nothing is repaired by hand: if everything waits for a
 * moment, the clock moves to that moment. Returns what is still in progress after minutes of this, one line each; empty if all is
 * well.
 */
export async function drain(
  world: World,
  find: (world: World) => Promise<Busy[]> = findBusy,
): Promise<string[]> {
  const deadline = performance.now() + DRAIN_WITHIN_MS;
  let busy: Busy[] = [];
  let before = '';
  let still = 0;
  for (let quiet = 0; performance.now() < deadline; ) {
    busy = await find(world);
    const picture = JSON.stringify(busy);
    still = picture === before ? still + 1 : 0;
    before = picture;
    quiet = busy.length === 0 ? quiet + 1 : 0;
    if (quiet >= QUIET_POLLS) return [];
    if (still >= STILL_POLLS) advanceTowards(world, busy);
    await sleep(POLL_MS);
  }
  return busy.map(({ what }) => `still under way after minutes of quiet: ${what}`);
}

/** Moves the clock towards the moment at which the next work continues; does nothing if work is already due. */
function advanceTowards(world: World, [next]: readonly Busy[]): void {
  const left = next?.dueAt?.since(world.clock.now());
  if (left === undefined || left.sign <= 0) return;
  const isSoon = Temporal.Duration.compare(left, SHORTEST_STEP) < 0;
  const isFar = Temporal.Duration.compare(left, LONGEST_STEP) > 0;
  world.clock.step(isSoon ? SHORTEST_STEP : isFar ? LONGEST_STEP : left);
}

/** Moves the clock to a moment, some hours at a time, with everything that happens on the way. */
export async function passUntil(world: World, moment: Temporal.Instant): Promise<void> {
  for (;;) {
    const left = moment.since(world.clock.now());
    if (left.sign <= 0) return;
    world.clock.step(Temporal.Duration.compare(left, STEP) < 0 ? left : STEP);
    await settle(world);
  }
}

/** Waits until what is due is done, up to a limit. */
async function settle(world: World): Promise<void> {
  const deadline = performance.now() + SETTLE_WITHIN_MS;
  for (let quiet = 0; quiet < QUIET_POLLS && performance.now() < deadline; ) {
    const now = world.clock.now();
    const isDue = ({ dueAt: at }: Busy): boolean =>
      at === null || Temporal.Instant.compare(at, now) <= 0;
    quiet = (await findBusy(world)).some(isDue) ? 0 : quiet + 1;
    await sleep(POLL_MS);
  }
}
