import type { Tx } from '../platform/db/db.ts';
import { rowBy } from '../platform/db/row-by.ts';
import { type List, type Page, readPage } from '../platform/http/lists/page.ts';
import { moveRows, type Step } from '../platform/state/move-rows.ts';
import { transition } from '../platform/state/state-machine.ts';
import { WALLETS, type WalletStatus } from './wallet.ts';

export interface WalletRow {
  walletId: string;
  customerId: string | null;
  status: WalletStatus;
  issuerWalletId: string | null;
  account: string | null;
  createdAt: Temporal.Instant;
}

const COLUMNS = 'wallet_id, customer_id, status, issuer_wallet_id, account, created_at';

/** Locks and returns the wallet in use of a customer (null: the merchant's own). */
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

/** Locks a wallet until the transaction ends. */
export async function lockWallet(tx: Tx, merchantId: string, walletId: string): Promise<void> {
  await tx.run('SELECT 1 FROM wallets WHERE merchant_id = $1 AND wallet_id = $2 FOR UPDATE', [
    merchantId,
    walletId,
  ]);
}

/** Returns a wallet, without locking it. */
export const findWallet = rowBy<WalletRow>(
  `SELECT ${COLUMNS} FROM wallets WHERE merchant_id = $1 AND wallet_id = $2`,
);

/** Inserts a planned wallet; does nothing if the customer has one in use already. */
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

/** Makes a wallet due now, so that the engine opens or closes it at the issuer. */
export async function pollNow(
  tx: Tx,
  merchantId: string,
  walletId: string,
  now: Temporal.Instant,
): Promise<void> {
  await tx.run('UPDATE wallets SET due_at = $3 WHERE merchant_id = $1 AND wallet_id = $2', [
    merchantId,
    walletId,
    now,
  ]);
}

export interface WalletRef {
  merchantId: string;
  walletId: string;
}

const RESERVED = transition(WALLETS, ['planned'], 'reserved');
const RESERVED_TOO_LATE = transition(WALLETS, ['closing', 'closed'], 'closing');
const OPENED = transition(WALLETS, ['planned', 'reserved'], 'open');
const RELEASED = transition(WALLETS, ['planned', 'reserved'], 'closing');
const CLOSED = transition(WALLETS, ['closing'], 'closed');

/** Moves a wallet along an edge of the table: the only writer of its status. */
async function moveWallet(
  tx: Tx,
  now: Temporal.Instant,
  wallet: WalletRef,
  step: Omit<Step<WalletStatus, WalletRef>, 'rows' | 'columns'> &
    Partial<Pick<Step<WalletStatus, WalletRef>, 'columns'>>,
): Promise<void> {
  await moveRows<WalletStatus, WalletRef>(tx, now, {
    ...step,
    rows: [wallet],
    columns: {
      merchant_id: ['text', (one) => one.merchantId],
      wallet_id: ['text', (one) => one.walletId],
      at: ['timestamptz', () => now],
      ...step.columns,
    },
  });
}

/** Records what the issuer has reserved. If the wallet is no longer needed by then, it is released at the issuer. */
export function markReserved(
  tx: Tx,
  now: Temporal.Instant,
  wallet: WalletRef,
  reserved: { issuerWalletId: string; account: string },
): Promise<void> {
  return moveWallet(tx, now, wallet, {
    move: [RESERVED, RESERVED_TOO_LATE],
    columns: {
      issuer_wallet_id: ['text', () => reserved.issuerWalletId],
      account: ['text', () => reserved.account],
    },
    set: `issuer_wallet_id = n.issuer_wallet_id, account = n.account,
      due_at = CASE WHEN t.status = 'planned' THEN t.due_at ELSE n.at END`,
    where: 't.issuer_wallet_id IS NULL',
  });
}

export function markOpen(tx: Tx, now: Temporal.Instant, wallet: WalletRef): Promise<void> {
  const set = 'opened_at = n.at, due_at = NULL';
  return moveWallet(tx, now, wallet, { move: OPENED, set });
}

/** Marks a reserved wallet for release at the issuer, unless it was opened. */
export function markClosing(tx: Tx, now: Temporal.Instant, wallet: WalletRef): Promise<void> {
  return moveWallet(tx, now, wallet, { move: RELEASED, set: 'due_at = n.at' });
}

export function markClosed(tx: Tx, now: Temporal.Instant, wallet: WalletRef): Promise<void> {
  const set = 'closed_at = n.at, due_at = NULL';
  return moveWallet(tx, now, wallet, { move: CLOSED, set });
}

/** Finds the merchant's own wallet. */
export function findMerchantWallet(
  tx: Tx,
  merchantId: string,
): Promise<{ walletId: string; status: string; issuerWalletId: string | null } | null> {
  return tx.row(
    `SELECT wallet_id, status, issuer_wallet_id FROM wallets
     WHERE merchant_id = $1 AND customer_id IS NULL AND status <> 'closed'`,
    [merchantId],
  );
}

export interface WalletBalanceRow {
  walletId: string;
  customerId: string | null;
  status: WalletRow['status'];
  balancePence: number;
}

/** Returns wallets with their balances in the ledger, the merchant's own first, then the newest. */
export async function listWallets(
  tx: Tx,
  merchantId: string,
  page: Page,
): Promise<List<WalletBalanceRow>> {
  return readPage<WalletBalanceRow>(
    tx,
    {
      columns: `w.wallet_id, w.customer_id, w.status, w.own, w.created_at,
        coalesce(a.balance_pence, 0) AS balance_pence`,
      from: `(SELECT *, (customer_id IS NULL)::int AS own FROM wallets) w
        LEFT JOIN accounts a ON a.merchant_id = w.merchant_id AND a.account_id = w.wallet_id
        WHERE w.merchant_id = $1`,
      values: [merchantId],
      order: {
        by: { 'w.own': 'integer', 'w.created_at': 'instant', 'w.wallet_id': 'text' },
        isDescending: true,
      },
    },
    page,
  );
}

/** Returns what a wallet holds at the issuer by our books, including unallocated money; null if there is no such wallet. */
export async function heldInWallet(
  tx: Tx,
  merchantId: string,
  walletId: string,
): Promise<{ issuerWalletId: string | null; pence: number } | null> {
  const row = await tx.row<{ issuerWalletId: string | null; pence: number }>(
    `SELECT w.issuer_wallet_id, h.pence FROM wallets w JOIN wallet_holdings h USING (merchant_id, wallet_id)
     WHERE w.merchant_id = $1 AND w.wallet_id = $2`,
    [merchantId, walletId],
  );
  return row === null ? null : { issuerWalletId: row.issuerWalletId, pence: row.pence };
}
