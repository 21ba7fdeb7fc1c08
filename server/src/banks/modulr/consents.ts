import { LONGEST_WIRE_REFERENCE, wireName, wireText } from '../../platform/values/wire-text.ts';
import type { ModulrRefused } from '../../wallets/modulr/errors.ts';
import {
  type BankConsent,
  BankDefect,
  BankRefused,
  BankUnavailable,
  type ConsentRequest,
  type CreatedConsent,
} from '../bank.ts';
import {
  dateTime,
  explainedRefusal,
  madeConsent,
  throwUnlessOver,
} from '../consents-by-reading.ts';
import { isAllowedPage } from '../redirect.ts';
import { paymentError, UNEXPLAINED } from '../status-codes.ts';
import type { CallModulr } from './call.ts';
import type { ModulrConfig } from './config.ts';
import { consentStatusOf } from './statuses.ts';
import { amountBody, limitsOf, periodBody, readConsentBody, readMadeConsent } from './wire.ts';

/** The customer is not there when we collect. */
export const CUSTOMER_ABSENT = 'OFF_SESSION';

/** POST `/vrp-consents`: the answer has the address to which the customer goes. */
export async function createConsent(
  call: CallModulr,
  config: ModulrConfig,
  aspspId: string,
  request: ConsentRequest,
): Promise<CreatedConsent> {
  const reference = wireText(request.reference, LONGEST_WIRE_REFERENCE);
  checkRequest({ ...request, reference });
  const { idempotencyKey } = request;
  const body = consentBody(config, aspspId, { ...request, reference });
  const answer = await call(
    { method: 'POST', path: '/vrp-consents', body, idempotencyKey },
    readMadeConsent,
  );
  if (answer.kind === 'refused') throw refusedRequest(answer.refusal);
  const { vrpConsentInitiationId: bankConsentId, redirectUrl } = answer.value;
  const page = URL.parse(redirectUrl);
  if (page === null || !isAllowedPage(page, config.sandbox ?? false))
    throw new BankDefect('Modulr named no page that a customer may be sent to', 'redirectUrl');
  return madeConsent(bankConsentId, { reference }, redirectUrl);
}

/** GET of one consent. `GONE` if a documented code says that Modulr does not have it. */
export async function readConsent(
  call: CallModulr,
  now: () => Temporal.Instant,
  bankConsentId: string,
): Promise<BankConsent> {
  const answer = await call({ method: 'GET', path: pathOf(bankConsentId) }, (json) => {
    const consent = readConsentBody(json);
    return { at: consent.status, limits: limitsOf(consent) };
  });
  const known = { bankConsentId, debtor: null };
  if (answer.kind === 'refused') {
    if (answer.refusal.has('NOTFOUND'))
      return { ...known, status: 'GONE', reason: 'NOTFOUND', limits: null };
    throw new BankUnavailable(answer.refusal.message, { cause: answer.refusal });
  }
  const { at, limits } = answer.value;
  const status = consentStatusOf(at, limits.validTo, now());
  if (status === null) throw new BankUnavailable(`consent ${bankConsentId} is ${at} at Modulr`);
  return { ...known, status, reason: null, limits };
}

/** DELETE of one consent: it is done, or not there, or over. */
export async function deleteConsent(
  call: CallModulr,
  now: () => Temporal.Instant,
  bankConsentId: string,
): Promise<void> {
  const path = pathOf(bankConsentId);
  const answer = await call({ method: 'DELETE', path }, () => null);
  if (answer.kind === 'ok' || answer.refusal.has('NOTFOUND')) return;
  const refused = refusedRequest(answer.refusal);
  await throwUnlessOver(refused, () => readConsent(call, now, bankConsentId));
}

/** Returns what the refusal of an amount means: the consent explains it. */
export function refusedAmount(
  call: CallModulr,
  now: () => Temporal.Instant,
  { bankConsentId, amountPence }: { bankConsentId: string; amountPence: number },
  refusal: ModulrRefused,
): Promise<BankRefused | BankDefect> {
  const plain = { refused: refusedRequest(refusal), code: codeOf(refusal) };
  return explainedRefusal(plain, amountPence, () => readConsent(call, now, bankConsentId));
}

/** `BUSINESSRULE` and `NOTFOUND` are about what is asked for; the other codes are about how. */
function refusedRequest(refusal: ModulrRefused): BankRefused | BankDefect {
  const code = codeOf(refusal);
  return refusal.has('BUSINESSRULE') || refusal.has('NOTFOUND')
    ? new BankRefused(paymentError(UNEXPLAINED, code))
    : new BankDefect(refusal.message, code, refusal);
}

const codeOf = ({ messages }: ModulrRefused): string => messages[0]?.code ?? '';

export function pathOf(bankConsentId: string): string {
  return `/vrp-consents/${encodeURIComponent(bankConsentId)}`;
}

function consentBody(config: ModulrConfig, aspspId: string, request: ConsentRequest) {
  const { creditor, controlParameters, reference, customerReference } = request;
  const { validFrom, validTo, maximumAmountPence, periodicLimits } = controlParameters;
  return {
    aspspId,
    type: config.vrpType === 'UK.OBIE.VRPType.Sweeping' ? 'SWEEPING' : 'CVRP1',
    destination: { type: 'SCAN', ...creditor, name: wireName(creditor.name) },
    paymentConstraints: {
      maximumIndividualAmount: amountBody(maximumAmountPence),
      periodicLimits: periodicLimits.map(periodBody),
    },
    validFromDate: dateTime(validFrom),
    ...(validTo && { validToDate: dateTime(validTo) }),
    reference,
    interactionTypes: [CUSTOMER_ABSENT],
    ultimateCreditor: { name: wireName(request.ultimateCreditorName) },
    risk: {
      merchantCategoryCode: request.merchant?.categoryCode ?? config.merchantCategoryCode,
      merchantCustomerIdentification: customerReference,
      contractPresentIndicator: true,
      beneficiaryPrepopulatedIndicator: true,
    },
  };
}

/** Checks what Modulr's document says in words only. */
function checkRequest({ reference, controlParameters, debtor }: ConsentRequest): void {
  const refuse = (what: string): never => {
    throw new BankDefect(`not sent: ${what}`, 'own');
  };
  if (!/^[A-Za-z0-9.&/ -]{6,18}$/.test(reference))
    refuse('the reference has not 6 to 18 characters of those that Modulr takes');
  if (controlParameters.periodicLimits.length === 0) refuse('there is no periodic limit');
  if (debtor !== undefined) refuse('Modulr cannot ask for the account that pays');
}
