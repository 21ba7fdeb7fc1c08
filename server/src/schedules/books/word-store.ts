import { wordsOf } from '../../customers/words.ts';
import { columns } from '../../platform/db/columns.ts';
import type { SqlValue, Tx } from '../../platform/db/db.ts';

/** Adds entries of schedules to the index of words; those that are there stay. */
export async function insertWordsOf(
  tx: Tx,
  merchantId: string,
  entries: readonly { scheduleId: string; word: string }[],
): Promise<void> {
  if (entries.length === 0) return;
  await tx.insert(
    `INSERT INTO schedule_words (merchant_id, schedule_id, word)
     SELECT $1, w.* FROM unnest($2::text[], $3::text[]) AS w ON CONFLICT DO NOTHING RETURNING word`,
    [merchantId, ...columns(entries, 'scheduleId', 'word')],
  );
}

/** Adds entries of one schedule. */
export const insertWords = (
  tx: Tx,
  merchantId: string,
  scheduleId: string,
  words: readonly string[],
): Promise<void> =>
  insertWordsOf(
    tx,
    merchantId,
    words.map((word) => ({ scheduleId, word })),
  );

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

/** Returns the schedules of entries; `which` is a constant condition, and their order and limit. */
async function findSchedules(
  tx: Tx,
  which: string,
  values: readonly SqlValue[],
): Promise<string[]> {
  const rows = await tx.rows<{ scheduleId: string }>(
    `SELECT schedule_id FROM schedule_words WHERE merchant_id = $1 AND ${which}`,
    values,
  );
  return rows.map((row) => row.scheduleId);
}

/** Returns the distinct entries that begin with a text, in their order: each is found by skipping to the next. */
export async function findEntries(
  tx: Tx,
  merchantId: string,
  prefix: string,
  limit: number,
): Promise<string[]> {
  const rows = await tx.rows<{ word: string }>(
    `WITH RECURSIVE found (word) AS (
       (SELECT word FROM schedule_words WHERE merchant_id = $1 AND word >= $2 AND word < $2 || $3::text ORDER BY word LIMIT 1)
       UNION ALL
       SELECT (SELECT w.word FROM schedule_words w WHERE w.merchant_id = $1 AND w.word > f.word AND w.word < $2 || $3::text
         ORDER BY w.word LIMIT 1) FROM found f WHERE f.word IS NOT NULL)
     SELECT word FROM found WHERE word IS NOT NULL LIMIT $4`,
    [merchantId, prefix, LAST_CHARACTER, limit],
  );
  return rows.map((row) => row.word);
}

/** Returns schedules with one of these entries, in no order; one with several may come more than once. */
export function findByEntries(
  tx: Tx,
  merchantId: string,
  entries: readonly string[],
  limit: number,
): Promise<string[]> {
  const which = 'word = ANY($2::text[]) LIMIT $3';
  return findSchedules(tx, which, [merchantId, entries, limit]);
}

/** Returns schedules with an entry between two, both included, in the order of the entries. */
export function findBetween(
  tx: Tx,
  merchantId: string,
  [first, last]: readonly [string, string],
  limit: number,
): Promise<string[]> {
  const which = 'word >= $2 AND word <= $3 ORDER BY word LIMIT $4';
  return findSchedules(tx, which, [merchantId, first, last, limit]);
}

/** What a schedule is found by, and the merchant whose it is. */
export interface FoundBy {
  merchantId: string;
  scheduleId: string;
  description: string;
  reference: string | null;
  metadata: Record<string, unknown> | null;
}

/** Returns the next schedules of all merchants after a place, in the order of their keys. */
export async function readSchedulesAfter(
  tx: Tx,
  after: { merchantId: string; scheduleId: string },
  limit: number,
): Promise<FoundBy[]> {
  return tx.rows<FoundBy>(
    `SELECT merchant_id AS merchant_id, schedule_id AS schedule_id, description, metadata,
       statement_reference AS reference
     FROM schedules WHERE (merchant_id, schedule_id) > ($1, $2)
     ORDER BY merchant_id, schedule_id LIMIT $3`,
    [after.merchantId, after.scheduleId, limit],
  );
}

/** Returns the letters and digits of a reference: banks replace what stands between them. */
const lettersIn = (column: string): string =>
  `lower(regexp_replace(${column}, '[^A-Za-z0-9]', '', 'g'))`;

/**
 * Returns schedules of all merchants by the whole reference on the customer's bank statement, in any case. The index of words
 * finds its last word once per merchant.
 */
export function findByStatementReference(
  tx: Tx,
  typed: string,
  limit: number,
): Promise<{ scheduleId: string; merchantId: string; merchantName: string }[]> {
  return tx.rows(
    `SELECT o.schedule_id, m.merchant_id, m.name AS merchant_name
     FROM merchants m CROSS JOIN LATERAL (
       SELECT s.schedule_id FROM schedule_words w
       JOIN schedules s ON s.merchant_id = w.merchant_id AND s.schedule_id = w.schedule_id
       WHERE w.merchant_id = m.merchant_id AND w.word = $2
         AND ${lettersIn('coalesce(s.statement_reference, right(s.schedule_id, 18))')} = ${lettersIn('$1::text')} OFFSET 0) o
     LIMIT $3`,
    [typed, wordsOf(typed).at(-1) ?? '', limit],
  );
}
