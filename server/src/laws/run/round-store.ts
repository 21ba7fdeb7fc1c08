import type { Tx } from '../../platform/db/db.ts';
import type { Noun } from '../findings/nouns.ts';

/** No round before this one counts: it reads everything. */
export const UNKNOWN = -1;

/** Where the rotating part of the check stands in a table. */
export interface Round {
  beganAt: Temporal.Instant;
  afterMerchant: string;
  afterId: string;
  /** Rows read in this round. */
  rowsRead: number;
  /** Rows read in the round before, or `UNKNOWN`. */
  rowsBefore: number;
}

/** Returns where a round stands. The first one began a day ago: it is due in full. */
export async function readRound(tx: Tx, noun: Noun, now: Temporal.Instant): Promise<Round> {
  await tx.run(
    `INSERT INTO law_rounds (noun, began_at, after_merchant, after_id, rows_read, rows_before)
     VALUES ($1, $2::timestamptz - interval '1 day', '', '', 0, ${UNKNOWN}) ON CONFLICT (noun) DO NOTHING`,
    [noun, now],
  );
  const round = await tx.row<Round>(
    'SELECT began_at, after_merchant, after_id, rows_read, rows_before FROM law_rounds WHERE noun = $1',
    [noun],
  );
  if (round === null) throw new Error(`the round of ${noun} has vanished`);
  return round;
}

/** Moves a round on, unless another process has. Returns whether it was moved. */
export async function moveRound(tx: Tx, noun: Noun, from: Round, to: Round): Promise<boolean> {
  const moved = await tx.run(
    `UPDATE law_rounds SET began_at = $5, after_merchant = $6, after_id = $7, rows_read = $8, rows_before = $9
     WHERE noun = $1 AND after_merchant = $2 AND after_id = $3 AND rows_read = $4`,
    [
      noun,
      from.afterMerchant,
      from.afterId,
      from.rowsRead,
      to.beganAt,
      to.afterMerchant,
      to.afterId,
      to.rowsRead,
      to.rowsBefore,
    ],
  );
  return moved === 1;
}
