import { createHash } from 'node:crypto';
import type { Store } from '../store.ts';
import { IssuerError, idempotencyConflict } from './errors.ts';
import { newId } from './identifiers.ts';
import { keysSince } from './movements.ts';
import { addNotification } from './notifications.ts';

/** All wallets of the sandbox issuer share one sort code. */
const ISSUER_SORT_CODE = '040099';
const FIRST_ACCOUNT_NUMBER = 10_000_000;

/** A wallet as stored, with its balance (pence). */
export interface WalletRow {
  wallet_id: string;
  status: 'reserved' | 'open' | 'closed';
  external_reference: string;
  holder_name: string;
  sort_code: string;
  account_number: string;
  balance: number;
}

/** Who owns a wallet. */
export interface Holder {
  kind: 'person' | 'business';
  name: string;
}

/** What identifies a repeated request about a wallet. */
interface WalletRequest {
  idempotencyKey: string;
  at: string;
  /** Everything that must be equal for it to be the same request. */
  content: readonly unknown[];
}

const SELECT_WALLET = `SELECT w.wallet_id, w.status, w.external_reference, w.holder_name,
  w.sort_code, w.account_number, a.balance
  FROM wallets w JOIN accounts a ON a.account_id = w.wallet_id`;

/** Returns a wallet for the API. */
export function walletView(row: WalletRow) {
  return {
    wallet_id: row.wallet_id,
    status: row.status,
    external_reference: row.external_reference,
    account: {
      sort_code: row.sort_code,
      account_number: row.account_number,
      name: row.holder_name,
    },
    balance: { value: row.balance, currency: 'GBP' },
  };
}

/** Returns the wallet with this id, or undefined. */
export function findWallet(store: Store, walletId: string): WalletRow | undefined {
  return store.get<WalletRow>(`${SELECT_WALLET} WHERE w.wallet_id = :walletId`, { walletId });
}

/** Returns the wallet with this id. Throws 404 `unknown_wallet`. */
export function getWallet(store: Store, walletId: string): WalletRow {
  const wallet = findWallet(store, walletId);
  if (wallet) return wallet;
  throw new IssuerError(404, 'unknown_wallet', `There is no wallet ${walletId}`);
}

/** Returns the wallet with these account details, or undefined. */
export function findWalletByAccount(
  store: Store,
  account: { sort_code: string; account_number: string },
): WalletRow | undefined {
  return store.get<WalletRow>(
    `${SELECT_WALLET} WHERE w.account_number = :account_number AND w.sort_code = :sort_code`,
    { account_number: account.account_number, sort_code: account.sort_code },
  );
}

/** Lists the wallets with an external reference, oldest first. */
export function listWalletsNamed(store: Store, externalReference: string): WalletRow[] {
  return store.all<WalletRow>(
    `${SELECT_WALLET} WHERE w.external_reference = :externalReference ORDER BY w.seq`,
    { externalReference },
  );
}

/** Lists all wallets in the order they were reserved. */
export function listWallets(store: Store): WalletRow[] {
  return store.all<WalletRow>(`${SELECT_WALLET} ORDER BY w.seq`);
}

/** Reserves a wallet with its own account details. It accepts no money until it is opened. */
export function reserveWallet(
  store: Store,
  idempotencyKey: string,
  wanted: { externalReference: string; holder: Holder },
  at: string,
): WalletRow {
  const { externalReference, holder } = wanted;
  const request = { idempotencyKey, at, content: ['reserve', externalReference, holder] };
  return once(store, request, () => {
    const walletId = newId('wlt');
    store.run(`INSERT INTO accounts (account_id, kind) VALUES (:walletId, 'wallet')`, { walletId });
    store.run(
      `INSERT INTO wallets (wallet_id, status, external_reference, holder_kind, holder_name,
         sort_code, account_number, created_at)
       VALUES (:walletId, 'reserved', :externalReference, :kind, :name, :sortCode,
         (SELECT CAST(coalesce(max(seq), 0) + 1 + ${FIRST_ACCOUNT_NUMBER} AS TEXT) FROM wallets), :at)`,
      {
        walletId,
        externalReference,
        kind: holder.kind,
        name: holder.name,
        sortCode: ISSUER_SORT_CODE,
        at,
      },
    );
    return walletId;
  });
}

/** Opens a reserved wallet. Does nothing if it is open; throws 409 `wallet_closed` if it is closed. */
export function openWallet(
  store: Store,
  idempotencyKey: string,
  walletId: string,
  at: string,
): WalletRow {
  return once(store, { idempotencyKey, at, content: ['open', walletId] }, () => {
    const wallet = getWallet(store, walletId);
    if (wallet.status === 'closed') {
      throw new IssuerError(409, 'wallet_closed', 'A closed wallet cannot be opened again');
    }
    setStatus(store, wallet, 'open', at);
    return walletId;
  });
}

/** Closes a wallet, or releases a reserved one. Throws 409 `wallet_not_empty` while it contains or awaits money. */
export function closeWallet(
  store: Store,
  idempotencyKey: string,
  walletId: string,
  at: string,
): WalletRow {
  return once(store, { idempotencyKey, at, content: ['close', walletId] }, () => {
    const wallet = getWallet(store, walletId);
    if (wallet.balance > 0 || hasMoneyUnderWay(store, walletId)) {
      throw new IssuerError(
        409,
        'wallet_not_empty',
        'The wallet holds money, or money from or to it is under way',
      );
    }
    setStatus(store, wallet, 'closed', at);
    return walletId;
  });
}

function hasMoneyUnderWay(store: Store, walletId: string): boolean {
  const row = store.get(
    `SELECT 1 FROM movements WHERE status = 'pending' AND (from_wallet = :walletId OR to_wallet = :walletId)
     LIMIT 1`,
    { walletId },
  );
  return row !== undefined;
}

function setStatus(store: Store, wallet: WalletRow, status: 'open' | 'closed', at: string): void {
  if (wallet.status === status) return;
  const { wallet_id: walletId } = wallet;
  store.run('UPDATE wallets SET status = :status WHERE wallet_id = :walletId', {
    walletId,
    status,
  });
  addNotification(store, 'wallet.changed', wallet, { wallet_status: status }, at);
}

/** Does `work` the first time a key is seen; later returns the same wallet as it is now. */
function once(store: Store, request: WalletRequest, work: () => string): WalletRow {
  const { idempotencyKey, at, content } = request;
  const fingerprint = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return store.transaction(() => {
    const known = store.get<{ fingerprint: string; wallet_id: string }>(
      `SELECT fingerprint, wallet_id FROM wallet_requests
       WHERE idempotency_key = :idempotencyKey AND made_at >= :since`,
      { idempotencyKey, since: keysSince(store, Temporal.Instant.from(at)) },
    );
    if (known && known.fingerprint !== fingerprint) throw idempotencyConflict(idempotencyKey);
    if (known) return getWallet(store, known.wallet_id);
    const walletId = work();
    store.run(
      `INSERT OR REPLACE INTO wallet_requests (idempotency_key, fingerprint, wallet_id, made_at)
       VALUES (:idempotencyKey, :fingerprint, :walletId, :at)`,
      { idempotencyKey, fingerprint, walletId, at },
    );
    return getWallet(store, walletId);
  });
}
