import type { Db, Tx } from '../../platform/db/db.ts';
import { BEFORE_FIRST_ROW, NOUNS, type Noun, type Subject } from '../findings/nouns.ts';
import { moveRound, type Round, readRound, UNKNOWN } from './round-store.ts';
import { nextInTurn } from './turn-store.ts';
import { DAY_HOURS, turnOf } from './turns.ts';

/** In how many hours a round is over, so that one whose last looks come late is over within a day. */
const PACE_HOURS = 22;

/**
 * Returns the number of rows that a round should have read by now: as much of the round before as the time that has passed of
 * its pace, this hour included. In its last hour a round reads to the end, whatever was there before.
 */
function goalOf(
  { beganAt, rowsRead, rowsBefore }: Round,
  now: Temporal.Instant,
  least: number,
): number {
  const hours = now.since(beganAt).total('hours') + 1;
  return hours >= PACE_HOURS
    ? Number.POSITIVE_INFINITY
    : Math.max(Math.ceil((rowsBefore * Math.max(hours, 1)) / PACE_HOURS), rowsRead + least);
}

/**
 * Reads the next share of a table, at least `least` rows, so that hourly looks read within a day all of it whose turn it is,
 * however many processes look. `check` returns false if the rows could not be checked: then the next look begins with them again.
 */
export async function checkNextShare(
  db: Db,
  noun: Noun,
  now: Temporal.Instant,
  check: (page: readonly Subject[]) => Promise<boolean>,
  least: number = NOUNS[noun].least,
): Promise<void> {
  let round = await db.transaction((tx) => startAgainIfLate(tx, noun, now));
  const turn = turnOf(round.beganAt, now, round.rowsBefore === UNKNOWN);
  for (const goal = goalOf(round, now, least); round.rowsRead < goal; ) {
    const after = { merchantId: round.afterMerchant, id: round.afterId };
    const limit = Math.min(NOUNS[noun].page, goal - round.rowsRead);
    const page = await db.transaction((tx) => nextInTurn(tx, noun, after, limit, turn));
    if (page.length > 0 && !(await check(page))) return;
    const isLast = page.length < limit;
    // Without a least share a round ends with its pace: one that began sooner would read the same old rows again.
    const isOver = isLast && (least > 0 || goal === Number.POSITIVE_INFINITY);
    const next = nextOf(round, page, isOver, now);
    const from = round;
    if (!(await db.transaction((tx) => moveRound(tx, noun, from, next))) || isLast) return;
    round = next;
  }
}

/**
 * Returns where a round stands. One that is late, because nothing looked for hours, starts again and reads everything: what it
 * had read is older than a day by now, and the turns of some old rows have passed.
 */
async function startAgainIfLate(tx: Tx, noun: Noun, now: Temporal.Instant): Promise<Round> {
  const round = await readRound(tx, noun, now);
  if (now.since(round.beganAt).total('hours') < DAY_HOURS) return round;
  const restarted: Round = {
    ...round,
    beganAt: now.subtract({ hours: DAY_HOURS - 1 }),
    afterMerchant: BEFORE_FIRST_ROW.merchantId,
    afterId: BEFORE_FIRST_ROW.id,
    rowsRead: 0,
    rowsBefore: UNKNOWN,
  };
  await moveRound(tx, noun, round, restarted);
  return readRound(tx, noun, now);
}

/** Returns where a round stands after a page; one that `isOver` begins again. */
function nextOf(
  round: Round,
  page: readonly Subject[],
  isOver: boolean,
  now: Temporal.Instant,
): Round {
  const stood = { merchantId: round.afterMerchant, id: round.afterId };
  const { merchantId, id } = isOver ? BEFORE_FIRST_ROW : (page.at(-1) ?? stood);
  const rowsRead = round.rowsRead + page.length;
  return {
    beganAt: isOver ? now : round.beganAt,
    afterMerchant: merchantId,
    afterId: id,
    rowsRead: isOver ? 0 : rowsRead,
    rowsBefore: isOver ? rowsRead : round.rowsBefore,
  };
}
