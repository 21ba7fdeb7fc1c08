import type { Store } from '../store.ts';
import { type Entry, postEntries } from './books.ts';
import { idempotencyConflict } from './errors.ts';
import { newId } from './identifiers.ts';
import {
  findByKey,
  insertMovement,
  isSameOrder,
  type MovementFailure,
  movementView,
  type NewMovement,
} from './movements.ts';
import { findWallet, type WalletRow } from './wallets.ts';

/** One order of a batch, as it travels; the amount is in pence. */
export interface TransferItem {
  idempotency_key: string;
  from: string;
  to: string;
  amount: { value: number; currency: string };
  reference: string;
}

/** What became of one item: a movement, or a refusal that left nothing behind. */
export interface TransferResult {
  idempotency_key: string;
  movement: ReturnType<typeof movementView> | null;
  error: { code: string; message: string } | null;
}

/**
 * Moves money between wallets, one transaction for the whole batch. Each item has its own outcome,
 * in the order given; an item whose key is known gets its movement again, as it is now.
 */
export function transferBatch(
  store: Store,
  items: readonly TransferItem[],
  at: string,
): TransferResult[] {
  return store.transaction(() => {
    const batch = { wallets: new Map<string, WalletRow | undefined>(), entries: [] as Entry[] };
    const results = items.map((item) => transferOne(store, batch, item, at));
    postEntries(store, batch.entries);
    return results;
  });
}

/** The wallets that a batch has touched, with the balances it leaves them, and its entries. */
interface Batch {
  wallets: Map<string, WalletRow | undefined>;
  entries: Entry[];
}

function transferOne(store: Store, batch: Batch, item: TransferItem, at: string): TransferResult {
  const key = item.idempotency_key;
  const from = walletOf(store, batch, item.from);
  const to = walletOf(store, batch, item.to);
  const movement = newTransfer(item, refusal(item, from, to), at);
  const known = findByKey(store, key);
  if (known && !isSameOrder(known, movement)) {
    const { code, message } = idempotencyConflict(key);
    return { idempotency_key: key, movement: null, error: { code, message } };
  }
  if (known) return { idempotency_key: key, movement: movementView(known), error: null };
  insertMovement(store, movement);
  if (movement.status === 'settled' && from && to) {
    from.balance -= movement.amount;
    to.balance += movement.amount;
    batch.entries.push({
      movementId: movement.movement_id,
      debitAccount: item.from,
      creditAccount: item.to,
      amount: movement.amount,
      at,
    });
  }
  return { idempotency_key: key, movement: movementView(movement), error: null };
}

function walletOf(store: Store, batch: Batch, walletId: string): WalletRow | undefined {
  if (!batch.wallets.has(walletId)) batch.wallets.set(walletId, findWallet(store, walletId));
  return batch.wallets.get(walletId);
}

/** Why the issuer does not make this transfer, or null where it does. */
function refusal(
  item: TransferItem,
  from: Pick<WalletRow, 'status' | 'balance'> | undefined,
  to: Pick<WalletRow, 'status'> | undefined,
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

function newTransfer(item: TransferItem, failure: MovementFailure | null, at: string): NewMovement {
  return {
    movement_id: newId('mov'),
    kind: 'transfer',
    idempotency_key: item.idempotency_key,
    payment_id: null,
    from_wallet: item.from,
    to_wallet: item.to,
    amount: item.amount.value,
    reference: item.reference,
    status: failure ? 'failed' : 'settled',
    error_code: failure?.code ?? null,
    error_message: failure?.message ?? null,
    party_sort_code: null,
    party_account_number: null,
    party_name: null,
    end_to_end_id: null,
    due_at: null,
    created_at: at,
    completed_at: at,
  };
}
