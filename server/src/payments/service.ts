import { lockConsent } from '../consents/store.ts';
import { recordChanges } from '../platform/audit-trail.ts';
import { formatInstant } from '../platform/calendar.ts';
import type { Tx } from '../platform/db.ts';
import { ApiError, notFound } from '../platform/errors.ts';
import type { Platform } from '../platform/platform.ts';
import type { ScheduleHooks } from '../schedules/lifecycle.ts';
import { requireSchedule } from '../schedules/service.ts';
import { lockSchedule } from '../schedules/store.ts';
import { describeNoRoom, noRoom } from './carried-over.ts';
import { findConsentRooms } from './consent-room.ts';
import { findOpenOrder } from './evidence-store.ts';
import { openPayments } from './open.ts';
import { findUnderWay, stopPayments } from './stop.ts';
import {
  findPayment,
  findUsed,
  listPayments,
  lockPayment,
  markForRetry,
  type PaymentFilter,
  type PaymentRow,
} from './store.ts';
import { type PaymentView, viewPayments } from './view.ts';

const MOST_OVERDUE = 1000;

/** What schedules need of payments; app hands it to them. */
export function paymentHooks(platform: Platform): ScheduleHooks {
  return {
    async openDue(tx, now, schedule) {
      const only = { merchantId: schedule.merchantId, scheduleId: schedule.scheduleId };
      for (let opened = 0; opened < MOST_OVERDUE; opened++)
        if ((await openPayments(platform, tx, now, 1, only)) === 0) return;
    },
    stopPayments: (tx, now, schedule, code) => stopPayments(platform, tx, now, schedule, code),
    underWay: (tx, merchantId, scheduleId) => findUnderWay(tx, merchantId, [scheduleId]),
    async hasPayments(tx, schedule) {
      const row = await tx.row<{ found: boolean }>(
        'SELECT EXISTS (SELECT 1 FROM payments WHERE merchant_id = $1 AND schedule_id = $2) AS found',
        [schedule.merchantId, schedule.scheduleId],
      );
      return row?.found ?? false;
    },
    usedUnder: (tx, merchantId, consentId) => findUsed(tx, [{ merchantId, consentId }]),
  };
}

/** Consents since replaced under which payments fell due that are not yet with the bank, and until when those wait. */
export function waitingUnderReplaced(
  tx: Tx,
  consents: readonly { merchant_id: string; bank_id: string; bank_consent_id: string }[],
): Promise<{ bank_id: string; bank_consent_id: string; until: Temporal.Instant }[]> {
  return tx.rows(
    `SELECT c.bank_id, c.bank_consent_id, max(p.due_at) AS until
     FROM unnest($1::text[], $2::text[], $3::text[]) AS r (merchant_id, bank_id, bank_consent_id)
     JOIN consents c ON c.merchant_id = r.merchant_id AND c.bank_id = r.bank_id
       AND c.bank_consent_id = r.bank_consent_id AND c.status = 'replaced'
     JOIN schedules s ON s.merchant_id = c.merchant_id AND s.customer_id = c.customer_id -- a consent may serve several
     JOIN payments p ON p.merchant_id = s.merchant_id AND p.schedule_id = s.schedule_id AND p.consent_id = c.consent_id
       AND p.stage IN ('submit', 'track') -- what the bank has may fail yet, and is then retried
     GROUP BY c.bank_id, c.bank_consent_id`,
    [
      consents.map((c) => c.merchant_id),
      consents.map((c) => c.bank_id),
      consents.map((c) => c.bank_consent_id),
    ],
  );
}

/** A page of payments, newest first: of a schedule (404 `not_found` for an unknown one), or of the merchant. */
export async function showPayments(
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  filter: PaymentFilter,
  page: { limit: number; offset: number },
): Promise<{ data: PaymentView[]; total: number }> {
  if (filter.scheduleId !== undefined) await requireSchedule(tx, merchantId, filter.scheduleId);
  const { rows, total } = await listPayments(tx, merchantId, filter, page.limit, page.offset);
  return { data: await viewPayments(tx, now, merchantId, rows), total };
}

/** One payment with its attempts, or 404 `not_found`. */
export async function showPayment(
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  paymentId: string,
): Promise<PaymentView> {
  const row = await findPayment(tx, merchantId, paymentId);
  if (row === null) throw notFound('payment');
  const [view] = await viewPayments(tx, now, merchantId, [row]);
  if (view === undefined) throw new Error('nothing came back');
  return view;
}

/**
 * Tries a failed payment again by hand, which does not count against `max_retries`. Throws 409 `payment_not_retryable`
 * where the payment has not failed, its consent is over, or an earlier order may still be open at the bank; 409
 * `limit_exceeded` where the customer's limits have no room for it now besides the coming payments.
 */
export async function retryPayment(
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  paymentId: string,
): Promise<PaymentView> {
  const found = await findPayment(tx, merchantId, paymentId);
  if (found === null) throw notFound('payment');
  const schedule = await lockSchedule(tx, merchantId, found.schedule_id); // always before its payments
  const row = await lockPayment(tx, merchantId, paymentId);
  if (row?.status !== 'failed')
    throw new ApiError(
      'payment_not_retryable',
      `Only a failed payment can be retried; this one is ${row?.status ?? found.status}.`,
    );
  const consent = await lockConsent(tx, merchantId, row.consent_id); // one after the other uses its room
  if (consent?.status !== 'granted' || schedule === null || schedule.status === 'cancelled')
    throw new ApiError(
      'payment_not_retryable',
      'The consent of this payment is no longer in force.',
    );
  await requireNoOpenOrder(tx, now, merchantId, paymentId);
  await requireRoom(tx, now, merchantId, row);
  await markForRetry(tx, merchantId, paymentId, now);
  await recordChanges(tx, now, [
    {
      merchantId,
      objectId: paymentId,
      scheduleId: row.schedule_id,
      from: 'failed',
      to: 'pending',
      reason: 'retried by hand',
    },
  ]);
  return showPayment(tx, now, merchantId, paymentId);
}

/** Throws 409 `payment_not_retryable` while an order that a no left open at the bank may still debit the customer. */
async function requireNoOpenOrder(
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  paymentId: string,
): Promise<void> {
  const open = await findOpenOrder(tx, now, merchantId, paymentId);
  if (open === null) return;
  const sentence =
    open.until === null
      ? 'The bank says that it has paid an earlier order of this payment: its money is awaited.'
      : 'An earlier order of this payment may still be open at the bank, so a retry could debit the customer twice. ' +
        `It can be retried once the bank has ended that order, or from ${formatInstant(open.until)}.`;
  throw new ApiError('payment_not_retryable', sentence);
}

/** Throws 409 `limit_exceeded`, with what is left now and from when on there is room. */
async function requireRoom(
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  row: PaymentRow,
): Promise<void> {
  const rooms = await findConsentRooms(tx, now, [{ merchantId, consentId: row.consent_id }]);
  const room = rooms.get(row.consent_id);
  const refused = room === undefined ? null : noRoom(room, row.amount_pence, now);
  if (refused === null) return;
  const { availablePence, availableFrom } = refused;
  throw new ApiError('limit_exceeded', describeNoRoom(refused), {
    available: String(availablePence),
    ...(availableFrom !== null && { available_from: formatInstant(availableFrom) }),
  });
}
