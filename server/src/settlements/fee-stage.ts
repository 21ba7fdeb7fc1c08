import type { Tx } from '../platform/db/db.ts';
import { isDatabaseFailure } from '../platform/db/isolate-failures.ts';
import { claim, earliestDue } from '../platform/engine/claim.ts';
import type { Stage } from '../platform/engine/stage.ts';
import { afterJitter } from '../platform/network/backoff.ts';
import { mapInParallel } from '../platform/network/concurrency-limits.ts';
import type { Platform } from '../platform/platform.ts';
import { openFeeWallet } from '../wallets/fee-wallet.ts';
import { type Issuer, IssuerUnavailable, type Movement } from '../wallets/issuer.ts';
import { FEES, OUTSIDE, post } from '../wallets/ledger-store.ts';
import type { SettlementDeps } from './destination.ts';
import {
  FEE_TRANSFER_COLUMNS,
  type FeeTransferRow,
  letFeesWait,
  markTransferred,
} from './fee-store.ts';

const LEASE_MS = 180_000;
const CONCURRENCY = 16;
const WAIT_SECONDS = 60;
const WAIT_AFTER_FAILURE_SECONDS = 1800;
/** A database that was restored may have ordered the transfer days before it opened the settlement again. */
const RESTORE_LOOKBACK = Temporal.Duration.from({ hours: 7 * 24 });

/** Returns the issuer's idempotency key of a try at transferring the fees of a settlement. */
const keyOf = (row: FeeTransferRow): string => `${row.settlementId}-f${row.tries}`;

/** Transfers the fees of settlements from the merchants' wallets to the operator's. */
export function transferFeesStage(deps: SettlementDeps, issuer: Issuer): Stage {
  const { platform } = deps;
  return {
    name: 'settlements.fees',
    batch: 50,
    ...earliestDue('fee_transfers'),
    async run(now, limit) {
      const rows = await platform.db.transaction((tx) =>
        claim<FeeTransferRow>(tx, now, LEASE_MS, limit, {
          table: 'fee_transfers',
          key: ['merchant_id', 'settlement_id'],
          returning: FEE_TRANSFER_COLUMNS,
        }),
      );
      if (rows.length === 0) return 0;
      const feeWallet = openFeeWallet(platform, issuer);
      // An issuer that is away leaves each transfer of unknown outcome, not the batch to its lease.
      await feeWallet.catch((error: unknown) => {
        if (!(error instanceof IssuerUnavailable)) throw error;
      });
      await mapInParallel(rows, CONCURRENCY, async (row) => {
        const made = await orderOrNone(deps, issuer, row, feeWallet);
        const at = platform.clock.now();
        await platform.db
          .transaction((tx) => recordFees(deps, tx, at, row, made))
          .catch((error: unknown) => {
            if (isDatabaseFailure(error)) throw error;
            const about = { settlement_id: row.settlementId, err: error };
            platform.log.report('settlement.fees_not_recorded', about);
          });
      });
      return rows.length;
    },
  };
}

/** Orders the transfer, unless the issuer has one. Returns what it has; none: the outcome is unknown. */
async function orderOrNone(
  deps: SettlementDeps,
  issuer: Issuer,
  row: FeeTransferRow,
  feeWallet: Promise<string>,
): Promise<Movement[]> {
  const { platform } = deps;
  try {
    const { db } = platform;
    const { issuerWalletId: from } = await db.read((tx) => deps.merchantWallet(tx, row.merchantId));
    if (from === null) return [];
    const to = await feeWallet;
    const known = await findFeeTransfers(issuer, row, from, to);
    if (known.length > 0) return known;
    const order = {
      idempotencyKey: keyOf(row),
      fromIssuerWalletId: from,
      toIssuerWalletId: to,
      amountPence: row.orderPence,
      reference: row.settlementId,
    };
    return [...(await issuer.transfer([order])).values()];
  } catch (error) {
    platform.log.report('settlement.fees_unknown', {
      settlement_id: row.settlementId,
      err: error,
    });
    return [];
  }
}

/** Finds the transfers of a settlement's fees, of any amount: a lost database may have ordered more or less. */
async function findFeeTransfers(
  issuer: Issuer,
  row: FeeTransferRow,
  from: string,
  feeWallet: string,
): Promise<Movement[]> {
  const since = row.createdAt.subtract(RESTORE_LOOKBACK);
  const found = await issuer.findByReference(from, row.settlementId, since);
  return found.filter(
    ({ kind, status, fromIssuerWalletId, toIssuerWalletId }) =>
      kind === 'transfer' &&
      status !== 'failed' &&
      fromIssuerWalletId === from &&
      toIssuerWalletId === feeWallet,
  );
}

async function recordFees(
  { platform }: SettlementDeps,
  tx: Tx,
  now: Temporal.Instant,
  row: FeeTransferRow,
  made: readonly Movement[],
): Promise<void> {
  if (made.length === 0 || made.some(({ status }) => status !== 'settled')) {
    const hasFailed = made.some(({ status }) => status === 'failed');
    const seconds = hasFailed ? WAIT_AFTER_FAILURE_SECONDS : WAIT_SECONDS;
    return letFeesWait(tx, row, afterJitter(now, seconds, keyOf(row)), hasFailed);
  }
  const takenPence = made.reduce((sum, { amountPence }) => sum + amountPence, 0);
  await recordFeeTransfer(platform, tx, now, row, takenPence);
}

/** Records that the issuer has transferred fees. Returns false if they were transferred before. */
export async function recordFeeTransfer(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  row: FeeTransferRow,
  takenPence: number,
): Promise<boolean> {
  if (!(await markTransferred(tx, row, takenPence))) return false;
  const { merchantId, settlementId: sourceId, orderPence } = row;
  if (takenPence !== orderPence)
    platform.log.report('settlement.fees_differ', {
      settlement_id: sourceId,
      ordered_pence: orderPence,
      taken_pence: takenPence,
    });
  await post({ platform, tx, now }, [
    {
      merchantId,
      kind: 'fee_out',
      debit: FEES,
      credit: OUTSIDE,
      amountPence: takenPence,
      sourceId,
    },
  ]);
  return true;
}
