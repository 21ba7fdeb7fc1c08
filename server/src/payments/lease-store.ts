import { columns } from '../platform/db/columns.ts';
import type { Tx } from '../platform/db.ts';
import { opaque } from '../platform/opaque.ts';

/** A payment that this process claimed, and until when. */
export interface Leased {
  merchant_id: string;
  payment_id: string;
  until: Temporal.Instant;
}

/** Makes claimed payments due now, because their process stops. Those that have been claimed or recorded since are left alone. */
export async function giveBack(
  tx: Tx,
  now: Temporal.Instant,
  leased: readonly Leased[],
): Promise<void> {
  await tx.run(
    `UPDATE payment_work w SET due_at = $4
     FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS l (merchant_id, payment_id, until)
     WHERE w.merchant_id = l.merchant_id AND w.payment_id = l.payment_id AND ${opaque('w.due_at = l.until')}`,
    [...columns(leased, 'merchant_id', 'payment_id'), leased.map(({ until }) => until), now],
  );
}
