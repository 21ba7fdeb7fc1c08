import type { Tx } from '../../platform/db/db.ts';

/** Returns the descriptions of these schedules, by their ids. */
export async function findDescriptions(
  tx: Tx,
  merchantId: string,
  scheduleIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.rows<{ scheduleId: string; description: string }>(
    'SELECT schedule_id, description FROM schedules WHERE merchant_id = $1 AND schedule_id = ANY($2::text[])',
    [merchantId, scheduleIds],
  );
  return new Map(rows.map((row) => [row.scheduleId, row.description]));
}
