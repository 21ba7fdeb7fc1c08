import { type ConsentRow, findConsent } from '../consents/store.ts';
import { columns } from '../platform/db/columns.ts';
import type { Tx } from '../platform/db.ts';
import { oneOf } from '../platform/one-of.ts';
import { opaque } from '../platform/opaque.ts';

/** A check of a consent before a collection. */
export interface Check {
  merchant_id: string;
  schedule_id: string;
  consent: ConsentRow | null;
}

/** Claims checks that are due. `check_at` becomes their lease, unless the collection is due before the lease ends. */
export async function claimChecks(
  tx: Tx,
  now: Temporal.Instant,
  lease: Temporal.Instant,
  limit: number,
): Promise<Check[]> {
  const rows = await tx.rows<{ merchant_id: string; schedule_id: string; consent_id: string }>(
    `UPDATE schedules t SET check_at = CASE WHEN t.due_at <= $3 THEN NULL ELSE $3::timestamptz END
     WHERE ${oneOf('SELECT ctid FROM schedules WHERE check_at <= $1 ORDER BY check_at LIMIT $2 FOR UPDATE SKIP LOCKED')}
     RETURNING t.merchant_id, t.schedule_id, t.consent_id`,
    [now, limit, lease],
  );
  const checks: Check[] = [];
  for (const { merchant_id, schedule_id, consent_id } of rows)
    checks.push({
      merchant_id,
      schedule_id,
      consent: await findConsent(tx, merchant_id, consent_id),
    });
  return checks;
}

/** Ends completed checks; one that was rescheduled meanwhile stays. */
export async function endChecks(
  tx: Tx,
  lease: Temporal.Instant,
  checks: readonly Check[],
): Promise<void> {
  await tx.run(
    `UPDATE schedules s SET check_at = NULL FROM unnest($1::text[], $2::text[]) AS d (merchant_id, schedule_id)
     WHERE s.merchant_id = d.merchant_id AND s.schedule_id = d.schedule_id AND ${opaque('s.check_at = $3')}`,
    [...columns(checks, 'merchant_id', 'schedule_id'), lease],
  );
}
