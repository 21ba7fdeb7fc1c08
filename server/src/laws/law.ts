import type { Tx } from '../platform/db.ts';

/** A law of money, and how to find violations. */
export interface Law {
  name: string;
  sentence: string;
  /** Returns the violations, one line each; empty: the law is kept. At most `MOST` lines. */
  broken(tx: Tx): Promise<string[]>;
}

/** The maximum number of lines; more would not help. */
export const MOST = 20;

/** A law whose violations are found by one statement, each in its column `what`. */
export const bySql = (name: string, sentence: string, sql: string): Law => ({
  name,
  sentence,
  async broken(tx) {
    // Materialised: a plan that finds the first of many quickly would be slow if there is none.
    const found = `WITH found AS MATERIALIZED (${sql}) SELECT what FROM found LIMIT ${MOST}`;
    return (await tx.rows<{ what: string }>(found)).map((row) => row.what);
  },
});
