import type { Tx } from '../../platform/db/db.ts';
import { RECORDED } from './facts-store.ts';
import type { Stoppable } from './queue-store.ts';

/** Ad-hoc payments that are not due yet. */

/** An ad-hoc payment that is not due yet. */
export type Planned = Stoppable & { dueDate: Temporal.Instant };

/** Locks the ad-hoc payments of a locked schedule that are not due yet, earliest first. */
export function lockPlanned(
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  scheduleId: string,
): Promise<Planned[]> {
  return tx.rows<Planned>(
    `SELECT ${RECORDED}, w.manual, p.status,
       p.due_date
     FROM payments p JOIN payment_work w ON w.merchant_id = p.merchant_id AND w.payment_id = p.payment_id
     WHERE p.merchant_id = $1 AND p.schedule_id = $2 AND p.due_date > $3 AND p.ad_hoc IS NOT NULL
       AND p.status = 'pending' AND w.stage = 'wait' AND w.attempt = 0
     ORDER BY p.due_date, p.payment_id FOR UPDATE OF w`,
    [merchantId, scheduleId, now],
  );
}

/** Returns when the first ad-hoc payment of each of these schedules is due that is not due yet; one without any is absent. */
export async function findPlannedAt(
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  scheduleIds: readonly string[],
): Promise<Map<string, Temporal.Instant>> {
  if (scheduleIds.length === 0) return new Map();
  const rows = await tx.rows<{ scheduleId: string; dueDate: Temporal.Instant | null }>(
    `SELECT k.schedule_id, p.due_date FROM unnest($2::text[]) AS k (schedule_id)
     CROSS JOIN LATERAL (SELECT min(due_date) AS due_date FROM (SELECT due_date FROM payments
       WHERE merchant_id = $1 AND schedule_id = k.schedule_id AND due_date > $3 AND status = 'pending' OFFSET 0) waits) p`,
    [merchantId, scheduleIds, now],
  );
  return new Map(
    rows.flatMap(({ scheduleId: id, dueDate: at }) => (at === null ? [] : [[id, at]])),
  );
}
