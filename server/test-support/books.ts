import assert from 'node:assert/strict';
import { checkLaws } from '../src/laws/invariants/laws.ts';
import { compareWithIssuer } from '../src/laws/reconciliation/issuer-comparison.ts';
import { type CollectOnceBody, collectOnce } from '../src/payments/api/collect-once.ts';
import { retryPayment, showPayments } from '../src/payments/api/service.ts';
import type { PaymentView } from '../src/payments/api/view.ts';
import type { Tx } from '../src/platform/db/db.ts';
import { receiveNotifications } from '../src/platform/inbox.ts';
import type { Asked } from '../src/platform/platform.ts';
import { openEventBody } from '../src/platform/state/events.ts';
import { createRefund, type RefundRequest, showRefunds } from '../src/refunds/service.ts';
import type { RefundView } from '../src/refunds/view.ts';
import type { CreateBody } from '../src/schedules/request/request.ts';
import { retrySettlement, showSettlements } from '../src/settlements/service.ts';
import type { SettlementView } from '../src/settlements/view.ts';
import type { Harness, MerchantSide } from './harness.ts';

/** An event as its receiver reads it, with its sequence in its schedule. */
export interface ToldEvent {
  kind: string;
  sequence: number | null;
  scheduleId: string | null;
  data: Record<string, unknown>;
}

/** Asserts that every law of money holds, and that our books agree with the issuer's. */
export async function assertLaws(h: Harness): Promise<void> {
  for (const finding of [
    ...(await checkLaws(h.platform)),
    await compareWithIssuer(h.platform, h.issuer),
  ])
    assert.deepEqual(finding.broken, [], finding.law);
}

/** Returns the events of a schedule, or of the whole merchant, in the order in which they occurred. */
export async function eventsOf(
  h: Harness,
  scheduleId: string | null = null,
  by: MerchantSide = h,
): Promise<ToldEvent[]> {
  const rows = await h.db.read((tx) =>
    tx.rows<{
      eventId: string;
      kind: string;
      sequence: number | null;
      scheduleId: string | null;
      body: string;
    }>(
      `SELECT event_id, kind, sequence, schedule_id, body FROM events
       WHERE merchant_id = $1 AND ($2::text IS NULL OR schedule_id = $2) ORDER BY event_id`,
      [by.merchantId, scheduleId],
    ),
  );
  return rows.map((row) => {
    const body = JSON.parse(openEventBody(h.platform.vault, row.eventId, row.body)) as {
      event: string;
      data: Record<string, unknown>;
    };
    assert.equal(body.event, row.kind);
    return { kind: row.kind, sequence: row.sequence, scheduleId: row.scheduleId, data: body.data };
  });
}

/** Returns the code of the error in an event. */
export function errorCodeIn(event: ToldEvent | undefined): string | undefined {
  const error = event?.data.error as { code?: string } | undefined;
  return error?.code;
}

/** Returns the kinds of a schedule's events. */
export async function kindsOf(h: Harness, scheduleId: string): Promise<string[]> {
  return (await eventsOf(h, scheduleId)).map((event) => event.kind);
}

/** Returns a request of the merchant, now. */
export function asked(h: Harness, tx: Tx, by: MerchantSide = h): Asked {
  return { tx, now: h.clock.at, merchantId: by.merchantId };
}

/** Returns the payments of a schedule, earliest occurrence first. */
export async function paymentsOf(
  h: Harness,
  scheduleId: string,
  by: MerchantSide = h,
): Promise<PaymentView[]> {
  const page = { limit: 1000, offset: 0 };
  const { data } = await h.db.read((tx) => showPayments(asked(h, tx, by), { scheduleId }, page));
  return data.sort((a, b) => (a.due_date < b.due_date ? -1 : 1));
}

/** Creates a schedule that the customer agrees to, due in an hour; returns its id when that hour has passed. */
export async function dueInAnHour(h: Harness, body: Partial<CreateBody> = {}): Promise<string> {
  const start = h.clock.at.round('second').add({ hours: 1 });
  const { id } = await h.agreed({ start_date: start.toString(), ...body });
  await h.runUntil(start);
  return id;
}

/** Returns the only payment of a schedule. */
export async function onlyPaymentOf(
  h: Harness,
  scheduleId: string,
  by: MerchantSide = h,
): Promise<PaymentView> {
  const [payment, ...others] = await paymentsOf(h, scheduleId, by);
  assert.ok(payment !== undefined && others.length === 0, 'there is one payment');
  return payment;
}

/** Retries a payment by hand. */
export function retryByHand(
  h: Harness,
  paymentId: string,
  by: MerchantSide = h,
): Promise<PaymentView> {
  return h.db.transaction((tx) => retryPayment(asked(h, tx, by), paymentId));
}

/** Collects once besides the occurrences of a schedule. */
export function collectOnceFrom(
  h: Harness,
  scheduleId: string,
  body: CollectOnceBody,
  idempotencyKey: string | null = null,
): Promise<PaymentView> {
  return h.db.transaction((tx) =>
    collectOnce(h.platform, { ...asked(h, tx), idempotencyKey }, scheduleId, body),
  );
}

/** Refunds a payment. */
export function refund(
  h: Harness,
  paymentId: string,
  request: RefundRequest = {},
  by: MerchantSide = h,
): Promise<RefundView> {
  return h.db.forMerchant(by.merchantId, (tx) =>
    createRefund(h.service.refunds, asked(h, tx, by), paymentId, request),
  );
}

/** Returns the refunds of a merchant, earliest first. */
export async function refundsOf(h: Harness, by: MerchantSide = h): Promise<RefundView[]> {
  const page = { limit: 1000, offset: 0 };
  const { data } = await h.db.read((tx) => showRefunds(asked(h, tx, by), {}, page));
  return data.reverse();
}

/** Returns the settlements of a merchant, earliest first. */
export async function settlementsOf(h: Harness, by: MerchantSide = h): Promise<SettlementView[]> {
  const page = { limit: 100, offset: 0 };
  const { data } = await h.db.read((tx) =>
    showSettlements(h.service.settlements, asked(h, tx, by), {}, page),
  );
  return data.reverse();
}

/** Returns the payments of a settlement. */
export async function paymentsIn(
  h: Harness,
  settlementId: string,
  by: MerchantSide = h,
): Promise<PaymentView[]> {
  const page = { limit: 1000, offset: 0 };
  return (await h.db.read((tx) => showPayments(asked(h, tx, by), { settlementId }, page))).data;
}

/** Retries the pay-out of a failed settlement by hand. */
export function settleByHand(
  h: Harness,
  settlementId: string,
  by: MerchantSide = h,
): Promise<SettlementView> {
  return h.db.transaction((tx) =>
    retrySettlement(h.service.settlements, asked(h, tx, by), settlementId),
  );
}

/** Returns the consents of a schedule, oldest first. */
export function consentsOf(
  h: Harness,
  scheduleId: string,
): Promise<
  { consentId: string; status: string; bankConsentId: string | null; termsVersion: number }[]
> {
  return h.db.read((tx) =>
    tx.rows(
      'SELECT consent_id, status, bank_consent_id, terms_version FROM consents WHERE schedule_id = $1 ORDER BY consent_id',
      [scheduleId],
    ),
  );
}

/** Returns the bank's id of the consent under which a schedule collects. */
export async function bankConsentOf(h: Harness, scheduleId: string): Promise<string> {
  const granted = (await consentsOf(h, scheduleId)).find((consent) => consent.status === 'granted');
  assert.ok(granted?.bankConsentId, 'a consent is granted');
  return granted.bankConsentId;
}

let notices = 0;

/** Delivers a bank's notification that a consent or a payment has changed. */
export async function notifyOf(h: Harness, kind: 'consent' | 'payment', id: string): Promise<void> {
  notices += 1;
  const body = JSON.stringify({ resources: [{ kind, id }] });
  const notice = { source: `bank:${h.bank.bankId}`, notificationId: `n-${notices}`, body };
  await h.db.transaction((tx) => receiveNotifications(tx, h.clock.at, [notice]));
}

/** Returns a check for an API refusal with this code. */
export function refusedWith(code: string, ...fields: string[]): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Error && 'code' in error, String(error));
    assert.equal(error.code, code);
    const details =
      'details' in error ? (error.details as Record<string, string> | undefined) : undefined;
    assert.deepEqual(Object.keys(details ?? {}).sort(), fields.sort());
    return true;
  };
}
