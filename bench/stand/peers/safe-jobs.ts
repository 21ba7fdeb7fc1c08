import { isTooLateToRepeat } from '../../../server/src/payments/payment/attempt.ts';
import { readInstructionId } from '../../../server/src/payments/payment/payment.ts';
import { coalesce } from '../../../server/src/platform/db/coalesce.ts';
import { columns } from '../../../server/src/platform/db/columns.ts';
import type { Tx } from '../../../server/src/platform/db/db.ts';
import type { Notification } from '../../../server/src/platform/inbox.ts';
import { mapInParallel } from '../../../server/src/platform/network/concurrency-limits.ts';
import { post } from '../../../server/src/wallets/ledger-store.ts';
import { type OpenPayment, payAtBank, successBody, toOrder, WIDTH } from './calls.ts';
import type { Due, Enqueue, EventToSend, Jobs, PeerDeps } from './peer.ts';
import { deliver } from './safe-delivery.ts';
import * as sql from './safe-sql.ts';

// The same job as safe as the service, so that it may crash anywhere and be run again: the job names its occurrence and its
// payment; the order is noted before the bank is called, with consent and schedule locked; only the issuer's notice of the money
// ends the attempt; nothing is called within a transaction; every change has its audit row, and every event its number.
// Leases and retries are the library's. What only people decide (an order that may not be repeated) fails the job.

/** How far a payment is. */
interface PaymentProgress extends OpenPayment {
  status: string;
  attemptStatus: string;
  sentAt: Temporal.Instant;
  consentStatus: string;
  scheduleStatus: string;
  /** The event that it has succeeded. */
  eventId: string | null;
}

/** What is to be done: payments to order at the bank, payments whose money has arrived, and events to send. */
interface Plan {
  toOrder: PaymentProgress[];
  arrived: PaymentProgress[];
  tells: EventToSend[];
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
    tx.rows<{ paymentId: string }>(sql.OPEN, [merchants, schedules, payments, dates, now]),
    tx.rows<PaymentProgress>(sql.READ_PROGRESS, [merchants, schedules, payments]),
  ]);
  const isNew = new Set(opened.map((row) => row.paymentId));
  const unpaid = standings.filter((p) => p.attemptStatus === 'started');
  const repeats = unpaid.filter((p) => !isNew.has(p.paymentId) && mayRepeat(p, now));
  if (repeats.length > 0)
    await tx.run(sql.NOTE_REPEATS, [...columns(repeats, 'merchantId', 'paymentId'), now]);
  const going = unpaid.filter((p) => isNew.has(p.paymentId) || repeats.includes(p));
  return {
    toOrder: going,
    arrived: standings.filter((p) => p.status !== 'success' && p.attemptStatus === 'success'),
    tells: standings.flatMap(({ merchantId, eventId }) =>
      eventId === null ? [] : [{ merchantId, eventId }],
    ),
    stuck: due.length - standings.length + unpaid.length - going.length,
  };
}

const mayRepeat = (p: PaymentProgress, now: Temporal.Instant): boolean =>
  p.consentStatus === 'granted' &&
  p.scheduleStatus === 'active' &&
  !isTooLateToRepeat(p.sentAt, now);

/**
 * Collects what is due in three transactions: the one that opens and notes, that of the issuer's notices, and the one that
 * succeeds. A payment that fails is left to the next run and does not hold up the others.
 */
async function collect(
  stand: PeerDeps,
  due: readonly Due[],
  enqueue: Enqueue,
): Promise<EventToSend[]> {
  const { db, platform } = stand.world;
  const plan = await db.transaction((tx) => open(tx, platform.clock.now(), due));
  const bankIds = new Map<string, string>();
  const errors: unknown[] = [];
  await mapInParallel(plan.toOrder, WIDTH, async (payment) => {
    try {
      bankIds.set(payment.paymentId, await payAtBank(stand, payment));
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
  { world: { db } }: PeerDeps,
  ordered: readonly PaymentProgress[],
): Promise<PaymentProgress[]> {
  if (ordered.length === 0) return [];
  const rows = await db.read((tx) =>
    tx.rows<{ paymentId: string }>(sql.PAID, columns(ordered, 'merchantId', 'paymentId')),
  );
  const paid = new Set(rows.map((row) => row.paymentId));
  return ordered.filter((payment) => paid.has(payment.paymentId));
}

/** Transfers the money to the merchants' wallets at the issuer; returns the payments whose transfers are settled. */
async function transfer(
  { issuer }: PeerDeps,
  arrived: readonly PaymentProgress[],
): Promise<PaymentProgress[]> {
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
  { world: { platform } }: PeerDeps,
  settled: readonly PaymentProgress[],
  { bankIds, enqueue }: { bankIds: ReadonlyMap<string, string>; enqueue: Enqueue },
): Promise<EventToSend[]> {
  if (settled.length === 0) return [];
  const now = platform.clock.now();
  const rows = await tx.rows<{ paymentId: string | null; scheduleId: string; last: number }>(
    sql.SUCCEED,
    [
      ...columns(settled, 'merchantId', 'paymentId'),
      settled.map((p) => bankIds.get(p.paymentId) ?? null),
      now,
    ],
  );
  const isDone = new Set(rows.map((row) => row.paymentId));
  const done = settled.filter((p) => isDone.has(p.paymentId));
  const numbers = sequenceNumbers(
    done,
    rows.filter((row) => row.paymentId === null),
  );
  const tells = done.map((p) => ({
    merchantId: p.merchantId,
    eventId: platform.ids.next('evt', now),
  }));
  await post(
    { platform, tx, now },
    done.map((p) => ({
      merchantId: p.merchantId,
      kind: 'move',
      debit: p.walletId,
      credit: p.toAccount,
      amountPence: p.amountPence,
      sourceId: p.paymentId,
    })),
  );
  await Promise.all([
    tx.run(sql.INSERT_EVENTS, [
      ...columns(done, 'merchantId', 'paymentId', 'scheduleId'),
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
  done: readonly PaymentProgress[],
  lasts: readonly { scheduleId: string; last: number }[],
): number[] {
  const next = new Map(lasts.map(({ scheduleId, last }) => [scheduleId, last]));
  const numbers = done.toReversed().map(({ scheduleId }) => {
    const number = next.get(scheduleId) ?? 0;
    next.set(scheduleId, number - 1);
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
function receive({ world: { db, platform } }: PeerDeps): (one: Notification) => Promise<void> {
  return coalesce<Notification>(
    MAX_NOTICES,
    (notice) => notice.notificationId,
    (notices) => db.transaction((tx) => recordPayIns(tx, platform, notices)),
  );
}

const MAX_NOTICES = 500;

async function recordPayIns(
  tx: Tx,
  { clock, ids }: PeerDeps['world']['platform'],
  notices: readonly Notification[],
): Promise<void> {
  const now = clock.now();
  const named = notices.map(({ body }) => {
    const payIn = JSON.parse(body) as PayIn;
    const [merchantId = ''] = payIn.externalReference.split('/');
    return { merchantId, amount: payIn.amountPence, ref: readInstructionId(payIn.endToEndId) };
  });
  const paid = await tx.rows<OpenPayment>(sql.RECORD_PAY_INS, [
    notices[0]?.source ?? '',
    ...columns(notices, 'notificationId', 'body'),
    now,
    named.map((one) => one.merchantId),
    named.map((one) => one.ref?.paymentId ?? ''),
    named.map((one) => one.ref?.attempt ?? 0),
    named.map((one) => one.amount),
  ]);
  await post(
    { platform: { ids }, tx, now },
    paid.map((p) => ({
      merchantId: p.merchantId,
      kind: 'pay_in',
      debit: 'outside',
      credit: p.walletId,
      amountPence: p.amountPence,
      sourceId: p.paymentId,
    })),
  );
}

export const safeJobs: Jobs = { how: 'as safe as ours', collect, deliver, receive };
