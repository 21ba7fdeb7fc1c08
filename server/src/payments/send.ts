import { type Bank, BankDefect, BankRefused, BankUnavailable } from '../banks/bank.ts';
import { CallBudget } from '../banks/call-budget.ts';
import { openInitiation } from '../consents/grant.ts';
import { lookNow } from '../consents/look-store.ts';
import { mapInParallel } from '../platform/concurrency-limits.ts';
import { isolateFailures } from '../platform/isolate-failures.ts';
import type { Issuer } from '../wallets/issuer.ts';
import { type Awaited, takeArrival } from './arrivals.ts';
import {
  believesRefusal,
  type ClaimedAttempt,
  isOver,
  isTooLateToRepeat,
  type NextStep,
  nextStep,
  type StartedAttempt,
  type SubmitRow,
} from './attempt.ts';
import { consentStops, refuseCarriedOver } from './checks.ts';
import { markSent } from './order-store.ts';
import {
  type AttemptOutcome,
  ended,
  isAboutThePayment,
  type Outcome,
  refused,
  stopped,
  toOutcome,
} from './outcome.ts';
import { instructionId } from './payment.ts';
import { type Grants, noGrants, prepare, type Ready } from './prepare.ts';
import { findConsents } from './queue-store.ts';
import { type OutcomeDeps, recordBatch } from './record.ts';

export interface SubmitDeps extends OutcomeDeps {
  banks: ReadonlyMap<string, Bank>;
  issuer: Issuer;
}

const WIDTH = 32;
/**
 * So many are checked, noted as sent together and then sent: a process that crashes leaves few behind of which it is not known,
 * and a slow bank gets some of a batch before there is no time for more.
 */
const CHUNK = 64;

/**
 * Sends a batch of attempts of one bank, a part after another, in three steps: every check that still counts, the note that
 * they may be with the bank from now on, and the call. What was never sent can be ended by a check; what was sent, only by the
 * bank's word on the payment itself, or by the money. No call begins after `until`. Outcomes that came before an error
 * are recorded anyway.
 */
export async function sendBatch(
  deps: SubmitDeps,
  batch: readonly StartedAttempt[],
  until: Temporal.Instant,
): Promise<void> {
  const work = new Sending(deps, new CallBudget(deps.platform.clock, until));
  try {
    for (let at = 0; at < batch.length; at += CHUNK)
      await work.sendChunk(await work.prepareAll(batch.slice(at, at + CHUNK)));
  } finally {
    await recordBatch(deps, work.outcomes);
  }
}

/** One batch on its way, and its outcomes so far. */
class Sending {
  readonly outcomes: AttemptOutcome[] = [];
  readonly #deps: SubmitDeps;
  readonly #grants: Grants;
  readonly #budget: CallBudget;

  constructor(deps: SubmitDeps, budget: CallBudget) {
    this.#deps = deps;
    this.#grants = noGrants(deps.platform);
    this.#budget = budget;
  }

  #note(attempt: ClaimedAttempt, outcome: Outcome): void {
    this.outcomes.push({ ref: refOf(attempt), outcome });
  }

  /** Whether the bank may be called for this attempt: false where it asked for rest, or where the lease is nearly over. */
  #mayCall(attempt: ClaimedAttempt): boolean {
    const notBefore = this.#budget.restsUntil;
    if (notBefore !== null) this.#note(attempt, { kind: 'unknown', notBefore });
    return notBefore === null && this.#budget.hasTime();
  }

  async prepareAll(started: readonly StartedAttempt[]): Promise<Ready[]> {
    const ready: Ready[] = [];
    const { platform } = this.#deps;
    const batch = await platform.db.read((tx) => findConsents(tx, started));
    if (batch.length < started.length) logIncomplete(platform, started, batch);
    const refused = await refuseCarriedOver(platform, batch);
    const stops = await consentStops(platform, batch);
    await mapInParallel(batch, WIDTH, async (attempt) => {
      // One whose period is over waits for no consent any longer.
      const stop = refused.get(attempt.payment_id) ?? stops.get(attempt.payment_id);
      const prepared = stop ?? (await this.#prepare(attempt));
      if (prepared === null) return;
      if ('kind' in prepared) this.#note(attempt, prepared);
      else ready.push(prepared);
    });
    return ready;
  }

  async #prepare(attempt: ClaimedAttempt): Promise<Ready | Outcome | null> {
    const { sent_at: first, last_order_at: last } = attempt;
    const next = nextStep(attempt, first, last, this.#deps.platform.clock.now());
    if (next.step === 'end') return endOf(next.code, attempt.polls);
    if (!this.#budget.hasTime()) return null;
    if (next.step === 'look') return lookForMoney(this.#deps, attempt, next);
    if (!this.#mayCall(attempt)) return null;
    const bank = this.#deps.banks.get(attempt.bank_id);
    try {
      if (bank === undefined) throw new Error('the bank is not configured');
      return await prepare(this.#deps.platform, bank, attempt, this.#grants);
    } catch (error) {
      return await this.#unknown(attempt, error);
    }
  }

  async sendChunk(chunk: readonly Ready[]): Promise<void> {
    const { clock } = this.#deps.platform;
    const going = chunk.filter(({ attempt }) => this.#mayCall(attempt));
    const noted = await this.#noteSent(going);
    await mapInParallel(noted, WIDTH, async ({ ready, at }) => {
      const { attempt } = ready;
      const isTooLate = isTooLateToRepeat(attempt.sent_at ?? at, clock.now());
      const maySend = !isTooLate && this.#budget.mayStillCall();
      this.#note(attempt, maySend ? await this.#send(ready) : notSent(attempt, null));
    });
  }

  /** Those that may still go, and when that was noted: the others are looked at again when they fall due. */
  async #noteSent(ready: readonly Ready[]): Promise<{ ready: Ready; at: Temporal.Instant }[]> {
    const { db, log, clock } = this.#deps.platform;
    return isolateFailures(
      ready,
      async (some) => {
        const attempts = some.map((one) => one.attempt);
        const noted = await db.transaction((tx) => markSent(tx, clock, attempts));
        return some.flatMap((one) => {
          const at = noted.get(one.attempt.payment_id);
          return at === undefined ? [] : [{ ready: one, at }];
        });
      },
      ({ attempt }, error) =>
        log.report('payment.send_failed', { payment_id: attempt.payment_id, err: error }),
    );
  }

  /**
   * The call itself. On the first one every refusal is known. On a repeat, a refusal of the caller (token, address,
   * consent) says nothing of what the first call did: the same attempt is asked for again, or its money looked for.
   */
  async #send({ attempt, bank, grant }: Ready): Promise<Outcome> {
    const isFirst = attempt.sent_at === null;
    try {
      return toOutcome(await bank.submitPayment(grant, requestOf(this.#deps.platform, attempt)));
    } catch (error) {
      if (error instanceof BankRefused && this.#isBelieved(attempt, error))
        return refused(error, attempt.polls);
      if (error instanceof BankDefect && isFirst) return defectOf(this.#deps, attempt, error);
      if (error instanceof BankRefused || error instanceof BankDefect)
        return lookForMoney(this.#deps, attempt, AS_IT_STANDS, error);
      const unknown = await this.#unknown(attempt, error);
      const neverLeft = error instanceof BankUnavailable && error.notSent;
      return neverLeft ? notSent(attempt, this.#budget.restsUntil) : unknown;
    }
  }

  #isBelieved(attempt: ClaimedAttempt, error: BankRefused): boolean {
    if (attempt.sent_at === null) return true;
    const now = this.#deps.platform.clock.now();
    return isAboutThePayment(error) && believesRefusal(attempt.last_order_at, now);
  }

  async #unknown(attempt: ClaimedAttempt, error: unknown): Promise<Outcome> {
    this.#budget.heed(error);
    if (error instanceof BankUnavailable && error.asksForConsent)
      await askAboutConsent(this.#deps, attempt);
    this.#deps.platform.log.report('payment.outcome_unknown', {
      payment_id: attempt.payment_id,
      bank_id: attempt.bank_id,
      err: error,
    });
    return { kind: 'unknown', notBefore: this.#budget.restsUntil };
  }
}

const UNKNOWN: Outcome = { kind: 'unknown', notBefore: null };

function refOf(attempt: ClaimedAttempt): AttemptOutcome['ref'] {
  return {
    merchantId: attempt.merchant_id,
    paymentId: attempt.payment_id,
    scheduleId: attempt.schedule_id,
    attempt: attempt.attempts,
  };
}

/** The order of this call never left: its note is taken back. */
const notSent = (attempt: ClaimedAttempt, notBefore: Temporal.Instant | null): Outcome => ({
  kind: 'not_sent',
  call: attempt.polls,
  notBefore,
});

/** Nothing is with the bank: the attempt ends, and why. */
function endOf(code: Extract<NextStep, { step: 'end' }>['code'], call: number): Outcome {
  if (code !== 'duplicate') return stopped(code, call);
  return ended(code, 'An earlier attempt was paid after all; this one was not made.', call);
}

function requestOf(
  platform: SubmitDeps['platform'],
  attempt: ClaimedAttempt,
): Parameters<Bank['submitPayment']>[1] {
  const name = instructionId(attempt.payment_id, attempt.attempts);
  return {
    idempotencyKey: name,
    bankConsentId: attempt.bank_consent_id,
    initiation: openInitiation(
      platform,
      attempt.merchant_id,
      attempt.consent_id,
      attempt.initiation,
    ),
    instructionId: name,
    endToEndId: name,
    amountPence: attempt.amount_pence,
    currency: 'GBP',
  };
}

/** The bank found the payment's own content wrong: asking again would not mend it. */
function defectOf(deps: SubmitDeps, attempt: ClaimedAttempt, error: BankDefect): Outcome {
  deps.platform.log.report('payment.request_rejected', {
    payment_id: attempt.payment_id,
    err: error,
  });
  const message = 'The bank refused the request; nothing was collected.';
  return ended('rejected', message, attempt.polls);
}

type Look = Extract<NextStep, { step: 'look' }>;

/** A refused repeat: there is no end to looking but the money's arrival or a no. */
const AS_IT_STANDS: Look = { step: 'look', overAt: null, code: null };

/**
 * No order may follow, and the bank does not report the outcome of those that were sent: the issuer tells whether the money
 * came. After a no the attempt ends a day after its last order; anything else stays open, because it could be tried again.
 */
async function lookForMoney(
  deps: SubmitDeps,
  attempt: ClaimedAttempt,
  look: Look,
  refusal?: BankRefused | BankDefect,
): Promise<Outcome> {
  const { platform } = deps;
  const again: Outcome =
    look.overAt === null ? UNKNOWN : { kind: 'unknown', notBefore: null, notAfter: look.overAt };
  const name = { payment_id: attempt.payment_id, bank_id: attempt.bank_id };
  try {
    const awaited = awaitedOf(attempt, attempt.sent_at ?? attempt.started_at);
    if ((await takeArrival(platform, deps.issuer, awaited)) !== null) return UNKNOWN; // booked already
  } catch (error) {
    platform.log.report('payment.arrival_unknown', { ...name, err: error });
    return UNKNOWN;
  }
  if (look.code !== null && isOver(look.overAt, platform.clock.now()))
    return stopped(look.code, attempt.polls);
  if (look.code !== null) return again;
  const isGone = refusal instanceof BankRefused && refusal.error.kind === 'consent_gone';
  if (isGone) await askAboutConsent(deps, attempt);
  if (refusal === undefined) platform.log.report('payment.outcome_overdue', name);
  else platform.log.report('payment.repeat_refused', { ...name, err: refusal });
  return UNKNOWN;
}

function awaitedOf(attempt: ClaimedAttempt, since: Temporal.Instant): Awaited {
  return {
    merchantId: attempt.merchant_id,
    walletId: attempt.wallet_id,
    paymentId: attempt.payment_id,
    attempt: attempt.attempts,
    amountPence: attempt.amount_pence,
    since,
  };
}

/** The bank says that the consent is gone: whether it is, only the consent itself tells. */
async function askAboutConsent({ platform }: SubmitDeps, attempt: ClaimedAttempt): Promise<void> {
  const { bank_id: bankId, bank_consent_id: bankConsentId } = attempt;
  await platform.db.transaction((tx) => lookNow(tx, platform.clock.now(), bankId, [bankConsentId]));
}

/** What belongs to a payment is not there: a hand in the database. */
export function logIncomplete(
  platform: SubmitDeps['platform'],
  rows: readonly SubmitRow[],
  found: readonly SubmitRow[],
): void {
  const known = new Set(found.map((attempt) => attempt.payment_id));
  const missing = rows.filter((row) => !known.has(row.payment_id)).map((row) => row.payment_id);
  platform.log.report('payment.rows_missing', { payments: missing });
}
