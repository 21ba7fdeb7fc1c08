import { postponeUnsettled, releaseFromSettlements } from '../payments/books/settling-store.ts';
import { inGroups } from '../platform/cluster/shards.ts';
import { columnsOf } from '../platform/db/columns.ts';
import type { Tx } from '../platform/db/db.ts';
import { rowBy } from '../platform/db/row-by.ts';
import { dueBy } from '../platform/engine/due.ts';
import { conditions } from '../platform/http/lists/conditions.ts';
import type { Amounts, CreatedSort, Span } from '../platform/http/lists/list-filters.ts';
import { type List, type Page, readPage } from '../platform/http/lists/page.ts';
import { type Referenced, referenceLetters, type SettlementStatus } from './settlement.ts';

export interface SettlementRow extends Referenced {
  merchantId: string;
  settleDate: Temporal.PlainDate;
  /** Which of the settlements of that day: a pay-out carries no more than a million pounds. */
  part: number;
  /** The amount paid out. */
  amountPence: number;
  grossPence: number;
  refundsPence: number;
  feesPence: number;
  carriedPence: number;
  currency: string;
  status: SettlementStatus;
  stage: 'pay' | 'track' | 'carry' | null;
  attempts: number;
  polls: number;
  destination: string;
  issuerMovementId: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  createdAt: Temporal.Instant;
  completedAt: Temporal.Instant | null;
  failedAt: Temporal.Instant | null;
}

export const COLUMNS = `merchant_id, settlement_id, settle_date, part, amount_pence, gross_pence, refunds_pence, fees_pence,
  carried_pence, currency, status, stage, attempts, polls, destination,
  statement_reference, issuer_reference, issuer_movement_id, error_code, error_message, created_at, completed_at, failed_at`;

/** The same columns of a claimed row. */
export const CLAIMED_COLUMNS = columnsOf('t', COLUMNS);

/** Returns a settlement, without locking it. */
export const findSettlement = rowBy<SettlementRow>(
  `SELECT ${COLUMNS} FROM settlements WHERE merchant_id = $1 AND settlement_id = $2`,
);

/** Locks and returns a settlement. */
export const lockSettlement = rowBy<SettlementRow>(
  `SELECT ${COLUMNS} FROM settlements WHERE merchant_id = $1 AND settlement_id = $2 FOR UPDATE`,
);

/** Condition: nothing happens to the settlement automatically, because the issuer has another amount under its key. */
export const DIFFERS = `status = 'processing' AND stage IS NULL`;

/** Locks and returns a settlement that waits for a person because of that; null: it does not. */
export async function lockDiffering(tx: Tx, settlementId: string): Promise<SettlementRow | null> {
  const select = (columns: string, lock = '') =>
    tx.rows<SettlementRow>(
      `SELECT ${columns} FROM settlements WHERE settlement_id = $1 AND ${DIFFERS} ${lock}`,
      [settlementId],
    );
  const merchantsOf = async () => (await select('merchant_id')).map((row) => row.merchantId);
  const [row = null] = await inGroups(tx, merchantsOf, () => select(COLUMNS, 'FOR UPDATE'));
  return row;
}

/** Returns what stands on the merchant's bank statement, in capitals. */
const REFERENCE =
  'upper(coalesce(issuer_reference, statement_reference, right(settlement_id, 18)))';

/** Condition: the capitals and digits at this place are a part of the reference, or it is a part of them. */
export const hasReference = (place: string): string =>
  `(${place} <> '' AND (strpos(${REFERENCE}, ${place}) > 0 OR strpos(${place}, ${REFERENCE}) > 0))`;

/** Returns settlements of all merchants by their whole reference, in any case, with what may stand between its letters. */
export function findByStatementReference(
  tx: Tx,
  typed: string,
  limit: number,
): Promise<{ settlementId: string; merchantId: string; merchantName: string }[]> {
  return tx.rows(
    `SELECT s.settlement_id, m.merchant_id, m.name AS merchant_name
     FROM settlements s JOIN merchants m ON m.merchant_id = s.merchant_id WHERE ${REFERENCE} = $1 LIMIT $2`,
    [referenceLetters(typed), limit],
  );
}

/** Which settlements; an absent field does not filter. The span is of when they were created, the amounts are paid out. */
export interface SettlementFilter extends Span, Amounts {
  status?: SettlementStatus | undefined;
  /** Letters and digits of the statement reference, or of a line that has it; empty: of none. */
  reference?: string | undefined;
  sort?: CreatedSort;
}

/** Returns a page of settlements, newest first unless sorted otherwise. */
export async function listSettlements(
  tx: Tx,
  merchantId: string,
  filter: SettlementFilter,
  page: Page,
): Promise<List<SettlementRow>> {
  const all = conditions('merchant_id = $1', [merchantId]);
  all.add(filter.status, (status) => `status = ${status}`);
  all.add(filter.reference, hasReference);
  all.span('created_at', filter);
  all.amounts('amount_pence', filter);
  return readPage<SettlementRow>(
    tx,
    {
      columns: COLUMNS,
      from: `settlements WHERE ${all.where()}`,
      values: all.values,
      amount: 'amount_pence',
      order: {
        by: { created_at: 'instant', settlement_id: 'text' },
        isDescending: filter.sort !== 'created_at',
      },
    },
    page,
  );
}

/**
 * Returns the merchants with money due: payments never settled, failed refunds given back, credited money that came back, or in
 * a failed settlement.
 */
export async function findMerchantsDue(
  tx: Tx,
  now: Temporal.Instant,
  limit: number,
): Promise<string[]> {
  const rows = await tx.rows<{ merchantId: string }>(
    `SELECT a.merchant_id FROM accounts a
     WHERE a.account_id = 'in_settlement' AND a.merchant_id IN (
       (SELECT DISTINCT merchant_id FROM to_settle WHERE settle_at <= $1)
       UNION (SELECT merchant_id FROM refund_lines WHERE settlement_id IS NULL AND settle_at <= $1)
       UNION (SELECT merchant_id FROM came_back_lines WHERE settlement_id IS NULL AND settle_at <= $1)
       UNION (SELECT merchant_id FROM settlements WHERE stage = 'carry' AND due_at <= $1))
     ORDER BY a.merchant_id LIMIT $2`,
    [now, limit],
  );
  return rows.map((row) => row.merchantId);
}

/**
 * Locks the merchant's `in_settlement` account: one process at a time opens settlements of a merchant. Returns false if
 * another one does.
 */
export async function lockMerchant(tx: Tx, merchantId: string): Promise<boolean> {
  const row = await tx.row<{ merchantId: string }>(
    `SELECT merchant_id FROM accounts WHERE merchant_id = $1 AND account_id = 'in_settlement' FOR UPDATE SKIP LOCKED`,
    [merchantId],
  );
  return row !== null;
}

/** The stage has work when any merchant's money is due. */
export const nextSettlement = dueBy(
  { table: 'to_settle', moment: 'settle_at', where: 'true' },
  {
    table: 'refund_lines',
    moment: 'settle_at',
    where: 'settlement_id IS NULL AND settle_at IS NOT NULL',
  },
  {
    table: 'came_back_lines',
    moment: 'settle_at',
    where: 'settlement_id IS NULL AND settle_at IS NOT NULL',
  },
  { table: 'settlements', moment: 'due_at', where: "stage = 'carry'" },
);

/** Whether the merchant's settlement of a day has been opened. */
export async function hasDay(
  tx: Tx,
  merchantId: string,
  day: Temporal.PlainDate,
): Promise<boolean> {
  const found = await tx.row(
    'SELECT 1 AS found FROM settlements WHERE merchant_id = $1 AND settle_date = $2 LIMIT 1',
    [merchantId, day],
  );
  return found !== null;
}

/** Postpones what is due to a later moment; returns how many payments. */
export async function postponeDue(
  tx: Tx,
  merchantId: string,
  now: Temporal.Instant,
  until: Temporal.Instant,
): Promise<number> {
  await tx.run(
    `UPDATE settlements SET due_at = $3 WHERE merchant_id = $1 AND stage = 'carry' AND due_at <= $2`,
    [merchantId, now, until],
  );
  return postponeUnsettled(tx, merchantId, now, until);
}

/** Locks and returns the failed settlements of a merchant whose money is due to go out again. */
export async function lockCarried(
  tx: Tx,
  merchantId: string,
  now: Temporal.Instant,
): Promise<{ merchantId: string; settlementId: string }[]> {
  return tx.rows(
    `SELECT merchant_id, settlement_id FROM settlements WHERE merchant_id = $1 AND stage = 'carry' AND due_at <= $2
     FOR UPDATE`,
    [merchantId, now],
  );
}

/** Releases the payments and debts of these settlements for a later one; the record of them stays. */
export async function releaseCarried(
  tx: Tx,
  merchantId: string,
  settlementIds: readonly string[],
): Promise<void> {
  await tx.run(
    `WITH passed_on AS (SELECT * FROM unnest($2::text[]) AS o (settlement_id)), kept AS (
       INSERT INTO carried_payments (merchant_id, settlement_id, payment_id)
       SELECT p.merchant_id, p.settlement_id, p.payment_id FROM payments p JOIN passed_on o ON o.settlement_id = p.settlement_id
       WHERE p.merchant_id = $1 RETURNING 1
     )
     , owed AS (
       INSERT INTO carried_debts (merchant_id, settlement_id, debt_id)
       SELECT d.merchant_id, d.settlement_id, d.debt_id FROM debts d JOIN passed_on o ON o.settlement_id = d.settlement_id
       WHERE d.merchant_id = $1 RETURNING 1
     )
     UPDATE debts d SET settlement_id = NULL FROM passed_on o WHERE d.merchant_id = $1 AND d.settlement_id = o.settlement_id`,
    [merchantId, settlementIds],
  );
  await releaseFromSettlements(tx, merchantId, settlementIds);
}

/** A failed settlement whose money goes out with a later one. */
export interface CarriedSettlement extends Referenced {
  attempts: number;
  createdAt: Temporal.Instant;
}

/** Returns the failed settlements whose money goes out with this one. */
export function findCarriedInto(
  tx: Tx,
  merchantId: string,
  settlementId: string,
): Promise<CarriedSettlement[]> {
  return tx.rows<CarriedSettlement>(
    `SELECT s.settlement_id, s.statement_reference, s.issuer_reference, s.attempts, s.created_at FROM settlements s
     WHERE s.merchant_id = $1 AND s.settlement_id IN (
       SELECT c.settlement_id FROM carried_payments c
       JOIN payments p ON p.merchant_id = c.merchant_id AND p.payment_id = c.payment_id
       WHERE c.merchant_id = $1 AND p.settlement_id = $2
       UNION SELECT c.settlement_id FROM carried_refund_lines c
       JOIN refund_lines l ON l.merchant_id = c.merchant_id AND l.refund_id = c.refund_id AND l.kind = c.kind
       WHERE c.merchant_id = $1 AND l.settlement_id = $2
       UNION SELECT unnest(carried_by) FROM came_back_lines WHERE merchant_id = $1 AND settlement_id = $2)
     ORDER BY s.settlement_id`,
    [merchantId, settlementId],
  );
}

/** Whether a pay-out of the issuer counts for another settlement already. */
export async function paysAnother(
  tx: Tx,
  { merchantId, settlementId }: SettlementRow,
  movementId: string,
): Promise<boolean> {
  const found = await tx.row(
    'SELECT FROM settlements WHERE merchant_id = $1 AND issuer_movement_id = $2 AND settlement_id <> $3',
    [merchantId, movementId, settlementId],
  );
  return found !== null;
}

/** Returns since when the oldest money of a settlement waits: a payment, or what was given back; null: it has none. */
export async function findOldestMoney(
  tx: Tx,
  merchantId: string,
  settlementId: string,
): Promise<Temporal.Instant | null> {
  const row = await tx.row<{ at: Temporal.Instant | null }>(
    `SELECT min(m.at) AS at FROM (
       SELECT completed_at AS at FROM payments WHERE merchant_id = $1 AND settlement_id = $2
       UNION ALL SELECT r.failed_at FROM refund_lines l JOIN refunds r USING (merchant_id, refund_id)
       WHERE l.merchant_id = $1 AND l.settlement_id = $2 AND l.kind = 'refund_back'
       UNION ALL SELECT i.ended_at FROM came_back_lines b JOIN unallocated_items i USING (merchant_id, item_id)
       WHERE b.merchant_id = $1 AND b.settlement_id = $2) m`,
    [merchantId, settlementId],
  );
  return row?.at ?? null;
}

/** Returns when the money of the running attempt was set apart: its order is not older. */
export async function findReservedAt(
  tx: Tx,
  merchantId: string,
  payOutKey: string,
): Promise<Temporal.Instant | null> {
  const row = await tx.row<{ at: Temporal.Instant }>(
    `SELECT at FROM transfers WHERE merchant_id = $1 AND source_id = $2 AND kind = 'settle'`,
    [merchantId, payOutKey],
  );
  return row?.at ?? null;
}

/** Makes a pay-out due for polling now, because the issuer has news of it. */
export async function pollNow(
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  movementId: string,
): Promise<void> {
  await tx.run(
    `UPDATE settlements SET due_at = $1 WHERE merchant_id = $2 AND issuer_movement_id = $3 AND stage = 'track'
       AND due_at > $1`,
    [now, merchantId, movementId],
  );
}
