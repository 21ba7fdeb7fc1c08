import type { Tx } from '../platform/db.ts';

export interface WalletRow {
  wallet_id: string;
  customer_id: string | null;
  status: 'planned' | 'reserved' | 'open' | 'closing' | 'closed';
  issuer_wallet_id: string | null;
  account: string | null;
}

const COLUMNS = 'wallet_id, customer_id, status, issuer_wallet_id, account';

/** The wallet in use of a customer (null: the merchant's own), locked. */
export function lockWalletOf(
  tx: Tx,
  merchantId: string,
  customerId: string | null,
): Promise<WalletRow | null> {
  return tx.row<WalletRow>(
    `SELECT ${COLUMNS} FROM wallets WHERE merchant_id = $1 AND coalesce(customer_id, '') = coalesce($2, '')
       AND status IN ('planned', 'reserved', 'open') FOR UPDATE`,
    [merchantId, customerId],
  );
}

/** Holds a wallet until the transaction ends. */
export async function lockWallet(tx: Tx, merchantId: string, walletId: string): Promise<void> {
  await tx.run('SELECT 1 FROM wallets WHERE merchant_id = $1 AND wallet_id = $2 FOR UPDATE', [
    merchantId,
    walletId,
  ]);
}

export function findWallet(
  tx: Tx,
  merchantId: string,
  walletId: string,
): Promise<WalletRow | null> {
  return tx.row<WalletRow>(
    `SELECT ${COLUMNS} FROM wallets WHERE merchant_id = $1 AND wallet_id = $2`,
    [merchantId, walletId],
  );
}

/** Inserts a planned wallet; where the customer has one in use already, nothing happens. */
export async function insertWallet(
  tx: Tx,
  merchantId: string,
  walletId: string,
  customerId: string | null,
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `INSERT INTO wallets (merchant_id, wallet_id, customer_id, status, created_at) VALUES ($1, $2, $3, 'planned', $4)
     ON CONFLICT DO NOTHING`,
    [merchantId, walletId, customerId, now],
  );
}

/** What the issuer has reserved. A wallet that nobody needs any more when it says so is released there. */
export async function markReserved(
  tx: Tx,
  merchantId: string,
  walletId: string,
  issuerWalletId: string,
  account: string,
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `UPDATE wallets SET issuer_wallet_id = $3, account = $4,
       status = CASE status WHEN 'planned' THEN 'reserved' ELSE 'closing' END,
       due_at = CASE status WHEN 'planned' THEN due_at ELSE $5 END
     WHERE merchant_id = $1 AND wallet_id = $2 AND issuer_wallet_id IS NULL AND status IN ('planned', 'closing', 'closed')`,
    [merchantId, walletId, issuerWalletId, account, now],
  );
}

export async function markOpen(
  tx: Tx,
  merchantId: string,
  walletId: string,
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `UPDATE wallets SET status = 'open', opened_at = $3, due_at = NULL
     WHERE merchant_id = $1 AND wallet_id = $2 AND status IN ('planned', 'reserved')`,
    [merchantId, walletId, now],
  );
}

/** Sets a reserved wallet to be released at the issuer, unless it was opened. */
export async function markClosing(
  tx: Tx,
  merchantId: string,
  walletId: string,
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `UPDATE wallets SET status = 'closing', due_at = $3
     WHERE merchant_id = $1 AND wallet_id = $2 AND status IN ('planned', 'reserved')`,
    [merchantId, walletId, now],
  );
}

export async function markClosed(
  tx: Tx,
  merchantId: string,
  walletId: string,
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `UPDATE wallets SET status = 'closed', closed_at = $3, due_at = NULL WHERE merchant_id = $1 AND wallet_id = $2`,
    [merchantId, walletId, now],
  );
}

/** The merchant's own wallet. */
export function findMerchantWallet(
  tx: Tx,
  merchantId: string,
): Promise<{ wallet_id: string; status: string; issuer_wallet_id: string | null } | null> {
  return tx.row(
    `SELECT wallet_id, status, issuer_wallet_id FROM wallets
     WHERE merchant_id = $1 AND customer_id IS NULL AND status <> 'closed'`,
    [merchantId],
  );
}

export interface WalletBalanceRow {
  wallet_id: string;
  customer_id: string | null;
  status: WalletRow['status'];
  balance_pence: number;
}

/** Wallets with their balances in the ledger, the merchant's own first, then the newest; and how many there are. */
export async function listWallets(
  tx: Tx,
  merchantId: string,
  limit: number,
  offset: number,
): Promise<{ rows: WalletBalanceRow[]; total: number }> {
  const rows = await tx.rows<WalletBalanceRow>(
    `SELECT w.wallet_id, w.customer_id, w.status, coalesce(a.balance_pence, 0) AS balance_pence
     FROM wallets w LEFT JOIN accounts a ON a.merchant_id = w.merchant_id AND a.account_id = w.wallet_id
     WHERE w.merchant_id = $1
     ORDER BY (w.customer_id IS NULL) DESC, w.created_at DESC, w.wallet_id DESC LIMIT $2 OFFSET $3`,
    [merchantId, limit, offset],
  );
  const count = await tx.row<{ total: number }>(
    'SELECT count(*) AS total FROM wallets WHERE merchant_id = $1',
    [merchantId],
  );
  return { rows, total: count?.total ?? 0 };
}

/** What a wallet holds at the issuer by our books, unallocated money included; null where there is no such wallet. */
export async function heldInWallet(
  tx: Tx,
  merchantId: string,
  walletId: string,
): Promise<{ issuerWalletId: string | null; pence: number } | null> {
  const row = await tx.row<{ issuer_wallet_id: string | null; pence: number }>(
    `SELECT w.issuer_wallet_id, h.pence FROM wallets w JOIN wallet_holdings h USING (merchant_id, wallet_id)
     WHERE w.merchant_id = $1 AND w.wallet_id = $2`,
    [merchantId, walletId],
  );
  return row === null ? null : { issuerWalletId: row.issuer_wallet_id, pence: row.pence };
}
