import { lockPayment } from '../payments/books/read-store.ts';
import { isDatabaseFailure } from '../platform/db/isolate-failures.ts';
import { claim, earliestDue } from '../platform/engine/claim.ts';
import type { Stage } from '../platform/engine/stage.ts';
import { mapInParallel } from '../platform/network/concurrency-limits.ts';
import type { Work } from '../platform/platform.ts';
import type { Issuer, PayoutOrder } from '../wallets/issuer.ts';
import { lockInSettlement } from '../wallets/ledger-store.ts';
import { findPayOut, nextPollAt } from '../wallets/orders.ts';
import { orderPayOut, type PayOutAnswer } from '../wallets/pay-out.ts';
import { findMerchantWallet } from '../wallets/store.ts';
import { recordNotPaid, recordPaid, stopRefund } from './end.ts';
import { openDestination, payerOf, sealDestination } from './payer.ts';
import { nextTryAt, statementReference } from './refund.ts';
import { type RefundDeps, reserveRefund, walletWith } from './service.ts';
import { moveToAsked, moveToReserved, moveToTracked } from './state-store.ts';
import { CLAIMED_COLUMNS, postpone, type RefundRow } from './store.ts';

/** Enough for fifty refunds, sixteen at a time, each of a few calls of at most ten seconds. */
const LEASE_MS = 180_000;
const CONCURRENCY = 16;
/** A database that was restored may have ordered a refund days before it makes it again: its pay-out is looked up first. */
const RESTORE_LOOKBACK = Temporal.Duration.from({ hours: 7 * 24 });

/** Sets the money of waiting refunds apart once the merchant's wallet has it; one that waits too long fails. */
export function refundWaitStage(deps: RefundDeps): Stage {
  return refundStage(deps, 'wait', (row) => recordWait(deps, row));
}

function recordWait(deps: RefundDeps, row: RefundRow): Promise<void> {
  const { platform } = deps;
  const now = platform.clock.now();
  return platform.db.transaction(async (tx) => {
    const { merchantId, amountPence } = row;
    await lockInSettlement(tx, merchantId);
    await lockPayment(tx, merchantId, row.paymentId);
    const walletId = await walletWith(deps, tx, merchantId, amountPence);
    if (walletId !== null) {
      await moveToReserved(tx, now, row, async () => {
        await reserveRefund(platform, { tx, now }, row, walletId);
        await deps.refundSetApart({ platform, tx, now }, row);
      });
      return;
    }
    const again = nextTryAt(row.createdAt, now);
    if (again !== null) return postpone(tx, row, again);
    const message = 'Your wallet did not hold enough for it within 30 days.';
    await stopRefund(deps, { platform, tx, now }, row, { code: 'insufficient_balance', message });
  });
}

/** Orders the pay-outs of refunds at the issuer, under their own ids. */
export function refundPayStage(deps: RefundDeps, issuer: Issuer): Stage {
  return refundStage(deps, 'pay', async (row) => {
    const order = await prepare(deps, issuer, row);
    if (order === null) return;
    const since = row.createdAt.subtract(RESTORE_LOOKBACK);
    const answer = (await findPayOut(issuer, order, since)) ?? (await orderPayOut(issuer, order));
    await record(deps, row, answer);
  });
}

/**
 * Returns the order of a refund, after noting that it may be with the issuer from now on. Null: the refund has ended meanwhile,
 * or the account that paid is not known.
 */
async function prepare(
  deps: RefundDeps,
  issuer: Issuer,
  row: RefundRow,
): Promise<PayoutOrder | null> {
  const { platform } = deps;
  const wallet = await platform.db.read((tx) => findMerchantWallet(tx, row.merchantId));
  if (wallet?.status !== 'open' || wallet.issuerWalletId === null)
    throw new Error("the merchant's wallet is not open");
  const destination =
    row.destination === null
      ? await payerOf(platform, issuer, row)
      : openDestination(platform, row, row.destination);
  const isNoted = await platform.db.transaction(async (tx) => {
    const now = platform.clock.now();
    if (destination !== null)
      return moveToAsked(tx, now, row, sealDestination(platform, row, destination));
    const message = 'The account that paid is not known: refund the customer another way.';
    await stopRefund(deps, { platform, tx, now }, row, { code: 'payer_unknown', message });
    return false;
  });
  if (!isNoted || destination === null) return null;
  return {
    idempotencyKey: row.refundId,
    fromIssuerWalletId: wallet.issuerWalletId,
    destination,
    amountPence: row.amountPence,
    reference: statementReference(row.refundId),
  };
}

/** Polls the issuer about pay-outs of refunds until they end; a notification makes one due now. */
export function refundTrackStage(deps: RefundDeps, issuer: Issuer): Stage {
  return refundStage(deps, 'track', async (row) =>
    record(deps, row, await issuer.readMovement(row.issuerMovementId ?? '')),
  );
}

/** Records the issuer's answer. A pay-out of another amount is not this refund's: it is reported, and polled again. */
async function record(deps: RefundDeps, row: RefundRow, answer: PayOutAnswer): Promise<void> {
  const { platform } = deps;
  const now = platform.clock.now();
  const dueAt = nextPollAt(now, row.polls, row.refundId);
  await platform.db.transaction(async (tx) => {
    const work: Work = { platform, tx, now };
    const { movementId, amountPence, status, error } = answer;
    if (status === 'failed') {
      const refused = { code: 'rejected', message: 'The pay-out was refused.' };
      return recordNotPaid(deps, work, row, error ?? refused);
    }
    if (amountPence !== row.amountPence) {
      const about = { refund_id: row.refundId, movement_id: movementId };
      platform.log.report('refund.amount_differs', { ...about, amount_pence: amountPence });
      return postpone(tx, row, dueAt);
    }
    if (status === 'settled') return recordPaid(work, row, movementId);
    if (movementId === null) return postpone(tx, row, dueAt);
    await moveToTracked(tx, now, row, { movementId, dueAt });
  });
}

function refundStage(
  deps: RefundDeps,
  stage: 'wait' | 'pay' | 'track',
  step: (row: RefundRow) => Promise<void>,
): Stage {
  const { platform } = deps;
  return {
    name: `refunds.${stage}`,
    batch: 50,
    ...earliestDue('refunds', `stage = '${stage}'`),
    async run(now, limit) {
      const rows = await platform.db.transaction((tx) =>
        claim<RefundRow>(tx, now, LEASE_MS, limit, {
          table: 'refunds',
          key: ['merchant_id', 'refund_id'],
          where: `t.stage = '${stage}'`,
          set: 'polls = t.polls + 1',
          returning: CLAIMED_COLUMNS,
        }),
      );
      await mapInParallel(rows, CONCURRENCY, async (row) => {
        try {
          await step(row);
        } catch (error) {
          if (isDatabaseFailure(error)) throw error;
          platform.log.report('refund.outcome_unknown', { refund_id: row.refundId, err: error });
          const again = nextPollAt(platform.clock.now(), row.polls, row.refundId);
          await platform.db.transaction((tx) => postpone(tx, row, again));
        }
      });
      return rows.length;
    },
  };
}
