import type { AnswersAgain } from '../banks/condition-keeper.ts';
import { findStopped } from '../banks/stop-store.ts';
import { findHeld } from '../merchants/hold-store.ts';
import type { Tx } from '../platform/db.ts';
import { opaque } from '../platform/opaque.ts';
import type { SubmitRow } from './attempt.ts';
import { dueByNews } from './lease-store.ts';

/** Returns the payments whose orders wait: their merchant is suspended, or their bank is stopped. */
export async function findHeldPayments(
  tx: Tx,
  rows: readonly Pick<SubmitRow, 'merchant_id' | 'bank_id' | 'payment_id'>[],
): Promise<Set<string>> {
  const merchantIds = rows.map((row) => row.merchant_id);
  const bankIds = rows.map((row) => row.bank_id);
  const [suspended, stopped] = await Promise.all([
    findHeld(tx, 'suspended', merchantIds),
    findStopped(tx, bankIds),
  ]);
  const held = rows.filter((row) => suspended.has(row.merchant_id) || stopped.has(row.bank_id));
  return new Set(held.map((row) => row.payment_id));
}

/** Makes the orders of a merchant, or at a bank, due that waited for the end of a hold or of an outage; default: all of them. */
export async function takeUpOrders(
  tx: Tx,
  now: Temporal.Instant,
  of: { merchantId: string } | { bankId: string },
  most: number | null = null,
): Promise<void> {
  const [column, id] = 'merchantId' in of ? ['merchant_id', of.merchantId] : ['bank_id', of.bankId];
  await tx.run(
    `UPDATE payment_work w SET ${dueByNews('w', '$2')}
     FROM (SELECT merchant_id, payment_id FROM payment_work
       WHERE ${column} = $1 AND stage = 'submit' AND due_at > $2 ORDER BY due_at LIMIT $3) held
     WHERE w.merchant_id = held.merchant_id AND w.payment_id = held.payment_id
       AND ${opaque("w.stage = 'submit' AND w.due_at > $2")}`,
    [id, now, most],
  );
}

/** So many orders show whether a bank that answered once answers again. */
const PROBES = 10;

/**
 * Takes up what waited for a bank: a few orders once it answers at all, and everything once it is well. Otherwise the last one
 * would wait for half an hour after an outage of hours.
 */
export const takeUpAfterOutage: AnswersAgain = ({ tx, now }, bankId, isWell) =>
  takeUpOrders(tx, now, { bankId }, isWell ? null : PROBES);
