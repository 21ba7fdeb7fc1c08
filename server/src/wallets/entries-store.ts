import type { Tx } from '../platform/db/db.ts';
import type { Posting } from './ledger-store.ts';

/** A transfer of the ledger, with the kinds of its accounts. */
export interface EntryRow {
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
export function findEntries(
  tx: Tx,
  merchantId: string,
  sourceIds: readonly string[],
): Promise<EntryRow[]> {
  return tx.rows<EntryRow>(
    `SELECT t.transfer_id, t.kind, t.debit_account_id, d.kind AS debit_kind, t.credit_account_id, c.kind AS credit_kind,
       t.amount_pence, t.at
     FROM transfers t
     JOIN accounts d ON d.merchant_id = t.merchant_id AND d.account_id = t.debit_account_id
     JOIN accounts c ON c.merchant_id = t.merchant_id AND c.account_id = t.credit_account_id
     WHERE t.merchant_id = $1 AND t.source_id = ANY ($2::text[]) ORDER BY t.transfer_id`,
    [merchantId, sourceIds],
  );
}
