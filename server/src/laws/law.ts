import type { Tx } from '../platform/db.ts';

/** A law of money, and how to find what breaks it. */
export interface Law {
  name: string;
  sentence: string;
  /** What breaks it, a line each; empty: it holds. At most `MOST` lines. */
  broken(tx: Tx): Promise<string[]>;
}

/** So many lines say enough. */
export const MOST = 20;

/** A law that one statement finds the breaches of, each as its column `what`. */
export const bySql = (name: string, sentence: string, sql: string): Law => ({
  name,
  sentence,
  async broken(tx) {
    // Materialised: a plan that is quick to find the first of many would be slow where there is none.
    const found = `WITH found AS MATERIALIZED (${sql}) SELECT what FROM found LIMIT ${MOST}`;
    return (await tx.rows<{ what: string }>(found)).map((row) => row.what);
  },
});
