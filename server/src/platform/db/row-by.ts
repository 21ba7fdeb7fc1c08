import type { SqlValue, Tx } from './db.ts';

/**
 * Defines a read of one of a merchant's rows by one value: in `sql`, $1 is the merchant and $2 the value. It returns null if
 * there is no such row. The text is a constant, never from a caller.
 */
export const rowBy =
  <R extends object, V extends SqlValue = string>(sql: string) =>
  (tx: Tx, merchantId: string, value: V): Promise<R | null> =>
    tx.row<R>(sql, [merchantId, value]);
