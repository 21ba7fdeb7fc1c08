import type { Store } from '../store.ts';
import { FASTER_PAYMENTS_ACCOUNT, postEntries } from './books.ts';
import { IssuerError } from './errors.ts';
import { newId } from './identifiers.ts';
import { isOn } from './modes.ts';
import {
  assertSameOrder,
  type BankAccount,
  insertMovement,
  type MovementRow,
  movementView,
  type NewMovement,
} from './movements.ts';
import { addNotification } from './notifications.ts';
import { planReversal } from './reversals.ts';
import { findWalletByAccount, type WalletRow } from './wallets.ts';

/** A Faster Payment as delivered by the sending bank; the amount is in pence. */
export interface FasterPayment {
  payment_id: string;
  end_to_end_id: string;
  reference: string;
  amount: { value: number; currency: string };
  creditor: BankAccount;
  debtor: BankAccount;
}

/**
 * Credits the wallet that owns the creditor account and notifies the partner, in one transaction. Idempotent per payment. Throws
 * 404 `unknown_account`; 409 `account_closed` unless the wallet is open.
 */
export function receivePayment(store: Store, payment: FasterPayment, at: string): void {
  store.transaction(() => {
    const wallet = findWalletByAccount(store, payment.creditor);
    if (!wallet) throw new IssuerError(404, 'unknown_account', 'There is no such account');
    const movement = newPayin(store, payment, wallet, at);
    const known = store.get<MovementRow>('SELECT * FROM movements WHERE payment_id = :id', {
      id: payment.payment_id,
    });
    if (known) {
      const wasShort = known.amount === payment.amount.value - 1;
      const amount = wasShort ? known.amount : payment.amount.value;
      assertSameOrder(known, { ...movement, amount }, payment.payment_id);
      return;
    }
    if (wallet.status !== 'open') {
      throw new IssuerError(409, 'account_closed', 'The account does not take payments');
    }
    insertMovement(store, movement);
    postEntries(store, [
      {
        movementId: movement.movement_id,
        debitAccount: FASTER_PAYMENTS_ACCOUNT,
        creditAccount: wallet.wallet_id,
        amount: movement.amount,
        at,
      },
    ]);
    if (isOn(store, 'recalled_pay_ins')) planReversal(store, movement.movement_id, at);
    addNotification(store, 'payin.received', wallet, { payin: payinView(movement) }, at);
  });
}

function newPayin(
  store: Store,
  payment: FasterPayment,
  wallet: WalletRow,
  at: string,
): NewMovement {
  const { value } = payment.amount;
  const isShort = value > 1 && isOn(store, 'short_pay_ins');
  return {
    movement_id: newId('mov'),
    kind: 'payin',
    idempotency_key: null,
    payment_id: payment.payment_id,
    from_wallet: null,
    to_wallet: wallet.wallet_id,
    amount: isShort ? value - 1 : value,
    reference: payment.reference,
    status: 'settled',
    error_code: null,
    error_message: null,
    party_sort_code: payment.debtor.sort_code,
    party_account_number: payment.debtor.account_number,
    party_name: payment.debtor.name,
    end_to_end_id: isOn(store, 'no_end_to_end_id') ? null : payment.end_to_end_id,
    original_id: null,
    due_at: null,
    created_at: at,
    completed_at: at,
  };
}

function payinView(movement: NewMovement) {
  const { movement_id, amount, end_to_end_id, reference, payer } = movementView(movement);
  return { movement_id, amount, ...(end_to_end_id && { end_to_end_id }), reference, payer };
}
