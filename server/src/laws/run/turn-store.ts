import { byShard } from '../../platform/cluster/shards.ts';
import { columns } from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { firstId, type IdPrefix } from '../../platform/values/ids.ts';
import { NOUNS, type Noun, nextPage, type Subject } from '../findings/nouns.ts';
import { SLOTS, type Turn } from './turns.ts';

/** How the rows `t` of a table grow old. */
interface Ageing {
  /** What the ids of the column `made` begin with: they are in the order of time. */
  prefix: IdPrefix;
  made: string;
  /** SQL: whether a row may still change, or has lately, however old it is; `$6`: since when. */
  isAlive?: string;
}

/** What the daily rounds read whole has no line: queues, what is rare, and one row for each wallet or merchant. */
const AGEING: { readonly [N in Noun]?: Ageing } = {
  seal: { prefix: 'trf', made: 'to_id' },
  payment: { prefix: 'pay', made: 'payment_id' },
  attempt: { prefix: 'pay', made: 'payment_id' },
  order: { prefix: 'pay', made: 'payment_id' },
  event: { prefix: 'evt', made: 'event_id' },
  settlement: {
    prefix: 'set',
    made: 'settlement_id',
    isAlive: `t.status <> 'success' OR t.stage IS NOT NULL OR t.created_at >= $6::timestamptz`,
  },
  schedule: {
    prefix: 'sch',
    made: 'schedule_id',
    isAlive: `t.status <> 'cancelled' OR t.updated_at >= $6::timestamptz`,
  },
  customer: {
    prefix: 'cus',
    made: 'customer_id',
    // OFFSET 0: each customer's schedules by key, and not all schedules there are into a hash, at every page.
    isAlive: `EXISTS (SELECT FROM schedules s WHERE s.merchant_id = t.merchant_id AND s.customer_id = t.customer_id
      AND (s.status <> 'cancelled' OR s.updated_at >= $6::timestamptz) OFFSET 0)`,
  },
  consent: {
    prefix: 'con',
    made: 'consent_id',
    isAlive: `t.status IN ('pending', 'authorising', 'authorised', 'granted') OR t.ended_at >= $6::timestamptz`,
  },
};

/**
 * Returns the keys of the next rows whose turn it is, in the order of the primary key: of payments and what hangs on them by
 * the key alone, so that a row that has no turn is not read.
 */
export function nextInTurn(
  tx: Tx,
  noun: Noun,
  after: Subject,
  limit: number,
  turn: Turn,
): Promise<Subject[]> {
  const ageing = AGEING[noun];
  if (ageing === undefined || turn.slots.length === SLOTS) return nextPage(tx, noun, after, limit);
  const { table, id } = NOUNS[noun];
  const { prefix, made, isAlive } = ageing;
  const alive = isAlive === undefined ? '' : ` OR ${isAlive}`;
  const since = isAlive === undefined ? [] : [turn.youngSince];
  return tx.rows<Subject>(
    `SELECT t.merchant_id AS merchant_id, t.${id} AS id FROM ${table} t WHERE (t.merchant_id, t.${id}) > ($1, $2)
       AND (t.${made} >= $4 OR abs(hashtext(t.merchant_id || t.${id})::bigint) % ${SLOTS} = ANY ($5::int[])${alive})
     ORDER BY t.merchant_id, t.${id} LIMIT $3`,
    [after.merchantId, after.id, limit, firstId(prefix, turn.youngSince), turn.slots, ...since],
  );
}

/** SQL: the payments of rows `t` that are not over. */
const NOT_OVER: { readonly [N in Noun]?: string } = {
  work: 'payment_work t ON t.payment_id = k.id',
  'to settle': 'to_settle t ON t.payment_id = k.id',
  item: `unallocated_items t ON t.item_id = k.id AND t.status = 'open'`,
  refund: `refunds t ON t.refund_id = k.id AND t.status IN ('pending', 'processing')`,
};

/**
 * Returns the old payments of which something is not over, of these rows: they are read as often as what is under way. One that
 * was opened since `youngSince` is read anyway.
 */
export async function oldAndNotOver(
  db: Db,
  noun: Noun,
  subjects: readonly Subject[],
  youngSince: Temporal.Instant,
): Promise<Subject[]> {
  const rows = NOT_OVER[noun];
  if (rows === undefined) return [];
  const found: Subject[] = [];
  for (const some of await db.read((tx) => byShard(tx, subjects, (one) => one.merchantId)))
    found.push(
      ...(await db.transaction((tx) =>
        tx.rows<Subject>(
          `SELECT DISTINCT t.merchant_id AS merchant_id, t.payment_id AS id
           FROM unnest($1::text[], $2::text[]) AS k (merchant_id, id) JOIN ${rows} AND t.merchant_id = k.merchant_id
           WHERE t.payment_id < $3`,
          [...columns(some, 'merchantId', 'id'), firstId('pay', youngSince)],
        ),
      )),
    );
  return found;
}
