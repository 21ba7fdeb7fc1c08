import { lockConsent } from '../../consents/store.ts';
import { refuseSuspended } from '../../merchants/holds/hold.ts';
import { readScheduleSettings } from '../../merchants/service.ts';
import type { Asked, Platform } from '../../platform/platform.ts';
import { formatInstant, parseInstant } from '../../platform/time/calendar.ts';
import { ApiError, orNotFound } from '../../platform/values/errors.ts';
import { isAfter, isBefore } from '../../platform/values/instants.ts';
import { type Amount, amountErrors } from '../../platform/values/money.ts';
import { lockSchedule, lockSchedulesUnder } from '../../schedules/books/store.ts';
import { insertWords } from '../../schedules/books/word-store.ts';
import { amountEntry } from '../../schedules/books/words.ts';
import { requireSchedule } from '../../schedules/change/service.ts';
import { describeAmount } from '../../schedules/terms/describe.ts';
import type { Schedule } from '../../schedules/terms/schedule.ts';
import { insertPayments } from '../books/payment-store.ts';
import { findPayment } from '../books/read-store.ts';
import { requireRoom } from '../limits/rooms-under.ts';
import { adHocPaymentIdOf, COLLECTED_ONCE } from '../payment/payment.ts';
import { showPayment } from './service.ts';
import type { PaymentView } from './view.ts';

/** The body of POST /schedules/{id}/payments, with its shape validated. */
export interface CollectOnceBody {
  amount: Amount;
  due_date?: string | null;
  description?: string | null;
}

/** How far ahead an ad-hoc payment may be due. */
const MAX_DISTANCE = Temporal.Duration.from({ hours: 24 * 366 });
const RANDOM_BYTES = 16;

/** Validates the fields of a body beyond their shape; returns every wrong one by dotted path. */
export function collectOnceErrors(body: unknown, now: Temporal.Instant): Record<string, string> {
  if (typeof body !== 'object' || body === null) return {};
  const { amount, due_date: dueDate, description } = body as Record<string, unknown>;
  return {
    ...(amount === undefined ? {} : amountErrors(amount)),
    ...(typeof dueDate === 'string' ? dueDateErrors(dueDate, now) : {}),
    ...(typeof description === 'string' && description.trim() === ''
      ? { description: 'must not be empty' }
      : {}),
  };
}

function dueDateErrors(text: string, now: Temporal.Instant): Record<string, string> {
  const dueDate = parseInstant(text);
  if (dueDate === null) return { due_date: 'must be an ISO 8601 date-time with an offset or Z' };
  if (isBefore(dueDate, now)) return { due_date: 'must not lie in the past' };
  if (isAfter(dueDate, now.add(MAX_DISTANCE)))
    return { due_date: 'must not lie more than a year ahead' };
  return {};
}

/**
 * Opens one payment besides the occurrences of a schedule, due now or at `due_date`: docs/rules/payments.md#ad-hoc-payments.
 * Throws 409 `merchant_suspended`, `consent_required`, `schedule_paused`, `schedule_cancelled`, or `limit_exceeded` if the
 * consent has no room for it besides the coming occurrences.
 */
export async function collectOnce(
  platform: Platform,
  asked: Asked & { idempotencyKey: string | null },
  scheduleId: string,
  body: CollectOnceBody,
): Promise<PaymentView> {
  const { tx, now, merchantId } = asked;
  refuseSuspended((await readScheduleSettings(tx, merchantId)).isSuspended);
  const { schedule, consent } = await lockConsented(asked, scheduleId);
  const dueDate = body.due_date ? parseInstant(body.due_date) : null;
  const { value: amountPence, currency } = body.amount;
  const when = dueDate === null ? 'now' : `on ${formatInstant(dueDate)}`;
  const reason = `${COLLECTED_ONCE}, ${when}: ${describeAmount(amountPence, currency)}`;
  const payment = {
    merchantId,
    paymentId: adHocPaymentIdOf(
      platform.vault,
      { merchantId, scheduleId, dueDate: dueDate ?? now, isDated: dueDate !== null },
      asked.idempotencyKey ?? platform.ids.random(RANDOM_BYTES).toString('hex'),
    ),
    scheduleId,
    customerId: schedule.customerId,
    consentId: consent.consentId,
    walletId: consent.walletId,
    bankId: consent.bankId,
    amountPence,
    currency,
    dueDate: dueDate ?? now,
    termsVersion: schedule.liveVersion,
    occurrence: null,
    isBegun: false,
    adHoc: { description: body.description ?? null, reason },
  };
  if ((await findPayment(tx, merchantId, payment.paymentId)) !== null)
    throw new ApiError(
      'idempotency_conflict',
      'This Idempotency-Key was used for another payment of the schedule; use a new one.',
    );
  await requireRoom(asked, payment.consentId, amountPence, payment.dueDate);
  await insertPayments(tx, now, [payment], now);
  await insertWords(tx, merchantId, scheduleId, [amountEntry(amountPence)]);
  return showPayment(asked, payment.paymentId);
}

/**
 * Locks a schedule that may collect, with all others under its consent, and then the consent: nothing is opened, retried or
 * collected once under it meanwhile.
 */
async function lockConsented({ tx, merchantId }: Asked, scheduleId: string) {
  const { consentId } = await requireSchedule(tx, merchantId, scheduleId);
  if (consentId !== null) await lockSchedulesUnder(tx, { merchantId, scheduleId, consentId });
  const schedule = orNotFound(await lockSchedule(tx, merchantId, scheduleId), 'schedule');
  refuseStopped(schedule);
  const consent =
    schedule.consentId === null ? null : await lockConsent(tx, merchantId, schedule.consentId);
  const { walletId, bankId } = consent ?? { walletId: null, bankId: null };
  if (consent?.status !== 'granted' || walletId === null || bankId === null)
    throw new ApiError('consent_required', 'The customer has not consented yet.');
  return { schedule, consent: { ...consent, walletId, bankId } };
}

/** Throws 409 for a schedule that collects nothing. */
function refuseStopped({ status }: Schedule): void {
  if (status === 'cancelled')
    throw new ApiError('schedule_cancelled', 'A cancelled schedule collects nothing.');
  if (status === 'paused')
    throw new ApiError('schedule_paused', 'A paused schedule collects nothing. Resume it first.');
}
