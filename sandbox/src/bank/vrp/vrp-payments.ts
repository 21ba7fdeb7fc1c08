import { isoInstant } from '../../clock.ts';
import { BEHAVIOURS, type Behaviour, DROPS_FOR_MINUTES } from '../behaviour/behaviours.ts';
import { checkContract } from '../behaviour/contracts.ts';
import { type Account, findAccount } from '../books/books.ts';
import { controlParametersOf } from '../books/consent-request.ts';
import { type Consent, findConsent } from '../books/consents.ts';
import { breachOf, countedSince } from '../books/control-parameters.ts';
import {
  checkAgainstConsent,
  checkPaymentRequest,
  type PaymentRequest,
} from '../books/payment-request.ts';
import {
  acceptPayment,
  countedPayments,
  findPayment,
  loadPayment,
  type Payment,
} from '../books/payments.ts';
import { hasQuirk } from '../books/quirks-in-force.ts';
import { paymentDetailsView, paymentView } from '../books/views.ts';
import type { Call, Reply } from '../doors/call.ts';
import { clientOfConsent } from '../parties/third-parties.ts';
import { findReplay, rememberKey } from '../wire/idempotency.ts';
import { londonDate } from '../wire/periods.ts';
import { ApiProblem, refused } from '../wire/problem.ts';
import { approvedConsent } from './vrp-consents.ts';

/** The endpoints under /domestic-vrps. */

/**
 * POST /domestic-vrps. Deduplicates by idempotency key only: the standard lets a bank pay the same instruction again under
 * another key, and this one does.
 */
export function postPayment(call: Call): Reply {
  const { store } = call.deps;
  const { bankId, contract, profile } = call.bank.brand;
  const keyed = call.keyed();
  const reply = store.transaction((): Reply => {
    const replayed = findReplay(store, bankId, keyed, call.now, profile.duplicateKeyStatus);
    if (replayed) return replyWith(call, 201, loadPayment(store, replayed));
    checkContract(contract, call.body(), keyed.key);
    const { request, amountPence } = checkPaymentRequest(call.body());
    const consent = approvedConsent(call, request.Data.ConsentId);
    checkAgainstConsent(request, consent.request);
    checkLimits(call, consent, amountPence);
    const account = debtorOf(call, consent);
    if (isUnreachable(call, account, request)) return { status: 503, drop: true };
    const order = { consent, account, request, amountPence };
    const payment = acceptPayment(store, call.bank.brand, order, call.now);
    rememberKey(store, bankId, keyed, payment.payment_id, call.now);
    return { ...replyWith(call, 201, payment), drop: dropsOf(account) === 'after' };
  });
  call.deps.settle();
  return reply;
}

/** GET /domestic-vrps/{DomesticVRPId} */
export function getPayment(call: Call): Reply {
  return replyWith(call, 200, knownPayment(call));
}

/** GET /domestic-vrps/{DomesticVRPId}/payment-details */
export function getPaymentDetails(call: Call): Reply {
  const payment = knownPayment(call);
  const account = findAccount(call.deps.store, payment.bank, payment.account_number);
  const isSparse = hasQuirk(call.deps.store, call.bank.brand, account, 'omits_optional_fields');
  return { status: 200, body: isSparse ? { Data: {} } : paymentDetailsView(payment) };
}

function checkLimits(call: Call, consent: Consent, amountPence: number): void {
  const authorisedAt = Temporal.Instant.from(consent.authorised_at ?? consent.created_at);
  const parameters = controlParametersOf(consent.request, authorisedAt);
  const today = londonDate(call.now);
  const since = countedSince(parameters, today);
  const counted = countedPayments(call.deps.store, consent.consent_id, since);
  const breach = breachOf(parameters, counted, today, amountPence);
  if (breach) throw refused('U014', breach.message, breach.path);
}

/** Returns true if the bank is unreachable: it accepts nothing for some hours after the first attempt of each instruction. */
function isUnreachable(call: Call, account: Account, request: PaymentRequest): boolean {
  if (dropsOf(account) !== 'before') return false;
  const ids = {
    consentId: request.Data.ConsentId,
    instructionId: request.Data.Instruction.InstructionIdentification,
  };
  call.deps.store.run(
    `INSERT INTO first_tries (consent_id, instruction_id, at)
     VALUES (:consentId, :instructionId, :now) ON CONFLICT DO NOTHING`,
    { ...ids, now: isoInstant(call.now) },
  );
  const first = call.deps.store.get<{ at: string }>(
    'SELECT at FROM first_tries WHERE consent_id = :consentId AND instruction_id = :instructionId',
    ids,
  );
  const until = Temporal.Instant.from(first?.at ?? call.now).add({ minutes: DROPS_FOR_MINUTES });
  return Temporal.Instant.compare(call.now, until) < 0;
}

function dropsOf(account: Account): Behaviour['drops'] {
  const behaviour: Behaviour = BEHAVIOURS[account.behaviour];
  return behaviour.drops;
}

function debtorOf(call: Call, consent: Consent): Account {
  const account =
    consent.account_number && findAccount(call.deps.store, consent.bank, consent.account_number);
  if (!account) throw refused('U009', 'The consent has no account', 'Data.ConsentId');
  return account;
}

function knownPayment(call: Call): Payment {
  const payment = findPayment(call.deps.store, call.bank.brand.bankId, call.id);
  if (!payment) throw refused('U011', `There is no payment ${call.id}`, 'DomesticVRPId');
  if (clientOfConsent(call.deps, payment.consent_id) !== call.access.clientId) {
    throw new ApiProblem(403, undefined, 'The payment belongs to another client');
  }
  return payment;
}

/** Payments remain readable after their consent is deleted. */
function replyWith(call: Call, status: number, payment: Payment): Reply {
  const consent = findConsent(call.deps.store, payment.bank, payment.consent_id);
  if (!consent) throw new Error(`Payment ${payment.payment_id} has no consent`);
  const account = debtorOf(call, consent);
  const isSparse = hasQuirk(call.deps.store, call.bank.brand, account, 'omits_optional_fields');
  const body = paymentView(call.bank, payment, consent, account, isSparse);
  return { status, body };
}
