import type { Db } from '../../platform/db/db.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Finding } from '../findings/finding.ts';
import { type Noun, pagesOf, type Subject } from '../findings/nouns.ts';
import { type Breach, breachesAmong, type Law, MAX, type Part } from '../invariants/law.ts';
import { LAWS, unknownBy } from '../invariants/laws.ts';
import { sealTransfers } from '../seals/seals.ts';
import { listBreaches, type OpenBreach, putBreaches } from './breach-store.ts';
import { moveMark, readMark } from './change-store.ts';
import { changedSince } from './changes.ts';
import { checkNextShare } from './rounds.ts';
import { oldAndNotOver } from './turn-store.ts';
import { youngSince } from './turns.ts';

/** What a law asks of rows of one noun. */
interface HourlyParts {
  law: string;
  parts: Part[];
}

/** The hourly parts of the laws, by noun; the order of the nouns is that of the laws. */
function hourlyParts(laws: readonly Law[]): Map<Noun, HourlyParts[]> {
  const byNoun = new Map<Noun, HourlyParts[]>();
  for (const { name: law, parts: all, hourly = all } of laws)
    for (const [noun, parts] of Map.groupBy(hourly, (part) => part.noun))
      byNoun.set(noun, [...(byNoun.get(noun) ?? []), { law, parts }]);
  return byNoun;
}

const PARTS = hourlyParts(LAWS);
/** A balance that is wrong may make a merchant's balances add up to something. */
const OF_BALANCES = 'balances-equal-transfers';

/** Whose rows grow old with their payment. */
const OF_PAYMENTS: readonly Noun[] = ['payment', 'attempt', 'order'];

const keyOf = (law: string, noun: Noun, { merchantId, id }: Subject): string =>
  `${law} ${noun} ${merchantId} ${id}`;

/** One look at the laws: what it found before, and what it could not check. */
class InvariantRun {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #open: Set<string>;
  /** Why a law could not be checked. */
  readonly failed = new Map<string, unknown>();

  constructor({ db, clock }: Pick<Platform, 'db' | 'clock'>, open: readonly OpenBreach[]) {
    this.#db = db;
    this.#clock = clock;
    this.#open = new Set(open.map((one) => keyOf(one.law, one.noun, one)));
  }

  /** Checks every law for these rows, and stores what it finds. Returns false if a law could not be checked for them. */
  check = async (noun: Noun, subjects: readonly Subject[]): Promise<boolean> => {
    for (const page of pagesOf(noun, subjects))
      for (const one of PARTS.get(noun) ?? [])
        await this.orFail([one.law], () => this.#checkPage(one, noun, page));
    return (PARTS.get(noun) ?? []).every(({ law }) => !this.failed.has(law));
  };

  /** All parts together: what one finds takes the place of what was found in these rows before. */
  async #checkPage(
    { law, parts }: HourlyParts,
    noun: Noun,
    page: readonly Subject[],
  ): Promise<void> {
    const found: Breach[] = [];
    for (const part of parts)
      found.push(...(await breachesAmong(this.#db, part, page, this.#clock.now())));
    const isKnown = page.some((subject) => this.#open.has(keyOf(law, noun, subject)));
    if (found.length === 0 && !isKnown) return;
    await this.#db.transaction((tx) => putBreaches(tx, law, noun, page, found));
    for (const one of found) this.#open.add(keyOf(law, noun, one));
  }

  /** Does a piece of work that these laws need; if it fails, they are unknown. A law that has failed is not checked further. */
  async orFail(laws: readonly string[], work: () => Promise<void>): Promise<void> {
    if (laws.every((law) => this.failed.has(law))) return;
    try {
      await work();
    } catch (error) {
      for (const law of laws) this.failed.set(law, error);
    }
  }
}

/** Options of a look; a test makes its share of the rest as small as it may be. */
export interface InvariantRunOptions {
  /** Rows of each table that the rotating part reads at least. */
  atLeast?: number;
}

/**
 * Checks every law of money for what changed since the last look, for what was broken then, and for a share of the rest that
 * makes hourly looks read within a day what is young or not over, and within thirty days what is older (`turns.ts`). What was
 * found stays found until its rows are checked and in order.
 */
export async function checkInvariants(
  { db, clock }: Platform,
  { atLeast }: InvariantRunOptions = {},
): Promise<Finding[]> {
  const open = await db.transaction(listBreaches);
  const look = new InvariantRun({ db, clock }, open);
  const names = LAWS.map(({ name }) => name);
  const ofNouns = (...nouns: Noun[]): string[] =>
    nouns.flatMap((noun) => (PARTS.get(noun) ?? []).map(({ law }) => law));
  await look.orFail(ofNouns('account', 'seal'), async () => {
    const sealed = await sealTransfers(db);
    await look.check('account', sealed.accounts);
    await look.check('seal', sealed.seals);
  });
  await look.orFail(names, () => checkChanged(db, look));
  for (const noun of PARTS.keys()) {
    const broken = open.filter((one) => one.noun === noun);
    await look.check(noun, broken);
    await look.orFail(ofNouns(noun), () =>
      checkNextShare(
        db,
        noun,
        clock.now(),
        (page) => checkShare(db, look, noun, page, clock.now()),
        atLeast,
      ),
    );
  }
  const wrong = (await db.transaction(listBreaches)).filter((one) => one.law === OF_BALANCES);
  const merchants = new Set(wrong.map(({ merchantId }) => merchantId));
  await look.check(
    'merchant',
    [...merchants].map((id) => ({ merchantId: id, id })),
  );
  return findingsOf(await db.transaction(listBreaches), look.failed);
}

/** Checks what the audit trail says has changed, and moves the mark unless something could not be checked. */
async function checkChanged(db: Db, look: InvariantRun): Promise<void> {
  const mark = await db.transaction(readMark);
  let isWhole = true;
  for await (const changed of changedSince(db, mark))
    for (const [noun, subjects] of changed) isWhole = (await look.check(noun, subjects)) && isWhole;
  if (isWhole) await db.transaction((tx) => moveMark(tx, mark));
}

/** Checks rows of a share, and with those of a queue the old payments that wait in it. */
async function checkShare(
  db: Db,
  look: InvariantRun,
  noun: Noun,
  page: readonly Subject[],
  now: Temporal.Instant,
): Promise<boolean> {
  let isWhole = await look.check(noun, page);
  const waiting = await oldAndNotOver(db, noun, page, youngSince(now));
  for (const one of OF_PAYMENTS) isWhole = (await look.check(one, waiting)) && isWhole;
  return isWhole;
}

function findingsOf(open: readonly OpenBreach[], failed: ReadonlyMap<string, unknown>): Finding[] {
  return LAWS.map(({ name: law, sentence }) => {
    const lines = new Set(open.filter((one) => one.law === law).map(({ what }) => what));
    const broken = [...lines].slice(0, MAX);
    return { law, sentence, broken, ...(failed.has(law) ? unknownBy(failed.get(law)) : {}) };
  });
}
