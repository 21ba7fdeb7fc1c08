import { columns } from './db/columns.ts';
import type { Tx } from './db.ts';

/** One change of state: what, from, to, why. The audit trail, and the timeline that people read. */
export interface StateChange {
  merchantId: string;
  objectId: string;
  scheduleId: string | null;
  from: string | null;
  to: string;
  reason: string;
}

/** An API key or a member by their id, as the audit trail names who made a change. */
export function actorOf(callerId: string): string {
  return `${callerId.startsWith('usr_') ? 'member' : 'api_key'}:${callerId}`;
}

/** Whoever runs the service and has given a command, by the name they go by. */
export function operatorActor(name: string): string {
  return `operator:${name}`;
}

/**
 * Writes changes of state in the transaction that makes them. Who made them is read from the transaction (`asActor`, `actor` of
 * `Db`): the service itself where nobody was named.
 */
export async function recordChanges(
  tx: Tx,
  at: Temporal.Instant,
  changes: readonly StateChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await tx.run(
    `INSERT INTO state_changes (merchant_id, object_id, schedule_id, from_state, to_state, reason, at)
     SELECT *, $7::timestamptz FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])`,
    [...columns(changes, 'merchantId', 'objectId', 'scheduleId', 'from', 'to', 'reason'), at],
  );
}
