import type { Tx } from '../platform/db.ts';
import { OUTSIDE, post } from '../wallets/ledger.ts';
import type { SettlementDeps } from './destination.ts';
import type { TakenBack } from './recalls.ts';
import { lockPaidOutBy, markCameBack } from './return-store.ts';
import { failSettlement, recordPayOut } from './service.ts';
import { nextSettlementMoment } from './settlement-day.ts';
import { holdMerchant } from './store.ts';

/** Why a settlement has failed whose pay-out came back. */
const PAYOUT_RETURNED = 'payout_returned';

/**
 * Records that a pay-out came back after it settled: its settlement fails, and the money is in the merchant's wallet again.
 * Pay-outs to this merchant wait until the account is confirmed or changed. A repeat changes nothing.
 */
export async function takeReturn(
  deps: SettlementDeps,
  tx: Tx,
  now: Temporal.Instant,
  back: TakenBack,
): Promise<void> {
  const { merchantId, movementId, originalMovementId, amountPence, reason } = back;
  await holdMerchant(tx, merchantId);
  let row = await lockPaidOutBy(tx, merchantId, originalMovementId);
  if (row !== null && row.status === 'processing') {
    const movementIdOfPayOut = row.issuer_movement_id;
    await recordPayOut(deps, tx, now, row, {
      movementId: movementIdOfPayOut,
      status: 'settled',
      error: null,
    });
    row = await lockPaidOutBy(tx, merchantId, originalMovementId);
  }
  if (row === null || row.status !== 'success' || row.amount_pence !== amountPence) {
    if (row?.return_movement_id !== movementId)
      deps.platform.log.error(
        { movement_id: movementId, original_movement_id: originalMovementId },
        'A pay-out came back that no settlement waits for; somebody must look at it',
      );
    return;
  }
  const error = { code: PAYOUT_RETURNED, message: reason.message };
  const carryAt = nextSettlementMoment(now);
  if (!(await markCameBack(tx, row, { movementId, error, carryAt, now }))) return;
  const wallet = await deps.merchantWallet(tx, merchantId);
  await post(tx, deps.platform.ids, now, [
    {
      merchantId,
      kind: 'pay_out_return',
      debit: OUTSIDE,
      credit: wallet.accountId,
      amountPence,
      sourceId: movementId,
    },
  ]);
  await failSettlement(deps, tx, now, row, error);
}
