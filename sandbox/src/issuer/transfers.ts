import { isoInstant } from '../clock.ts';
import type { Store } from '../store.ts';
import { type Entry, postEntries, RECALLS_ACCOUNT, TRANSFERS_ACCOUNT } from './books.ts';
import { idempotencyConflict } from './errors.ts';
import { newId } from './identifiers.ts';
import { isOn } from './modes.ts';
import {
  findByKey,
  insertMovement,
  isSameOrder,
  type MovementFailure,
  movementView,
  type NewMovement,
} from './movements.ts';
import { findWallet, type WalletRow } from './wallets.ts';

/** One order of a batch, as received; the amount is in pence. */
export interface TransferItem {
  idempotency_key: string;
  from: string;
  to: string;
  amount: { value: number; currency: string };
  reference: string;
}

/** The outcome of one item: a movement, or an error without effect. */
export interface TransferResult {
  idempotency_key: string;
  movement: ReturnType<typeof movementView> | null;
  error: { code: string; message: string } | null;
}

/**
 * Transfers money between wallets, in one transaction for the whole batch. Returns one outcome per item, in order; an item with
 * a known key gets its existing movement, as it is now.
 */
export function transferBatch(
  store: Store,
  items: readonly TransferItem[],
  now: Temporal.Instant,
): TransferResult[] {
  return store.transaction(() => {
    const isPending = isOn(store, 'pending_transfers');
    const batch: Batch = { wallets: new Map(), entries: [], now, isPending };
    const results = items.map((item) => transferOne(store, batch, item));
    postEntries(store, batch.entries);
    return results;
  });
}

/** The wallets that a batch touches, with their resulting balances, and its entries. */
interface Batch {
  wallets: Map<string, Side | undefined>;
  entries: Entry[];
  now: Temporal.Instant;
  /** Whether the receiving wallet gets the money later. */
  isPending: boolean;
}

type Side = Pick<WalletRow, 'status' | 'balance'>;

/** How long a pending transfer takes. */
const PENDING = Temporal.Duration.from({ seconds: 90 });

function transferOne(store: Store, batch: Batch, item: TransferItem): TransferResult {
  const key = item.idempotency_key;
  const from = walletOf(store, batch, item.from);
  const to = walletOf(store, batch, item.to);
  const movement = newTransfer(item, refusal(item, from, to), batch);
  const known = findByKey(store, key, batch.now);
  if (known && !isSameOrder(known, movement)) {
    const { code, message } = idempotencyConflict(key);
    return { idempotency_key: key, movement: null, error: { code, message } };
  }
  if (known) return { idempotency_key: key, movement: movementView(known), error: null };
  insertMovement(store, movement);
  if (movement.status !== 'failed' && from && to) {
    from.balance -= movement.amount;
    if (!batch.isPending) to.balance += movement.amount;
    batch.entries.push({
      movementId: movement.movement_id,
      debitAccount: item.from,
      creditAccount: batch.isPending ? TRANSFERS_ACCOUNT : item.to,
      amount: movement.amount,
      at: movement.created_at,
    });
  }
  return { idempotency_key: key, movement: movementView(movement), error: null };
}

function walletOf(store: Store, batch: Batch, walletId: string): Side | undefined {
  if (!batch.wallets.has(walletId)) {
    const isCover = walletId === RECALLS_ACCOUNT;
    batch.wallets.set(
      walletId,
      isCover ? { status: 'open', balance: 0 } : findWallet(store, walletId),
    );
  }
  return batch.wallets.get(walletId);
}

/** Returns why the issuer refuses this transfer, or null if it does not. */
function refusal(
  item: TransferItem,
  from: Side | undefined,
  to: Side | undefined,
): MovementFailure | null {
  if (!from || !to) return { code: 'unknown_wallet', message: 'There is no such wallet' };
  if (item.from === item.to) {
    return { code: 'same_wallet', message: 'A transfer needs two different wallets' };
  }
  if (from.status !== 'open' || to.status !== 'open') {
    return { code: 'wallet_not_open', message: 'Both wallets must be open' };
  }
  if (from.balance < item.amount.value) {
    return { code: 'insufficient_funds', message: 'The wallet holds less than the amount' };
  }
  return null;
}

function newTransfer(
  item: TransferItem,
  failure: MovementFailure | null,
  { now, isPending }: Batch,
): NewMovement {
  const at = isoInstant(now);
  const waits = failure === null && isPending;
  return {
    movement_id: newId('mov'),
    kind: 'transfer',
    idempotency_key: item.idempotency_key,
    payment_id: null,
    from_wallet: item.from,
    to_wallet: item.to,
    amount: item.amount.value,
    reference: item.reference,
    status: failure ? 'failed' : waits ? 'pending' : 'settled',
    error_code: failure?.code ?? null,
    error_message: failure?.message ?? null,
    party_sort_code: null,
    party_account_number: null,
    party_name: null,
    end_to_end_id: null,
    original_id: null,
    due_at: waits ? isoInstant(now.add(PENDING)) : null,
    created_at: at,
    completed_at: waits ? null : at,
  };
}
