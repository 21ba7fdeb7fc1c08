import type { Work } from '../../platform/platform.ts';
import { OUTSIDE, post, UNALLOCATED } from '../../wallets/ledger-store.ts';
import { findWallet, lockWallet } from '../../wallets/store.ts';
import { findItemOf, findSentAway, type ItemRow } from '../books/unallocated-store.ts';
import { addItem, type Guess } from '../outcomes/record-item.ts';

/** A pay-out that came back, and is not simply a settlement's or a refund's as it was paid out. */
export interface CameBack {
  merchantId: string;
  walletId: string;
  movementId: string;
  originalMovementId: string;
  amountPence: number;
  /** The settlement or refund that it was; null: neither. */
  of: string | null;
}

/**
 * Puts money that came back on the unallocated list, and books it there: a pay-out by hand, one that our books do not know, or
 * less than was paid out. It names the settlement or refund, else the item of its wallet whose money was sent away, with the
 * payment that item may belong to. A repeat changes nothing. See docs/rules/wallets-and-money.md#unallocated-money.
 */
export async function openCameBack(work: Work, back: CameBack): Promise<void> {
  const { tx, now, platform } = work;
  const { merchantId, walletId, movementId, originalMovementId, amountPence } = back;
  if ((await findWallet(tx, merchantId, walletId)) === null) {
    platform.log.report('payment.unknown_wallet', { movement_id: movementId, wallet_id: walletId });
    return;
  }
  await lockWallet(tx, merchantId, walletId);
  if ((await findItemOf(tx, merchantId, movementId)) !== null) return;
  const sent = back.of === null ? await findSentAway(tx, merchantId, walletId, amountPence) : null;
  const of = back.of ?? sent?.itemId ?? null;
  platform.log.report('settlement.return_unmatched', {
    movement_id: movementId,
    original_movement_id: originalMovementId,
    came_back_of: of,
  });
  await post({ platform, tx, now }, [
    {
      merchantId,
      kind: 'pay_out_return',
      debit: OUTSIDE,
      credit: UNALLOCATED,
      amountPence,
      sourceId: movementId,
    },
  ]);
  const money = {
    merchantId,
    walletId,
    movementId,
    amountPence,
    endToEndId: null,
    at: now,
    payer: null,
    partOf: null,
    cameBack: { originalMovementId, of },
  };
  await addItem(work, money, { reason: 'came_back', guess: guessOf(sent) });
}

/** The payment that the money was taken for before it was sent away. */
function guessOf(item: ItemRow | null): Guess | null {
  if (item === null) return null;
  const { scheduleId, paymentId, attempt } = item;
  if (scheduleId === null || paymentId === null || attempt === null) return null;
  return { scheduleId, paymentId, attempt };
}
