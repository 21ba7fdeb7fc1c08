import { type Bank, BankDefect, BankRefused } from '../banks/bank.ts';
import { mayCollect } from '../consents/consent.ts';
import { allOrApart } from '../platform/apart.ts';
import { mapInParallel } from '../platform/lanes.ts';
import { checkNow } from '../schedules/stages.ts';
import type { Issuer } from '../wallets/issuer.ts';
import { consentGone, ended, isAboutThePayment, refused, toOutcome } from './answers.ts';
import { type Awaited, takeArrival } from './arrivals.ts';
import { type ClaimedAttempt, markSent } from './attempt-store.ts';
import { refuseCarriedOver } from './carried-over-check.ts';
import { Patience } from './patience.ts';
import { instructionId, type Learned, type Outcome, RESEND_FOR } from './payment.ts';
import { type Grants, noGrants, prepare, type Ready, stopBeforeSending } from './prepare.ts';
import { type OutcomeDeps, settleOutcomes } from './settle-outcomes.ts';

export interface SubmitDeps extends OutcomeDeps {
  banks: ReadonlyMap<string, Bank>;
  issuer: Issuer;
}

const WIDTH = 32;
/**
 * So many are checked, noted as sent together and then sent: a process that dies leaves few behind of which it is not known,
 * and a slow bank gets some of a batch before there is no time for more.
 */
const CHUNK = 64;

/**
 * Sends a batch of attempts of one bank, a part after another, in three steps: every check that still counts, the note that
 * they may be with the bank from now on, and the call. What was never sent can be ended by a check; what was sent, only by the
 * bank's word on the payment itself, or by the money. No call begins after `until`. What was learned before an error is
 * recorded all the same.
 */
export async function sendBatch(
  deps: SubmitDeps,
  batch: readonly ClaimedAttempt[],
  until: Temporal.Instant,
): Promise<void> {
  const work = new Sending(deps, new Patience(deps.platform.clock, until));
  try {
    for (let at = 0; at < batch.length; at += CHUNK)
      await work.sendChunk(await work.prepareAll(batch.slice(at, at + CHUNK)));
  } finally {
    await settleOutcomes(deps, work.learned);
  }
}

/** One batch on its way, and what was learned so far. */
class Sending {
  readonly learned: Learned[] = [];
  readonly #deps: SubmitDeps;
  readonly #grants: Grants;
  readonly #patience: Patience;

  constructor(deps: SubmitDeps, patience: Patience) {
    this.#deps = deps;
    this.#grants = noGrants(deps.platform);
    this.#patience = patience;
  }

  #learn(attempt: ClaimedAttempt, outcome: Outcome): void {
    this.learned.push({ ref: refOf(attempt), outcome });
  }

  /** Whether the bank may be called for this attempt: false where it asked for rest, or where the lease is nearly over. */
  #mayCall(attempt: ClaimedAttempt): boolean {
    const notBefore = this.#patience.restsUntil;
    if (notBefore !== null) this.#learn(attempt, { kind: 'unknown', notBefore });
    return notBefore === null && this.#patience.hasTime();
  }

  async prepareAll(batch: readonly ClaimedAttempt[]): Promise<Ready[]> {
    const ready: Ready[] = [];
    const refused = await refuseCarriedOver(this.#deps.platform, batch);
    await mapInParallel(batch, WIDTH, async (attempt) => {
      const prepared = refused.get(attempt.payment_id) ?? (await this.#prepare(attempt));
      if (prepared === null) return;
      if ('kind' in prepared) this.#learn(attempt, prepared);
      else ready.push(prepared);
    });
    return ready;
  }

  async #prepare(attempt: ClaimedAttempt): Promise<Ready | Outcome | null> {
    const stopped = stopBeforeSending(attempt);
    if (stopped !== null) return stopped;
    if (!this.#patience.hasTime()) return null;
    if (isTooLateToRepeat(this.#deps, attempt.sent_at)) return lookForMoney(this.#deps, attempt);
    if (!this.#mayCall(attempt)) return null;
    const bank = this.#deps.banks.get(attempt.bank_id);
    try {
      if (bank === undefined) throw new Error('the bank is not configured');
      return await prepare(this.#deps.platform, bank, attempt, this.#grants);
    } catch (error) {
      return this.#unknown(attempt, error);
    }
  }

  async sendChunk(chunk: readonly Ready[]): Promise<void> {
    const { platform } = this.#deps;
    const going = chunk.filter(({ attempt }) => this.#mayCall(attempt));
    const at = platform.clock.now();
    const marked = await this.#noteSent(going, at);
    await mapInParallel(marked, WIDTH, async (one) => {
      const { attempt } = one;
      const isTooLate = isTooLateToRepeat(this.#deps, attempt.sent_at ?? at);
      this.#learn(attempt, isTooLate ? UNKNOWN : await this.#send(one));
    });
  }

  /** Those that may still go: the others are looked at again when they fall due. */
  async #noteSent(ready: readonly Ready[], at: Temporal.Instant): Promise<Ready[]> {
    const { db, log } = this.#deps.platform;
    const marked = await allOrApart(
      ready,
      async (some) => {
        const attempts = some.map((one) => one.attempt);
        const ids = await db.transaction((tx) => markSent(tx, at, attempts));
        return some.filter(({ attempt }) => ids.has(attempt.payment_id));
      },
      ({ attempt }, error) =>
        log.error({ payment_id: attempt.payment_id, err: error }, 'a payment could not be sent'),
    );
    return marked;
  }

  /**
   * The call itself. On the first one every refusal is known. On a repeat, a refusal of the caller (token, address,
   * consent) says nothing of what the first call did: the same attempt is asked for again, or its money looked for.
   */
  async #send({ attempt, bank, grant }: Ready): Promise<Outcome> {
    const isFirst = attempt.sent_at === null;
    try {
      return toOutcome(await bank.submitPayment(grant, requestOf(attempt)));
    } catch (error) {
      if (error instanceof BankRefused && (isFirst || isAboutThePayment(error)))
        return refused(error, attempt.polls);
      if (error instanceof BankDefect && isFirst) return defectOf(this.#deps, attempt, error);
      if (error instanceof BankRefused || error instanceof BankDefect)
        return lookForMoney(this.#deps, attempt, error);
      return this.#unknown(attempt, error);
    }
  }

  #unknown(attempt: ClaimedAttempt, error: unknown): Outcome {
    this.#patience.hear(error);
    this.#deps.platform.log.warn(
      { payment_id: attempt.payment_id, bank_id: attempt.bank_id, err: error },
      'the outcome of a payment is not known, the bank is asked again',
    );
    return { kind: 'unknown', notBefore: this.#patience.restsUntil };
  }
}

const UNKNOWN: Outcome = { kind: 'unknown', notBefore: null };

function refOf(attempt: ClaimedAttempt): Learned['ref'] {
  return {
    merchantId: attempt.merchant_id,
    paymentId: attempt.payment_id,
    scheduleId: attempt.schedule_id,
    attempt: attempt.attempts,
  };
}

function isTooLateToRepeat(deps: SubmitDeps, sentAt: Temporal.Instant | null): boolean {
  if (sentAt === null) return false;
  return Temporal.Duration.compare(deps.platform.clock.now().since(sentAt), RESEND_FOR) > 0;
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

/** The bank found the payment's own content wrong: asking again would not mend it. */
function defectOf(deps: SubmitDeps, attempt: ClaimedAttempt, error: BankDefect): Outcome {
  deps.platform.log.error(
    { payment_id: attempt.payment_id, err: error },
    'the bank found our request wrong',
  );
  const message = 'The bank refused the request; nothing was collected.';
  return ended('rejected', message, attempt.polls);
}

/** How long after a call its money may still be on the way; Faster Payments take two hours at the most. */
const ARRIVES_WITHIN = Temporal.Duration.from({ hours: 24 });

/**
 * The bank does not say any more what became of a call: the issuer tells whether the money came. A consent that is gone in
 * our books ends the attempt when nothing came in a day; anything else stays open, because it could be tried again.
 */
async function lookForMoney(
  deps: SubmitDeps,
  attempt: ClaimedAttempt,
  refusal?: BankRefused | BankDefect,
): Promise<Outcome> {
  const sentAt = attempt.sent_at ?? attempt.started_at;
  const name = { payment_id: attempt.payment_id, bank_id: attempt.bank_id };
  try {
    if (await takeArrival(deps.platform, deps.issuer, awaitedOf(attempt, sentAt))) return UNKNOWN; // booked already
  } catch (error) {
    deps.platform.log.warn(
      { ...name, err: error },
      'the issuer did not tell whether a payment came',
    );
    return UNKNOWN;
  }
  const waited = deps.platform.clock.now().since(sentAt);
  const isOver = Temporal.Duration.compare(waited, ARRIVES_WITHIN) > 0;
  const isGone = refusal instanceof BankRefused && refusal.error.kind === 'consent_gone';
  if (isOver && !mayCollect(attempt.consent_status)) return consentGone(attempt.polls);
  if (isGone) await askAboutConsent(deps, attempt);
  if (refusal === undefined)
    deps.platform.log.error(name, 'a payment has had no outcome for a day: ask the bank about it');
  else
    deps.platform.log.warn(
      { ...name, err: refusal },
      'the bank refused a repeat, the payment is looked for',
    );
  return UNKNOWN;
}

function awaitedOf(attempt: ClaimedAttempt, since: Temporal.Instant): Awaited {
  return {
    merchantId: attempt.merchant_id,
    walletId: attempt.wallet_id,
    issuerWalletId: attempt.issuer_wallet_id,
    paymentId: attempt.payment_id,
    attempt: attempt.attempts,
    amountPence: attempt.amount_pence,
    since,
  };
}

/** The bank says that the consent is gone: whether it is, only the consent itself tells. */
async function askAboutConsent({ platform }: SubmitDeps, attempt: ClaimedAttempt): Promise<void> {
  const { bank_id: bankId, bank_consent_id: bankConsentId } = attempt;
  await platform.db.transaction((tx) =>
    checkNow(tx, platform.clock.now(), bankId, [bankConsentId]),
  );
}
