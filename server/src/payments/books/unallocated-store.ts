import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { rowBy } from '../../platform/db/row-by.ts';
import { type List, type Page, readPage } from '../../platform/http/lists/page.ts';
import { moveRows } from '../../platform/state/move-rows.ts';
import { transition } from '../../platform/state/state-machine.ts';
import { opaque } from '../../platform/values/opaque.ts';
import type { UnallocatedReason } from '../payment/allocation.ts';
import { ITEMS, type ItemStatus, type Proposal } from '../payment/unallocated-item.ts';

export interface ItemRow {
  merchantId: string;
  itemId: string;
  movementId: string;
  partOf: string | null;
  /** The issuer's id of the pay-out that came back; null: it is another kind of money, or the issuer did not name it. */
  originalMovementId: string | null;
  /** The settlement, the refund or the earlier item whose money came back. */
  cameBackOf: string | null;
  walletId: string;
  amountPence: number;
  currency: string;
  endToEndId: string | null;
  payer: string | null;
  reason: UnallocatedReason;
  scheduleId: string | null;
  paymentId: string | null;
  attempt: number | null;
  status: ItemStatus;
  arrivedAt: Temporal.Instant;
  openedAt: Temporal.Instant;
  proposed: Proposal | null;
  endedAt: Temporal.Instant | null;
  endedBy: string | null;
  confirmedBy: string | null;
  endReason: string | null;
}

const COLUMNS = `merchant_id, item_id, movement_id, part_of, original_movement_id, came_back_of, wallet_id, amount_pence,
  currency, end_to_end_id, payer, reason,
  schedule_id, payment_id, attempt, status, arrived_at, opened_at, proposed, ended_at, ended_by, confirmed_by, end_reason`;

export type NewItem = Omit<
  ItemRow,
  'status' | 'proposed' | 'endedAt' | 'endedBy' | 'confirmedBy' | 'endReason'
>;

/** Inserts an open item. */
export async function insertItem(tx: Tx, item: NewItem): Promise<void> {
  await tx.run(
    `INSERT INTO unallocated_items (merchant_id, item_id, movement_id, part_of, wallet_id, amount_pence, currency,
       end_to_end_id, payer, reason, schedule_id, payment_id, attempt, status, arrived_at, opened_at, original_movement_id,
       came_back_of)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 'open', $14, $15, $16, $17)`,
    [
      item.merchantId,
      item.itemId,
      item.movementId,
      item.partOf,
      item.walletId,
      item.amountPence,
      item.currency,
      item.endToEndId,
      item.payer,
      item.reason,
      item.scheduleId,
      item.paymentId,
      item.attempt,
      item.arrivedAt,
      item.openedAt,
      item.originalMovementId,
      item.cameBackOf,
    ],
  );
}

/**
 * Finds an item by its own id or by the issuer's id of the movement. Of several parts of a movement, an open one comes first,
 * then the first part.
 */
export function findItem(tx: Tx, id: string): Promise<ItemRow | null> {
  return tx.row<ItemRow>(
    `SELECT ${COLUMNS} FROM unallocated_items WHERE item_id = $1 OR movement_id = $1
     ORDER BY item_id = $1 DESC, (status = 'open') DESC, item_id LIMIT 1`,
    [id],
  );
}

/** The same item, locked. */
export const lockItem = rowBy<ItemRow>(
  `SELECT ${COLUMNS} FROM unallocated_items WHERE merchant_id = $1 AND item_id = $2 FOR UPDATE`,
);

/** Locks the item that a movement opened; null if it opened none. */
export const lockItemOf = rowBy<ItemRow>(
  `SELECT ${COLUMNS} FROM unallocated_items WHERE merchant_id = $1 AND movement_id = $2 AND part_of IS NULL FOR UPDATE`,
);

/** Locks what is still open of a movement: all of it, or what was left over; null if nothing is. */
export const lockOpenItemOf = rowBy<ItemRow>(
  `SELECT ${COLUMNS} FROM unallocated_items WHERE merchant_id = $1 AND movement_id = $2 AND status = 'open' FOR UPDATE`,
);

/** The same item, not locked. */
export const findItemOf = rowBy<ItemRow>(
  `SELECT ${COLUMNS} FROM unallocated_items WHERE merchant_id = $1 AND movement_id = $2 AND part_of IS NULL`,
);

/**
 * Returns the item whose money was sent away from a wallet and may be what came back now: of those that did not come back yet,
 * the one with the nearest amount, at least as large, and then the latest. Null: there is none.
 */
export function findSentAway(
  tx: Tx,
  merchantId: string,
  walletId: string,
  amountPence: number,
): Promise<ItemRow | null> {
  return tx.row<ItemRow>(
    `SELECT ${COLUMNS} FROM unallocated_items i
     WHERE merchant_id = $1 AND wallet_id = $2 AND status IN ('returned', 'paid_on') AND amount_pence >= $3
       AND NOT EXISTS (SELECT FROM unallocated_items b WHERE b.merchant_id = i.merchant_id AND b.came_back_of = i.item_id)
     ORDER BY amount_pence, ended_at DESC, item_id LIMIT 1`,
    [merchantId, walletId, amountPence],
  );
}

/** Which items are listed: only open ones, of a merchant. */
export interface ItemFilter {
  onlyOpen: boolean;
  merchantId?: string;
}

const whichItems = ({ onlyOpen }: ItemFilter): string =>
  `${onlyOpen ? "status = 'open'" : 'true'} AND ($1::text IS NULL OR merchant_id = $1)`;

/** Lists items, oldest first. */
export function listItems(tx: Tx, filter: ItemFilter, page: Page): Promise<List<ItemRow>> {
  return readPage<ItemRow>(
    tx,
    {
      columns: COLUMNS,
      from: `unallocated_items WHERE ${whichItems(filter)}`,
      values: [filter.merchantId ?? null],
      order: { by: { opened_at: 'instant', item_id: 'text' }, isDescending: false },
    },
    page,
  );
}

/** Returns the items that concern these payments, oldest first. */
export function findItemsOf(
  tx: Tx,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<ItemRow[]> {
  return tx.rows<ItemRow>(
    `SELECT ${COLUMNS} FROM unallocated_items WHERE merchant_id = $1 AND payment_id = ANY ($2) ORDER BY item_id`,
    [merchantId, paymentIds],
  );
}

/** Returns those of these payments whose money may be on the list: it names them, or is their amount and came since then. */
export async function findMoneyFor(
  tx: Tx,
  payments: readonly {
    merchantId: string;
    paymentId: string;
    walletId: string;
    amountPence: number;
    dueDate: Temporal.Instant;
  }[],
): Promise<Set<string>> {
  const rows = await tx.rows<{ paymentId: string }>(
    `SELECT p.payment_id
     FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::timestamptz[])
       AS p (merchant_id, payment_id, wallet_id, amount_pence, due_date)
     WHERE EXISTS (SELECT 1 FROM unallocated_items u WHERE u.merchant_id = p.merchant_id
         AND u.payment_id = p.payment_id AND ${opaque("u.status = 'open'")})
       OR EXISTS (SELECT 1 FROM unallocated_items u WHERE u.merchant_id = p.merchant_id AND u.wallet_id = p.wallet_id
         AND u.status = 'open' AND ${opaque('u.amount_pence = p.amount_pence AND u.arrived_at >= p.due_date')})`,
    columns(payments, 'merchantId', 'paymentId', 'walletId', 'amountPence', 'dueDate'),
  );
  return new Set(rows.map((row) => row.paymentId));
}

/** Returns those of these payments that money paid on by hand has settled: docs/rules/wallets-and-money.md#unallocated-money. */
export async function findSettledByHand(
  tx: Tx,
  payments: readonly { merchantId: string; paymentId: string }[],
): Promise<Set<string>> {
  if (payments.length === 0) return new Set();
  const rows = await tx.rows<{ paymentId: string }>(
    `SELECT p.payment_id FROM unnest($1::text[], $2::text[]) AS p (merchant_id, payment_id)
     CROSS JOIN LATERAL (SELECT FROM unallocated_items u WHERE u.merchant_id = p.merchant_id
       AND u.payment_id = p.payment_id AND ${opaque("u.status = 'paid_on'")} LIMIT 1) settled`,
    columns(payments, 'merchantId', 'paymentId'),
  );
  return new Set(rows.map((row) => row.paymentId));
}

/** Stores the decision of the first of two people. */
export async function propose(tx: Tx, item: ItemRow, proposal: Proposal): Promise<void> {
  await tx.run(
    'UPDATE unallocated_items SET proposed = $3 WHERE merchant_id = $1 AND item_id = $2',
    [item.merchantId, item.itemId, JSON.stringify(proposal)],
  );
}

/** Whether somebody who proposed an end may still decide one: an operator who was removed, or has lost the role, may not. */
export async function stillDecides(tx: Tx, byId: string): Promise<boolean> {
  const ended = await tx.row(
    `SELECT FROM operators
     WHERE operator_id = $1 AND (removed_at IS NOT NULL OR NOT 'payments' = ANY (roles))`,
    [byId],
  );
  return ended === null;
}

/** How an item ended. */
export interface Ended {
  status: ItemStatus;
  by: string;
  confirmedBy: string | null;
  reason: string;
  /** What it paid for, or settled; null keeps the guess, `none` drops it. */
  paid: { scheduleId: string; paymentId: string; attempt: number } | 'none' | null;
}

/** Ends an open item, with its audit trail entry. Throws if it is not open. */
export async function endItem(
  tx: Tx,
  now: Temporal.Instant,
  item: ItemRow,
  ended: Ended,
): Promise<void> {
  const paid = ended.paid === 'none' ? null : ended.paid;
  const keepsGuess = ended.paid !== 'none';
  const people = ended.confirmedBy === null ? ended.by : `${ended.by} and ${ended.confirmedBy}`;
  const guess = (column: string): string => (keepsGuess ? `t.${column}` : 'NULL');
  const moved = await moveRows<ItemStatus, ItemRow>(tx, now, {
    rows: [item],
    move: transition(ITEMS, ['open'], ended.status),
    columns: {
      merchant_id: ['text', (row) => row.merchantId],
      item_id: ['text', (row) => row.itemId],
      ended_at: ['timestamptz', () => now],
      ended_by: ['text', () => ended.by],
      confirmed_by: ['text', () => ended.confirmedBy],
      end_reason: ['text', () => ended.reason],
      schedule_id: ['text', () => paid?.scheduleId ?? null],
      payment_id: ['text', () => paid?.paymentId ?? null],
      attempt: ['int', () => paid?.attempt ?? null],
    },
    set: `ended_at = n.ended_at, ended_by = n.ended_by, confirmed_by = n.confirmed_by, end_reason = n.end_reason,
      schedule_id = coalesce(n.schedule_id, ${guess('schedule_id')}), payment_id = coalesce(n.payment_id, ${guess('payment_id')}),
      attempt = coalesce(n.attempt, ${guess('attempt')})`,
    audit: (row) => ({
      merchantId: row.merchantId,
      objectId: row.itemId,
      scheduleId: paid?.scheduleId ?? row.scheduleId,
      reason: `${people}: ${ended.reason}`,
    }),
  });
  if (moved.length !== 1) throw new Error(`the item ${item.itemId} is not open`);
  if (item.payer !== null) await erasePayerOfErased(tx, item);
}

/** Erases who paid an item that has ended, if it is in the wallet of an erased customer: no other erasure comes by. */
async function erasePayerOfErased(tx: Tx, { merchantId, itemId }: ItemRow): Promise<void> {
  await tx.run(
    `UPDATE unallocated_items i SET payer = NULL FROM wallets w, customers c
     WHERE i.merchant_id = $1 AND i.item_id = $2 AND w.merchant_id = $1 AND w.wallet_id = i.wallet_id
       AND c.merchant_id = $1 AND c.customer_id = w.customer_id AND c.erased_at IS NOT NULL`,
    [merchantId, itemId],
  );
}

/** Adds the end-to-end id that the first notice of the money did not contain. */
export async function nameItem(
  tx: Tx,
  item: ItemRow,
  name: Pick<ItemRow, 'endToEndId'>,
): Promise<void> {
  await tx.run(
    'UPDATE unallocated_items SET end_to_end_id = $3 WHERE merchant_id = $1 AND item_id = $2 AND end_to_end_id IS NULL',
    [item.merchantId, item.itemId, name.endToEndId],
  );
}

/** Lowers a payment's amount to the amount accepted for it. */
export async function lowerAmount(
  tx: Tx,
  { merchantId, paymentId }: { merchantId: string; paymentId: string },
  amountPence: number,
): Promise<void> {
  await tx.run('UPDATE payments SET amount_pence = $3 WHERE merchant_id = $1 AND payment_id = $2', [
    merchantId,
    paymentId,
    amountPence,
  ]);
}
