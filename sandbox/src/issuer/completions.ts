import type { Store } from '../store.ts';
import {
  FASTER_PAYMENTS_ACCOUNT,
  PAYOUTS_ACCOUNT,
  postEntries,
  TRANSFERS_ACCOUNT,
} from './books.ts';
import { planPayout } from './destinations.ts';
import { isOn } from './modes.ts';
import { getMovement, type MovementFailure, type MovementRow, movementView } from './movements.ts';
import { addNotification } from './notifications.ts';
import { planOutgoing } from './outgoing.ts';
import { earlierPayouts } from './payouts.ts';
import { planReversal } from './reversals.ts';
import { getWallet } from './wallets.ts';

/** Returns when the next pending movement gets its outcome, or null. */
export function nextCompletionAt(store: Store): string | null {
  const row = store.get<{ at: string | null }>(
    `SELECT min(due_at) AS at FROM movements WHERE status = 'pending'`,
  );
  return row?.at ?? null;
}

const BATCH = 500;

/** Completes every movement due at or before `at`, at its own time and in order. */
export function completeMovements(store: Store, at: string): void {
  let completed: number;
  do {
    completed = store.transaction(() => {
      const due = store.all<MovementRow>(
        `SELECT * FROM movements WHERE status = 'pending' AND due_at <= :at
         ORDER BY due_at, seq LIMIT :limit`,
        { at, limit: BATCH },
      );
      for (const row of due) {
        if (row.kind === 'transfer') complete(store, row, TRANSFERS_ACCOUNT, row.to_wallet ?? '');
        else completePayout(store, row);
      }
      return due.length;
    });
  } while (completed === BATCH);
}

function completePayout(store: Store, row: MovementRow): void {
  const from = row.from_wallet ?? '';
  const accountNumber = row.party_account_number ?? '';
  const destination = { sort_code: row.party_sort_code ?? '', account_number: accountNumber };
  const order = { from, destination: { ...destination, name: row.party_name ?? '' } };
  const plan = planPayout(accountNumber, earlierPayouts(store, order, row.seq));
  const goesTo = plan.failure === null ? FASTER_PAYMENTS_ACCOUNT : from;
  complete(store, row, PAYOUTS_ACCOUNT, goesTo, plan.failure);
  if (plan.failure !== null) return;
  const at = row.due_at ?? row.created_at;
  // What comes back was never on the account.
  if (plan.comesBack || isOn(store, 'returned_payouts')) planReversal(store, row.movement_id, at);
  else planOutgoing(store, row.movement_id, at);
}

/** Moves the pending money on and notifies the partner. */
function complete(
  store: Store,
  row: MovementRow,
  waitedIn: string,
  goesTo: string,
  failure: MovementFailure | null = null,
): void {
  const completedAt = row.due_at ?? row.created_at;
  const { movement_id: movementId, amount } = row;
  postEntries(store, [
    { movementId, debitAccount: waitedIn, creditAccount: goesTo, amount, at: completedAt },
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
  const wallet = getWallet(store, row.from_wallet ?? '');
  addNotification(store, 'movement.changed', wallet, { movement }, completedAt);
}
