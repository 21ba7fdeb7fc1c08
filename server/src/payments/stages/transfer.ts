import { feeOf, isOutdated, termsAt } from '../../merchants/terms/fees.ts';
import type { Tx } from '../../platform/db/db.ts';
import { isolateFailures } from '../../platform/db/isolate-failures.ts';
import type { Stage } from '../../platform/engine/stage.ts';
import type { Platform } from '../../platform/platform.ts';
import {
  type Issuer,
  IssuerRefused,
  IssuerUnavailable,
  type Movement,
} from '../../wallets/issuer.ts';
import { FEES, type Posting, post } from '../../wallets/ledger-store.ts';
import { type DatedTransfer, orderTransfers } from '../../wallets/orders.ts';
import { releaseLeases } from '../books/lease-store.ts';
import { lockPayments } from '../books/lock-store.ts';
import { moveToSuccess } from '../books/payment-store.ts';
import {
  type ClaimedTransfer,
  claimToTransfer,
  earliestToTransfer,
  findTransfers,
  postponeTransfers,
  type TransferRow,
} from '../books/transfer-store.ts';
import type { Transfers } from '../outcomes/paid.ts';
import { nextTransferAt } from '../payment/retry.ts';

/** How long a claimed transfer is left to the process that claimed it. */
export const TRANSFER_LEASE = Temporal.Duration.from({ minutes: 2 });

/** Shorter than other stages wait: the merchant hears of the money after its transfer. */
const GATHER_MS = 50;

export interface TransferDeps {
  platform: Platform;
  issuer: Issuer;
  /** The claims that are handed on by whoever records the money. */
  transfers: Transfers;
  /** When money collected at this moment is paid out. */
  payOutOf(collectedAt: Temporal.Instant): Temporal.Instant;
}

/** Each known failure of a transfer gets a new key; an unknown outcome keeps it. Keys from before a set-aside are over. */
const keyOf = (row: TransferRow): string => `${row.paymentId}-m${row.transferKeysUsed + row.polls}`;

/** Transfers money from the customers' wallets to the merchants': one call to the issuer and one transaction for hundreds. */
export function transferStage(deps: TransferDeps): Stage {
  const { platform, transfers } = deps;
  return {
    name: 'payments.move',
    batch: 500,
    gatherMs: GATHER_MS,
    ...earliestToTransfer,
    handed: transfers,
    async handBack() {
      const leased = transfers.clear().map(({ row, until }) => ({ ...row, until }));
      if (leased.length > 0)
        await platform.db.transaction((tx) => releaseLeases(tx, platform.clock.now(), leased));
    },
    async run(now, limit) {
      const handed = transfers.take(now, limit);
      const rows =
        handed.length > 0
          ? await platform.db.read((tx) => withWallets(platform, tx, now, handed))
          : await claimTransfers(platform, now, limit);
      if (rows.length === 0) return 0;
      const movements = await transferAll(deps, rows).catch(async (error: unknown) => {
        await postponeUnknown(platform, now, rows);
        if (error instanceof IssuerUnavailable) return null;
        throw error;
      });
      if (movements === null) return rows.length;
      await isolateFailures(
        rows,
        async (some) => {
          await platform.db.transaction(async (tx) => {
            const at = platform.clock.now();
            // Where the lease is over, the fees may have changed: whoever claims the rows next reads them.
            if (!isOutdated(now, at)) await recordTransfers(deps, tx, at, some, movements);
          });
          return [];
        },
        ({ paymentId }, err) =>
          platform.log.report('payment.transfer_not_recorded', { payment_id: paymentId, err }),
      );
      return rows.length;
    },
  };
}

/**
 * Returns the outcomes of the transfers, by key. If the issuer refuses a whole request, it is bisected down to the order that the
 * issuer refuses: that order is left out, keeps its key, and waits. Throws IssuerUnavailable.
 */
async function transferAll(
  { platform, issuer }: TransferDeps,
  rows: readonly TransferRow[],
): Promise<ReadonlyMap<string, Movement>> {
  const made = await isolateFailures(
    rows,
    async (some) => [...(await orderTransfers(issuer, platform.clock.now(), some.map(toOrder)))],
    async (row, err) => {
      const { paymentId } = row;
      platform.log.report('payment.transfer_refused', { payment_id: paymentId, err });
      const dueAt = nextTransferAt(platform.clock.now(), keyOf(row), 'refused');
      const wait = { row, polls: row.polls, dueAt };
      await platform.db.transaction((tx) => postponeTransfers(tx, [wait]));
    },
    (error) => !(error instanceof IssuerRefused),
  );
  return new Map(made);
}

/** Has transfers of unknown outcome ordered again under their keys soon, and not at the end of their lease. */
async function postponeUnknown(
  { db, clock }: Platform,
  claimedAt: Temporal.Instant,
  rows: readonly TransferRow[],
): Promise<void> {
  const at = clock.now();
  if (isOutdated(claimedAt, at)) return;
  const waits = rows.map((row) => ({
    row,
    polls: row.polls,
    dueAt: nextTransferAt(at, keyOf(row), 'unknown'),
  }));
  await db.transaction((tx) => postponeTransfers(tx, waits)).catch(() => undefined);
}

function toOrder(row: TransferRow): DatedTransfer {
  const order = {
    idempotencyKey: keyOf(row),
    fromIssuerWalletId: row.fromWallet,
    toIssuerWalletId: row.toWallet,
    amountPence: row.amountPence,
    reference: row.paymentId,
  };
  return { order, firstAt: row.firstAt };
}

function claimTransfers(
  platform: Platform,
  now: Temporal.Instant,
  limit: number,
): Promise<TransferRow[]> {
  return platform.db.transaction(async (tx) => {
    const claimed = await claimToTransfer(tx, now, TRANSFER_LEASE.total('milliseconds'), limit);
    return claimed.length === 0 ? [] : withWallets(platform, tx, now, claimed);
  });
}

/** Returns the facts and the wallets of claimed payments; reports those whose merchant's wallet is closed. */
async function withWallets(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  claimed: readonly ClaimedTransfer[],
): Promise<TransferRow[]> {
  const rows = await findTransfers(tx, claimed, now);
  if (rows.length < claimed.length) {
    const found = new Set(rows.map((row) => row.paymentId));
    platform.log.report('payment.merchant_wallet_closed', {
      payments: claimed.map((c) => c.paymentId).filter((id) => !found.has(id)),
    });
  }
  return rows;
}

/** Marks the payments of settled transfers as successful; postpones the others. */
async function recordTransfers(
  deps: TransferDeps,
  tx: Tx,
  now: Temporal.Instant,
  rows: readonly TransferRow[],
  movements: ReadonlyMap<string, Movement>,
): Promise<void> {
  const { log } = deps.platform;
  const statusOf = (row: TransferRow) => movements.get(keyOf(row))?.status;
  const sorted = [...rows].sort(byKey);
  // Where all are settled, the end of their work is the lock: in the order of the keys, and only of what is still there.
  if (sorted.some((row) => statusOf(row) !== 'settled')) await lockPayments(tx, sorted);
  const failed = sorted.filter((row) => statusOf(row) === 'failed');
  await recordSuccess(
    deps,
    tx,
    now,
    sorted.filter((row) => statusOf(row) === 'settled'),
  );
  const leftOut = sorted.filter((row) => statusOf(row) === undefined);
  if (leftOut.length > 0) log.report('payment.transfer_unreadable', { keys: leftOut.map(keyOf) });
  const pending = sorted.filter((row) => statusOf(row) === 'pending');
  await postponeTransfers(
    tx,
    pending.map((row) => ({
      row,
      polls: row.polls,
      dueAt: nextTransferAt(now, keyOf(row), 'pending'),
    })),
  );
  if (failed.length === 0) return;
  log.report('payment.transfer_failed', { payments: failed.map((f) => f.paymentId) });
  await postponeTransfers(
    tx,
    failed.map((row) => ({
      row,
      polls: row.polls + 1,
      dueAt: nextTransferAt(now, keyOf(row), { failures: row.polls }),
    })),
  );
}

const byKey = (a: TransferRow, b: TransferRow): number =>
  `${a.merchantId} ${a.paymentId}` < `${b.merchantId} ${b.paymentId}` ? -1 : 1;

async function recordSuccess(
  { platform, payOutOf }: TransferDeps,
  tx: Tx,
  now: Temporal.Instant,
  rows: readonly TransferRow[],
): Promise<void> {
  const withFees = rows.map((row) => ({ ...row, feePence: feeAt(row, now) }));
  await moveToSuccess({ platform, tx, now }, withFees, {
    settleAt: payOutOf(now),
    book: (done) => post({ platform, tx, now }, done.flatMap(toPostings)),
  });
}

type SuccessRow = TransferRow & { feePence: number | null };

/** Returns the fee of a payment that succeeds now, in pence; null: none. */
function feeAt({ fees, amountPence }: TransferRow, now: Temporal.Instant): number | null {
  const terms = termsAt(fees, now);
  return terms === null ? null : feeOf(terms, amountPence) || null;
}

/** Returns the postings of a success: the money, and its fee if there is one. */
function toPostings(row: SuccessRow): Posting[] {
  const { merchantId, paymentId: sourceId, toAccount: own, feePence: fee } = row;
  const move: Posting = {
    merchantId,
    kind: 'move',
    debit: row.walletId,
    credit: own,
    amountPence: row.amountPence,
    sourceId,
  };
  if (fee === null) return [move];
  return [move, { ...move, kind: 'fee', debit: own, credit: FEES, amountPence: fee }];
}
