import { type ConsentRow, findConsent } from '../../consents/store.ts';
import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { oneOf } from '../../platform/values/one-of.ts';
import { opaque } from '../../platform/values/opaque.ts';

/** A check of a consent before a collection. */
export interface Check {
  merchantId: string;
  scheduleId: string;
  consent: ConsentRow | null;
}

const DUE = `SELECT ctid FROM schedule_agenda WHERE check_at <= $1 ORDER BY check_at LIMIT $2
  FOR NO KEY UPDATE SKIP LOCKED`;

/** Claims checks that are due. `check_at` becomes their lease, unless the collection is due before the lease ends. */
export async function claimChecks(
  tx: Tx,
  now: Temporal.Instant,
  lease: Temporal.Instant,
  limit: number,
): Promise<Check[]> {
  const rows = await tx.rows<{ merchantId: string; scheduleId: string; consentId: string }>(
    `UPDATE schedule_agenda a SET check_at = CASE WHEN a.due_at <= $3 THEN NULL ELSE $3::timestamptz END
     FROM schedules s
     WHERE a.${oneOf(DUE)} AND s.merchant_id = a.merchant_id AND s.schedule_id = a.schedule_id
     RETURNING s.merchant_id, s.schedule_id, s.consent_id`,
    [now, limit, lease],
  );
  const checks: Check[] = [];
  for (const { merchantId, scheduleId, consentId } of rows)
    checks.push({
      merchantId,
      scheduleId,
      consent: await findConsent(tx, merchantId, consentId),
    });
  return checks;
}

/** Ends completed checks; one that was rescheduled meanwhile stays. Locks in primary-key order, as numbering events does. */
export async function endChecks(
  tx: Tx,
  lease: Temporal.Instant,
  checks: readonly Check[],
): Promise<void> {
  const keys = columns(checks, 'merchantId', 'scheduleId');
  await Promise.all([
    tx.run(
      `SELECT 1 FROM schedule_agenda WHERE (merchant_id, schedule_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
       ORDER BY merchant_id, schedule_id FOR NO KEY UPDATE`,
      keys,
    ),
    tx.run(
      `UPDATE schedule_agenda a SET check_at = NULL FROM unnest($1::text[], $2::text[]) AS d (merchant_id, schedule_id)
       WHERE a.merchant_id = d.merchant_id AND a.schedule_id = d.schedule_id AND ${opaque('a.check_at = $3')}`,
      [...keys, lease],
    ),
  ]);
}
