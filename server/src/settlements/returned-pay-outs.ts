import type { Tx } from '../platform/db.ts';
import type { TakenBack } from '../refunds/end.ts';
import { holdInSettlement, OUTSIDE, post } from '../wallets/ledger-store.ts';
import type { SettlementDeps } from './destination.ts';
import { lockPaidOutBy } from './return-store.ts';
import { failedData, recordPayOut } from './service.ts';
import { nextSettlementMoment } from './settlement-day.ts';
import { moveToCameBack } from './state-store.ts';

/** The error code of a settlement whose pay-out came back. */
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
  const { platform } = deps;
  const { merchantId, movementId, originalMovementId, amountPence, reason } = back;
  await holdInSettlement(tx, merchantId);
  let row = await lockPaidOutBy(tx, merchantId, originalMovementId);
  if (row !== null && row.status === 'processing' && row.amount_pence === amountPence) {
    const movementIdOfPayOut = row.issuer_movement_id;
    await recordPayOut(deps, tx, now, row, {
      movementId: movementIdOfPayOut,
      status: 'settled',
      amountPence,
      error: null,
    });
    row = await lockPaidOutBy(tx, merchantId, originalMovementId);
  }
  if (row === null || row.status !== 'success' || row.amount_pence !== amountPence) {
    if (row?.return_movement_id !== movementId)
      platform.log.report('settlement.return_unmatched', {
        movement_id: movementId,
        original_movement_id: originalMovementId,
      });
    return;
  }
  const error = { code: PAYOUT_RETURNED, message: reason.message };
  await moveToCameBack({ platform, tx, now }, row, {
    movementId,
    error,
    carryAt: nextSettlementMoment(now),
    async book() {
      const { accountId: credit } = await deps.merchantWallet(tx, merchantId);
      const kind = 'pay_out_return' as const;
      await post(tx, platform.ids, now, [
        { merchantId, kind, debit: OUTSIDE, credit, amountPence, sourceId: movementId },
      ]);
    },
    data: failedData(platform, row, error, now),
  });
}
