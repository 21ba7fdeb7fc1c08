import { RECHECK_WHILE_HELD } from '../../merchants/holds/hold.ts';
import { findHeld } from '../../merchants/holds/hold-store.ts';
import type { Tx } from '../../platform/db/db.ts';
import { isDatabaseFailure } from '../../platform/db/isolate-failures.ts';
import type { Stage } from '../../platform/engine/stage.ts';
import type { Platform, Work } from '../../platform/platform.ts';
import { recordChanges } from '../../platform/state/audit-trail.ts';
import { appendEvents } from '../../platform/state/events.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import type { ScheduleKey } from '../../schedules/books/agenda-store.ts';
import {
  type DueSchedule,
  earliestOccurrence,
  findDueSchedules,
  insertSkipped,
  lockDueSchedules,
  moveToNextOccurrence,
  postponeOccurrence,
  postponeOccurrences,
} from '../../schedules/books/due-store.ts';
import { dueAmount, type SkipReason } from '../../schedules/terms/amounts.ts';
import { startAttempts } from '../books/attempt-store.ts';
import { insertPayments } from '../books/payment-store.ts';
import type { StartedAttempt } from '../payment/attempt.ts';
import { skippedEvent } from '../payment/events.ts';
import { type NewPayment, paymentIdOf } from '../payment/payment.ts';
import { OPEN_AGAIN_AFTER } from '../payment/retry.ts';
import { type Sender, SUBMIT_LEASE } from './submit.ts';

/**
 * After this time an occurrence is opened even if its bank has no room: its merchant sees the payment that waits. Shorter than
 * what an alert allows the stage.
 */
const LATE_AFTER = Temporal.Duration.from({ minutes: 2 });

/** What is opened: the first of each bank for which it has room, or what is due of one schedule. */
type Opening =
  | { sender: Pick<Sender, 'room' | 'busy'> }
  | {
      only: ScheduleKey;
      /**
       * Whether those are opened too that were put off, as of suspended merchants: before a change, which would leave them
       * behind, and before a pause or a cancellation, which ends them.
       */
      evenIfHeld: boolean;
    };

/**
 * Opens the payments of up to `limit` due occurrences and advances their schedules, in one transaction for hundreds of them. As
 * many as their banks have room for are claimed at the same time. Those of suspended merchants are put off. Returns how many it
 * has dealt with, and the attempts that have begun.
 */
export async function openPayments(
  work: Work,
  limit: number,
  how: Opening,
): Promise<{ count: number; begun: StartedAttempt[] }> {
  const { platform, tx, now } = work;
  const room = (bankId: string): number => ('sender' in how ? how.sender.room(bankId) : 0);
  const isForced = 'only' in how && how.evenIfHeld;
  const which =
    'sender' in how
      ? { busy: how.sender.busy(), lateBefore: now.subtract(LATE_AFTER) }
      : { only: how.only, evenIfPutOff: isForced };
  const locked = await lockDueSchedules(tx, now, limit, which);
  if (locked.length === 0) return { count: 0, begun: [] };
  const due = isForced ? locked : await postponeHeld(tx, now, locked);
  if (due.length === 0) return { count: locked.length, begun: [] };
  const taken = new Map<string, number>();
  const payments = due.flatMap((schedule) => {
    const amountPence = amountOf(schedule);
    if (typeof amountPence !== 'number') return [];
    const isTaken = taken.get(schedule.bankId) ?? 0;
    const isBegun = isTaken < room(schedule.bankId);
    if (isBegun) taken.set(schedule.bankId, isTaken + 1);
    return { ...toPayment(platform, schedule), amountPence, isBegun };
  });
  const opened =
    payments.length === 0
      ? new Set()
      : await insertPayments(tx, now, payments, now.add(SUBMIT_LEASE));
  const begun = payments
    .filter((one) => one.isBegun && opened.has(one.paymentId))
    .map((one) => firstAttempt(now, one));
  await startAttempts(tx, now, begun);
  await moveToNextOccurrence(tx, now, due);
  await recordSkipped(work, due);
  return { count: locked.length, begun };
}

/** Puts off the occurrences of suspended merchants, which stay due; returns the others. */
async function postponeHeld(
  tx: Tx,
  now: Temporal.Instant,
  due: readonly DueSchedule[],
): Promise<readonly DueSchedule[]> {
  const held = await findHeld(
    tx,
    'suspended',
    due.map((schedule) => schedule.merchantId),
  );
  if (held.size === 0) return due;
  const { waiting = [], going = [] } = Object.groupBy(due, ({ merchantId: id }) =>
    held.has(id) ? 'waiting' : 'going',
  );
  await postponeOccurrences(tx, waiting, now.add(RECHECK_WHILE_HELD));
  return going;
}

/** Returns the first attempt of a payment, as a claim would: nothing has happened before. */
const firstAttempt = (now: Temporal.Instant, payment: NewPayment): StartedAttempt => ({
  ...payment,
  attempt: 1,
  polls: 1,
  manual: false,
  stoppedBy: null,
  movesOn: false,
  startedAt: now,
  sentAt: null,
  lastOrderAt: null,
  paidBefore: false,
  lackedFunds: false,
});

/** Returns what a due occurrence collects, or why it is skipped. */
const amountOf = (due: DueSchedule): number | SkipReason =>
  dueAmount(
    { amountPence: due.amountPence, amountMode: due.amountMode },
    due.isSet ? due.setPence : undefined,
  );

/** Records and reports the occurrences that are skipped: docs/rules/schedules.md#amounts-of-single-occurrences. */
async function recordSkipped(
  { platform, tx, now }: Work,
  due: readonly DueSchedule[],
): Promise<void> {
  const skipped = due.flatMap((schedule) => {
    const reason = amountOf(schedule);
    return typeof reason === 'number' ? [] : [{ schedule, reason }];
  });
  if (skipped.length === 0) return;
  const changes = skipped.map(({ schedule, reason }) => ({
    merchantId: schedule.merchantId,
    objectId: schedule.scheduleId,
    scheduleId: schedule.scheduleId,
    from: 'active',
    to: 'occurrence_skipped',
    reason: `the collection of ${formatInstant(schedule.dueAt)}: ${SKIPPED_BECAUSE[reason]}`,
  }));
  await recordChanges(tx, now, changes);
  const events = skipped.map(({ schedule, reason }) => skippedEvent(now, schedule, reason));
  const eventIds = await appendEvents({ platform, tx, now }, events);
  const rows = skipped.map((one, at) => ({ ...one, eventId: eventIds[at] ?? '' }));
  await insertSkipped(tx, now, rows);
}

const SKIPPED_BECAUSE: Readonly<Record<SkipReason, string>> = {
  skipped: 'the merchant skipped it',
  amount_not_set: 'no amount was set for it',
};

function toPayment(
  platform: Platform,
  due: DueSchedule,
): Omit<NewPayment, 'isBegun' | 'amountPence'> {
  const { merchantId, scheduleId, dueAt: dueDate } = due;
  return {
    merchantId,
    paymentId: paymentIdOf(platform.vault, { merchantId, scheduleId, dueDate }),
    scheduleId,
    customerId: due.customerId,
    consentId: due.consentId,
    walletId: due.walletId,
    bankId: due.bankId,
    currency: due.currency,
    dueDate,
    termsVersion: due.version,
    occurrence: due.nextOccurrence,
  };
}

/**
 * Opens due payments in one batch. If that fails, opens each on its own, so that a failing one does not block the others: it is
 * logged and put off, and its occurrence stays due.
 */
async function openOrPostpone(
  platform: Platform,
  sender: Sender,
  now: Temporal.Instant,
  limit: number,
): Promise<number> {
  const { db, log } = platform;
  try {
    const opened = await db.transaction((tx) =>
      openPayments({ platform, tx, now }, limit, { sender }),
    );
    sender.send(now, opened.begun);
    return opened.count;
  } catch (cause) {
    if (isDatabaseFailure(cause)) throw cause;
    let done = 0;
    for (const key of await db.read((tx) => findDueSchedules(tx, now, limit)))
      try {
        done += await openOne({ platform, now }, key);
      } catch (err) {
        if (isDatabaseFailure(err)) throw err;
        const about = { merchant_id: key.merchantId, schedule_id: key.scheduleId, err };
        log.report('payment.open_failed', about);
        const until = now.add(OPEN_AGAIN_AFTER);
        done += await db.transaction((tx) => postponeOccurrence(tx, key, until));
      }
    return done;
  }
}

async function openOne({ platform, now }: Omit<Work, 'tx'>, key: ScheduleKey): Promise<number> {
  const open = (tx: Tx) => openPayments({ platform, tx, now }, 1, { only: key, evenIfHeld: false });
  return (await platform.db.transaction(open)).count;
}

/**
 * Opens the due occurrences of active schedules for which their banks have room, and sends their first attempts; those that are
 * late without room wait in the queue of payments. After an outage each is opened once, in order.
 */
export function openStage(platform: Platform, sender: Sender): Stage {
  return {
    name: 'payments.open',
    batch: 500,
    ...earliestOccurrence,
    run: (now, limit) => openOrPostpone(platform, sender, now, limit),
    makesRoom: () => sender.makesRoom(),
    idle: () => sender.idle(),
  };
}
