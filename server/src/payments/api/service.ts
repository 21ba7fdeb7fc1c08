import { lockConsent } from '../../consents/store.ts';
import { requireCustomer } from '../../customers/service.ts';
import { refuseSuspended } from '../../merchants/holds/hold.ts';
import { readScheduleSettings } from '../../merchants/service.ts';
import type { List, Page } from '../../platform/http/lists/page.ts';
import type { Asked, Platform } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { ApiError, orNotFound } from '../../platform/values/errors.ts';
import { later } from '../../platform/values/instants.ts';
import { lockAgenda } from '../../schedules/books/agenda-store.ts';
import { lockSchedule } from '../../schedules/books/store.ts';
import type { ScheduleHooks } from '../../schedules/change/hooks.ts';
import { requireSchedule } from '../../schedules/change/service.ts';
import { findPlannedAt } from '../books/ad-hoc-store.ts';
import { findOpenOrder } from '../books/evidence-store.ts';
import { listPayments, type PaymentFilter } from '../books/list-store.ts';
import { moveToConsent, presentOf } from '../books/move-on-store.ts';
import { moveToRetried } from '../books/payment-store.ts';
import { sendNow } from '../books/queue-store.ts';
import {
  findPayment,
  findUnderWay,
  hasPayments,
  lockPayment,
  othersWaitUnder,
} from '../books/read-store.ts';
import { findItemsOf } from '../books/unallocated-store.ts';
import { requireRoom } from '../limits/rooms-under.ts';
import { findUsed } from '../limits/store.ts';
import { followConsent } from '../outcomes/follow-consent.ts';
import { openFirst } from '../outcomes/open-first.ts';
import { stopPayments } from '../outcomes/stop.ts';
import { openPayments } from '../stages/open.ts';
import { type PaymentView, viewPayments } from './view.ts';

const MAX_OVERDUE = 1000;

/** What the schedules slice needs from payments; `app` passes it to them. */
export function paymentHooks(platform: Platform): ScheduleHooks {
  return {
    async openDue(tx, now, schedule) {
      await lockAgenda(tx, schedule);
      const only = { merchantId: schedule.merchantId, scheduleId: schedule.scheduleId };
      for (let opened = 0; opened < MAX_OVERDUE; opened++)
        if ((await openPayments({ platform, tx, now }, 1, { only, evenIfHeld: true })).count === 0)
          return;
    },
    stopPayments: (tx, now, schedule, code) => stopPayments({ platform, tx, now }, schedule, code),
    plannedAt: findPlannedAt,
    underWay: (tx, merchantId, scheduleId) => findUnderWay(tx, merchantId, [scheduleId]),
    sendNow,
    hasPayments,
    othersWaitUnder,
    openFirst: (tx, now, schedule, consent) => openFirst({ platform, tx, now }, schedule, consent),
    followConsent: (tx, now, consent) => followConsent({ platform, tx, now }, consent),
    usedUnder: findUsed,
  };
}

/** Returns a page of payments. Throws 404 `not_found` for an unknown schedule or customer. */
export async function showPayments(
  asked: Asked,
  filter: PaymentFilter,
  page: Page,
): Promise<List<PaymentView>> {
  const { tx, merchantId } = asked;
  if (filter.scheduleId !== undefined) await requireSchedule(tx, merchantId, filter.scheduleId);
  if (filter.customerId !== undefined) await requireCustomer(tx, merchantId, filter.customerId);
  const found = await listPayments(tx, merchantId, filter, page);
  return { ...found, data: await viewPayments(asked, found.data) };
}

/** Returns a payment with its attempts. Throws 404 `not_found`. */
export async function showPayment(asked: Asked, paymentId: string): Promise<PaymentView> {
  const { tx, merchantId } = asked;
  const row = orNotFound(await findPayment(tx, merchantId, paymentId), 'payment');
  const [view] = await viewPayments(asked, [row]);
  if (view === undefined) throw new Error('nothing came back');
  return view;
}

/**
 * Retries a failed payment by hand, at once, but never before its due date, which the customer was told; this does not count
 * against `max_retries`. It goes under the consent that the schedule has now. Throws 409 `merchant_suspended`; 409
 * `payment_not_retryable` if the payment has not failed, that consent is over, an earlier order may still be open at the bank, or
 * money for it may have come; 409 `limit_exceeded` if the customer's limits have no room for it then besides the coming payments.
 */
export async function retryPayment(asked: Asked, paymentId: string): Promise<PaymentView> {
  const { tx, now, merchantId } = asked;
  const found = orNotFound(await findPayment(tx, merchantId, paymentId), 'payment');
  refuseSuspended((await readScheduleSettings(tx, merchantId)).isSuspended);
  const schedule = await lockSchedule(tx, merchantId, found.scheduleId); // always before its payments
  const row = await lockPayment(tx, merchantId, paymentId);
  if (row?.status !== 'failed')
    throw new ApiError(
      'payment_not_retryable',
      `Only a failed payment can be retried; this one is ${row?.status ?? found.status}.`,
    );
  // Where the customer has agreed to a new consent since, under that one. Retries use its room one at a time.
  const consent = await lockConsent(tx, merchantId, schedule?.consentId ?? row.consentId);
  if (consent?.status !== 'granted' || schedule === null || schedule.status === 'cancelled')
    throw new ApiError(
      'payment_not_retryable',
      'The consent of this payment is no longer in force.',
    );
  await requireNoOpenOrder(asked, paymentId);
  await requireNoMoney(asked, paymentId);
  const at = later(now, row.dueDate);
  await requireRoom(asked, consent.consentId, row.amountPence, at);
  if (consent.consentId !== row.consentId)
    await moveToConsent(tx, [{ merchantId, paymentId }], presentOf(consent));
  await moveToRetried(tx, now, { merchantId, paymentId, scheduleId: row.scheduleId }, at);
  return showPayment(asked, paymentId);
}

/** Throws 409 `payment_not_retryable` while an order that a stop or an operator left open may still debit the customer. */
async function requireNoOpenOrder(
  { tx, now, merchantId }: Asked,
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

/**
 * Throws 409 `payment_not_retryable` while money that may belong to the payment is on the unallocated list, and for ever where
 * such money was paid on by hand.
 */
async function requireNoMoney({ tx, merchantId }: Asked, paymentId: string): Promise<void> {
  const items = await findItemsOf(tx, merchantId, [paymentId]);
  if (items.some((item) => item.status === 'paid_on'))
    throw new ApiError(
      'payment_not_retryable',
      'The money of this payment came another way, and was paid to you by hand: a retry would debit the customer twice.',
    );
  if (!items.some((item) => item.status === 'open')) return;
  throw new ApiError(
    'payment_not_retryable',
    'Money that may belong to this payment has come, so a retry could debit the customer twice. ' +
      'It can be retried once the operator has decided about that money.',
  );
}
