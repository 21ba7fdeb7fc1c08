import type { Tx } from '../../platform/db/db.ts';
import { type List, type Page, readPage } from '../../platform/http/lists/page.ts';
import type { Totals } from './reconciliation-store.ts';

/** A stored report of the daily reconciliation. */
export interface StoredReport extends Totals {
  date: Temporal.PlainDate;
  madeAt: Temporal.Instant;
  lines: number;
  /** How many differences were open after it. */
  differences: number;
  unknown: string | null;
  unknownSince: Temporal.Instant | null;
}

const COLUMNS = `date, made_at, lines, differences, unknown, unknown_since, wallets_pence, in_settlement_pence, unallocated_pence,
  fees_pence, claims_pence, owed_pence, outside_pence`;

/** Returns a page of reports, newest first. */
export async function listReports(tx: Tx, issuer: string, page: Page): Promise<List<StoredReport>> {
  return readPage<StoredReport>(
    tx,
    {
      columns: COLUMNS,
      from: 'reconciliations WHERE issuer = $1',
      values: [issuer],
      order: { by: { date: 'date' }, isDescending: true },
    },
    page,
  );
}

/** Returns the report of a day, or null. */
export function findReport(
  tx: Tx,
  issuer: string,
  date: Temporal.PlainDate,
): Promise<StoredReport | null> {
  return tx.row<StoredReport>(
    `SELECT ${COLUMNS} FROM reconciliations WHERE issuer = $1 AND date = $2`,
    [issuer, date],
  );
}
