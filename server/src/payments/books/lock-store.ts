import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { opaque } from '../../platform/values/opaque.ts';
import type { SentContext } from '../payment/attempt.ts';
import type { AttemptRef, PaymentKey } from '../payment/payment.ts';

/**
 * Locks payments in primary-key order, so that concurrent batches cannot deadlock. The lock of a payment under way is its work,
 * that of one that has ended is its row: a reinstated payment stays locked until its work row is inserted. Returns those under
 * way.
 */
export async function lockPayments(tx: Tx, keys: readonly PaymentKey[]): Promise<Set<string>> {
  const underWay = await lockWork(tx, keys);
  const ended = keys.filter(({ paymentId }) => !underWay.has(paymentId));
  if (ended.length === 0) return underWay;
  await tx.run(
    `SELECT 1 FROM payments WHERE (merchant_id, payment_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
     ORDER BY merchant_id, payment_id FOR UPDATE`,
    columns(ended, 'merchantId', 'paymentId'),
  );
  return underWay.union(await lockWork(tx, ended)); // begun again while we waited
}

/**
 * Locks the work of payments whose attempt is under way, in primary-key order, and returns their ids. One whose money has arrived
 * is not waited for: what its bank says of it is evidence alone.
 */
export async function lockUnderWay(
  tx: Tx,
  attempts: readonly Omit<AttemptRef, 'scheduleId'>[],
): Promise<Set<string>> {
  if (attempts.length === 0) return new Set();
  const locked = await tx.rows<{ paymentId: string }>(
    `SELECT w.payment_id
     FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[], $3::int[]) AS u (merchant_id, payment_id, attempt)
           ORDER BY 1, 2) k
     CROSS JOIN LATERAL (SELECT payment_id FROM payment_work w
       WHERE merchant_id = k.merchant_id AND payment_id = k.payment_id
         AND ${opaque("w.attempt = k.attempt AND w.stage IN ('submit', 'track')")} FOR UPDATE) w`,
    columns(attempts, 'merchantId', 'paymentId', 'attempt'),
  );
  return new Set(locked.map((row) => row.paymentId));
}

/** The work of a payment, as it is under its lock. */
export type LockedWork = { paymentId: string } & Pick<
  SentContext,
  'stage' | 'attempt' | 'polls' | 'stoppedBy' | 'movesOn'
>;

/** Locks the work of payments, in primary-key order, and returns it. */
export function readLockedWork(tx: Tx, keys: readonly PaymentKey[]): Promise<LockedWork[]> {
  return tx.rows<LockedWork>(
    `SELECT w.*
     FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[]) AS u (merchant_id, payment_id) ORDER BY 1, 2) k
     CROSS JOIN LATERAL (SELECT payment_id, stage, attempt, polls, stopped_by, moves_on FROM payment_work
       WHERE merchant_id = k.merchant_id AND payment_id = k.payment_id FOR UPDATE) w`,
    columns(keys, 'merchantId', 'paymentId'),
  );
}

/** Locks the work of payments, in primary-key order. Returns those that have any. */
export async function lockWork(tx: Tx, keys: readonly PaymentKey[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const locked = await readLockedWork(tx, keys);
  return new Set(locked.map((row) => row.paymentId));
}
