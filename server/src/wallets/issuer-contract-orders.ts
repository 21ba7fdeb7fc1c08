import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  type AccountDetails,
  IssuerRefused,
  type IssuerWallet,
  type TransferOrder,
} from './issuer.ts';

/** Returns the account of a wallet, which must have one. */
export function accountOf({ account }: IssuerWallet): AccountDetails {
  assert.ok(account, 'the wallet has no account');
  return account;
}

/** Returns an order to transfer money. */
export function transferOrder(
  from: IssuerWallet,
  to: IssuerWallet,
  amountPence: number,
): TransferOrder {
  return {
    idempotencyKey: randomUUID(),
    fromIssuerWalletId: from.issuerWalletId,
    toIssuerWalletId: to.issuerWalletId,
    amountPence,
    reference: 'pay_1',
  };
}

/** Returns an order to pay money out. */
export function payoutOrder(from: IssuerWallet, destination: AccountDetails, amountPence: number) {
  const fromIssuerWalletId = from.issuerWalletId;
  const reference = 'SETTLEMENT';
  return { idempotencyKey: randomUUID(), fromIssuerWalletId, destination, amountPence, reference };
}

/** Whether an error is this refusal. */
export function refused(code: string): (error: unknown) => boolean {
  return (error) => error instanceof IssuerRefused && error.code === code;
}
