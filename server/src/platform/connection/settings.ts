import pg from 'pg';
import type { Setting } from './transaction.ts';

/** Settings of one transaction, by name. */
export type Settings = Readonly<Record<string, string>>;

/** Returns the statement that makes settings for the present transaction. */
export function inOneStatement(values: Settings): Setting[] {
  const calls = Object.keys(values).map((name, n) => `set_config('${name}', $${n + 1}, true)`);
  return [{ sql: `SELECT ${calls.join(', ')}`, values: Object.values(values) }];
}

/**
 * The same as statements that Citus passes on to its workers, where a function's call would not reach. The role stays here: it is
 * the name under which Citus connects to a worker.
 */
export function oneByOne({ role, ...values }: Settings): Setting[] {
  const all = { ...(role && { role }), 'citus.propagate_set_commands': 'local', ...values };
  return Object.entries(all).map(([name, value]) => ({
    sql: `SET LOCAL ${name} = ${pg.escapeLiteral(value)}`,
    isOnce: true,
  }));
}
