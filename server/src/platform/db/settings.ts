import pg from 'pg';
import type { Setting } from './transaction.ts';

/** Settings of one transaction, by name. */
export type Settings = Readonly<Record<string, string>>;

/** Returns the statement that makes settings for the present transaction. */
export function inOneStatement(values: Settings): Setting[] {
  const calls = Object.keys(values).map((name, n) => `set_config('${name}', $${n + 1}, true)`);
  return [{ sql: `SELECT ${calls.join(', ')}`, values: Object.values(values) }];
}

/** The same as statements that Citus passes on to its workers, where a function's call would not reach. */
export function oneByOne(values: Settings): Setting[] {
  return Object.entries({ 'citus.propagate_set_commands': 'local', ...values }).map(
    ([name, value]) => ({
      sql: `SET LOCAL ${name} = ${pg.escapeLiteral(value)}`,
      isOnce: true,
    }),
  );
}
