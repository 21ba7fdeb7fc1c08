import { inOneStatement, oneByOne } from '../connection/settings.ts';
import { columns } from '../db/columns.ts';
import type { Tx } from '../db/db.ts';
import { WHOLE_SERVICE } from './actor.ts';

/** One change of state: object, from, to, reason. Feeds the audit trail and the timeline. */
export interface StateChange {
  merchantId: string;
  objectId: string;
  scheduleId: string | null;
  from: string | null;
  to: string;
  reason: string;
}

/**
 * Records state changes in the transaction that makes them. The actor comes from the transaction (`asActor`, `actor` of
 * `Db`); the default is the service itself.
 */
export async function recordChanges(
  tx: Tx,
  at: Temporal.Instant,
  changes: readonly StateChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await tx.insert(
    `INSERT INTO state_changes (merchant_id, object_id, schedule_id, from_state, to_state, reason, at)
     SELECT *, $7::timestamptz FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
     RETURNING 1`,
    [...columns(changes, 'merchantId', 'objectId', 'scheduleId', 'from', 'to', 'reason'), at],
  );
}

/** Names another author of the changes that follow in this transaction. */
export async function actAs(tx: Tx, actor: string): Promise<void> {
  const settings = { 'recollect.actor': actor };
  const statements = tx.shards === undefined ? inOneStatement(settings) : oneByOne(settings);
  for (const { sql, values = [] } of statements) await tx.run(sql, values);
}

/** Records a change of the whole service, or of something that belongs to no merchant. */
export function recordServiceChange(
  tx: Tx,
  at: Temporal.Instant,
  {
    from = null,
    ...change
  }: Pick<StateChange, 'objectId' | 'to' | 'reason'> & { from?: string | null },
): Promise<void> {
  const about = { merchantId: WHOLE_SERVICE, scheduleId: null, from };
  return recordChanges(tx, at, [{ ...about, ...change }]);
}

/** Returns the next number of the audit trail, for what has to be placed among the changes of state. */
export async function nextChangeId(tx: Tx): Promise<number> {
  const row = await tx.row<{ id: number }>(`SELECT nextval('state_changes_change_id_seq') AS id`);
  if (row === null) throw new Error('a sequence has no next number');
  return row.id;
}
