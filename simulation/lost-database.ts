import { EVERYWHERE } from './book/incidents.ts';
import type { World } from './world.ts';

type Backup = NonNullable<World['backUp']>;

/** Nine o'clock, when most collections fall due, and six, when settlements are paid out. */
const BUSY_MINUTES = [9 * 60, 6 * 60] as const;
const LAST_MINUTE = 24 * 60 - 1;
const MAX_TRIES = 20;

/** The steps after which the database is lost: one of a day, on some days. */
export class Losses {
  readonly #world: World;
  /** The days that have had theirs. */
  readonly #done = new Set<string>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Returns how to back the database up if what the engines write in this step is lost; null otherwise. */
  due(): Backup | null {
    return this.#world.backUp !== null && this.#isDue() ? this.#world.backUp : null;
  }

  #isDue(): boolean {
    const { chance, clock, troubles } = this.#world;
    const now = clock.at.toZonedDateTimeISO('UTC');
    const day = now.toPlainDate().toString();
    const isBusy = chance.happens(0.8, 'lost', day, 'busy');
    const minute = isBusy
      ? chance.pick(BUSY_MINUTES, 'lost', day)
      : chance.whole(0, LAST_MINUTE, 'lost', day, 'minute');
    if (this.#done.has(day) || now.hour * 60 + now.minute < minute) return false;
    this.#done.add(day);
    return troubles.strikes('databaseLost', day);
  }
}

/**
 * Lets the engines work, and loses all that they have written: the database is restored from a backup of before. What
 * partners and receivers were told, they know. Nobody who worked on the lost database goes on.
 */
export async function loseStep(world: World, backUp: Backup): Promise<void> {
  const { banks, history, processes, receivers, troubles } = world;
  const restore = await backUp();
  await untilBack(world);
  const forget = [...banks.values()].map((bank) => bank.remember());
  receivers.isForgotten = true;
  await processes.drain();
  receivers.isForgotten = false;
  for (const back of forget) back();
  await restore();
  await untilBack(world);
  processes.restart();
  troubles.disturb([EVERYWHERE]);
  history.note('database', 'restored');
}

/** The connections to what was there before have to be noticed as broken first. */
async function untilBack({ db }: World): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return void (await db.read((tx) => tx.rows('SELECT 1')));
    } catch (error) {
      if (tries >= MAX_TRIES) throw error;
    }
  }
}
