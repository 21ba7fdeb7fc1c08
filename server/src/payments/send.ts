import { type Bank, BankDefect, BankRefused, type Grant } from '../banks/bank.ts';
import { mayCollect } from '../consents/consent.ts';
import { openGrant, sealGrant } from '../consents/grant.ts';
import { saveGrant } from '../consents/store.ts';
import { mapInParallel } from '../platform/lanes.ts';
import type { Platform } from '../platform/platform.ts';
import type { Issuer } from '../wallets/issuer.ts';
import { findArrival } from './arrivals.ts';
import { type ClaimedAttempt, markSent } from './attempt-store.ts';
import { instructionId, type Learned, type Outcome, RESEND_FOR } from './payment.ts';
import { type OutcomeDeps, settleOutcomes } from './settle-outcomes.ts';
import { STOPPED } from './stopped.ts';

export interface SubmitDeps extends OutcomeDeps {
  banks: ReadonlyMap<string, Bank>;
  issuer: Issuer;
}

const WIDTH = 32;

/** An attempt that may go to its bank now, with the right to. */
interface Ready {
  attempt: ClaimedAttempt;
  bank: Bank;
  grant: Grant;
}

/**
 * Sends a batch of claimed attempts in three steps: every check that still counts, the note that they may be with the
 * bank from now on, and the call. What was never sent can be ended by a check; what was sent, only by the bank's word on
 * the payment itself, or by the money.
 */
export async function sendBatch(deps: SubmitDeps, batch: readonly ClaimedAttempt[]): Promise<void> {
  const learned: Learned[] = [];
  const learn = (attempt: ClaimedAttempt, outcome: Outcome): void =>
    void learned.push({ ref: refOf(attempt), outcome });
  const ready: Ready[] = [];
  await mapInParallel(batch, WIDTH, async (attempt) => {
    const prepared = await prepare(deps, attempt);
    if ('kind' in prepared) learn(attempt, prepared);
    else ready.push(prepared);
  });
  await mapInParallel(await noteSent(deps, ready), WIDTH, async (one) =>
    learn(one.attempt, await send(deps, one)),
  );
  await settleOutcomes(deps, learned);
}

/** Those that may still go: what was stopped since it was claimed is looked at again when it falls due. */
async function noteSent({ platform }: SubmitDeps, ready: readonly Ready[]): Promise<Ready[]> {
  const fresh = ready.map(({ attempt }) => attempt).filter((attempt) => attempt.sent_at === null);
  if (fresh.length === 0) return [...ready];
  const marked = await platform.db.transaction((tx) => markSent(tx, platform.clock.now(), fresh));
  return ready.filter(({ attempt }) => attempt.sent_at !== null || marked.has(attempt.payment_id));
}

function refOf(attempt: ClaimedAttempt): Learned['ref'] {
  return {
    merchantId: attempt.merchant_id,
    paymentId: attempt.payment_id,
    scheduleId: attempt.schedule_id,
    attempt: attempt.attempts,
  };
}

/** Whether an attempt may go to its bank; an outcome where it may not, or not now. */
async function prepare(deps: SubmitDeps, attempt: ClaimedAttempt): Promise<Ready | Outcome> {
  const isFresh = attempt.sent_at === null;
  if (isFresh) {
    const stopped = stopBeforeSending(attempt);
    if (stopped !== null) return stopped;
  } else if (isTooLateToRepeat(deps, attempt)) return lookForMoney(deps, attempt);
  const bank = deps.banks.get(attempt.bank_id);
  if (bank === undefined) return unknown(deps, attempt, new Error('the bank is not configured'));
  try {
    const grant = await currentGrant(deps.platform, bank, attempt);
    if (isFresh && !(await hasFunds(bank, grant, attempt)))
      return { ...NO_FUNDS, unsentCall: attempt.polls };
    return { attempt, bank, grant };
  } catch (error) {
    if (!isFresh || !(error instanceof BankRefused)) return unknown(deps, attempt, error);
    return failureOf(error, attempt.polls);
  }
}

/** The customer or the merchant said stop before anything was sent. */
function stopBeforeSending(attempt: ClaimedAttempt): Outcome | null {
  const unsentCall = attempt.polls;
  if (!mayCollect(attempt.consent_status)) return { ...CONSENT_GONE, unsentCall };
  if (attempt.manual || attempt.schedule_status === 'active') return null;
  const code = attempt.schedule_status === 'paused' ? 'schedule_paused' : 'schedule_cancelled';
  return { ...NO_FUNDS, failure: { code, message: STOPPED[code] }, isFinal: true, unsentCall };
}

function isTooLateToRepeat(deps: SubmitDeps, attempt: ClaimedAttempt): boolean {
  const since = deps.platform.clock.now().since(attempt.sent_at ?? attempt.started_at);
  return Temporal.Duration.compare(since, RESEND_FOR) > 0;
}

async function hasFunds(bank: Bank, grant: Grant, attempt: ClaimedAttempt): Promise<boolean> {
  const answer = await bank.confirmFunds(grant, attempt.bank_consent_id, attempt.amount_pence);
  return answer === 'available';
}

/**
 * The call itself. On the first one every refusal is known. On a repeat, a refusal of the caller (token, address,
 * consent) says nothing of what the first call did: the same attempt is asked for again, or its money looked for.
 */
async function send(deps: SubmitDeps, { attempt, bank, grant }: Ready): Promise<Outcome> {
  const isFirst = attempt.sent_at === null;
  try {
    return toOutcome(await bank.submitPayment(grant, requestOf(attempt)));
  } catch (error) {
    if (error instanceof BankRefused && (isFirst || isAboutThePayment(error)))
      return failureOf(error, null);
    if (error instanceof BankDefect && isFirst) return defectOf(deps, attempt, error);
    if (error instanceof BankRefused || error instanceof BankDefect)
      return lookForMoney(deps, attempt, error);
    return unknown(deps, attempt, error);
  }
}

/** Refusals that a bank gives only after it has looked for the idempotency key: no payment stands under it. */
const ABOUT_THE_PAYMENT = new Set([
  'limit_exceeded',
  'bank_limit',
  'insufficient_funds',
  'invalid_account',
  'account_closed',
  'blocked',
  'creditor_account_unavailable',
]);

function isAboutThePayment({ error }: BankRefused): boolean {
  return ABOUT_THE_PAYMENT.has(error.code);
}

function requestOf(attempt: ClaimedAttempt): Parameters<Bank['submitPayment']>[1] {
  const name = instructionId(attempt.payment_id, attempt.attempts);
  return {
    idempotencyKey: name,
    bankConsentId: attempt.bank_consent_id,
    initiation: attempt.initiation,
    instructionId: name,
    endToEndId: name,
    amountPence: attempt.amount_pence,
    currency: 'GBP',
  };
}

/** The grant, renewed where it is about to end; a renewed one is stored before it is used. */
async function currentGrant(
  platform: Platform,
  bank: Bank,
  attempt: ClaimedAttempt,
): Promise<Grant> {
  const { merchant_id: merchantId, consent_id: consentId } = attempt;
  const grant = openGrant(platform, merchantId, consentId, attempt.bank_grant);
  const fresh = await bank.refresh(grant);
  if (fresh !== grant) {
    const sealed = sealGrant(platform, { merchantId, consentId }, fresh);
    await platform.db.transaction((tx) => saveGrant(tx, merchantId, consentId, sealed));
  }
  return fresh;
}

/** A bank's report as an outcome. */
export function toOutcome(report: Awaited<ReturnType<Bank['submitPayment']>>): Outcome {
  const { bankPaymentId, bankStatus } = report;
  if (report.outcome !== 'failed') return { kind: report.outcome, bankPaymentId, bankStatus };
  const { code, message, kind } = report.error;
  return {
    kind: 'failed',
    failure: { code, message },
    isFinal: kind !== 'retryable',
    consentGone: kind === 'consent_gone',
    bankPaymentId,
    bankStatus,
    unsentCall: null,
  };
}

const NO_FUNDS = {
  kind: 'failed',
  failure: {
    code: 'insufficient_funds',
    message: "There was not enough money on the customer's account.",
  },
  isFinal: false,
  consentGone: false,
  bankPaymentId: null,
  bankStatus: null,
} as const;

const CONSENT_GONE = {
  ...NO_FUNDS,
  failure: { code: 'consent_revoked', message: 'The consent is no longer in force.' },
  isFinal: true,
  consentGone: true,
} as const;

function failureOf({ error }: BankRefused, unsentCall: number | null): Outcome {
  return {
    ...NO_FUNDS,
    failure: { code: error.code, message: error.message },
    isFinal: error.kind !== 'retryable',
    consentGone: error.kind === 'consent_gone',
    unsentCall,
  };
}

/** The bank found the payment's own content wrong: asking again would not mend it. */
function defectOf(deps: SubmitDeps, attempt: ClaimedAttempt, error: BankDefect): Outcome {
  deps.platform.log.error(
    { payment_id: attempt.payment_id, err: error },
    'the bank found our request wrong',
  );
  const message = 'The bank refused the request; nothing was collected.';
  return { ...NO_FUNDS, failure: { code: 'rejected', message }, isFinal: true, unsentCall: null };
}

function unknown(deps: SubmitDeps, attempt: ClaimedAttempt, error: unknown): Outcome {
  deps.platform.log.warn(
    { payment_id: attempt.payment_id, bank_id: attempt.bank_id, err: error },
    'the outcome of a payment is not known, the bank is asked again',
  );
  return { kind: 'unknown' };
}

/** How long after a call its money may still be on the way; Faster Payments take two hours at the most. */
const ARRIVES_WITHIN = Temporal.Duration.from({ hours: 24 });

/**
 * The bank does not say any more what became of a call: the issuer tells whether the money came. A consent that is gone
 * ends the attempt when nothing came in a day; anything else stays open, because it could be tried again.
 */
async function lookForMoney(
  deps: SubmitDeps,
  attempt: ClaimedAttempt,
  refusal?: BankRefused | BankDefect,
): Promise<Outcome> {
  const sentAt = attempt.sent_at ?? attempt.started_at;
  const name = { payment_id: attempt.payment_id, bank_id: attempt.bank_id };
  try {
    const wanted = instructionId(attempt.payment_id, attempt.attempts);
    if (await findArrival(deps.issuer, attempt.issuer_wallet_id, wanted, sentAt))
      return { kind: 'credited', bankPaymentId: null, bankStatus: null };
  } catch (error) {
    deps.platform.log.warn(
      { ...name, err: error },
      'the issuer did not tell whether a payment came',
    );
    return { kind: 'unknown' };
  }
  const waited = deps.platform.clock.now().since(sentAt);
  const isOver = Temporal.Duration.compare(waited, ARRIVES_WITHIN) > 0;
  const consentIsGone = refusal instanceof BankRefused && refusal.error.kind === 'consent_gone';
  if (isOver && consentIsGone) return failureOf(refusal, null);
  if (isOver && !mayCollect(attempt.consent_status)) return { ...CONSENT_GONE, unsentCall: null };
  if (refusal === undefined)
    deps.platform.log.error(name, 'a payment has had no outcome for a day: ask the bank about it');
  else
    deps.platform.log.warn(
      { ...name, err: refusal },
      'the bank refused a repeat, the payment is looked for',
    );
  return { kind: 'unknown' };
}
