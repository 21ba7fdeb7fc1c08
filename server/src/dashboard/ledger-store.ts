import type { Static } from 'typebox';
import type { Tx } from '../platform/db/db.ts';
import { formatInstant } from '../platform/time/calendar.ts';
import { findEntries } from '../wallets/entries-store.ts';
import type { LedgerEntry } from './payments/view.ts';

/** Returns the ledger transfers that record these sources (payments, settlement attempts, pay-ins), oldest first. */
export async function ledgerEntries(
  tx: Tx,
  merchantId: string,
  sourceIds: readonly string[],
  currency: string,
): Promise<Static<typeof LedgerEntry>[]> {
  const rows = await findEntries(tx, merchantId, sourceIds);
  return rows.map((row) => ({
    id: row.transferId,
    kind: row.kind,
    debit: { id: row.debitAccountId, kind: row.debitKind },
    credit: { id: row.creditAccountId, kind: row.creditKind },
    amount: { value: row.amountPence, currency },
    at: formatInstant(row.at),
  }));
}
