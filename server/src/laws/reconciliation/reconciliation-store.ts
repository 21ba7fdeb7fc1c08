import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Booking, Difference, ReturnedMoney } from './difference.ts';

/** The totals of our books, in pence: they add up to zero. */
export interface Totals {
  walletsPence: number;
  inSettlementPence: number;
  unallocatedPence: number;
  feesPence: number;
  claimsPence: number;
  owedPence: number;
  outsidePence: number;
}

export async function sumBooks(tx: Tx): Promise<Totals> {
  const sum = (kinds: string): string =>
    `coalesce(sum(balance_pence) FILTER (WHERE kind IN (${kinds})), 0)::bigint`;
  const row = await tx.row<Totals>(
    `SELECT ${sum("'customer_wallet', 'merchant_wallet'")} AS wallets_pence, ${sum("'in_settlement'")} AS in_settlement_pence,
       ${sum("'unallocated'")} AS unallocated_pence, ${sum("'fees'")} AS fees_pence,
       ${sum("'due_from_bank'")} AS claims_pence,
       ${sum("'owed'")} AS owed_pence, ${sum("'outside'")} AS outside_pence
     FROM accounts`,
  );
  if (row === null) throw new Error('a sum without a row');
  return row;
}

/** Returns the bookings under these sources. */
export function findBookings(
  tx: Tx,
  refs: readonly { merchantId: string; source: string }[],
): Promise<Booking[]> {
  return tx.rows<Booking>(
    `SELECT t.merchant_id, t.kind || ' ' || t.source_id AS name, t.amount_pence AS pence, t.at
     FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[]) AS r (merchant_id, source_id)) r
     JOIN transfers t ON t.merchant_id = r.merchant_id AND t.source_id = r.source_id`,
    columns(refs, 'merchantId', 'source'),
  );
}

/** Returns the recalls booked under these movement ids, of any merchant. */
export function findRecalls(tx: Tx, movementIds: readonly string[]): Promise<Booking[]> {
  return tx.rows<Booking>(
    `SELECT merchant_id, 'recall ' || movement_id AS name, sum(amount_pence)::bigint AS pence, min(created_at) AS at FROM debts
     WHERE movement_id = ANY ($1::text[]) GROUP BY merchant_id, movement_id`,
    [movementIds],
  );
}

/** Returns what was booked in a period because the issuer had done it. */
export function findBookedIn(
  tx: Tx,
  from: Temporal.Instant,
  to: Temporal.Instant,
): Promise<Booking[]> {
  return tx.rows<Booking>(
    `SELECT merchant_id, kind || ' ' || source_id AS name, amount_pence AS pence FROM transfers
     WHERE at >= $1 AND at < $2 AND kind IN
       ('pay_in', 'extra_pay_in', 'move', 'pay_out', 'pay_out_return', 'recall', 'cover', 'refund_out', 'fee_out')`,
    [from, to],
  );
}

/** Returns what people returned or paid on by separate orders since then. */
export function findReturnedSince(tx: Tx, since: Temporal.Instant): Promise<ReturnedMoney[]> {
  return tx.rows<ReturnedMoney>(
    `SELECT i.merchant_id, w.issuer_wallet_id, i.amount_pence AS pence FROM unallocated_items i
     JOIN transfers t ON t.merchant_id = i.merchant_id AND t.source_id = i.item_id AND t.kind = 'give_back'
     JOIN wallets w ON w.merchant_id = i.merchant_id AND w.wallet_id = i.wallet_id
     WHERE i.ended_at >= $1`,
    [since],
  );
}

/** Returns the days from `from` to `to` that have no report, or one that could not compare everything. */
export async function findUnreported(
  tx: Tx,
  issuer: string,
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): Promise<Temporal.PlainDate[]> {
  const rows = await tx.rows<{ date: Temporal.PlainDate }>(
    `SELECT d::date AS date FROM generate_series($2::date, $3::date, '1 day') d
     WHERE d > (SELECT min(date) FROM reconciliations WHERE issuer = $1) AND NOT EXISTS (
       SELECT 1 FROM reconciliations r WHERE r.issuer = $1 AND r.date = d::date AND r.unknown IS NULL)
     ORDER BY 1`,
    [issuer, from, to],
  );
  return rows.map((row) => row.date);
}

/** Returns the dates whose statement has unresolved differences. */
export async function findOpenDates(tx: Tx, issuer: string): Promise<Temporal.PlainDate[]> {
  const rows = await tx.rows<{ date: Temporal.PlainDate }>(
    'SELECT DISTINCT date FROM reconciliation_items WHERE issuer = $1 AND resolved_at IS NULL ORDER BY date',
    [issuer],
  );
  return rows.map((row) => row.date);
}

/** The contents of a report. */
export interface NewReport {
  issuer: string;
  date: Temporal.PlainDate;
  lines: number;
  totals: Totals;
  differences: readonly Difference[];
  /** What could not be compared, and why; null: everything was. */
  unknown: string | null;
}

/**
 * Stores a report: a new difference gets an item, and one that is gone is resolved by the service. What a person resolved
 * stays resolved until its amount changes. Returns the open items, oldest first.
 */
export async function storeReport(
  tx: Tx,
  report: NewReport,
  now: Temporal.Instant,
): Promise<ItemRow[]> {
  const { issuer, differences, unknown } = report;
  await putItems(tx, issuer, differences, now);
  if (unknown === null) {
    const seen = new Set(differences.map((one) => one.item));
    const gone = (await listItems(tx, issuer)).filter((one) => !seen.has(one.item));
    await tx.run(
      `UPDATE reconciliation_items SET resolved_at = $2, resolved_by = 'service', resolution = 'no longer differs'
       WHERE issuer = $1 AND item = ANY ($3::text[]) AND resolved_at IS NULL`,
      [issuer, now, gone.map((one) => one.item)],
    );
  }
  const open = await listItems(tx, issuer);
  await putReport(tx, report, open.length, now);
  return open;
}

const REOPENED = `reconciliation_items.resolved_by = 'service'
  OR reconciliation_items.amount_pence IS DISTINCT FROM excluded.amount_pence`;

function putItems(
  tx: Tx,
  issuer: string,
  differences: readonly Difference[],
  now: Temporal.Instant,
): Promise<number> {
  const kept = (column: string): string =>
    `${column} = CASE WHEN ${REOPENED} THEN NULL ELSE reconciliation_items.${column} END`;
  return tx.run(
    `INSERT INTO reconciliation_items (issuer, item, merchant_id, date, amount_pence, what, found_at, seen_at)
     SELECT DISTINCT ON (d.item) $1, d.item, d.merchant_id, d.date, d.pence, d.what, $7::timestamptz, $7::timestamptz
     FROM unnest($2::text[], $3::text[], $4::date[], $5::bigint[], $6::text[]) AS d (item, merchant_id, date, pence, what)
     ON CONFLICT (issuer, item) DO UPDATE SET seen_at = excluded.seen_at, what = excluded.what,
       amount_pence = excluded.amount_pence, ${kept('resolved_at')}, ${kept('resolved_by')}, ${kept('resolution')}`,
    [issuer, ...columns(differences, 'item', 'merchantId', 'date', 'amountPence', 'what'), now],
  );
}

const REPORT_COLUMNS = `made_at, lines, wallets_pence, in_settlement_pence, unallocated_pence, claims_pence, owed_pence,
  outside_pence, fees_pence, differences, unknown`;

async function putReport(
  tx: Tx,
  { issuer, date, lines, totals, unknown }: NewReport,
  differences: number,
  now: Temporal.Instant,
): Promise<void> {
  const figures = REPORT_COLUMNS.split(',').map((name) => name.trim());
  await tx.run(
    `INSERT INTO reconciliations (issuer, date, ${REPORT_COLUMNS}, unknown_since)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, CASE WHEN $13::text IS NOT NULL THEN $3::timestamptz END)
     ON CONFLICT (issuer, date) DO UPDATE SET ${figures.map((name) => `${name} = excluded.${name}`).join(', ')},
       unknown_since = CASE WHEN excluded.unknown IS NOT NULL
         THEN coalesce(reconciliations.unknown_since, excluded.unknown_since) END`,
    [
      issuer,
      date,
      now,
      lines,
      totals.walletsPence,
      totals.inSettlementPence,
      totals.unallocatedPence,
      totals.claimsPence,
      totals.owedPence,
      totals.outsidePence,
      totals.feesPence,
      differences,
      unknown,
    ],
  );
}

export interface ItemRow {
  item: string;
  merchantId: string | null;
  date: Temporal.PlainDate;
  amountPence: number | null;
  what: string;
  foundAt: Temporal.Instant;
  resolvedAt: Temporal.Instant | null;
  resolvedBy: string | null;
  resolution: string | null;
}

/** Lists the unresolved differences, oldest first; with a date, also the resolved ones of its report. */
export function listItems(
  tx: Tx,
  issuer: string,
  date: Temporal.PlainDate | null = null,
): Promise<ItemRow[]> {
  return tx.rows<ItemRow>(
    `SELECT item, merchant_id, date, amount_pence, what, found_at, resolved_at, resolved_by, resolution
     FROM reconciliation_items WHERE issuer = $1 AND (resolved_at IS NULL OR date = $2::date) ORDER BY found_at, item`,
    [issuer, date],
  );
}

/** Returns since when the report of a day could not compare everything; null: it could. */
export async function unknownSince(
  tx: Tx,
  issuer: string,
  date: Temporal.PlainDate,
): Promise<Temporal.Instant | null> {
  const row = await tx.row<{ since: Temporal.Instant | null }>(
    'SELECT unknown_since AS since FROM reconciliations WHERE issuer = $1 AND date = $2',
    [issuer, date],
  );
  return row?.since ?? null;
}

/** Records a person's resolution of a difference. Returns false if no such difference is open. */
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

/** Claims the due report and returns its moment; null: nothing is due. */
export async function claimDueReport(
  tx: Tx,
  now: Temporal.Instant,
  leaseEnd: Temporal.Instant,
): Promise<Temporal.Instant | null> {
  const row = await tx.row<{ dueAt: Temporal.Instant }>(
    `SELECT due_at FROM reconciliation_agenda WHERE only_one AND due_at <= $1 FOR UPDATE SKIP LOCKED`,
    [now],
  );
  if (row !== null) await putAgenda(tx, leaseEnd);
  return row?.dueAt ?? null;
}

/** Sets when the next reports are made. */
export async function putAgenda(tx: Tx, at: Temporal.Instant): Promise<void> {
  await tx.run('UPDATE reconciliation_agenda SET due_at = $1 WHERE only_one', [at]);
}
