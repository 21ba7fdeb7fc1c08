import type { Tx } from './transaction.ts';
import type { SqlValue } from './types.ts';

/**
 * What the API's role may do through a view, a function or a policy that belongs to the tables' owner: see its team and who let
 * whom in, and make a link for one of it. Citus puts the tables of a view in its place, and a node then asks for the role's own
 * rights to them.
 */
const BY_OWNER =
  /\b(?:team_members|team_memberships|notice_readers|find_let_in)\b|^\s*INSERT INTO user_links\b/;

/** A function's setting stays on the coordinator, which then uses connections of that role to the other nodes. */
const AS_ROLE = `SELECT set_config('role', $1, true)`;

/**
 * Does that on a cluster in the engine's role, which has those rights, and goes back to the API's. Each view is confined to the
 * transaction's merchant by its own condition, and whoever makes a link has read in one whose it is. The three statements are
 * sent one after the other, so that no other one of the transaction comes between.
 */
export function doingAsOwner(tx: Tx): Tx {
  const asEngine = <T>(sql: string, told: () => Promise<T>): Promise<T> => {
    if (!BY_OWNER.test(sql)) return told();
    const all = Promise.all([
      tx.run(AS_ROLE, ['recollect_engine']),
      told(),
      tx.run(AS_ROLE, ['recollect_api']),
    ]);
    return all.then(([, found]) => found);
  };
  return {
    ...tx,
    rows: <R extends object>(sql: string, values?: readonly SqlValue[]) =>
      asEngine(sql, () => tx.rows<R>(sql, values)),
    row: <R extends object>(sql: string, values?: readonly SqlValue[]) =>
      asEngine(sql, () => tx.row<R>(sql, values)),
    run: (sql, values) => asEngine(sql, () => tx.run(sql, values)),
  };
}
