import type { Tx } from '../../platform/db/db.ts';
import { NEWCOMER_FOR } from '../../platform/two-people/pair.ts';

/** Whether the account of an owner had been reset by operators less than 72 hours before a moment. */
export async function hasOwnerInDoubt(
  tx: Tx,
  merchantId: string,
  at: Temporal.Instant,
): Promise<boolean> {
  const row = await tx.row(
    `SELECT FROM members m CROSS JOIN LATERAL find_let_in(m.user_id, m.merchant_id) l
     WHERE m.merchant_id = $1 AND m.role = 'owner' AND l.reset_at <= $2 AND l.reset_at > $3 LIMIT 1`,
    [merchantId, at, at.subtract(NEWCOMER_FOR)],
  );
  return row !== null;
}
