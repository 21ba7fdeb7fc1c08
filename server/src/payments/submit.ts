import { type Bank, BankDefect, BankRefused, type Grant } from '../banks/bank.ts';
import { mayCollect } from '../consents/consent.ts';
import { openGrant, sealGrant } from '../consents/grant.ts';
import { saveGrant } from '../consents/store.ts';
import { claim, earliestDue } from '../platform/claim.ts';
import type { Stage } from '../platform/engine.ts';
import { Lanes, mapInParallel } from '../platform/lanes.ts';
import type { Platform } from '../platform/platform.ts';
import type { Issuer } from '../wallets/issuer.ts';
import {
  type ClaimedAttempt,
  findAttemptDetails,
  type SubmitRow,
  startAttempts,
} from './attempt-store.ts';
import { instructionId, type Learned, type Outcome, RESEND_FOR } from './payment.ts';
import { type OutcomeDeps, settleOutcomes } from './settle-outcomes.ts';

export interface SubmitDeps extends OutcomeDeps {
  banks: ReadonlyMap<string, Bank>;
  issuer: Issuer;
}

const LEASE_MS = 120_000;
const BATCHES_PER_BANK = 2;
const WIDTH = 32;

/**
 * Payments to be sent: claims a batch of one attempt each, calls the bank between two transactions, and records the
 * outcomes of the whole batch. Each bank has a lane of its own, so that a slow one holds up nobody else.
 */
export function submitStage(deps: SubmitDeps): Stage {
  const { platform } = deps;
  const lanes = new Lanes(BATCHES_PER_BANK);
  return {
    name: 'payments.submit',
    batch: 250,
    nextDue: (tx) => earliestDue(tx, 'payments', "stage = 'submit'"),
    async run(now, limit) {
      const attempts = await claimAttempts(platform, now, limit, lanes.full());
      for (const [bankId, batch] of Map.groupBy(attempts, (a) => a.bank_id))
        lanes.start(
          bankId,
          () => sendBatch(deps, batch),
          (error) =>
            platform.log.error(
              { bank_id: bankId, err: error },
              'a batch of payments was not recorded',
            ),
        );
      return attempts.length;
    },
    idle: () => lanes.idle(),
  };
}

/** Claims due payments of banks with room; the attempt is written before the bank is called. */
async function claimAttempts(
  platform: Platform,
  now: Temporal.Instant,
  limit: number,
  fullBanks: string[],
): Promise<ClaimedAttempt[]> {
  return platform.db.transaction(async (tx) => {
    const rows = await claim<SubmitRow>(tx, now, LEASE_MS, limit, {
      table: 'payments',
      key: ['merchant_id', 'payment_id'],
      where: "t.stage = 'submit' AND NOT t.bank_id = ANY($3)",
      values: [fullBanks],
      set: `status = 'processing', next_retry_at = NULL, polls = t.polls + 1,
        attempts = t.attempts + CASE WHEN t.polls = 0 THEN 1 ELSE 0 END`,
      returning: `t.merchant_id, t.payment_id, t.schedule_id, t.consent_id, t.wallet_id, t.bank_id, t.amount_pence,
        t.attempts, t.polls, t.manual`,
    });
    if (rows.length === 0) return [];
    await startAttempts(
      tx,
      now,
      rows.filter((row) => row.polls === 1),
    );
    return findAttemptDetails(tx, rows);
  });
}

async function sendBatch(deps: SubmitDeps, batch: readonly ClaimedAttempt[]): Promise<void> {
  const learned = await mapInParallel(batch, WIDTH, async (attempt): Promise<Learned> => {
    const ref = {
      merchantId: attempt.merchant_id,
      paymentId: attempt.payment_id,
      scheduleId: attempt.schedule_id,
      attempt: attempt.attempts,
    };
    return { ref, outcome: await sendAttempt(deps, attempt) };
  });
  await settleOutcomes(deps, learned);
}

/** One attempt at its bank. Whatever is not known to have failed is `unknown`. */
async function sendAttempt(deps: SubmitDeps, attempt: ClaimedAttempt): Promise<Outcome> {
  const now = deps.platform.clock.now();
  const isFirstCall = attempt.polls === 1;
  const unsentCall = attempt.polls;
  if (isFirstCall && !mayCollect(attempt.consent_status)) return { ...CONSENT_GONE, unsentCall };
  if (Temporal.Duration.compare(now.since(attempt.started_at), RESEND_FOR) > 0)
    return lookForMoney(deps, attempt);
  const bank = deps.banks.get(attempt.bank_id);
  if (bank === undefined) return { kind: 'unknown' };
  let grant: Grant;
  try {
    grant = await currentGrant(deps.platform, bank, attempt);
  } catch (error) {
    return isFirstCall
      ? refusedOutcome(deps, attempt, error, unsentCall)
      : unknown(deps, attempt, error);
  }
  try {
    if (
      isFirstCall &&
      (await bank.confirmFunds(grant, attempt.bank_consent_id, attempt.amount_pence)) ===
        'not_available'
    )
      return { ...NO_FUNDS, unsentCall };
  } catch (error) {
    return refusedOutcome(deps, attempt, error, unsentCall);
  }
  try {
    return toOutcome(await bank.submitPayment(grant, requestOf(attempt)));
  } catch (error) {
    return refusedOutcome(deps, attempt, error, null);
  }
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

function refusedOutcome(
  deps: SubmitDeps,
  attempt: ClaimedAttempt,
  error: unknown,
  unsentCall: number | null,
): Outcome {
  if (error instanceof BankRefused) {
    const { code, message, kind } = error.error;
    const consentIsGone = kind === 'consent_gone';
    const isFinal = kind !== 'retryable';
    return {
      ...NO_FUNDS,
      failure: { code, message },
      isFinal,
      consentGone: consentIsGone,
      unsentCall,
    };
  }
  if (error instanceof BankDefect) {
    deps.platform.log.error(
      { payment_id: attempt.payment_id, err: error },
      'the bank found our request wrong',
    );
    const failure = {
      code: 'rejected',
      message: 'The bank refused the request; nothing was collected.',
    };
    return { ...NO_FUNDS, failure, isFinal: true, unsentCall };
  }
  return unknown(deps, attempt, error);
}

function unknown(deps: SubmitDeps, attempt: ClaimedAttempt, error: unknown): Outcome {
  deps.platform.log.warn(
    { payment_id: attempt.payment_id, bank_id: attempt.bank_id, err: error },
    'the outcome of a payment is not known, the bank is asked again',
  );
  return { kind: 'unknown' };
}

/** The bank has forgotten the key by now: only the issuer can still tell whether the money came. */
async function lookForMoney(deps: SubmitDeps, attempt: ClaimedAttempt): Promise<Outcome> {
  const wanted = instructionId(attempt.payment_id, attempt.attempts);
  const name = { payment_id: attempt.payment_id };
  try {
    if (attempt.issuer_wallet_id !== null)
      for await (const movement of deps.issuer.listMovements(
        attempt.issuer_wallet_id,
        attempt.started_at,
      ))
        if (movement.endToEndId === wanted)
          return { kind: 'credited', bankPaymentId: null, bankStatus: null };
    deps.platform.log.error(name, 'a payment has had no outcome for a day: ask the bank about it');
  } catch (error) {
    deps.platform.log.warn(
      { ...name, err: error },
      'the issuer did not tell whether a payment came',
    );
  }
  return { kind: 'unknown' };
}
