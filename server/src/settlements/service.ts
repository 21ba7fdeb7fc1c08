import { findHeld } from '../merchants/holds/hold-store.ts';
import type { Tx } from '../platform/db/db.ts';
import { type List, mapList, type Page } from '../platform/http/lists/page.ts';
import type { Asked, Platform } from '../platform/platform.ts';
import { recordChanges } from '../platform/state/audit-trail.ts';
import type { DataOf } from '../platform/state/events.ts';
import { formatInstant } from '../platform/time/calendar.ts';
import { ApiError, orNotFound } from '../platform/values/errors.ts';
import { LARGEST_AMOUNT } from '../platform/values/money.ts';
import {
  IN_SETTLEMENT,
  lockInSettlement,
  OUTSIDE,
  type Posting,
  post,
} from '../wallets/ledger-store.ts';
import { nextPollAt } from '../wallets/orders.ts';
import type { PayOutAnswer } from '../wallets/pay-out.ts';
import { confirmDoubtedAccount } from './account-trust.ts';
import { availableOf } from './available.ts';
import { destinationOfRow, type SettlementDeps, sealDestination } from './destination.ts';
import type { SETTLEMENT_EVENTS } from './events.ts';
import { payOutKey, statementReference } from './settlement.ts';
import { nextSettlementMoment } from './settlement-day.ts';
import {
  moveToAsked,
  moveToAskedAgain,
  moveToDiffers,
  moveToFailed,
  moveToPaidOut,
  moveToRetried,
  type SettlementFailure,
} from './state-store.ts';
import {
  findSettlement,
  listSettlements,
  lockDiffering,
  lockSettlement,
  type SettlementFilter,
  type SettlementRow,
} from './store.ts';
import { type SettlementView, viewSettlement } from './view.ts';

interface Reservation {
  merchantId: string;
  settlementId: string;
  amountPence: number;
  attempt: number;
}

/** Sets the money of an attempt apart from the merchant's wallet in the ledger. */
export async function reserveSettlement(
  deps: SettlementDeps,
  tx: Tx,
  now: Temporal.Instant,
  what: Reservation,
): Promise<void> {
  const wallet = await deps.merchantWallet(tx, what.merchantId);
  await post({ platform: deps.platform, tx, now }, [
    posting(what, 'settle', wallet.accountId, IN_SETTLEMENT),
  ]);
}

function posting(what: Reservation, kind: Posting['kind'], debit: string, credit: string): Posting {
  const { merchantId, amountPence, settlementId, attempt } = what;
  return {
    merchantId,
    kind,
    debit,
    credit,
    amountPence,
    sourceId: payOutKey(settlementId, attempt),
  };
}

const reservationOf = (row: SettlementRow): Reservation => ({
  merchantId: row.merchantId,
  settlementId: row.settlementId,
  amountPence: row.amountPence,
  attempt: row.attempts,
});

/** Records that the pay-out was ordered: the issuer has it (`movementId`), or its outcome is unknown. */
export function recordAsked(
  tx: Tx,
  now: Temporal.Instant,
  row: SettlementRow,
  movementId: string | null,
): Promise<void> {
  const dueAt = nextPollAt(now, row.polls, row.settlementId);
  return moveToAsked(tx, now, row, { movementId, dueAt });
}

/** Whether the issuer has a pay-out of another amount under a settlement's key: one ordered by a lost database. */
export const isOtherAmount = (row: SettlementRow, answer: PayOutAnswer): boolean =>
  answer.status !== 'failed' && answer.amountPence !== row.amountPence;

/**
 * Records that the issuer has a pay-out of another amount under the settlement's key. It is neither paid nor failed: nothing
 * is ordered or polled until a person has looked into it.
 */
export async function recordOtherAmount(
  { platform }: SettlementDeps,
  tx: Tx,
  now: Temporal.Instant,
  row: SettlementRow,
  { movementId, amountPence }: PayOutAnswer,
): Promise<void> {
  const message =
    `The issuer has a pay-out of ${amountPence} pence under the key of this settlement of ${row.amountPence} pence: ` +
    'the operator has to look into it.';
  if (!(await moveToDiffers(tx, now, row, { movementId, message }))) return;
  if (row.status === 'processing') await note(tx, now, row, message);
  platform.log.report('settlement.amount_differs', {
    settlement_id: row.settlementId,
    movement_id: movementId,
    amount_pence: amountPence,
  });
}

/**
 * Resumes polling the issuer about a settlement that waits because of another amount. Returns false if it does not wait for
 * that.
 */
export async function resumePolling(
  tx: Tx,
  now: Temporal.Instant,
  settlementId: string,
  reason: string,
): Promise<boolean> {
  const row = await lockDiffering(tx, settlementId);
  if (row === null || !(await moveToAskedAgain(tx, now, row, reason))) return false;
  await note(tx, now, row, `the issuer is asked again: ${reason}`);
  return true;
}

/** Adds an audit entry to a settlement that stays processing. */
function note(tx: Tx, now: Temporal.Instant, row: SettlementRow, reason: string): Promise<void> {
  const { merchantId, settlementId: objectId } = row;
  const change = { merchantId, objectId, scheduleId: null, from: 'processing', to: 'processing' };
  return recordChanges(tx, now, [{ ...change, reason }]);
}

/** Records the final result of a pay-out: state, postings and event together. */
export async function recordPayOut(
  deps: SettlementDeps,
  tx: Tx,
  now: Temporal.Instant,
  row: SettlementRow,
  answer: PayOutAnswer,
): Promise<void> {
  await lockInSettlement(tx, row.merchantId);
  if (answer.status === 'settled') return recordSuccess(deps, tx, now, row, answer.movementId);
  const error = answer.error ?? { code: 'rejected', message: 'The pay-out was refused.' };
  await recordFailure(deps, tx, now, row, error);
}

function recordSuccess(
  { platform }: SettlementDeps,
  tx: Tx,
  now: Temporal.Instant,
  row: SettlementRow,
  movementId: string | null,
): Promise<void> {
  return moveToPaidOut({ platform, tx, now }, row, {
    movementId,
    book: () =>
      post({ platform, tx, now }, [posting(reservationOf(row), 'pay_out', IN_SETTLEMENT, OUTSIDE)]),
    data: {
      ...about(platform, row),
      completed_at: formatInstant(now),
    } satisfies DataOf<typeof SETTLEMENT_EVENTS, 'settlement.success'>,
  });
}

/** Returns the funds to the merchant's wallet; they go out with the next day's settlement. */
function recordFailure(
  deps: SettlementDeps,
  tx: Tx,
  now: Temporal.Instant,
  row: SettlementRow,
  error: SettlementFailure['error'],
): Promise<void> {
  const { platform } = deps;
  return moveToFailed({ platform, tx, now }, row, {
    error,
    carryAt: nextSettlementMoment(now),
    async book() {
      const wallet = await deps.merchantWallet(tx, row.merchantId);
      const back = posting(reservationOf(row), 'settle_back', IN_SETTLEMENT, wallet.accountId);
      await post({ platform, tx, now }, [back]);
    },
    data: failedData(platform, row, error, now),
  });
}

/** The data of `settlement.failed`. */
export function failedData(
  platform: Platform,
  row: SettlementRow,
  error: SettlementFailure['error'],
  now: Temporal.Instant,
): DataOf<typeof SETTLEMENT_EVENTS, 'settlement.failed'> {
  return { ...about(platform, row), error, failed_at: formatInstant(now) };
}

function about(platform: Platform, row: SettlementRow) {
  const { sortCode, accountNumber } = destinationOfRow(platform, row);
  return {
    settlement_id: row.settlementId,
    amount: { value: row.amountPence, currency: row.currency },
    statement_reference: statementReference(row),
    destination_account: { account_number: accountNumber, sort_code: sortCode },
  };
}

/**
 * Pays a failed settlement out again at once, to the merchant's current account, which is thereby confirmed. Throws 409
 * `settlement_not_retryable` if it has not failed, if its funds went out with a later one, or while pay-outs are held.
 */
export async function retrySettlement(
  deps: SettlementDeps,
  asked: Asked,
  settlementId: string,
): Promise<SettlementView> {
  const { tx, now, merchantId } = asked;
  await lockInSettlement(tx, merchantId); // the merchant first, in the same order as when the day's settlement includes this one
  const row = orNotFound(await lockSettlement(tx, merchantId, settlementId), 'settlement');
  if (row.status !== 'failed')
    throw new ApiError(
      'settlement_not_retryable',
      `Only a failed settlement can be retried; this one is ${row.status}.`,
    );
  if (row.stage !== 'carry')
    throw new ApiError(
      'settlement_not_retryable',
      'The funds of this settlement have gone with a later one.',
    );
  const available = await availableOf(tx, merchantId);
  if (available === null || available.pence < row.amountPence)
    throw new ApiError(
      'settlement_not_retryable',
      'Refunds, or what you owe for recalled payments, take some of its funds: what is left goes out with the next settlement.',
    );
  if (row.amountPence > LARGEST_AMOUNT)
    throw new ApiError(
      'settlement_not_retryable',
      'It is more than one pay-out carries: it goes out in parts with the next settlement.',
    );
  await confirmDoubtedAccount(asked, `${settlementId} was retried by hand`);
  const destination = await sealDestination(deps, tx, merchantId, settlementId);
  // Read after the account: whoever changed it alone held the pay-outs in the same transaction.
  if ((await findHeld(tx, 'pay_outs', [merchantId])).size > 0)
    throw new ApiError(
      'settlement_not_retryable',
      'Your pay-outs are held: it can be retried, or goes out with the next settlement, when they are not.',
    );
  await moveToRetried(tx, now, row, destination);
  await reserveSettlement(deps, tx, now, { ...reservationOf(row), attempt: row.attempts + 1 });
  return showSettlement(deps, asked, settlementId);
}

/** Returns one settlement. Throws 404 `not_found`. */
export async function showSettlement(
  deps: SettlementDeps,
  { tx, merchantId }: Asked,
  settlementId: string,
): Promise<SettlementView> {
  const row = orNotFound(await findSettlement(tx, merchantId, settlementId), 'settlement');
  return viewSettlement(row, destinationOfRow(deps.platform, row));
}

/** Returns a page of settlements, newest first. */
export async function showSettlements(
  deps: SettlementDeps,
  { tx, merchantId }: Asked,
  filter: SettlementFilter,
  page: Page,
): Promise<List<SettlementView>> {
  return mapList(await listSettlements(tx, merchantId, filter, page), (row) =>
    viewSettlement(row, destinationOfRow(deps.platform, row)),
  );
}
