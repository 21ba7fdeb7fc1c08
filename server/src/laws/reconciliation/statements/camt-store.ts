import { columns } from '../../../platform/db/columns.ts';
import type { Tx } from '../../../platform/db/db.ts';
import type { Booking } from '../difference.ts';

/**
 * Finds the bookings under these references, of any merchant; pay-ins also under our end-to-end id of the attempt that they
 * paid for, or under the id with which they came to the unallocated list.
 */
export function findByReferences(
  tx: Tx,
  references: readonly string[],
  attempts: readonly { paymentId: string; attempt: number }[],
): Promise<(Booking & { reference: string })[]> {
  return tx.rows<Booking & { reference: string }>(
    `SELECT merchant_id, kind || ' ' || source_id AS name, amount_pence AS pence, at, source_id AS reference
     FROM transfers WHERE source_id = ANY ($1::text[])
     UNION ALL
     SELECT merchant_id, 'recall ' || movement_id, sum(amount_pence)::bigint, min(created_at), movement_id
     FROM debts WHERE movement_id = ANY ($1::text[]) GROUP BY merchant_id, movement_id
     UNION ALL
     SELECT t.merchant_id, t.kind || ' ' || t.source_id, t.amount_pence, t.at, l.payment_id || '-a' || l.number
     FROM unnest($2::text[], $3::int[]) AS l (payment_id, number)
     JOIN attempts a ON a.payment_id = l.payment_id AND a.number = l.number
     JOIN transfers t ON t.merchant_id = a.merchant_id AND t.source_id = a.pay_in_id AND t.kind IN ('pay_in', 'extra_pay_in')
     UNION ALL
     SELECT t.merchant_id, t.kind || ' ' || t.source_id, t.amount_pence, t.at, u.end_to_end_id
     FROM unallocated_items u
     JOIN transfers t ON t.merchant_id = u.merchant_id AND t.source_id = u.movement_id AND t.kind IN ('pay_in', 'extra_pay_in')
     WHERE u.end_to_end_id = ANY ($1::text[]) AND u.part_of IS NULL`,
    [references, ...columns(attempts, 'paymentId', 'attempt')],
  );
}

/** Whether one of these accounts is a wallet of ours. */
export async function haveWallets(tx: Tx, accounts: readonly string[]): Promise<boolean> {
  const row = await tx.row(
    'SELECT FROM wallets WHERE issuer_wallet_id = ANY ($1::text[]) LIMIT 1',
    [accounts],
  );
  return row !== null;
}
