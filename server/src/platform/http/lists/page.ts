import type { Tx } from '../../connection/transaction.ts';
import type { SqlValue } from '../../connection/types.ts';

/** Which part of a list is shown. */
export interface Page {
  limit: number;
  offset: number;
}

/** Which rows a list has: `from` ends with its conditions, of which `values` are the values. */
interface Listing {
  columns: string;
  from: string;
  values: readonly SqlValue[];
  order: string;
}

/** Returns a page of a list, and how many rows it has in all, in one round trip. The texts are constants, never from a caller. */
export async function readPage<Row extends object>(
  tx: Tx,
  { columns, from, values, order }: Listing,
  { limit, offset }: Page,
): Promise<{ rows: Row[]; total: number }> {
  const place = values.length + 1;
  const [rows, count] = await Promise.all([
    tx.rows<Row>(
      `SELECT ${columns} FROM ${from} ORDER BY ${order} LIMIT $${place} OFFSET $${place + 1}`,
      [...values, limit, offset],
    ),
    tx.row<{ total: number }>(`SELECT count(*) AS total FROM ${from}`, values),
  ]);
  return { rows, total: count?.total ?? 0 };
}
