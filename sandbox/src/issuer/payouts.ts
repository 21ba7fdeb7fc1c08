import { isoInstant } from '../clock.ts';
import type { Store } from '../store.ts';
import { FASTER_PAYMENTS_ACCOUNT, PAYOUTS_ACCOUNT, postEntries } from './books.ts';
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
  movementView,
  type NewMovement,
} from './movements.ts';
import { addNotification } from './notifications.ts';
import { findWallet, getWallet, type WalletRow } from './wallets.ts';

/** An order to pay out, as it travels; the amount is in pence. */
export interface PayoutOrder {
  from: string;
  destination: BankAccount;
  amount: { value: number; currency: string };
  reference: string;
}

/** A payout as it is now, and whether the sandbox answers this request at all. */
export interface PayoutAnswer {
  movement: MovementRow;
  answers: boolean;
}

/**
 * Takes an order: the wallet is debited at once and the outcome follows later. An order that cannot
 * be taken becomes a failed movement. The same key again answers with the movement as it is now;
 * with other content it is 409 `idempotency_conflict`.
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
    const known = findByKey(store, idempotencyKey);
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

/** Payouts that this wallet had taken to the same account, before the one at place `before`. */
function earlierPayouts(
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
    due_at: 'code' in outcome ? null : isoInstant(now.add({ seconds: outcome.secondsToOutcome })),
    created_at: at,
    completed_at: refused ? at : null,
  };
}

/** When the next payout has its outcome, or null. */
export function nextPayoutAt(store: Store): string | null {
  const row = store.get<{ at: string | null }>(
    `SELECT min(due_at) AS at FROM movements WHERE status = 'pending'`,
  );
  return row?.at ?? null;
}

const BATCH = 500;

/** Gives every payout due at or before `at` its outcome, at its own time and in order. */
export function completePayouts(store: Store, at: string): void {
  let completed: number;
  do {
    completed = store.transaction(() => {
      const due = store.all<MovementRow>(
        `SELECT * FROM movements WHERE status = 'pending' AND due_at <= :at
         ORDER BY due_at, seq LIMIT :limit`,
        { at, limit: BATCH },
      );
      for (const row of due) completePayout(store, row);
      return due.length;
    });
  } while (completed === BATCH);
}

function completePayout(store: Store, row: MovementRow): void {
  const from = row.from_wallet ?? '';
  const accountNumber = row.party_account_number ?? '';
  const destination = { sort_code: row.party_sort_code ?? '', account_number: accountNumber };
  const order = { from, destination: { ...destination, name: row.party_name ?? '' } };
  const { failure } = planPayout(accountNumber, earlierPayouts(store, order, row.seq));
  const completedAt = row.due_at ?? row.created_at;
  const { movement_id: movementId, amount } = row;
  postEntries(store, [
    {
      movementId,
      debitAccount: PAYOUTS_ACCOUNT,
      creditAccount: failure ? from : FASTER_PAYMENTS_ACCOUNT,
      amount,
      at: completedAt,
    },
  ]);
  store.run(
    `UPDATE movements SET status = :status, error_code = :code, error_message = :message,
       completed_at = :completedAt WHERE movement_id = :movementId`,
    {
      movementId,
      status: failure ? 'failed' : 'settled',
      code: failure?.code ?? null,
      message: failure?.message ?? null,
      completedAt,
    },
  );
  const movement = movementView(getMovement(store, movementId));
  addNotification(store, 'movement.changed', getWallet(store, from), { movement }, completedAt);
}
