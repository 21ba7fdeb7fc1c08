import type { Tx } from '../../platform/db/db.ts';
import type { Work } from '../../platform/platform.ts';
import { recordChanges } from '../../platform/state/audit-trail.ts';
import { appendEvents, type DataOf } from '../../platform/state/events.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { OUTSIDE, post, UNALLOCATED } from '../../wallets/ledger-store.ts';
import {
  type Ended,
  endItem,
  type ItemRow,
  insertItem,
  lockItemOf,
} from '../books/unallocated-store.ts';
import type { LateMoney, UnallocatedReason } from '../payment/allocation.ts';
import type { PAYMENT_EVENTS } from '../payment/events.ts';
import type { Receiving, RecordedRow } from '../payment/payment.ts';
import { REASONS } from '../payment/unallocated-item.ts';
import { markPaid, reinstate, reverseClaim } from './paid.ts';

/** Money that has arrived, and what we know about it. */
export interface Arrived {
  merchantId: string;
  walletId: string;
  movementId: string;
  amountPence: number;
  endToEndId: string | null;
  at: Temporal.Instant;
  /** Sealed. */
  payer: string | null;
  /** Of money that came back: the pay-out as the issuer names it, and what of ours it was. */
  cameBack?: { originalMovementId: string; of: string | null };
}

/** Money of a payment that could not be transferred to the merchant. */
export type Untransferred = Omit<Arrived, 'endToEndId' | 'payer' | 'cameBack'> & { guess: Guess };

/**
 * Takes the money of a payment out of its wallet in the ledger, and puts it on the list; at the issuer it stays in that wallet.
 * If it came from an item before, the new one is a part of that.
 */
export async function setAsideOnList(work: Work, money: Untransferred): Promise<void> {
  const { guess, ...arrived } = money;
  const { tx, now, platform } = work;
  const earlier = await lockItemOf(tx, money.merchantId, money.movementId);
  const item = await addItem(
    work,
    {
      ...arrived,
      partOf: earlier?.itemId ?? null,
      endToEndId: earlier?.endToEndId ?? null,
      payer: earlier?.payer ?? null,
    },
    { reason: 'not_transferred', guess },
  );
  await post({ platform, tx, now }, [
    {
      merchantId: money.merchantId,
      kind: 'set_aside',
      debit: money.walletId,
      credit: UNALLOCATED,
      amountPence: money.amountPence,
      sourceId: item,
    },
  ]);
}

/** The payment that money may belong to. */
export interface Guess {
  scheduleId: string;
  paymentId: string;
  attempt: number;
}

/** Puts money on the unallocated list and books it there. Notifies the merchant if the money may belong to a payment. */
export async function openItem(
  work: Work,
  money: Arrived,
  why: { reason: UnallocatedReason; guess: Guess | null },
): Promise<void> {
  const { merchantId, movementId, amountPence } = money;
  work.platform.log.report('payment.unexpected_money', {
    movement_id: movementId,
    payment_id: why.guess?.paymentId,
    reason: why.reason,
  });
  await post(work, [
    {
      merchantId,
      kind: 'pay_in',
      debit: OUTSIDE,
      credit: UNALLOCATED,
      amountPence,
      sourceId: movementId,
    },
  ]);
  await addItem(work, { ...money, partOf: null }, why);
}

/** Inserts an item and records its audit trail entry and its event. Returns its id. */
export async function addItem(
  work: Work,
  money: Arrived & { partOf: string | null },
  { reason, guess }: { reason: UnallocatedReason; guess: Guess | null },
): Promise<string> {
  const item = {
    merchantId: money.merchantId,
    itemId: work.platform.ids.next('una', work.now),
    movementId: money.movementId,
    partOf: money.partOf,
    originalMovementId: money.cameBack?.originalMovementId ?? null,
    cameBackOf: money.cameBack?.of ?? null,
    walletId: money.walletId,
    amountPence: money.amountPence,
    currency: 'GBP',
    endToEndId: money.endToEndId,
    payer: money.payer,
    reason,
    scheduleId: guess?.scheduleId ?? null,
    paymentId: guess?.paymentId ?? null,
    attempt: guess?.attempt ?? null,
    arrivedAt: money.at,
    openedAt: work.now,
  };
  await insertItem(work.tx, item);
  await recordItem(work.tx, work.now, item, { from: null, to: 'open', reason: REASONS[reason] });
  await announce(work, { ...item, status: 'open' });
  return item.itemId;
}

type AnnouncedItem = Pick<
  ItemRow,
  | 'merchantId'
  | 'itemId'
  | 'scheduleId'
  | 'paymentId'
  | 'amountPence'
  | 'currency'
  | 'reason'
  | 'status'
  | 'arrivedAt'
>;

function recordItem(
  tx: Tx,
  now: Temporal.Instant,
  item: Pick<ItemRow, 'merchantId' | 'itemId' | 'scheduleId'>,
  change: { from: string | null; to: string; reason: string },
): Promise<void> {
  const { merchantId, itemId: objectId, scheduleId } = item;
  return recordChanges(tx, now, [{ merchantId, objectId, scheduleId, ...change }]);
}

/** Notifies the merchant of money that may belong to one of their payments. */
async function announce(work: Work, item: AnnouncedItem): Promise<void> {
  if (item.paymentId === null || item.scheduleId === null) return;
  const { merchantId, scheduleId, paymentId: subjectId } = item;
  const data = {
    id: item.itemId,
    payment_id: item.paymentId,
    schedule_id: item.scheduleId,
    amount: { value: item.amountPence, currency: item.currency },
    status: item.status,
    reason: item.reason,
    arrived_at: formatInstant(item.arrivedAt),
  } satisfies DataOf<typeof PAYMENT_EVENTS, 'payment.unexpected_money'>;
  const kind = 'payment.unexpected_money';
  await appendEvents(work, [{ merchantId, kind, scheduleId, subjectId, data }]);
}

/** Ends an item: row, audit trail, event. The caller books the money. */
export async function recordEnd(work: Work, item: ItemRow, ended: Ended): Promise<void> {
  await endItem(work.tx, work.now, item, ended);
  const paid = ended.paid === 'none' ? null : ended.paid;
  const after = {
    ...item,
    scheduleId: paid?.scheduleId ?? item.scheduleId,
    paymentId: paid?.paymentId ?? item.paymentId,
    status: ended.status,
  };
  await announce(work, after);
}

/**
 * Assigns `amountPence` of an item's money to an attempt of a payment: one under way, or a failed one whose payment is not paid
 * otherwise. The payment moves on to the transfer. The caller ends the item.
 */
export async function payFromItem(
  work: Work,
  item: ItemRow,
  row: Receiving,
  late: LateMoney,
  amountPence: number = row.amountPence,
): Promise<void> {
  const { merchantId, paymentId } = row;
  const ref = { ...row, attempt: late.attempt };
  if (row.status === 'processing' && late.attempt === row.attempt) {
    const [paid] = await markPaid(work.tx, work.now, [{ ref, payInId: late.payInId, by: late.by }]);
    if (paid === undefined) throw new Error(`the payment ${paymentId} is not under way`);
    const claim = { ...row, number: late.attempt };
    if (paid.isClaimed) await post(work, [reverseClaim(claim)]);
  } else await reinstate(work, row, late, row.status);
  await post(work, [
    {
      merchantId,
      kind: 'allocate',
      debit: UNALLOCATED,
      credit: row.walletId,
      amountPence,
      sourceId: item.itemId,
    },
  ]);
}

/** Pays for a payment with the money of an earlier attempt, which was waiting for the later attempt to fail. */
export async function payFromEarlier(work: Work, row: RecordedRow, late: LateMoney): Promise<void> {
  const { merchantId, paymentId, scheduleId } = row;
  const item = await lockItemOf(work.tx, merchantId, late.payInId);
  if (item === null) throw new Error(`the money ${late.payInId} is not on the unallocated list`);
  await payFromItem(work, item, { ...row, status: 'failed', stage: null }, late);
  await recordEnd(work, item, {
    status: 'allocated',
    by: 'the service',
    confirmedBy: null,
    reason: 'the later attempt failed',
    paid: { scheduleId, paymentId, attempt: late.attempt },
  });
}
