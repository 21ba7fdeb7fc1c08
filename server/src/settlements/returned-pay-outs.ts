import type { Tx } from '../platform/db/db.ts';
import type { Return, ReversedMoney } from '../refunds/end.ts';
import { lockInSettlement, OUTSIDE, post } from '../wallets/ledger-store.ts';
import type { SettlementDeps } from './destination.ts';
import { lockPaidOutBy, markAccountDoubted, type PaidOut } from './return-store.ts';
import { failedData, recordPayOut } from './service.ts';
import { nextSettlementMoment } from './settlement-day.ts';
import { moveToCameBack } from './state-store.ts';

/** The error code of a settlement whose pay-out came back. */
const PAYOUT_RETURNED = 'payout_returned';

/**
 * Records that a pay-out came back after it settled: its settlement fails, and the money is in the merchant's wallet again.
 * Pay-outs to this merchant wait until the account is confirmed or changed, also where less came back than was paid out. A
 * repeat changes nothing.
 */
export async function recordPayOutReturn(
  deps: SettlementDeps,
  tx: Tx,
  now: Temporal.Instant,
  back: ReversedMoney,
): Promise<Return> {
  const { platform } = deps;
  const { merchantId, movementId, amountPence, reason } = back;
  await lockInSettlement(tx, merchantId);
  const row = await paidOutBy(deps, tx, now, back);
  if (row === null) return { kind: 'unmatched', of: null };
  if (row.returnMovementId === movementId) return { kind: 'recorded' };
  if (row.status !== 'success') return { kind: 'unmatched', of: row.settlementId };
  if (row.amountPence !== amountPence) {
    await markAccountDoubted(tx, row, now);
    return { kind: 'unmatched', of: row.settlementId };
  }
  const error = { code: PAYOUT_RETURNED, message: reason.message };
  await moveToCameBack({ platform, tx, now }, row, {
    movementId,
    error,
    carryAt: nextSettlementMoment(now),
    async book() {
      const { accountId: credit } = await deps.merchantWallet(tx, merchantId);
      const kind = 'pay_out_return' as const;
      await post({ platform, tx, now }, [
        { merchantId, kind, debit: OUTSIDE, credit, amountPence, sourceId: movementId },
      ]);
    },
    data: failedData(platform, row, error, now),
  });
  return { kind: 'recorded' };
}

/** Returns the locked settlement that a movement paid out. One that is still under way is recorded as paid: it came back. */
async function paidOutBy(
  deps: SettlementDeps,
  tx: Tx,
  now: Temporal.Instant,
  { merchantId, originalMovementId }: ReversedMoney,
): Promise<PaidOut | null> {
  const row = await lockPaidOutBy(tx, merchantId, originalMovementId);
  if (row?.status !== 'processing' || row.stage === null) return row;
  const { issuerMovementId: movementId, amountPence } = row;
  await recordPayOut(deps, tx, now, row, {
    movementId,
    status: 'settled',
    amountPence,
    error: null,
  });
  return lockPaidOutBy(tx, merchantId, originalMovementId);
}
