import { toDecimal } from '../../platform/values/money.ts';
import {
  hasWireText,
  LONGEST_WIRE_REFERENCE,
  wireName,
  wireText,
} from '../../platform/values/wire-text.ts';
import {
  type AccountDetails,
  type BankConsent,
  BankDefect,
  BankRefused,
  BankUnavailable,
  type ConsentRequest,
  type CreatedConsent,
  type VrpType,
} from '../bank.ts';
import { consentError } from '../status-codes.ts';
import { accountBody, accountDetails, parseConsent, reasonCodes } from './bodies.ts';
import { DEFAULT_SCHEME, type OpenBankingConfig } from './config.ts';
import { reportedLimits } from './limits.ts';
import { consentStatus, refusalError, reportsMissing, unexplainedError } from './outcomes.ts';
import type { CallResource, ResourceAnswer } from './resource.ts';

/** No customer step per payment: the schedule collects while the customer is absent. */
export const NO_CUSTOMER_STEP = 'UK.OBIE.SCANotRequired';
export const CUSTOMER_ABSENT = 'OffSession';

/**
 * What is fixed with the consent and repeated, byte for byte, with every payment under it. The VRP type is kept too, so that a
 * changed setting does not affect consents already granted.
 */
export interface Initiation {
  vrpType: VrpType;
  /** Null: payments name none. Absent in consents made before it could be chosen: `UK.OBIE.FPS`. */
  localInstrument?: string | null;
  /** Null: payments do not say whether the customer is there. Absent: `CUSTOMER_ABSENT`. */
  psuInteractionType?: null;
  initiation: {
    DebtorAccount?: ReturnType<typeof accountBody>;
    CreditorAccount: ReturnType<typeof accountBody>;
    UltimateCreditor: { Name: string };
    RemittanceInformation: {
      Structured: { CreditorReferenceInformation: { Reference: string } }[];
    };
  };
  risk: {
    PaymentContextCode: string;
    MerchantCategoryCode?: string;
    PaymentPurposeCode?: string;
    ContractPresentIndicator: boolean;
  };
}

type Scheme = Pick<OpenBankingConfig, 'vrpType' | 'scheme'>;

/** POST `/domestic-vrp-consents`. Throws `BankRefused`, also for a consent that is rejected on creation. */
export async function createConsent(
  call: CallResource,
  scheme: Scheme,
  request: ConsentRequest,
): Promise<CreatedConsent> {
  checkRequest(request);
  const laidDown = initiationOf(scheme, request);
  const answer = await call({
    method: 'POST',
    path: '/domestic-vrp-consents',
    accessToken: null,
    idempotencyKey: request.idempotencyKey,
    customer: { ip: request.customerIp, userAgent: request.customerUserAgent },
    body: JSON.stringify({
      Data: {
        ReadRefundAccount: 'No',
        ControlParameters: controlParameters(scheme, request),
        Initiation: laidDown.initiation,
      },
      Risk: laidDown.risk,
    }),
  });
  if (answer.kind !== 'ok') throw noOf('POST of a consent', answer);
  const consent = consentOf(answer.body);
  if (consent.status === 'RJCT') {
    throw new BankRefused(refusalError([consent.reason ?? 'RJCT']));
  }
  return { ...consent, initiation: JSON.stringify(laidDown), redirectUrl: null };
}

/** GET of one consent. `GONE` if a documented code or a signed response says that the bank does not have it. */
export async function readConsent(call: CallResource, bankConsentId: string): Promise<BankConsent> {
  const answer = await call({ method: 'GET', path: pathOf(bankConsentId), accessToken: null });
  if (answer.kind === 'ok') {
    const consent = consentOf(answer.body);
    // The bank signs what it answers, not what it was asked.
    if (consent.bankConsentId !== bankConsentId)
      throw new BankUnavailable('the bank answered with another consent');
    return consent;
  }
  if (!reportsMissing(answer)) throw noOf('GET of a consent', answer);
  const reason = answer.codes[0] ?? String(answer.httpStatus);
  return { bankConsentId, status: 'GONE', reason, debtor: null, limits: null };
}

/**
 * DELETE of one consent. 204 proves it, and so does a documented code or a signed response that it does not exist. If the bank
 * refuses because of the consent's status (U009), we read that status: one that is over needs no deletion.
 */
export async function deleteConsent(call: CallResource, bankConsentId: string): Promise<void> {
  const answer = await call({ method: 'DELETE', path: pathOf(bankConsentId), accessToken: null });
  if (answer.kind === 'ok') {
    if (answer.httpStatus === 204) return;
    throw new BankUnavailable(`DELETE of a consent: ${answer.httpStatus} does not prove it`);
  }
  if (reportsMissing(answer)) return;
  if (answer.codes.includes('U009') && isOver(await readConsent(call, bankConsentId))) return;
  throw noOf('DELETE of a consent', answer);
}

const isOver = ({ status }: BankConsent): boolean => !['AUTH', 'AWAU', 'SUSP'].includes(status);

/** Returns the error for an unsuccessful response: a refusal if a documented code says so, else an unknown outcome. */
export function noOf(
  what: string,
  answer: Exclude<ResourceAnswer, { kind: 'ok' }>,
): BankRefused | BankUnavailable {
  const { kind, httpStatus, codes, retryAfterSeconds } = answer;
  if (kind === 'refused') return new BankRefused(refusalError(codes));
  return new BankUnavailable(`${what}: ${httpStatus} without a documented code`, {
    retryAfterSeconds,
  });
}

/** Explains a refusal by the consent's status, or as a technical failure if the consent is live after all. */
export async function explainByConsent(
  call: CallResource,
  bankConsentId: string,
): Promise<BankRefused> {
  const consent = await readConsent(call, bankConsentId);
  return new BankRefused(consentError(consent) ?? unexplainedError(401));
}

export function pathOf(bankConsentId: string): string {
  return `/domestic-vrp-consents/${encodeURIComponent(bankConsentId)}`;
}

function consentOf(text: string): BankConsent {
  const { Data } = parseConsent(text);
  const reason = reasonCodes(Data.StatusReason)[0] ?? null;
  return {
    bankConsentId: Data.ConsentId,
    status: consentStatus(Data.Status, reason),
    reason,
    debtor: accountDetails(Data.DebtorAccount),
    limits: reportedLimits(Data.ControlParameters),
  };
}

const PAYMENT_CONTEXTS = {
  merchant_initiated: 'EcommerceMerchantInitiatedPayment',
  billing_in_advance: 'BillingGoodsAndServicesInAdvance',
  billing_in_arrears: 'BillingGoodsAndServicesInArrears',
} as const;

/**
 * Returns what a consent says of its risk. Unless the operator knows more of the merchant, the payment context is
 * `EcommerceMerchantInitiatedPayment`: the merchant's schedule starts each payment, and, unlike the two billing contexts, it does
 * not say whether the goods come before or after.
 */
function riskOf({ merchant }: ConsentRequest): Initiation['risk'] {
  const { categoryCode = null, purposeCode = null } = merchant ?? {};
  return {
    PaymentContextCode: PAYMENT_CONTEXTS[merchant?.paymentContext ?? 'merchant_initiated'],
    ...(categoryCode !== null && { MerchantCategoryCode: categoryCode }),
    ...(purposeCode !== null && { PaymentPurposeCode: purposeCode }),
    ContractPresentIndicator: true,
  };
}

/** Returns the initiation of a consent. */
function initiationOf(
  { vrpType, scheme = DEFAULT_SCHEME }: Scheme,
  request: ConsentRequest,
): Initiation {
  return {
    vrpType,
    localInstrument: scheme.localInstrument,
    ...(scheme.psuInteractionTypes === null && { psuInteractionType: null }),
    initiation: {
      ...(request.debtor && { DebtorAccount: accountBody(request.debtor) }),
      CreditorAccount: accountBody(request.creditor),
      UltimateCreditor: { Name: wireName(request.ultimateCreditorName) },
      RemittanceInformation: {
        Structured: [
          {
            CreditorReferenceInformation: {
              Reference: wireText(request.reference, LONGEST_WIRE_REFERENCE),
            },
          },
        ],
      },
    },
    risk: riskOf(request),
  };
}

function controlParameters(
  { vrpType, scheme = DEFAULT_SCHEME }: Scheme,
  request: ConsentRequest,
): Record<string, unknown> {
  const { validFrom, validTo, maximumAmountPence, periodicLimits } = request.controlParameters;
  return {
    VRPType: [vrpType],
    PSUAuthenticationMethods: scheme.psuAuthenticationMethods,
    ...(scheme.psuInteractionTypes && { PSUInteractionTypes: scheme.psuInteractionTypes }),
    ValidFromDateTime: dateTime(validFrom),
    ...(validTo && { ValidToDateTime: dateTime(validTo) }),
    MaximumIndividualAmount: amountBody(maximumAmountPence, request.currency),
    PeriodicLimits: periodicLimits.map((limit) => ({
      PeriodType: limit.periodType,
      PeriodAlignment: limit.alignment,
      ...amountBody(limit.amountPence, request.currency),
    })),
  };
}

/** Formats a time in whole seconds: some banks refuse fractions. */
function dateTime(instant: Temporal.Instant): string {
  return instant.toString({ smallestUnit: 'second' });
}

/** Converts an amount to the standard's form: a decimal string in pounds. */
export function amountBody(
  amountPence: number,
  currency: 'GBP',
): { Amount: string; Currency: 'GBP' } {
  return { Amount: toDecimal(amountPence), Currency: currency };
}

/** Checks what the standard's OpenAPI description does not, and the bank would refuse later or not at all. */
function checkRequest(request: ConsentRequest): void {
  const { creditor, debtor } = request;
  const checks: [boolean, string][] = [
    [isAccount(creditor), 'creditor account'],
    [debtor === undefined || isAccount(debtor), 'debtor account'],
    [hasWireText(request.ultimateCreditorName), 'creditor name'],
    [hasWireText(request.reference), 'reference'],
    [isKey(request.idempotencyKey), 'idempotency key'],
    [request.controlParameters.periodicLimits.length >= 1, 'periodic limits'],
  ];
  refuseUnless(checks);
}

function isAccount({ sortCode, accountNumber, name }: AccountDetails): boolean {
  const isNumbered = /^\d{6}$/.test(sortCode) && /^\d{8}$/.test(accountNumber);
  return isNumbered && hasWireText(name);
}

/** Whether a key has at most 40 characters and no blank at either end. */
export function isKey(key: string): boolean {
  return key.length <= 40 && /^\S(.*\S)?$/.test(key);
}

/** Throws a `BankDefect` that names the first failed check. */
export function refuseUnless(checks: [boolean, string][]): void {
  const failed = checks.find(([holds]) => !holds);
  if (failed) throw new BankDefect(`not sent: the ${failed[1]} is not in the required form`, 'own');
}
