import { isoInstant } from '../clock.ts';
import type { Store } from '../store.ts';
import { PAYOUTS_ACCOUNT, postEntries } from './books.ts';
import { type PayoutPlan, planPayout } from './destinations.ts';
import { newId } from './identifiers.ts';
import {
  assertSameOrder,
  type BankAccount,
  findByKey,
  getMovement,
  insertMovement,
  type MovementFailure,
  type MovementRow,
  type NewMovement,
} from './movements.ts';
import { findWallet, type WalletRow } from './wallets.ts';

/** A payout order, as received; the amount is in pence. */
export interface PayoutOrder {
  from: string;
  destination: BankAccount;
  amount: { value: number; currency: string };
  reference: string;
}

/** A payout as it is now, and whether the sandbox responds to this request. */
export interface PayoutAnswer {
  movement: MovementRow;
  answers: boolean;
}

/**
 * Accepts an order: debits the wallet immediately; the outcome follows later. An order that cannot be accepted becomes a failed
 * movement. Returns the existing movement as it is now if the key is known; throws 409 `idempotency_conflict` if the content
 * differs.
 */
export function acceptPayout(
  store: Store,
  idempotencyKey: string,
  order: PayoutOrder,
  now: Temporal.Instant,
): PayoutAnswer {
  return store.transaction(() => {
    const failure = refusal(findWallet(store, order.from), order.amount.value);
    const plan = planPayout(order.destination.account_number, earlierPayouts(store, order));
    const movement = newPayout(idempotencyKey, order, failure ?? plan, now);
    const known = findByKey(store, idempotencyKey, now);
    if (known) {
      assertSameOrder(known, movement, idempotencyKey);
      return { movement: known, answers: true };
    }
    insertMovement(store, movement);
    if (!failure) {
      postEntries(store, [
        {
          movementId: movement.movement_id,
          debitAccount: order.from,
          creditAccount: PAYOUTS_ACCOUNT,
          amount: movement.amount,
          at: movement.created_at,
        },
      ]);
    }
    const taken = getMovement(store, movement.movement_id);
    return { movement: taken, answers: failure !== null || plan.answers };
  });
}

function refusal(wallet: WalletRow | undefined, amount: number): MovementFailure | null {
  if (!wallet) return { code: 'unknown_wallet', message: 'There is no such wallet' };
  if (wallet.status !== 'open') {
    return { code: 'wallet_not_open', message: 'The wallet must be open' };
  }
  if (wallet.balance < amount) {
    return { code: 'insufficient_funds', message: 'The wallet holds less than the amount' };
  }
  return null;
}

/** Counts the payouts from this wallet to the same account before the sequence number `before`. */
export function earlierPayouts(
  store: Store,
  order: Pick<PayoutOrder, 'from' | 'destination'>,
  before = Number.MAX_SAFE_INTEGER,
): number {
  const row = store.get<{ count: number }>(
    `SELECT count(*) AS count FROM movements
     WHERE from_wallet = :wallet AND kind = 'payout' AND due_at IS NOT NULL AND seq < :before
       AND party_sort_code = :sortCode AND party_account_number = :accountNumber`,
    {
      wallet: order.from,
      before,
      sortCode: order.destination.sort_code,
      accountNumber: order.destination.account_number,
    },
  );
  return row?.count ?? 0;
}

function newPayout(
  idempotencyKey: string,
  order: PayoutOrder,
  outcome: MovementFailure | PayoutPlan,
  now: Temporal.Instant,
): NewMovement {
  const at = isoInstant(now);
  const refused = 'code' in outcome ? outcome : null;
  return {
    movement_id: newId('mov'),
    kind: 'payout',
    idempotency_key: idempotencyKey,
    payment_id: null,
    from_wallet: order.from,
    to_wallet: null,
    amount: order.amount.value,
    reference: order.reference,
    status: refused ? 'failed' : 'pending',
    error_code: refused?.code ?? null,
    error_message: refused?.message ?? null,
    party_sort_code: order.destination.sort_code,
    party_account_number: order.destination.account_number,
    party_name: order.destination.name,
    end_to_end_id: null,
    original_id: null,
    due_at: 'code' in outcome ? null : isoInstant(now.add({ seconds: outcome.secondsToOutcome })),
    created_at: at,
    completed_at: refused ? at : null,
  };
}
