import type { Static } from 'typebox';
import type { Tx } from '../platform/db/db.ts';
import { formatInstant } from '../platform/time/calendar.ts';
import type { Posting } from '../wallets/ledger-store.ts';
import type { LedgerEntry } from './payments/view.ts';

interface EntryRow {
  transferId: string;
  kind: Posting['kind'];
  debitAccountId: string;
  debitKind: string;
  creditAccountId: string;
  creditKind: string;
  amountPence: number;
  at: Temporal.Instant;
}

/** Returns the ledger transfers that record these sources (payments, settlement attempts, pay-ins), oldest first. */
export async function ledgerEntries(
  tx: Tx,
  merchantId: string,
  sourceIds: readonly string[],
  currency: string,
): Promise<Static<typeof LedgerEntry>[]> {
  const rows = await tx.rows<EntryRow>(
    `SELECT t.transfer_id, t.kind, t.debit_account_id, d.kind AS debit_kind, t.credit_account_id, c.kind AS credit_kind,
       t.amount_pence, t.at
     FROM transfers t
     JOIN accounts d ON d.merchant_id = t.merchant_id AND d.account_id = t.debit_account_id
     JOIN accounts c ON c.merchant_id = t.merchant_id AND c.account_id = t.credit_account_id
     WHERE t.merchant_id = $1 AND t.source_id = ANY ($2::text[]) ORDER BY t.transfer_id`,
    [merchantId, sourceIds],
  );
  return rows.map((row) => ({
    id: row.transferId,
    kind: row.kind,
    debit: { id: row.debitAccountId, kind: row.debitKind },
    credit: { id: row.creditAccountId, kind: row.creditKind },
    amount: { value: row.amountPence, currency },
    at: formatInstant(row.at),
  }));
}
