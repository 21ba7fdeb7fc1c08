import type { Tx } from '../platform/db/db.ts';
import { claim, earliestDue } from '../platform/engine/claim.ts';
import type { Stage } from '../platform/engine/stage.ts';
import type { Asked, Platform } from '../platform/platform.ts';
import {
  type AccountDetails,
  type Issuer,
  IssuerRefused,
  IssuerUnavailable,
  type IssuerWallet,
  type WalletReservation,
} from './issuer.ts';
import {
  DUE_FROM_BANK,
  FEES,
  IN_SETTLEMENT,
  OUTSIDE,
  openAccounts,
  UNALLOCATED,
} from './ledger-store.ts';
import { isKeySafe } from './orders.ts';
import {
  findWallet,
  insertWallet,
  lockWallet,
  lockWalletOf,
  markClosed,
  markClosing,
  markOpen,
  markReserved,
  pollNow,
  type WalletRow,
} from './store.ts';

export interface Wallet {
  walletId: string;
  issuerWalletId: string;
  account: AccountDetails;
}

/**
 * Our name for a wallet at the issuer: it contains the merchant, so that a notification is matched by one merchant's keys.
 */
export const externalReference = (merchantId: string, walletId: string): string =>
  `${merchantId}/${walletId}`;

/** Returns the merchant and wallet that a notification is about, or null. */
export function readExternalReference(
  text: string,
): { merchantId: string; walletId: string } | null {
  const [merchantId, walletId, ...rest] = text.split('/');
  return merchantId === undefined || walletId === undefined || rest.length > 0
    ? null
    : { merchantId, walletId };
}

const context = (merchantId: string, walletId: string): string =>
  `wallet:${merchantId}:${walletId}`;

/** Plans the wallet of a customer (null: the merchant's own) if none is in use; returns its id. */
export async function planWallet(
  platform: Platform,
  { tx, now, merchantId }: Asked,
  customerId: string | null,
): Promise<string> {
  await insertWallet(tx, merchantId, platform.ids.next('wal', now), customerId, now);
  const wallet = await lockWalletOf(tx, merchantId, customerId);
  if (wallet === null) throw new Error('a wallet vanished between two statements');
  return wallet.walletId;
}

/** Plans a new merchant's wallet and opens its accounts; the engine then opens the wallet at the issuer. */
export async function planMerchantWallet(platform: Platform, asked: Asked): Promise<void> {
  const { tx, now, merchantId } = asked;
  const walletId = await planWallet(platform, asked, null);
  await openAccounts(tx, merchantId, [
    { accountId: walletId, kind: 'merchant_wallet' },
    { accountId: IN_SETTLEMENT, kind: 'in_settlement' },
    { accountId: OUTSIDE, kind: 'outside' },
    { accountId: DUE_FROM_BANK, kind: 'due_from_bank' },
    { accountId: UNALLOCATED, kind: 'unallocated' },
    { accountId: FEES, kind: 'fees' },
  ]);
  await pollNow(tx, merchantId, walletId, now);
}

/**
 * Reserves a planned wallet at the issuer, with its account details; safe to repeat. Makes an outside call: never use it
 * within a transaction. Throws IssuerUnavailable.
 */
export async function reserveWallet(
  platform: Platform,
  issuer: Issuer,
  merchantId: string,
  walletId: string,
  holder: { kind: 'person' | 'business'; name: string },
): Promise<Wallet> {
  const known = await platform.db.read((tx) => findWallet(tx, merchantId, walletId));
  if (known?.issuerWalletId) return toWallet(platform, merchantId, known);
  const name = externalReference(merchantId, walletId);
  const mayRepeat =
    known !== null && isKeySafe(issuer.limits, known.createdAt, platform.clock.now());
  // An issuer that has forgotten the key would make a second wallet.
  const made = mayRepeat ? null : await issuer.findWallet(name);
  const reserved =
    made !== null && made.status !== 'closed'
      ? made
      : await reserve(issuer, { idempotencyKey: walletId, externalReference: name, holder });
  if (reserved.account === null)
    throw new IssuerUnavailable(`the issuer has assigned no account to wallet ${walletId} yet`);
  // A person's name is the customer's alone: kept here, an erasure would have to find it.
  const account = { ...reserved.account, ...(holder.kind === 'person' && { name: '' }) };
  const sealed = platform.vault.seal(JSON.stringify(account), context(merchantId, walletId));
  await platform.db.transaction((tx) =>
    markReserved(
      tx,
      platform.clock.now(),
      { merchantId, walletId },
      { issuerWalletId: reserved.issuerWalletId, account: sealed },
    ),
  );
  return { walletId, issuerWalletId: reserved.issuerWalletId, account };
}

/** The holder may have another name since a call whose answer was lost: then the wallet that it made is found. */
async function reserve(issuer: Issuer, reservation: WalletReservation): Promise<IssuerWallet> {
  try {
    return await issuer.reserveWallet(reservation);
  } catch (error) {
    if (!(error instanceof IssuerRefused && error.code === 'idempotency_conflict')) throw error;
    const made = await issuer.findWallet(reservation.externalReference);
    if (made === null) throw error;
    return made;
  }
}

/** Records in the caller's transaction that the issuer opened the wallet, and opens its account in the ledger. */
export async function recordOpened(
  tx: Tx,
  merchantId: string,
  walletId: string,
  now: Temporal.Instant,
): Promise<void> {
  await markOpen(tx, now, { merchantId, walletId });
  await openAccounts(tx, merchantId, [{ accountId: walletId, kind: 'customer_wallet' }]);
}

/**
 * Marks a reserved wallet that is no longer needed for release; an opened one stays. The wallet is locked before `isNeeded`
 * runs, so that a concurrent use is seen.
 */
export async function releaseWallet(
  tx: Tx,
  merchantId: string,
  walletId: string,
  now: Temporal.Instant,
  isNeeded: () => Promise<boolean>,
): Promise<void> {
  await lockWallet(tx, merchantId, walletId);
  if (!(await isNeeded())) await markClosing(tx, now, { merchantId, walletId });
}

/** Returns a wallet that the issuer knows. Throws if it was never reserved. */
export async function readWallet(
  platform: Platform,
  tx: Tx,
  merchantId: string,
  walletId: string,
): Promise<Wallet> {
  const row = await findWallet(tx, merchantId, walletId);
  if (row === null) throw new Error(`no wallet ${walletId}`);
  return toWallet(platform, merchantId, row);
}

function toWallet(platform: Platform, merchantId: string, row: WalletRow): Wallet {
  if (row.issuerWalletId === null || row.account === null)
    throw new Error(`wallet ${row.walletId} is not reserved`);
  const account = JSON.parse(
    platform.vault.open(row.account, context(merchantId, row.walletId)),
  ) as AccountDetails;
  return { walletId: row.walletId, issuerWalletId: row.issuerWalletId, account };
}

const LEASE_MS = 60_000;

/** Opens new merchants' wallets at the issuer, and releases reserved ones that are no longer needed. */
export function walletsStage(
  platform: Platform,
  issuer: Issuer,
  holderOf: (tx: Tx, merchantId: string) => Promise<string>,
): Stage {
  return {
    name: 'wallets.follow',
    batch: 50,
    ...earliestDue('wallets'),
    async run(now, limit) {
      const claimed = await platform.db.transaction((tx) =>
        claim<WalletRow & { merchantId: string }>(tx, now, LEASE_MS, limit, {
          table: 'wallets',
          key: ['merchant_id', 'wallet_id'],
          returning:
            't.merchant_id, t.wallet_id, t.customer_id, t.status, t.issuer_wallet_id, t.account, t.created_at',
        }),
      );
      for (const wallet of claimed) await followWallet(platform, issuer, holderOf, wallet, now);
      return claimed.length;
    },
  };
}

async function followWallet(
  platform: Platform,
  issuer: Issuer,
  holderOf: (tx: Tx, merchantId: string) => Promise<string>,
  wallet: WalletRow & { merchantId: string },
  now: Temporal.Instant,
): Promise<void> {
  const { merchantId, walletId } = wallet;
  try {
    if (wallet.status === 'closing') {
      if (wallet.issuerWalletId !== null)
        await issuer.closeWallet(wallet.issuerWalletId, `close-${walletId}`);
      await platform.db.transaction((tx) => markClosed(tx, now, { merchantId, walletId }));
      return;
    }
    const name = await platform.db.read((tx) => holderOf(tx, merchantId));
    const reserved = await reserveWallet(platform, issuer, merchantId, walletId, {
      kind: 'business',
      name,
    });
    await issuer.openWallet(reserved.issuerWalletId, `open-${walletId}`);
    await platform.db.transaction((tx) => markOpen(tx, now, { merchantId, walletId }));
  } catch (error) {
    const isRefused = error instanceof IssuerRefused;
    platform.log.report(isRefused ? 'wallet.change_refused' : 'wallet.change_unknown', {
      wallet_id: walletId,
      err: error,
    });
  }
}
