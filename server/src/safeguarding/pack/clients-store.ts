import type { Tx } from '../../platform/db/db.ts';
import { ACCOUNTS_AT, FEES_DUE, valuesAt } from '../books-store.ts';

/** A client's account as of a moment, sealed as it is stored. */
export interface ClientRow {
  merchantId: string;
  merchantName: string;
  accountId: string;
  kind: 'customer_wallet' | 'merchant_wallet' | 'in_settlement' | 'fees' | 'owed';
  pence: number;
  customerId: string | null;
  name: string | null;
  email: string | null;
  phone: string | null;
  bankAccount: string | null;
  reference: string | null;
  erasedAt: Temporal.Instant | null;
  issuerWalletId: string | null;
}

/** SQL: what is owed of an account `k`; fees that a settlement has taken are the operator's. */
const OWED = '(k.pence - coalesce(due.pence, 0))';

/**
 * Reads what each client is owed as of a moment, in the order of merchants and accounts, `size` rows at a time. What a merchant
 * owes for recalled pay-ins is listed too, below zero, and is netted with nothing. Call it in a snapshot.
 */
export async function* clientsAt(
  tx: Tx,
  at: Temporal.Instant,
  size: number,
): AsyncIterable<ClientRow[]> {
  await tx.run(
    `DECLARE clients_at NO SCROLL CURSOR FOR
     SELECT k.merchant_id, m.name AS merchant_name, k.account_id, k.kind, ${OWED}::bigint AS pence, w.customer_id, c.name,
       c.email, c.phone, c.bank_account, c.reference, c.erased_at, w.issuer_wallet_id
     FROM ${ACCOUNTS_AT} k JOIN merchants m ON m.merchant_id = k.merchant_id
     LEFT JOIN wallets w ON w.merchant_id = k.merchant_id AND w.wallet_id = k.account_id
     LEFT JOIN customers c ON c.merchant_id = w.merchant_id AND c.customer_id = w.customer_id
     LEFT JOIN ${FEES_DUE} due ON due.merchant_id = k.merchant_id AND k.kind = 'fees'
     WHERE ${OWED} <> 0 AND k.kind IN ('customer_wallet', 'merchant_wallet', 'in_settlement', 'fees', 'owed')
     ORDER BY k.merchant_id, k.account_id`,
    valuesAt(at),
  );
  for (;;) {
    const rows = await tx.rows<ClientRow>(`FETCH ${Math.trunc(size)} FROM clients_at`);
    if (rows.length === 0) break;
    yield rows;
  }
  await tx.run('CLOSE clients_at');
}
