import type { Tx } from '../db/db.ts';
import { THIS_PROCESS } from './this-process.ts';

/**
 * Where claims are, each with a condition where a row may not fall due earlier than it says: a payment that waits for its retry,
 * or for a bank that asked to be left alone, is claimed by nobody.
 */
const CLAIMED: Readonly<Record<string, string>> = {
  announcements: 'true',
  coming_announcements: 'true',
  bank_revocations: 'true',
  consents: 'true',
  debts: 'true',
  deliveries: 'true',
  fee_transfers: 'true',
  inbox: 'true',
  notices: 'true',
  operator_notices: 'true',
  payment_evidence: 'true',
  payment_work: "(stage = 'move' OR due_at = leased_until)",
  refunds: 'true',
  schedule_changes: 'true',
  settlements: 'true',
  unknown_bank_payments: 'true',
  wallets: 'true',
};

/** No claim lasts longer: what is due later waits for something else. */
const LONGEST_LEASE = `interval '6 minutes'`;

/** Payments that a process has claimed, of which nothing is heard. */
export interface Orphans {
  payments: number;
  /** For how long the process has been silent that was heard last. */
  silentSeconds: number;
}

/**
 * Counts the payments that are claimed by processes of which nothing was heard for longer. An engine gives them back in less:
 * there are some only where none runs, or none can.
 */
export async function countOrphans(
  tx: Tx,
  now: Temporal.Instant,
  silence: Temporal.Duration,
): Promise<Orphans> {
  const silent = await tx.rows<{ processId: number; seconds: number }>(
    `SELECT process_id, extract(epoch FROM clock_timestamp() - beat_at)::float8 AS seconds FROM engine_heartbeats
     WHERE beat_at < clock_timestamp() - $1::float8 * interval '1 second'`,
    [silence.total('seconds')],
  );
  if (silent.length === 0) return { payments: 0, silentSeconds: 0 };
  const row = await tx.row<{ count: number }>(
    `SELECT count(*)::int AS count FROM payment_work
     WHERE claimed_by = ANY ($1::int[]) AND due_at > $2 AND due_at = leased_until`,
    [silent.map(({ processId }) => processId), now],
  );
  return {
    payments: row?.count ?? 0,
    silentSeconds: Math.min(...silent.map(({ seconds }) => seconds)),
  };
}

/** Records that this process is at work. */
export async function recordBeat(tx: Tx): Promise<void> {
  await tx.run(
    `INSERT INTO engine_heartbeats (process_id, beat_at) VALUES (${THIS_PROCESS}, clock_timestamp())
     ON CONFLICT (process_id) DO UPDATE SET beat_at = excluded.beat_at`,
  );
}

/** Locks and returns the processes of which nothing was heard for longer than this; another process may be at it. */
export async function lockSilent(tx: Tx, silence: Temporal.Duration): Promise<number[]> {
  const rows = await tx.rows<{ processId: number }>(
    `SELECT process_id FROM engine_heartbeats
     WHERE process_id <> ${THIS_PROCESS} AND beat_at < clock_timestamp() - $1::float8 * interval '1 second'
     FOR UPDATE SKIP LOCKED`,
    [silence.total('seconds')],
  );
  return rows.map((row) => row.processId);
}

/** Makes due at `now` what these processes have claimed, and forgets them. Returns how much that was. */
export async function releaseClaimsOf(
  tx: Tx,
  now: Temporal.Instant,
  processIds: readonly number[],
): Promise<number> {
  let count = 0;
  for (const [table, condition] of Object.entries(CLAIMED))
    count += await tx.run(
      `UPDATE ${table} SET due_at = $2, claimed_by = NULL
       WHERE claimed_by = ANY ($1::int[]) AND due_at > $2 AND due_at <= $2 + ${LONGEST_LEASE} AND ${condition}`,
      [processIds, now],
    );
  await tx.run('DELETE FROM engine_heartbeats WHERE process_id = ANY ($1::int[])', [processIds]);
  return count;
}

/** Ends the heartbeats of this process, which has given back what it had claimed. */
export async function endBeats(tx: Tx): Promise<void> {
  await tx.run(`DELETE FROM engine_heartbeats WHERE process_id = ${THIS_PROCESS}`);
}
