import { findAttempts, findPayment } from '../../payments/books/read-store.ts';
import type { Tx } from '../../platform/db/db.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { orNotFound } from '../../platform/values/errors.ts';
import { findSchedule } from '../../schedules/books/store.ts';
import type { Ground } from './ground.ts';
import type { MoneyAct } from './money-act.ts';

/** Reads how what an act is about stands. Throws 404 `not_found`. */
export async function readGround(
  tx: Tx,
  merchantId: string,
  { about }: MoneyAct,
  id: string | null,
): Promise<Ground> {
  if (about === null || id === null) return {};
  return about === 'schedule' ? ofSchedule(tx, merchantId, id) : ofPayment(tx, merchantId, id);
}

async function ofSchedule(tx: Tx, merchantId: string, id: string): Promise<Ground> {
  const schedule = orNotFound(await findSchedule(tx, merchantId, id), 'schedule');
  return {
    status: schedule.status,
    terms_version: String(schedule.termsVersion),
    collected_terms_version: String(schedule.liveVersion ?? 'none'),
    consent: schedule.consentId ?? 'none',
    resume_at: formatInstant(schedule.resumeAt) ?? 'never',
  };
}

async function ofPayment(tx: Tx, merchantId: string, id: string): Promise<Ground> {
  const payment = orNotFound(await findPayment(tx, merchantId, id), 'payment');
  const attempts = await findAttempts(tx, merchantId, [id]);
  return {
    status: payment.status,
    attempts: String(attempts.length),
    refunded_pence: String(payment.refundedPence ?? 0),
    returned_pence: String(payment.returnedPence ?? 0),
  };
}
