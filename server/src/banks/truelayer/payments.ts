import {
  BankUnavailable,
  type PaymentRead,
  type PaymentReport,
  type PaymentRequest,
  TokenRefused,
} from '../bank.ts';
import type { Initiation } from '../consents-by-reading.ts';
import { type AtTrueLayer, BANK_ID, bankIdOf, pathOf, refusedAmount } from './consents.ts';
import { sentenceOf } from './problems.ts';
import { reportOf } from './statuses.ts';
import { readFunds, readMadePayment, readPaymentBody } from './wire.ts';

/** GET of the funds of a mandate. */
export async function confirmFunds(
  at: AtTrueLayer,
  bankConsentId: string,
  amountPence: number,
): Promise<'available' | 'not_available'> {
  const query = new URLSearchParams({ amount_in_minor: String(amountPence), currency: 'GBP' });
  const answer = await at.call(
    { method: 'GET', path: `${pathOf(bankConsentId)}/funds?${query}` },
    readFunds,
  );
  if (answer.kind === 'ok') return answer.value.confirmed ? 'available' : 'not_available';
  throw await refusedAmount(at, { bankConsentId, amountPence }, answer.refusal);
}

/** The names under which an order carries our ids: TrueLayer has no fields for them. */
const INSTRUCTION_ID = 'instruction_id';
const END_TO_END_ID = 'end_to_end_id';

/**
 * POST `/payments`, without TrueLayer's own retries: our attempts are ours. There is no search by our ids. An order whose answer
 * was lost is found by a repeat under the same key, which gets the first answer for 30 days, or by a notice with our ids.
 */
export async function submitPayment(
  at: AtTrueLayer,
  request: PaymentRequest,
): Promise<PaymentReport> {
  const { bankConsentId, amountPence, idempotencyKey } = request;
  const { reference } = JSON.parse(request.initiation) as Initiation;
  const body = {
    amount_in_minor: amountPence,
    currency: request.currency,
    payment_method: {
      type: 'mandate',
      mandate_id: bankConsentId,
      reference,
      user_interaction: 'not_present',
    },
    metadata: {
      [INSTRUCTION_ID]: request.instructionId,
      [END_TO_END_ID]: request.endToEndId,
      [BANK_ID]: bankIdOf(at.config, at.providerId),
    },
  };
  const order = { method: 'POST', path: '/payments', body, idempotencyKey } as const;
  const answer = await at.call(order, readMadePayment).catch((cause: unknown) => {
    // We are at fault, and not the order, which was not made.
    if (cause instanceof TokenRefused)
      throw new BankUnavailable(cause.message, { cause, notSent: true });
    throw cause;
  });
  if (answer.kind === 'refused')
    throw await refusedAmount(at, { bankConsentId, amountPence }, answer.refusal);
  const { id, status, failure_reason: reason } = answer.value;
  return reportOf(id, status, reason);
}

/** GET of one payment. */
export async function readPayment(
  { call }: AtTrueLayer,
  bankPaymentId: string,
): Promise<PaymentRead> {
  const path = `/payments/${encodeURIComponent(bankPaymentId)}`;
  const answer = await call({ method: 'GET', path }, readPaymentBody);
  // That TrueLayer does not find its own payment proves nothing about the money.
  if (answer.kind === 'refused')
    throw new BankUnavailable(`payment ${bankPaymentId}: ${sentenceOf(answer.refusal)}`);
  const { id, status, failure_reason: reason, payment_method, metadata = {} } = answer.value;
  return {
    ...reportOf(id, status, reason),
    bankConsentId: payment_method.mandate_id,
    instructionId: metadata[INSTRUCTION_ID] ?? null,
  };
}
