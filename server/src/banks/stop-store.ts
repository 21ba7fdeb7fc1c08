import type { Tx } from '../platform/db/db.ts';
import { nextChangeId } from '../platform/state/audit-trail.ts';

/** A bank to which no payment order goes: docs/rules/holds.md#a-stopped-bank. */
export interface BankStop {
  bankId: string;
  since: Temporal.Instant;
  by: string;
  reason: string;
}

const NOT_ENDED = 'ended_at IS NULL';

/** Returns the banks that are stopped. */
export async function listStops(tx: Tx): Promise<BankStop[]> {
  const rows = await tx.rows<{
    bankId: string;
    since: Temporal.Instant;
    givenBy: string;
    reason: string;
  }>(`SELECT bank_id, since, given_by, reason FROM bank_stops WHERE ${NOT_ENDED} ORDER BY bank_id`);
  return rows.map(({ bankId, since, givenBy: by, reason }) => ({
    bankId,
    since,
    by,
    reason,
  }));
}

/** Returns which banks are stopped, since when: what everybody may read of a stop. */
export function listStopTimes(tx: Tx): Promise<Pick<BankStop, 'bankId' | 'since'>[]> {
  return tx.rows(
    `SELECT bank_id AS bank_id, since FROM bank_stops WHERE ${NOT_ENDED} ORDER BY bank_id`,
  );
}

/** A time in which a bank was stopped; `endedAt` null: it still is. */
export interface StopTime {
  bankId: string;
  since: Temporal.Instant;
  endedAt: Temporal.Instant | null;
}

/** Returns when banks were stopped since a moment, oldest first. */
export function listStopsSince(tx: Tx, moment: Temporal.Instant): Promise<StopTime[]> {
  return tx.rows(
    `SELECT bank_id AS bank_id, since, ended_at AS ended_at FROM bank_stops
     WHERE ${NOT_ENDED} OR ended_at > $1 ORDER BY since`,
    [moment],
  );
}

/** Returns those of these banks that are stopped. */
export async function findStopped(tx: Tx, bankIds: readonly string[]): Promise<Set<string>> {
  const rows = await tx.rows<{ bankId: string }>(
    `SELECT bank_id FROM bank_stops WHERE bank_id = ANY ($1::text[]) AND ${NOT_ENDED}`,
    [[...new Set(bankIds)]],
  );
  return new Set(rows.map((row) => row.bankId));
}

/** Inserts a stop. */
export async function insertStop(tx: Tx, stop: BankStop): Promise<void> {
  await tx.run(
    'INSERT INTO bank_stops (bank_id, since, given_by, reason) VALUES ($1, $2, $3, $4)',
    [stop.bankId, stop.since, stop.by, stop.reason],
  );
}

/** Ends a stop. Returns false if there is none. */
export async function endStop(
  tx: Tx,
  bankId: string,
  end: { at: Temporal.Instant; by: string; reason: string },
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE bank_stops SET ended_at = $2, ended_by = $3, end_reason = $4,
       end_sequence = $5 WHERE bank_id = $1 AND ${NOT_ENDED}`,
    [bankId, end.at, end.by, end.reason, await nextChangeId(tx)],
  );
  return changed === 1;
}
