import type { Stage } from '../platform/engine.ts';
import { isOfTheDatabase } from '../platform/isolate-failures.ts';
import type { Platform, Work } from '../platform/platform.ts';
import type { ScheduleKey } from '../schedules/agenda-store.ts';
import {
  type DueSchedule,
  earliestOccurrence,
  findDueSchedules,
  lockDueSchedules,
  moveToNextOccurrence,
  putOffOccurrence,
} from '../schedules/due-store.ts';
import { paymentIdOf } from './payment.ts';
import { insertPayments, type NewPayment } from './payment-store.ts';
import { OPEN_AGAIN_AFTER } from './retry.ts';

/**
 * Opens the payments of up to `limit` due occurrences and advances their schedules, in one transaction for hundreds of them.
 * Returns how many.
 */
export async function openPayments(
  work: Work,
  limit: number,
  only: ScheduleKey | null = null,
): Promise<number> {
  const due = await lockDueSchedules(work.tx, work.now, limit, only);
  if (due.length === 0) return 0;
  await insertPayments(
    work.tx,
    work.now,
    due.map((schedule) => toPayment(work.platform, schedule)),
  );
  await moveToNextOccurrence(work.tx, work.now, due);
  return due.length;
}

function toPayment(platform: Platform, due: DueSchedule): NewPayment {
  const { merchant_id: merchantId, schedule_id: scheduleId, due_at: dueDate } = due;
  return {
    merchantId,
    paymentId: paymentIdOf(platform.vault, { merchantId, scheduleId, dueDate }),
    scheduleId,
    customerId: due.customer_id,
    consentId: due.consent_id,
    walletId: due.wallet_id,
    bankId: due.bank_id,
    amountPence: due.amount_pence,
    currency: due.currency,
    dueDate,
  };
}

/**
 * Opens due payments in one batch. If that fails, opens each on its own, so that a failing one does not block the others: it is
 * logged and put off, and its occurrence stays due.
 */
async function openOrPutOff(
  platform: Platform,
  now: Temporal.Instant,
  limit: number,
): Promise<number> {
  const { db, log } = platform;
  try {
    return await db.transaction((tx) => openPayments({ platform, tx, now }, limit));
  } catch (cause) {
    if (isOfTheDatabase(cause)) throw cause;
    let done = 0;
    for (const key of await db.read((tx) => findDueSchedules(tx, now, limit)))
      try {
        done += await db.transaction((tx) => openPayments({ platform, tx, now }, 1, key));
      } catch (err) {
        if (isOfTheDatabase(err)) throw err;
        const about = { merchant_id: key.merchantId, schedule_id: key.scheduleId, err };
        log.report('payment.open_failed', about);
        const until = now.add(OPEN_AGAIN_AFTER);
        done += await db.transaction((tx) => putOffOccurrence(tx, key, until));
      }
    return done;
  }
}

/** Opens the due occurrences of active schedules. After an outage each is opened once, in order. */
export function openStage(platform: Platform): Stage {
  return {
    name: 'payments.open',
    batch: 500,
    ...earliestOccurrence,
    run: (now, limit) => openOrPutOff(platform, now, limit),
  };
}
