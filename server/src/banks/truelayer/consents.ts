import { createHash } from 'node:crypto';
import { LONGEST_WIRE_REFERENCE, wireName, wireText } from '../../platform/values/wire-text.ts';
import {
  type Bank,
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
import type { CallTrueLayer } from './client.ts';
import type { TrueLayerConfig } from './config.ts';
import { type Problem, sentenceOf } from './problems.ts';
import { consentStatusOf, reasonOf } from './statuses.ts';
import {
  identifierBody,
  limitsOf,
  payerOf,
  periodsBody,
  readFlow,
  readMadeMandate,
  readMandateBody,
  userIdOf,
} from './wire.ts';

/** What one bank behind TrueLayer needs for its calls. */
export interface AtTrueLayer {
  call: CallTrueLayer;
  config: TrueLayerConfig;
  /** Business time: whether a consent has reached its end. */
  now: () => Temporal.Instant;
  /** TrueLayer's id of the bank. */
  providerId: string;
}

/** The name under which an order says which bank it is for, so that notices of it say so too. */
export const BANK_ID = 'bank_id';

/** Returns our id of a bank behind TrueLayer. */
export const bankIdOf = ({ bankId }: TrueLayerConfig, providerId: string): string =>
  `${bankId}-${providerId}`;

/** POST `/mandates`. The customer's page is asked for by `authorisationUrl`. */
export async function createConsent(
  at: AtTrueLayer,
  request: ConsentRequest,
): Promise<CreatedConsent> {
  const reference = wireText(request.reference, LONGEST_WIRE_REFERENCE);
  if (reference === '') throw new BankDefect('not sent: nothing is left of the reference', 'own');
  const { idempotencyKey } = request;
  const body = mandateBody(at, { ...request, reference });
  const answer = await at.call(
    { method: 'POST', path: '/mandates', body, idempotencyKey },
    readMadeMandate,
  );
  if (answer.kind === 'refused') throw refusedRequest(answer.refusal);
  return madeConsent(answer.value.id, { reference }, null);
}

/** Starts the authorisation of a mandate, whose bank is chosen already: its answer is the page of that bank. */
export async function authorisationUrl(
  { call, config }: AtTrueLayer,
  { bankConsentId, state, redirectUri }: Parameters<Bank['authorisationUrl']>[0],
): Promise<string> {
  const path = `${pathOf(bankConsentId)}/authorization-flow`;
  const body = { redirect: { return_uri: redirectUri } };
  const idempotencyKey = createHash('sha256').update(`${bankConsentId} ${state}`).digest('hex');
  const answer = await call({ method: 'POST', path, body, idempotencyKey }, readFlow);
  // Such as `Invalid State`: it has failed or run out, or the customer was faster.
  if (answer.kind === 'refused') throw refusedRequest(answer.refusal);
  const next = answer.value.authorization_flow?.actions?.next;
  // It has failed, or its next step is not there yet: the customer can begin again, with another mandate.
  if (answer.value.status !== 'authorizing' || next === undefined || next.type === 'wait')
    throw new BankUnavailable(`mandate ${bankConsentId} is ${answer.value.status}: no page yet`);
  const page = URL.parse(next.uri ?? '');
  if (next.type !== 'redirect' || page === null || !isAllowedPage(page, config.sandbox ?? false))
    throw new BankDefect(`TrueLayer wants ${next.type}, and names no page for it`, next.type);
  return page.href;
}

/** GET of one mandate. `GONE` only if TrueLayer itself says that it does not have it. */
export async function readConsent(
  { call, now }: AtTrueLayer,
  bankConsentId: string,
): Promise<BankConsent> {
  const answer = await call({ method: 'GET', path: pathOf(bankConsentId) }, (json) => {
    const mandate = readMandateBody(json);
    return { mandate, limits: limitsOf(mandate) };
  });
  if (answer.kind === 'refused') {
    const { title } = answer.refusal;
    if (title !== 'Not Found') throw new BankUnavailable(sentenceOf(answer.refusal));
    return { bankConsentId, status: 'GONE', reason: title, debtor: null, limits: null };
  }
  const { mandate, limits } = answer.value;
  const status = consentStatusOf(mandate.status, limits.validTo, now());
  if (status === null)
    throw new BankUnavailable(`mandate ${bankConsentId} is ${mandate.status} at TrueLayer`);
  const reason = reasonOf(mandate.failure_reason ?? mandate.revocation_source);
  return { bankConsentId, status, reason, debtor: payerOf(mandate), limits };
}

/** Revokes a mandate: it is done, or not there, or over. Under a new key each time: an answer of before says nothing of now. */
export async function deleteConsent(at: AtTrueLayer, bankConsentId: string): Promise<void> {
  const path = `${pathOf(bankConsentId)}/revoke`;
  const answer = await at.call({ method: 'POST', path }, () => null);
  if (answer.kind === 'ok' || answer.refusal.title === 'Not Found') return;
  await throwUnlessOver(refusedRequest(answer.refusal), () => readConsent(at, bankConsentId));
}

/** Returns what the refusal of an amount means. The mandate explains it, except where it is about how we asked. */
export async function refusedAmount(
  at: AtTrueLayer,
  { bankConsentId, amountPence }: { bankConsentId: string; amountPence: number },
  problem: Problem,
): Promise<BankRefused | BankDefect> {
  const refused = refusedRequest(problem);
  if (refused instanceof BankDefect) return refused;
  const plain = { refused, code: problem.title };
  return explainedRefusal(plain, amountPence, () => readConsent(at, bankConsentId));
}

/** `Invalid Parameters` is about how we ask; the others are about what we ask for. */
function refusedRequest(problem: Problem): BankRefused | BankDefect {
  return problem.title === 'Invalid Parameters'
    ? new BankDefect(sentenceOf(problem), problem.title)
    : new BankRefused(paymentError(UNEXPLAINED, problem.title));
}

export const pathOf = (bankConsentId: string): string =>
  `/mandates/${encodeURIComponent(bankConsentId)}`;

function mandateBody({ config, providerId }: AtTrueLayer, request: ConsentRequest) {
  const { creditor, debtor, reference, controlParameters } = request;
  const { validFrom, validTo, maximumAmountPence, periodicLimits } = controlParameters;
  if (periodicLimits.length === 0)
    throw new BankDefect('not sent: there is no periodic limit', 'own');
  return {
    mandate: {
      type: 'commercial',
      use_case: config.useCase,
      provider_selection: {
        type: 'preselected',
        provider_id: providerId,
        ...(debtor && {
          remitter: {
            account_holder_name: wireName(debtor.name),
            account_identifier: identifierBody(debtor),
          },
        }),
      },
      beneficiary: {
        type: 'external_account',
        account_holder_name: wireName(request.ultimateCreditorName),
        account_identifier: identifierBody(creditor),
      },
      ...(config.hasOwnLicence && { reference }),
    },
    currency: request.currency,
    user: userBody(config, request),
    constraints: {
      valid_from: dateTime(validFrom),
      ...(validTo && { valid_to: dateTime(validTo) }),
      maximum_individual_amount: maximumAmountPence,
      periodic_limits: periodsBody(periodicLimits),
    },
    metadata: { [BANK_ID]: bankIdOf(config, providerId) },
  };
}

/** Says who the customer is where TrueLayer has to know them, and no more than an id of ours where we have the licence. */
function userBody({ hasOwnLicence }: TrueLayerConfig, request: ConsentRequest) {
  const id = userIdOf(request.customerReference);
  if (hasOwnLicence) return { id };
  const { name, email, phone } = request.contact ?? { name: '', email: null, phone: null };
  if (email === null && phone === null)
    throw new BankDefect('not sent: TrueLayer must know who the customer is', 'own');
  return { id, name: wireName(name), ...(email && { email }), ...(phone && { phone }) };
}
