import type { Tx } from '../platform/db.ts';

/** Adds entries to the index of words; those that are there stay. */
export async function insertWords(
  tx: Tx,
  merchantId: string,
  scheduleId: string,
  words: readonly string[],
): Promise<void> {
  if (words.length === 0) return;
  await tx.run(
    `INSERT INTO schedule_words (merchant_id, schedule_id, word)
     SELECT $1, $2, word FROM unnest($3::text[]) AS w (word) ON CONFLICT DO NOTHING`,
    [merchantId, scheduleId, words],
  );
}

/** Removes entries of a schedule from the index of words. */
export async function deleteWords(
  tx: Tx,
  merchantId: string,
  scheduleId: string,
  words: readonly string[],
): Promise<void> {
  if (words.length === 0) return;
  await tx.run(
    'DELETE FROM schedule_words WHERE merchant_id = $1 AND schedule_id = $2 AND word = ANY($3::text[])',
    [merchantId, scheduleId, words],
  );
}

/** Sorts after every text with a given prefix, byte by byte. */
const LAST_CHARACTER = '\u{10ffff}';

/** Returns how many entries begin with a text, counting no further than `most`. */
export async function countWords(
  tx: Tx,
  merchantId: string,
  prefix: string,
  most: number,
): Promise<number> {
  const row = await tx.row<{ found: number }>(
    `SELECT count(*) AS found FROM (SELECT FROM schedule_words
     WHERE merchant_id = $1 AND word >= $2 AND word < $2 || $3::text LIMIT $4) AS counted`,
    [merchantId, prefix, LAST_CHARACTER, most],
  );
  return row?.found ?? 0;
}

/** Returns schedules with exactly this entry, newest first. */
export async function findByWord(
  tx: Tx,
  merchantId: string,
  word: string,
  limit: number,
): Promise<string[]> {
  const rows = await tx.rows<{ schedule_id: string }>(
    `SELECT schedule_id FROM schedule_words WHERE merchant_id = $1 AND word = $2
     ORDER BY schedule_id DESC LIMIT $3`,
    [merchantId, word, limit],
  );
  return rows.map((row) => row.schedule_id);
}

/** Returns schedules with an entry that begins with a text, in the order of the entries. */
export async function findByPrefix(
  tx: Tx,
  merchantId: string,
  prefix: string,
  limit: number,
): Promise<string[]> {
  const rows = await tx.rows<{ schedule_id: string }>(
    `SELECT schedule_id FROM schedule_words WHERE merchant_id = $1 AND word >= $2 AND word < $2 || $3::text
     ORDER BY word LIMIT $4`,
    [merchantId, prefix, LAST_CHARACTER, limit],
  );
  return rows.map((row) => row.schedule_id);
}
