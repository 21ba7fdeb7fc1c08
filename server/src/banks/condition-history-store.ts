import type { Tx } from '../platform/db/db.ts';
import type { ConditionChange } from './condition-history.ts';

/** Records that a bank changed its condition. What was recorded from that moment on is replaced. */
export async function recordChange(
  tx: Tx,
  bankId: string,
  { at, condition }: ConditionChange,
): Promise<void> {
  await tx.run('DELETE FROM bank_condition_changes WHERE bank_id = $1 AND at >= $2', [bankId, at]);
  await tx.run('INSERT INTO bank_condition_changes (bank_id, at, condition) VALUES ($1, $2, $3)', [
    bankId,
    at,
    condition,
  ]);
}

/** Returns the changes of these banks since a moment, in order, each list begun by the one that held at that moment. */
export async function listChanges(
  tx: Tx,
  bankIds: readonly string[],
  since: Temporal.Instant,
): Promise<Map<string, ConditionChange[]>> {
  const rows = await tx.rows<ConditionChange & { bankId: string }>(
    `SELECT b.bank_id AS bank_id, c.at, c.condition FROM unnest($1::text[]) b (bank_id)
     JOIN LATERAL (SELECT at, condition FROM bank_condition_changes WHERE bank_id = b.bank_id
       AND at >= coalesce((SELECT max(at) FROM bank_condition_changes WHERE bank_id = b.bank_id AND at <= $2), $2)) c ON true
     ORDER BY b.bank_id, c.at`,
    [bankIds, since],
  );
  return Map.groupBy(rows, ({ bankId }) => bankId);
}
