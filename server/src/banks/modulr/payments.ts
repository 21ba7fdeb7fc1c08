import {
  BankUnavailable,
  type PaymentRead,
  type PaymentReport,
  type PaymentRequest,
} from '../bank.ts';
import type { Initiation } from '../consents-by-reading.ts';
import type { CallModulr } from './call.ts';
import { CUSTOMER_ABSENT, pathOf, refusedAmount } from './consents.ts';
import { reportOf } from './statuses.ts';
import { amountBody, readFunds, readMadePayment, readPaymentBody } from './wire.ts';

type Now = () => Temporal.Instant;

/** POST of the funds confirmation. */
export async function confirmFunds(
  call: CallModulr,
  now: Now,
  bankConsentId: string,
  amountPence: number,
): Promise<'available' | 'not_available'> {
  const answer = await call(
    {
      method: 'POST',
      path: `${pathOf(bankConsentId)}/funds-confirmation`,
      body: amountBody(amountPence),
    },
    readFunds,
  );
  if (answer.kind === 'ok') return answer.value.fundsAvailable ? 'available' : 'not_available';
  throw await refusedAmount(call, now, { bankConsentId, amountPence }, answer.refusal);
}

/**
 * POST `/vrp`. Modulr has no search for a payment by our reference: a repeat under the same key, which gets the first answer for
 * 48 hours, is the only way to find an order whose answer was lost.
 */
export async function submitPayment(
  call: CallModulr,
  now: Now,
  request: PaymentRequest,
): Promise<PaymentReport> {
  const { bankConsentId, amountPence, idempotencyKey } = request;
  const { reference } = JSON.parse(request.initiation) as Initiation;
  const body = {
    consentId: bankConsentId,
    payment: { ...amountBody(amountPence), reference },
    interactionType: CUSTOMER_ABSENT,
  };
  const answer = await call(
    { method: 'POST', path: '/vrp', body, idempotencyKey },
    readMadePayment,
  );
  if (answer.kind === 'refused')
    throw await refusedAmount(call, now, { bankConsentId, amountPence }, answer.refusal);
  return reportOf(answer.value.id, answer.value.status, []);
}

/** GET of one payment. It does not carry our instruction id. */
export async function readPayment(call: CallModulr, bankPaymentId: string): Promise<PaymentRead> {
  const path = `/vrp/${encodeURIComponent(bankPaymentId)}`;
  const answer = await call({ method: 'GET', path }, readPaymentBody);
  // That Modulr does not find its own payment proves nothing about the money.
  if (answer.kind === 'refused')
    throw new BankUnavailable(`payment ${bankPaymentId}: ${answer.refusal.message}`);
  const { consentId, status, statusReasonCodes = [] } = answer.value;
  const report = reportOf(bankPaymentId, status, statusReasonCodes);
  return { ...report, bankConsentId: consentId, instructionId: null };
}
