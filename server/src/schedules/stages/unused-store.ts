import type { Tx } from '../../platform/db/db.ts';

/** A granted consent under which nothing may have been collected for long. */
export interface UnusedRow {
  merchantId: string;
  consentId: string;
  scheduleId: string;
  bankId: string;
}

/** From when on nothing is known to have been collected under a consent `t`: an indexed expression. */
export const UNUSED_SINCE = 'coalesce(t.unused_since, t.granted_at)';

/** How long that is before it is looked at: a month before the first bank would end it. */
export const LOOKED_AT_AFTER = '11 months';

/** Returns granted consents that are to be looked at, longest unused first, without locking them. */
export function findUnused(tx: Tx, now: Temporal.Instant, limit: number): Promise<UnusedRow[]> {
  return tx.rows<UnusedRow>(
    `SELECT t.merchant_id, t.consent_id, t.schedule_id, t.bank_id FROM consents t
     WHERE t.status = 'granted' AND ${UNUSED_SINCE} <= $1::timestamptz - interval '${LOOKED_AT_AFTER}'
     ORDER BY ${UNUSED_SINCE} LIMIT $2`,
    [now, limit],
  );
}

/** Locks a consent that is still granted and to be looked at, and returns when it was last used; null: it is not. */
export async function lockUnused(
  tx: Tx,
  now: Temporal.Instant,
  { merchantId, consentId }: UnusedRow,
): Promise<Temporal.Instant | null> {
  const row = await tx.row<{ grantedAt: Temporal.Instant }>(
    `SELECT granted_at FROM consents t WHERE merchant_id = $1 AND consent_id = $2 AND status = 'granted'
       AND ${UNUSED_SINCE} <= $3::timestamptz - interval '${LOOKED_AT_AFTER}' FOR NO KEY UPDATE`,
    [merchantId, consentId, now],
  );
  if (row === null) return null;
  const used = await tx.row<{ at: Temporal.Instant | null }>(
    `SELECT max(p.completed_at) AS at FROM schedules s
     JOIN payments p ON p.merchant_id = s.merchant_id AND p.schedule_id = s.schedule_id
     WHERE s.merchant_id = $1 AND s.consent_id = $2 AND p.consent_id = $2 AND p.status = 'success'`,
    [merchantId, consentId],
  );
  return used?.at ?? row.grantedAt;
}

/** Sets from when on nothing is known to have been collected under a locked consent. */
export async function setUnusedSince(
  tx: Tx,
  { merchantId, consentId }: UnusedRow,
  since: Temporal.Instant,
): Promise<void> {
  await tx.run('UPDATE consents SET unused_since = $3 WHERE merchant_id = $1 AND consent_id = $2', [
    merchantId,
    consentId,
    since,
  ]);
}
