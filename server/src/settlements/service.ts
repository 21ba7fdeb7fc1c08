import { recordChanges } from '../platform/audit-trail.ts';
import { formatInstant } from '../platform/calendar.ts';
import type { Tx } from '../platform/db.ts';
import { ApiError, notFound } from '../platform/errors.ts';
import { appendEvents, type DataOf } from '../platform/events.ts';
import { LARGEST_AMOUNT } from '../platform/money.ts';
import type { Platform } from '../platform/platform.ts';
import type { Movement } from '../wallets/issuer.ts';
import { IN_SETTLEMENT, OUTSIDE, type Posting, post } from '../wallets/ledger.ts';
import type { SETTLEMENT_EVENTS } from './events.ts';
import { askAgainAt, type Destination, payOutKey, type SettlementStatus } from './settlement.ts';
import { nextSettlementMoment, settlementDate } from './settlement-day.ts';
import {
  findSettlement,
  freeCarried,
  gather,
  hasDay,
  holdMerchant,
  insertSettlement,
  listSettlements,
  lockSettlement,
  markAsked,
  markDone,
  markFailed,
  markRetried,
  putOff,
  type SettlementRow,
} from './store.ts';
import { type SettlementView, viewSettlement } from './view.ts';

export interface SettlementDeps {
  platform: Platform;
  /** The merchant's own bank account. */
  destinationOf(tx: Tx, merchantId: string): Promise<Destination>;
  /** The account of the merchant's wallet in the ledger, and the wallet at the issuer (null: not open yet). */
  merchantWallet(
    tx: Tx,
    merchantId: string,
  ): Promise<{ accountId: string; issuerWalletId: string | null }>;
}

const CURRENCY = 'GBP';
const context = (merchantId: string, settlementId: string): string =>
  `settlement:${merchantId}:${settlementId}`;

/** Where a settlement goes, as it was when it was opened. */
export function destinationOfRow(platform: Platform, row: SettlementRow): Destination {
  return JSON.parse(
    platform.vault.open(row.destination, context(row.merchant_id, row.settlement_id)),
  ) as Destination;
}

/** So many settlements of a merchant and day, of GBP 1,000,000.00 each; what is beyond them goes on the next business day. */
const MOST_PARTS = 100;

/**
 * Opens the settlement of a merchant and day, which holds the payments whose day has come and what failed settlements held;
 * more than one where one pay-out does not carry it all. What comes later on a day that has its settlement goes on the next
 * business day. The caller holds the merchant's `in_settlement` account.
 */
export async function openSettlements(
  deps: SettlementDeps,
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
): Promise<void> {
  const day = settlementDate(now);
  if (!(await hasDay(tx, merchantId, day))) {
    await freeCarried(tx, merchantId, now);
    for (let part = 1; part <= MOST_PARTS; part++)
      if (!(await openPart(deps, tx, now, { merchantId, day, part }))) break;
  }
  const left = await putOff(tx, merchantId, now, nextSettlementMoment(now));
  if (left > 0)
    deps.platform.log.warn(
      { merchant_id: merchantId, payments: left },
      'payments came after the settlement of their day, or are more than a day carries: they go on the next business day',
    );
}

/** Gathers as much as one pay-out carries, and sets the money apart in the ledger. False: nothing is left. */
async function openPart(
  deps: SettlementDeps,
  tx: Tx,
  now: Temporal.Instant,
  of: { merchantId: string; day: Temporal.PlainDate; part: number },
): Promise<boolean> {
  const { merchantId } = of;
  const settlementId = deps.platform.ids.next('set', now);
  const amountPence = await gather(tx, merchantId, settlementId, now, LARGEST_AMOUNT);
  if (amountPence === 0) return false;
  const destination = await sealDestination(deps, tx, merchantId, settlementId);
  await insertSettlement(
    tx,
    { ...of, settlementId, amountPence, currency: CURRENCY, destination },
    now,
  );
  await setApart(deps, tx, now, { merchantId, settlementId, amountPence, attempt: 1 });
  await recordChanges(tx, now, [
    line(merchantId, settlementId, null, 'pending', 'the business day has come'),
  ]);
  return true;
}

async function sealDestination(
  deps: SettlementDeps,
  tx: Tx,
  merchantId: string,
  settlementId: string,
): Promise<string> {
  const destination = await deps.destinationOf(tx, merchantId);
  return deps.platform.vault.seal(JSON.stringify(destination), context(merchantId, settlementId));
}

interface Apart {
  merchantId: string;
  settlementId: string;
  amountPence: number;
  attempt: number;
}

async function setApart(
  deps: SettlementDeps,
  tx: Tx,
  now: Temporal.Instant,
  what: Apart,
): Promise<void> {
  const wallet = await deps.merchantWallet(tx, what.merchantId);
  await post(tx, deps.platform.ids, now, [
    posting(what, 'settle', wallet.accountId, IN_SETTLEMENT),
  ]);
}

function posting(what: Apart, kind: Posting['kind'], debit: string, credit: string): Posting {
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

const apartOf = (row: SettlementRow): Apart => ({
  merchantId: row.merchant_id,
  settlementId: row.settlement_id,
  amountPence: row.amount_pence,
  attempt: row.attempts,
});

/** Records that the issuer was asked: it has the pay-out (`movementId`), or it is not known whether it has. */
export async function recordAsked(
  tx: Tx,
  now: Temporal.Instant,
  row: SettlementRow,
  movementId: string | null,
): Promise<void> {
  if (!(await markAsked(tx, row, movementId, askAgainAt(now, row.polls, row.settlement_id))))
    return;
  if (row.status === 'pending')
    await recordChanges(tx, now, [
      line(row.merchant_id, row.settlement_id, 'pending', 'processing', 'the issuer is asked'),
    ]);
}

/** What the issuer said of a pay-out; `movementId` is null where it refused the order. */
export type PayOutAnswer = Pick<Movement, 'status' | 'error'> & { movementId: string | null };

/** Records a pay-out that the issuer has finished: state, postings and event together. */
export async function recordPayOut(
  deps: SettlementDeps,
  tx: Tx,
  now: Temporal.Instant,
  row: SettlementRow,
  answer: PayOutAnswer,
): Promise<void> {
  await holdMerchant(tx, row.merchant_id);
  if (answer.status === 'settled') return recordSuccess(deps, tx, now, row, answer.movementId);
  const error = answer.error ?? { code: 'rejected', message: 'The pay-out was refused.' };
  await recordFailure(deps, tx, now, row, error);
}

async function recordSuccess(
  deps: SettlementDeps,
  tx: Tx,
  now: Temporal.Instant,
  row: SettlementRow,
  movementId: string | null,
): Promise<void> {
  if (!(await markDone(tx, row, movementId, now))) return;
  await post(tx, deps.platform.ids, now, [
    posting(apartOf(row), 'pay_out', IN_SETTLEMENT, OUTSIDE),
  ]);
  await recordChanges(tx, now, [
    line(row.merchant_id, row.settlement_id, row.status, 'success', 'paid out'),
  ]);
  await tell(deps, tx, now, row, 'settlement.success', { completed_at: formatInstant(now) });
}

/** The funds go back to the merchant's wallet, and with the next day's settlement. */
async function recordFailure(
  deps: SettlementDeps,
  tx: Tx,
  now: Temporal.Instant,
  row: SettlementRow,
  error: { code: string; message: string },
): Promise<void> {
  if (!(await markFailed(tx, row, error, now, nextSettlementMoment(now)))) return;
  const wallet = await deps.merchantWallet(tx, row.merchant_id);
  await post(tx, deps.platform.ids, now, [
    posting(apartOf(row), 'settle_back', IN_SETTLEMENT, wallet.accountId),
  ]);
  await recordChanges(tx, now, [
    line(row.merchant_id, row.settlement_id, row.status, 'failed', error.code),
  ]);
  await tell(deps, tx, now, row, 'settlement.failed', { error, failed_at: formatInstant(now) });
}

type Told = typeof SETTLEMENT_EVENTS;
type AlwaysTold = 'settlement_id' | 'amount' | 'destination_account';

async function tell<K extends keyof Told>(
  deps: SettlementDeps,
  tx: Tx,
  now: Temporal.Instant,
  row: SettlementRow,
  kind: K,
  outcome: Omit<DataOf<Told, K>, AlwaysTold>,
): Promise<void> {
  const { sortCode, accountNumber } = destinationOfRow(deps.platform, row);
  const about: Pick<DataOf<Told, keyof Told>, AlwaysTold> = {
    settlement_id: row.settlement_id,
    amount: { value: row.amount_pence, currency: row.currency },
    destination_account: { account_number: accountNumber, sort_code: sortCode },
  };
  await appendEvents(tx, deps.platform, now, [
    {
      merchantId: row.merchant_id,
      kind,
      scheduleId: null,
      subjectId: row.settlement_id,
      data: { ...about, ...outcome },
      isConfidential: true,
    },
  ]);
}

function line(
  merchantId: string,
  objectId: string,
  from: SettlementStatus | null,
  to: SettlementStatus,
  reason: string,
): Parameters<typeof recordChanges>[2][number] {
  return { merchantId, objectId, scheduleId: null, from, to, reason };
}

/**
 * Pays a failed settlement out again at once, to the merchant's present account. Throws 409 `settlement_not_retryable`
 * where it has not failed, or where its funds have gone with a later one.
 */
export async function retrySettlement(
  deps: SettlementDeps,
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  settlementId: string,
): Promise<SettlementView> {
  await holdMerchant(tx, merchantId); // as when the day's settlement takes it with it: first the merchant
  const row = await lockSettlement(tx, merchantId, settlementId);
  if (row === null) throw notFound('settlement');
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
  await markRetried(tx, row, await sealDestination(deps, tx, merchantId, settlementId), now);
  await setApart(deps, tx, now, { ...apartOf(row), attempt: row.attempts + 1 });
  await recordChanges(tx, now, [
    line(merchantId, settlementId, 'failed', 'pending', 'retried by hand'),
  ]);
  return showSettlement(deps, tx, merchantId, settlementId);
}

/** One settlement, or 404 `not_found`. */
export async function showSettlement(
  deps: SettlementDeps,
  tx: Tx,
  merchantId: string,
  settlementId: string,
): Promise<SettlementView> {
  const row = await findSettlement(tx, merchantId, settlementId);
  if (row === null) throw notFound('settlement');
  return viewSettlement(row, destinationOfRow(deps.platform, row));
}

/** A page of settlements, newest first. */
export async function showSettlements(
  deps: SettlementDeps,
  tx: Tx,
  merchantId: string,
  status: SettlementStatus | null,
  page: { limit: number; offset: number },
): Promise<{ data: SettlementView[]; total: number }> {
  const { rows, total } = await listSettlements(tx, merchantId, status, page.limit, page.offset);
  return {
    data: rows.map((row) => viewSettlement(row, destinationOfRow(deps.platform, row))),
    total,
  };
}
