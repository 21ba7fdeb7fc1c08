import type { Tx } from '../../platform/db/db.ts';

/** What the owner of the fee wallet has moved at the issuer until a moment, counted for good. */
export interface Counted {
  /** Null: nothing was counted yet. */
  to: Temporal.Instant | null;
  ownersPence: number;
}

/** Returns what was counted. */
export async function readCounted(tx: Tx): Promise<Counted> {
  const row = await tx.row<{ to: Temporal.Instant | null; pence: number }>(
    'SELECT counted_to AS to, owners_pence AS pence FROM fee_wallet',
  );
  return { to: row?.to ?? null, ownersPence: row?.pence ?? 0 };
}

/** Counts more, unless another process has, or it goes back. */
export async function countOwners(
  tx: Tx,
  before: Counted,
  more: { to: Temporal.Instant; pence: number },
): Promise<void> {
  await tx.run(
    `UPDATE fee_wallet SET counted_to = $2, owners_pence = owners_pence + $3
     WHERE counted_to IS NOT DISTINCT FROM $1 AND (counted_to IS NULL OR counted_to < $2)`,
    [before.to, more.to, more.pence],
  );
}

/** Returns all fees that were transferred, and which of these settlements' are booked. */
export async function readTransferredFees(
  tx: Tx,
  settlementIds: readonly string[],
): Promise<{ takenPence: number; booked: ReadonlySet<string> }> {
  const row = await tx.row<{ pence: number; ids: string[] | null }>(
    `SELECT coalesce(sum(taken_pence), 0)::bigint AS pence,
       array_agg(settlement_id) FILTER (WHERE taken_pence IS NOT NULL AND settlement_id = ANY ($1)) AS ids
     FROM fee_transfers`,
    [settlementIds],
  );
  return { takenPence: row?.pence ?? 0, booked: new Set(row?.ids ?? []) };
}
