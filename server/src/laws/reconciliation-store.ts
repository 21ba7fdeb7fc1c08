import type { Tx } from '../platform/db.ts';

/** What our books hold in all, in pence: the sum of it is nothing. */
export interface Totals {
  wallets_pence: number;
  in_settlement_pence: number;
  unallocated_pence: number;
  claims_pence: number;
  owed_pence: number;
  outside_pence: number;
}

export async function sumBooks(tx: Tx): Promise<Totals> {
  const sum = (kinds: string): string =>
    `coalesce(sum(balance_pence) FILTER (WHERE kind IN (${kinds})), 0)::bigint`;
  const row = await tx.row<Totals>(
    `SELECT ${sum("'customer_wallet', 'merchant_wallet'")} AS wallets_pence, ${sum("'in_settlement'")} AS in_settlement_pence,
       ${sum("'unallocated'")} AS unallocated_pence, ${sum("'due_from_bank'")} AS claims_pence,
       ${sum("'owed'")} AS owed_pence, ${sum("'outside'")} AS outside_pence
     FROM accounts`,
  );
  if (row === null) throw new Error('a sum without a row');
  return row;
}

/** What of these sources is booked for merchants, as `<merchant> <kind> <source>`. */
export async function findBookedOfAll(
  tx: Tx,
  refs: readonly { merchantId: string; source: string }[],
): Promise<Set<string>> {
  const rows = await tx.rows<{ booked: string }>(
    `SELECT t.merchant_id || ' ' || t.kind || ' ' || t.source_id AS booked
     FROM unnest($1::text[], $2::text[]) AS r (merchant_id, source_id)
     JOIN transfers t ON t.merchant_id = r.merchant_id AND t.source_id = r.source_id
     UNION ALL SELECT a.merchant_id || ' pay_in ' || a.pay_in_id
     FROM unnest($1::text[], $2::text[]) AS r (merchant_id, pay_in_id)
     JOIN attempts a ON a.merchant_id = r.merchant_id AND a.pay_in_id = r.pay_in_id`,
    [refs.map((ref) => ref.merchantId), refs.map((ref) => ref.source)],
  );
  return new Set(rows.map((row) => row.booked));
}

/** A difference between our books and the issuer's. */
export interface Difference {
  /** Names it: the same difference has the same item in every report. */
  item: string;
  merchantId: string | null;
  date: Temporal.PlainDate;
  /** By how much the issuer has more than our books; null where that is not one number. */
  amountPence: number | null;
  what: string;
}

/** Dates whose statement has differences that nobody resolved yet. */
export async function findOpenDates(tx: Tx, issuer: string): Promise<Temporal.PlainDate[]> {
  const rows = await tx.rows<{ date: Temporal.PlainDate }>(
    'SELECT DISTINCT date FROM reconciliation_items WHERE issuer = $1 AND resolved_at IS NULL ORDER BY date',
    [issuer],
  );
  return rows.map((row) => row.date);
}

/** Keeps a report: new differences get an item, those that are gone are resolved by the service. */
export async function storeReport(
  tx: Tx,
  report: {
    issuer: string;
    date: Temporal.PlainDate;
    lines: number;
    totals: Totals;
    differences: readonly Difference[];
    unknown: string | null;
  },
  now: Temporal.Instant,
): Promise<void> {
  const { issuer, date, lines, totals, differences, unknown } = report;
  await tx.run(
    `INSERT INTO reconciliation_items (issuer, item, merchant_id, date, amount_pence, what, found_at, seen_at)
     SELECT $1, d.item, d.merchant_id, d.date, d.pence, d.what, $7, $7
     FROM unnest($2::text[], $3::text[], $4::date[], $5::bigint[], $6::text[]) AS d (item, merchant_id, date, pence, what)
     ON CONFLICT (issuer, item) DO UPDATE SET seen_at = excluded.seen_at, what = excluded.what,
       amount_pence = excluded.amount_pence`,
    [
      issuer,
      differences.map((one) => one.item),
      differences.map((one) => one.merchantId),
      differences.map((one) => one.date),
      differences.map((one) => one.amountPence),
      differences.map((one) => one.what),
      now,
    ],
  );
  if (unknown === null)
    await tx.run(
      `UPDATE reconciliation_items SET resolved_at = $2, resolved_by = 'service', resolution = 'no longer differs'
       WHERE issuer = $1 AND resolved_at IS NULL AND item <> ALL ($3::text[])`,
      [issuer, now, differences.map((one) => one.item)],
    );
  await tx.run(
    `INSERT INTO reconciliations (issuer, date, made_at, lines, wallets_pence, in_settlement_pence, unallocated_pence,
       claims_pence, owed_pence, outside_pence, differences, unknown, unknown_since)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, CASE WHEN $12::text IS NOT NULL THEN $3::timestamptz END)
     ON CONFLICT (issuer, date) DO UPDATE SET made_at = excluded.made_at, lines = excluded.lines,
       wallets_pence = excluded.wallets_pence, in_settlement_pence = excluded.in_settlement_pence,
       unallocated_pence = excluded.unallocated_pence, claims_pence = excluded.claims_pence,
       owed_pence = excluded.owed_pence, outside_pence = excluded.outside_pence, differences = excluded.differences,
       unknown = excluded.unknown, unknown_since = CASE WHEN excluded.unknown IS NOT NULL
         THEN coalesce(reconciliations.unknown_since, excluded.unknown_since) END`,
    [
      issuer,
      date,
      now,
      lines,
      totals.wallets_pence,
      totals.in_settlement_pence,
      totals.unallocated_pence,
      totals.claims_pence,
      totals.owed_pence,
      totals.outside_pence,
      differences.length,
      unknown,
    ],
  );
}

export interface ItemRow {
  item: string;
  merchant_id: string | null;
  date: Temporal.PlainDate;
  amount_pence: number | null;
  what: string;
  found_at: Temporal.Instant;
}

/** The differences that nobody resolved yet, the oldest first. */
export function listOpenItems(tx: Tx, issuer: string): Promise<ItemRow[]> {
  return tx.rows<ItemRow>(
    `SELECT item, merchant_id, date, amount_pence, what, found_at FROM reconciliation_items
     WHERE issuer = $1 AND resolved_at IS NULL ORDER BY found_at, item`,
    [issuer],
  );
}

/** Resolves a difference by a person's word. False: there is no such open one. */
export async function resolveItem(
  tx: Tx,
  now: Temporal.Instant,
  by: { issuer: string; item: string; who: string; how: string },
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE reconciliation_items SET resolved_at = $3, resolved_by = $4, resolution = $5
     WHERE issuer = $1 AND item = $2 AND resolved_at IS NULL`,
    [by.issuer, by.item, now, by.who, by.how],
  );
  return changed === 1;
}
