import type { Tx } from '../../platform/db/db.ts';
import { type KeyLimits, usedToday } from './key-limits.ts';

const COLUMNS = 'limits_id, per_act_pence, per_day_pence, spent_at, spent_pence';

/**
 * Locks and returns the limits of a key; null: it has none. Whoever counts an act locks them before the act's own rows, so that
 * two acts at once cannot pass the day's limit together.
 */
export function lockLimits(tx: Tx, merchantId: string, keyId: string): Promise<KeyLimits | null> {
  return tx.row<KeyLimits>(
    `SELECT ${COLUMNS} FROM api_key_limits WHERE merchant_id = $1 AND limits_id =
       (SELECT limits_id FROM api_keys WHERE merchant_id = $1 AND key_id = $2) FOR UPDATE`,
    [merchantId, keyId],
  );
}

/** Adds to what a key has used today. The caller has locked the limits. */
export async function countSpent(
  tx: Tx,
  merchantId: string,
  limits: KeyLimits,
  pence: number,
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `UPDATE api_key_limits SET spent_at = greatest(spent_at, $3::timestamptz), spent_pence = $4
     WHERE merchant_id = $1 AND limits_id = $2`,
    [merchantId, limits.limitsId, now, usedToday(limits, now) + pence],
  );
}

/** Sets the limits of a key and of those that share them, and keeps what was used today. */
export async function setLimits(
  tx: Tx,
  merchantId: string,
  { limitsId, perActPence, perDayPence, spentAt, spentPence }: KeyLimits,
): Promise<void> {
  await tx.run(
    `INSERT INTO api_key_limits (merchant_id, limits_id, per_act_pence, per_day_pence, spent_at, spent_pence)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (merchant_id, limits_id) DO UPDATE SET per_act_pence = $3, per_day_pence = $4`,
    [merchantId, limitsId, perActPence, perDayPence, spentAt, spentPence],
  );
}
