import type { Tx } from '../../platform/db/db.ts';
import { inPages } from './pages.ts';

/** A row that laws are checked for, by its key. */
export interface Subject {
  merchantId: string;
  id: string;
}

/**
 * The tables whose rows laws are checked for; the primary key of each begins with (merchant_id, `id`). Where it goes on, all rows
 * of one `id` are one subject. A statement checks at most `page` rows: fewer where each stands for many, as a seal does for
 * transfers. An hourly check of a share of the table reads at least `least` rows: a small table whole, unless its rows stand for
 * many.
 */
export const NOUNS = {
  merchant: { table: 'merchants', id: 'merchant_id', page: 50, least: 0 },
  account: { table: 'accounts', id: 'account_id', page: 1_000, least: 1_000 },
  seal: { table: 'transfer_seals', id: 'from_id', page: 50, least: 0 },
  transfer: { table: 'transfers', id: 'transfer_id', page: 2_000, least: 2_000 },
  item: { table: 'unallocated_items', id: 'item_id', page: 1_000, least: 1_000 },
  payment: { table: 'payments', id: 'payment_id', page: 1_000, least: 1_000 },
  work: { table: 'payment_work', id: 'payment_id', page: 1_000, least: 1_000 },
  attempt: { table: 'attempts', id: 'payment_id', page: 1_000, least: 1_000 },
  order: { table: 'payment_orders', id: 'payment_id', page: 1_000, least: 1_000 },
  'to settle': { table: 'to_settle', id: 'payment_id', page: 1_000, least: 1_000 },
  schedule: { table: 'schedules', id: 'schedule_id', page: 500, least: 500 },
  customer: { table: 'customers', id: 'customer_id', page: 500, least: 500 },
  consent: { table: 'consents', id: 'consent_id', page: 1_000, least: 1_000 },
  event: { table: 'events', id: 'event_id', page: 2_000, least: 2_000 },
  refund: { table: 'refunds', id: 'refund_id', page: 500, least: 500 },
  dispute: { table: 'disputes', id: 'dispute_id', page: 500, least: 500 },
  settlement: { table: 'settlements', id: 'settlement_id', page: 100, least: 0 },
} as const;

export type Noun = keyof typeof NOUNS;

/** Before the first row of every table. */
export const BEFORE_FIRST_ROW: Subject = { merchantId: '', id: '' };

/** Returns the keys of the next rows of a table, in the order of its primary key. */
export function nextPage(tx: Tx, noun: Noun, after: Subject, limit: number): Promise<Subject[]> {
  const { table, id } = NOUNS[noun];
  return tx.rows<Subject>(
    `SELECT merchant_id AS merchant_id, ${id} AS id FROM ${table} WHERE (merchant_id, ${id}) > ($1, $2)
     ORDER BY merchant_id, ${id} LIMIT $3`,
    [after.merchantId, after.id, limit],
  );
}

/** Splits keys into pages of a size that one statement checks in good time. */
export function pagesOf(noun: Noun, subjects: readonly Subject[]): Subject[][] {
  return inPages(subjects, NOUNS[noun].page);
}
