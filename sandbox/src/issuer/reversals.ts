import { isoInstant } from '../clock.ts';
import type { Store } from '../store.ts';
import { FASTER_PAYMENTS_ACCOUNT, postEntries, RECALLS_ACCOUNT } from './books.ts';
import { newId } from './identifiers.ts';
import { getMovement, insertMovement, movementView, type NewMovement } from './movements.ts';
import { addNotification } from './notifications.ts';
import { planOutgoing } from './outgoing.ts';
import { getWallet } from './wallets.ts';

/** The delay before a settled pay-out is returned or a received pay-in is recalled. */
const AFTER = Temporal.Duration.from({ hours: 48 });

/** Schedules the reversal of this movement two days after `at`. */
export function planReversal(store: Store, movementId: string, at: string): void {
  const dueAt = isoInstant(Temporal.Instant.from(at).add(AFTER));
  store.run('INSERT INTO reversals (movement_id, due_at) VALUES (:movementId, :dueAt)', {
    movementId,
    dueAt,
  });
}

/** Returns when the next movement is reversed, or null. */
export function nextReversalAt(store: Store): string | null {
  const row = store.get<{ at: string | null }>('SELECT min(due_at) AS at FROM reversals');
  return row?.at ?? null;
}

/** Reverses every movement due at or before `at`, each with a new movement at its own time. */
export function makeReversals(store: Store, at: string): void {
  store.transaction(() => {
    const due = store.all<{ movement_id: string; due_at: string }>(
      'SELECT movement_id, due_at FROM reversals WHERE due_at <= :at ORDER BY due_at, movement_id',
      { at },
    );
    for (const { movement_id: movementId, due_at: dueAt } of due) {
      reverse(store, movementId, dueAt);
      store.run('DELETE FROM reversals WHERE movement_id = :movementId', { movementId });
    }
  });
}

/**
 * Reverses a movement. A pay-out's money returns to its wallet. A recalled pay-in's money has already left its wallet: the
 * issuer pays the payer's bank, and the partner owes the amount to the account `recalls`, which it covers with an ordinary
 * transfer.
 */
function reverse(store: Store, originalId: string, at: string): void {
  const original = getMovement(store, originalId);
  const isPayout = original.kind === 'payout';
  const walletId = (isPayout ? original.from_wallet : original.to_wallet) ?? '';
  const movement: NewMovement = {
    ...original,
    movement_id: newId('mov'),
    kind: isPayout ? 'payout_return' : 'payin_recall',
    idempotency_key: null,
    payment_id: null,
    from_wallet: isPayout ? null : RECALLS_ACCOUNT,
    to_wallet: isPayout ? walletId : null,
    original_id: originalId,
    due_at: null,
    created_at: at,
    completed_at: at,
  };
  const { seq: _seq, ...row } = movement as NewMovement & { seq?: number };
  insertMovement(store, row);
  postEntries(store, [
    {
      movementId: row.movement_id,
      debitAccount: isPayout ? FASTER_PAYMENTS_ACCOUNT : RECALLS_ACCOUNT,
      creditAccount: isPayout ? walletId : FASTER_PAYMENTS_ACCOUNT,
      amount: row.amount,
      at,
    },
  ]);
  if (!isPayout) planOutgoing(store, row.movement_id, at);
  const kind = isPayout ? 'payout.returned' : 'payin.recalled';
  const reason = isPayout ? RETURN_REASON : RECALL_REASON;
  const subject = { movement: movementView(row), reason };
  addNotification(store, kind, getWallet(store, walletId), subject, at);
}

const RETURN_REASON = {
  code: 'account_closed',
  message: 'The receiving bank returned the payment: the account is closed',
};
const RECALL_REASON = {
  code: 'fraud',
  message: "The payer's bank recalled the payment: its customer did not authorise it",
};
