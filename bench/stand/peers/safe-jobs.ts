import { isTooLateToRepeat } from '../../../server/src/payments/payment/attempt.ts';
import { readInstructionId } from '../../../server/src/payments/payment/payment.ts';
import { coalesce } from '../../../server/src/platform/db/coalesce.ts';
import { columns } from '../../../server/src/platform/db/columns.ts';
import type { Tx } from '../../../server/src/platform/db/db.ts';
import type { Notification } from '../../../server/src/platform/inbox.ts';
import { mapInParallel } from '../../../server/src/platform/network/concurrency-limits.ts';
import { post } from '../../../server/src/wallets/ledger-store.ts';
import { type OpenPayment, payAtBank, successBody, toOrder, WIDTH } from './calls.ts';
import type { Due, Enqueue, Jobs, PeerStand, Tell } from './peer.ts';
import { deliver } from './safe-delivery.ts';
import * as sql from './safe-sql.ts';

// The same job as safe as the service, so that it may crash anywhere and be run again: the job names its occurrence and its
// payment; the order is noted before the bank is called, with consent and schedule locked; only the issuer's notice of the money
// ends the attempt; nothing is called within a transaction; every change has its audit row, and every event its number.
// Leases and retries are the library's. What only people decide (an order that may not be repeated) fails the job.

/** How far a payment is. */
interface Standing extends OpenPayment {
  status: string;
  attempt_status: string;
  sent_at: Temporal.Instant;
  consent_status: string;
  schedule_status: string;
  /** The event that it has succeeded. */
  event_id: string | null;
}

/** What is to be done: payments to order at the bank, payments whose money has arrived, and events to send. */
interface Plan {
  toOrder: Standing[];
  arrived: Standing[];
  tells: Tell[];
  /** Payments that must not be ordered again, or have no right to it any more. */
  stuck: number;
}

/** Opens what has no payment yet and notes every order that may be sent, in one transaction. */
async function open(tx: Tx, now: Temporal.Instant, due: readonly Due[]): Promise<Plan> {
  const [merchants, schedules, payments, dates] = columns(
    due,
    'merchantId',
    'scheduleId',
    'paymentId',
    'dueDate',
  );
  const [, , opened, standings] = await Promise.all([
    tx.run(sql.LOCK_SCHEDULES, [merchants, schedules]),
    tx.run(sql.LOCK_CONSENTS, [merchants, schedules]),
    tx.rows<{ payment_id: string }>(sql.OPEN, [merchants, schedules, payments, dates, now]),
    tx.rows<Standing>(sql.STANDING, [merchants, schedules, payments]),
  ]);
  const isNew = new Set(opened.map((row) => row.payment_id));
  const unpaid = standings.filter((p) => p.attempt_status === 'started');
  const repeats = unpaid.filter((p) => !isNew.has(p.payment_id) && mayRepeat(p, now));
  if (repeats.length > 0)
    await tx.run(sql.NOTE_REPEATS, [...columns(repeats, 'merchant_id', 'payment_id'), now]);
  const going = unpaid.filter((p) => isNew.has(p.payment_id) || repeats.includes(p));
  return {
    toOrder: going,
    arrived: standings.filter((p) => p.status !== 'success' && p.attempt_status === 'success'),
    tells: standings.flatMap(({ merchant_id: merchantId, event_id: eventId }) =>
      eventId === null ? [] : [{ merchantId, eventId }],
    ),
    stuck: due.length - standings.length + unpaid.length - going.length,
  };
}

const mayRepeat = (p: Standing, now: Temporal.Instant): boolean =>
  p.consent_status === 'granted' &&
  p.schedule_status === 'active' &&
  !isTooLateToRepeat(p.sent_at, now);

/**
 * Collects what is due in three transactions: the one that opens and notes, that of the issuer's notices, and the one that
 * succeeds. A payment that fails is left to the next run and does not hold up the others.
 */
async function collect(stand: PeerStand, due: readonly Due[], enqueue: Enqueue): Promise<Tell[]> {
  const { db, platform } = stand.world;
  const plan = await db.transaction((tx) => open(tx, platform.clock.now(), due));
  const bankIds = new Map<string, string>();
  const errors: unknown[] = [];
  await mapInParallel(plan.toOrder, WIDTH, async (payment) => {
    try {
      bankIds.set(payment.payment_id, await payAtBank(stand, payment));
    } catch (error) {
      errors.push(error);
    }
  });
  const arrived = [...plan.arrived, ...(await arrivedOf(stand, plan.toOrder))];
  const settled = await transfer(stand, arrived);
  const tells = await db.transaction((tx) => succeed(tx, stand, settled, { bankIds, enqueue }));
  if (errors.length > 0) throw errors[0];
  const left = plan.stuck + plan.arrived.length + plan.toOrder.length - settled.length;
  if (left > 0) throw new Error(`${left} of ${due.length} are not collected`);
  return [...plan.tells, ...tells];
}

/** Returns the payments whose money has arrived meanwhile. */
async function arrivedOf(
  { world: { db } }: PeerStand,
  ordered: readonly Standing[],
): Promise<Standing[]> {
  if (ordered.length === 0) return [];
  const rows = await db.read((tx) =>
    tx.rows<{ payment_id: string }>(sql.PAID, columns(ordered, 'merchant_id', 'payment_id')),
  );
  const paid = new Set(rows.map((row) => row.payment_id));
  return ordered.filter((payment) => paid.has(payment.payment_id));
}

/** Transfers the money to the merchants' wallets at the issuer; returns the payments whose transfers are settled. */
async function transfer({ issuer }: PeerStand, arrived: readonly Standing[]): Promise<Standing[]> {
  if (arrived.length === 0) return [];
  const orders = arrived.map(toOrder);
  const movements = await issuer.transfer(orders);
  return arrived.filter(
    (_, n) => movements.get(orders[n]?.idempotencyKey ?? '')?.status === 'settled',
  );
}

/** Ends the payments that have not ended: money, audit trail, numbered events and the jobs that send them. */
async function succeed(
  tx: Tx,
  { world: { platform } }: PeerStand,
  settled: readonly Standing[],
  { bankIds, enqueue }: { bankIds: ReadonlyMap<string, string>; enqueue: Enqueue },
): Promise<Tell[]> {
  if (settled.length === 0) return [];
  const now = platform.clock.now();
  const rows = await tx.rows<{ payment_id: string | null; schedule_id: string; last: number }>(
    sql.SUCCEED,
    [
      ...columns(settled, 'merchant_id', 'payment_id'),
      settled.map((p) => bankIds.get(p.payment_id) ?? null),
      now,
    ],
  );
  const isDone = new Set(rows.map((row) => row.payment_id));
  const done = settled.filter((p) => isDone.has(p.payment_id));
  const numbers = sequenceNumbers(
    done,
    rows.filter((row) => row.payment_id === null),
  );
  const tells = done.map((p) => ({
    merchantId: p.merchant_id,
    eventId: platform.ids.next('evt', now),
  }));
  await post(
    tx,
    platform.ids,
    now,
    done.map((p) => ({
      merchantId: p.merchant_id,
      kind: 'move',
      debit: p.wallet_id,
      credit: p.to_account,
      amountPence: p.amount_pence,
      sourceId: p.payment_id,
    })),
  );
  await Promise.all([
    tx.run(sql.TELL, [
      ...columns(done, 'merchant_id', 'payment_id', 'schedule_id'),
      tells.map((t) => t.eventId),
      numbers,
      done.map((p) => successBody(p, now)),
      now,
    ]),
    enqueue(tx, tells),
  ]);
  return tells;
}

/** Returns the number of each payment's event, from the last number of each schedule. */
function sequenceNumbers(
  done: readonly Standing[],
  lasts: readonly { schedule_id: string; last: number }[],
): number[] {
  const next = new Map(lasts.map(({ schedule_id, last }) => [schedule_id, last]));
  const numbers = done.toReversed().map(({ schedule_id }) => {
    const number = next.get(schedule_id) ?? 0;
    next.set(schedule_id, number - 1);
    return number;
  });
  return numbers.toReversed();
}

interface PayIn {
  externalReference: string;
  endToEndId: string;
  amountPence: number;
}

/** Returns a handler of the issuer's notices: those that arrive together are stored and booked in one transaction. */
function receive({ world: { db, platform } }: PeerStand): (one: Notification) => Promise<void> {
  return coalesce<Notification>(
    MOST_NOTICES,
    (notice) => notice.notificationId,
    (notices) => db.transaction((tx) => takePayIns(tx, platform, notices)),
  );
}

const MOST_NOTICES = 500;

async function takePayIns(
  tx: Tx,
  { clock, ids }: PeerStand['world']['platform'],
  notices: readonly Notification[],
): Promise<void> {
  const now = clock.now();
  const named = notices.map(({ body }) => {
    const payIn = JSON.parse(body) as PayIn;
    const [merchantId = ''] = payIn.externalReference.split('/');
    return { merchantId, amount: payIn.amountPence, ref: readInstructionId(payIn.endToEndId) };
  });
  const paid = await tx.rows<OpenPayment>(sql.TAKE_PAY_INS, [
    notices[0]?.source ?? '',
    ...columns(notices, 'notificationId', 'body'),
    now,
    named.map((one) => one.merchantId),
    named.map((one) => one.ref?.paymentId ?? ''),
    named.map((one) => one.ref?.attempt ?? 0),
    named.map((one) => one.amount),
  ]);
  await post(
    tx,
    ids,
    now,
    paid.map((p) => ({
      merchantId: p.merchant_id,
      kind: 'pay_in',
      debit: 'outside',
      credit: p.wallet_id,
      amountPence: p.amount_pence,
      sourceId: p.payment_id,
    })),
  );
}

export const safeJobs: Jobs = { how: 'as safe as ours', collect, deliver, receive };
