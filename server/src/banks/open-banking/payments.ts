import type { Grant, PaymentRead, PaymentReport, PaymentRequest } from '../bank.ts';
import { BankRefused, BankUnavailable } from '../bank.ts';
import { paymentReport } from '../status-codes.ts';
import { parseFunds, parsePayment, reasonCodes } from './bodies.ts';
import {
  amountBody,
  CUSTOMER_ABSENT,
  explainByConsent,
  type Initiation,
  isKey,
  NO_CUSTOMER_STEP,
  noOf,
  pathOf,
  refuseUnless,
} from './consents.ts';
import { needsConsentCheck, refusalError, unexplainedError } from './outcomes.ts';
import { type CallResource, paymentPath, type ResourceAnswer } from './resource.ts';

/** POST of the funds confirmation, with the customer's token. */
export async function confirmFunds(
  call: CallResource,
  grant: Grant,
  bankConsentId: string,
  amountPence: number,
): Promise<'available' | 'not_available'> {
  const answer = await call({
    method: 'POST',
    path: `${pathOf(bankConsentId)}/funds-confirmation`,
    accessToken: grant.accessToken,
    body: JSON.stringify({
      Data: { ConsentId: bankConsentId, InstructedAmount: amountBody(amountPence, 'GBP') },
    }),
  });
  // Nothing was made: an error without a code, for example from a gateway, is technical, and another attempt may succeed.
  if (answer.kind === 'unexplained' && answer.httpStatus !== 401)
    throw new BankRefused(unexplainedError(answer.httpStatus));
  const { Data } = parseFunds(await bodyOrRefusal(call, answer, bankConsentId));
  return Data.FundsAvailableResult.FundsAvailable === 'Available' ? 'available' : 'not_available';
}

/** POST `/domestic-vrps`. The body of a request is always the same text: the bank compares repeats. */
export async function submitPayment(
  call: CallResource,
  grant: Grant,
  request: PaymentRequest,
): Promise<PaymentReport> {
  refuseUnless([
    [isKey(request.idempotencyKey), 'idempotency key'],
    [/^\S{1,35}$/.test(request.instructionId), 'instruction id'],
    [/^\S{1,31}$/.test(request.endToEndId), 'end-to-end id'],
  ]);
  const answer = await call({
    method: 'POST',
    path: '/domestic-vrps',
    accessToken: grant.accessToken,
    idempotencyKey: request.idempotencyKey,
    body: paymentBody(request),
  });
  if (answer.kind === 'unexplained') {
    // A token that the bank does not accept hints that the customer has withdrawn the consent.
    const { message, retryAfterSeconds } = noOf('POST of a payment', answer) as BankUnavailable;
    const asksForConsent = answer.httpStatus === 401;
    throw new BankUnavailable(message, { retryAfterSeconds, asksForConsent });
  }
  const body = await bodyOrRefusal(call, answer, request.bankConsentId);
  const { ConsentId, Instruction } = parsePayment(body).Data;
  const isOurs =
    ConsentId === request.bankConsentId &&
    Instruction.InstructionIdentification === request.instructionId;
  if (!isOurs) throw new BankUnavailable('the bank answered with another payment');
  return reportOf(body);
}

/** GET of one payment, in our own name: this works even after the consent is gone. */
export async function readPayment(call: CallResource, bankPaymentId: string): Promise<PaymentRead> {
  const answer = await call({ method: 'GET', path: paymentPath(bankPaymentId), accessToken: null });
  if (answer.kind === 'ok') {
    const { DomesticVRPId, ConsentId: bankConsentId, Instruction } = parsePayment(answer.body).Data;
    const { InstructionIdentification: instructionId } = Instruction;
    // The bank signs what it answers, not what it was asked.
    if (DomesticVRPId !== bankPaymentId)
      throw new BankUnavailable('the bank answered with another payment');
    return { ...reportOf(answer.body), bankConsentId, instructionId };
  }
  // A bank that does not find its own payment proves nothing about the money.
  throw new BankUnavailable(
    `payment ${bankPaymentId}: ${answer.httpStatus} ${answer.codes.join()}`,
  );
}

function reportOf(body: string): PaymentReport {
  const { Data } = parsePayment(body);
  return paymentReport(Data.DomesticVRPId, Data.Status, reasonCodes(Data.StatusReason));
}

/**
 * Builds the body of a payment. The creditor account, reference and merchant are those of the consent; nothing here can differ
 * from it.
 */
function paymentBody(request: PaymentRequest): string {
  const laidDown = JSON.parse(request.initiation) as Initiation;
  const { localInstrument = 'UK.OBIE.FPS', psuInteractionType = CUSTOMER_ABSENT } = laidDown;
  const { CreditorAccount, UltimateCreditor, RemittanceInformation } = laidDown.initiation;
  return JSON.stringify({
    Data: {
      ConsentId: request.bankConsentId,
      PSUAuthenticationMethod: NO_CUSTOMER_STEP,
      ...(psuInteractionType !== null && { PSUInteractionType: psuInteractionType }),
      VRPType: laidDown.vrpType,
      Initiation: laidDown.initiation,
      Instruction: {
        InstructionIdentification: request.instructionId,
        EndToEndIdentification: request.endToEndId,
        RemittanceInformation,
        ...(localInstrument !== null && { LocalInstrument: localInstrument }),
        InstructedAmount: amountBody(request.amountPence, request.currency),
        CreditorAccount,
        UltimateCreditor,
      },
    },
    Risk: laidDown.risk,
  });
}

async function bodyOrRefusal(
  call: CallResource,
  answer: ResourceAnswer,
  bankConsentId: string,
): Promise<string> {
  if (answer.kind === 'ok') return answer.body;
  if (needsConsentCheck(answer.httpStatus, answer.codes)) {
    throw await explainByConsent(call, bankConsentId).catch((cause: unknown) => {
      // The read of the consent never left, but that says nothing about the call before it, which got a response.
      if (cause instanceof BankUnavailable && cause.notSent)
        throw new BankUnavailable(cause.message, { cause });
      throw cause;
    });
  }
  throw new BankRefused(refusalError(answer.codes));
}
