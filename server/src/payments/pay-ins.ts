import type { Tx } from '../platform/db.ts';
import type { Platform } from '../platform/platform.ts';
import { OUTSIDE, post } from '../wallets/ledger.ts';
import { findWallet } from '../wallets/store.ts';
import { bookPayIns, recordOutcomes } from './outcomes.ts';
import {
  type AttemptRef,
  type PaymentStatus,
  type RecordedRow,
  readInstructionId,
} from './payment.ts';
import { revive } from './revive.ts';

/** Money that the issuer says has arrived in a wallet. */
export interface PayInNotice {
  merchantId: string;
  walletId: string;
  movementId: string;
  endToEndId: string;
  amountPence: number;
}

type Row = RecordedRow & { status: PaymentStatus; stage: string | null };

/**
 * The issuer's pay-in notice: the surest word that an attempt worked. It counts whatever we believed before, because
 * the money is there; what belongs to no attempt of ours stays in the wallet and is booked as such.
 */
export async function takePayIn(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  notice: PayInNotice,
): Promise<void> {
  const named = readInstructionId(notice.endToEndId);
  const row = named === null ? null : await lockPayment(tx, notice.merchantId, named.paymentId);
  const isOurs =
    row !== null && row.amount_pence === notice.amountPence && row.wallet_id === notice.walletId;
  if (named === null || row === null || !isOurs) return bookExtra(platform, tx, now, notice);
  const ref = {
    merchantId: notice.merchantId,
    paymentId: row.payment_id,
    scheduleId: row.schedule_id,
    attempt: named.attempt,
  };
  const attempt = await noteMoney(tx, ref, notice.movementId);
  if (attempt === 'repeated') return;
  if (attempt === 'paid_already') return bookExtra(platform, tx, now, notice);
  if (row.status === 'processing' && row.stage !== 'move' && row.attempts === named.attempt)
    return recordOutcomes(platform, tx, now, [
      { ref, outcome: { kind: 'credited', bankPaymentId: null, bankStatus: null } },
    ]);
  if (attempt === 'success') return; // the bank told first
  if (row.status === 'processing' || row.status === 'success')
    return bookExtra(platform, tx, now, notice);
  await bookPayIns(platform, tx, now, [row]);
  await revive(platform, tx, now, row, named.attempt, row.status);
}

function lockPayment(tx: Tx, merchantId: string, paymentId: string): Promise<Row | null> {
  return tx.row<Row>(
    `SELECT merchant_id, payment_id, schedule_id, wallet_id, amount_pence, currency, attempts, manual, status, stage
     FROM payments WHERE merchant_id = $1 AND payment_id = $2 FOR UPDATE`,
    [merchantId, paymentId],
  );
}

/**
 * Notes which pay-in brought the money of an attempt, and answers how the attempt stands; or that this pay-in was told of
 * before, or that another one had brought the money already.
 */
async function noteMoney(
  tx: Tx,
  ref: AttemptRef,
  movementId: string,
): Promise<'repeated' | 'paid_already' | string> {
  const found = await tx.row<{ status: string; pay_in_id: string | null }>(
    `SELECT status, pay_in_id FROM attempts WHERE merchant_id = $1 AND payment_id = $2 AND number = $3 FOR UPDATE`,
    [ref.merchantId, ref.paymentId, ref.attempt],
  );
  if (found?.pay_in_id === movementId) return 'repeated';
  if (found === null || found.pay_in_id !== null) return 'paid_already';
  await tx.run(
    'UPDATE attempts SET pay_in_id = $4 WHERE merchant_id = $1 AND payment_id = $2 AND number = $3',
    [ref.merchantId, ref.paymentId, ref.attempt, movementId],
  );
  return found.status;
}

/**
 * Money that no payment waits for: it stays in the wallet, booked once, and somebody must look at it. A wallet that is not
 * open in our books yet will be: then this is repeated.
 */
async function bookExtra(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  notice: PayInNotice,
): Promise<void> {
  if ((await findWallet(tx, notice.merchantId, notice.walletId)) === null) {
    platform.log.error(
      { movement_id: notice.movementId, wallet_id: notice.walletId },
      'money came to a wallet that is not ours',
    );
    return;
  }
  const booked = await tx.row<{ transfer_id: string }>(
    `SELECT transfer_id FROM transfers WHERE merchant_id = $1 AND source_id = $2 AND kind = 'extra_pay_in'`,
    [notice.merchantId, notice.movementId],
  );
  if (booked !== null) return;
  platform.log.error({ movement_id: notice.movementId }, 'money came that no payment waits for');
  await post(tx, platform.ids, now, [
    {
      merchantId: notice.merchantId,
      kind: 'extra_pay_in',
      debit: OUTSIDE,
      credit: notice.walletId,
      amountPence: notice.amountPence,
      sourceId: notice.movementId,
    },
  ]);
}
