import {
  type Bank,
  BankDefect,
  BankRefused,
  BankUnavailable,
  SignatureRefused,
} from '../../banks/bank.ts';
import { CallBudget } from '../../banks/call-budget.ts';
import { checkNow } from '../../consents/check-store.ts';
import { isolateFailures } from '../../platform/db/isolate-failures.ts';
import type { Halt } from '../../platform/engine/stage.ts';
import { mapInParallel } from '../../platform/network/concurrency-limits.ts';
import type { Issuer } from '../../wallets/issuer.ts';
import { markSent } from '../books/order-store.ts';
import { noteReported } from '../books/overdue-store.ts';
import { findConsents } from '../books/queue-store.ts';
import { type OutcomeDeps, recordBatch } from '../outcomes/record.ts';
import { checkForMoney } from '../pay-ins/arrivals.ts';
import {
  believesRefusal,
  type ClaimedAttempt,
  distrustsRefusal,
  isOver,
  isTooLateToRepeat,
  type NextStep,
  nextStep,
  type StartedAttempt,
  type SubmitRow,
} from '../payment/attempt.ts';
import {
  type AttemptOutcome,
  asksForCustomer,
  awaitCustomer,
  ended,
  endOf,
  isAboutThePayment,
  notSent,
  type Outcome,
  refused,
  stopped,
  suggestsConsentProblem,
  toOutcome,
  UNKNOWN,
} from '../payment/outcome.ts';
import { consentStops, findPaidAlready, holdStops, refuseCarriedOver } from './checks.ts';
import { moneyOfLostOrder, moneyOfLostOrders } from './lost-orders.ts';
import { type Grants, noGrants, prepare, type Ready, requestOf } from './prepare.ts';
import { releaseAfterFailure, releaseUnsent } from './release.ts';
import type { SilentBanks } from './silent-banks.ts';

export interface SubmitDeps extends OutcomeDeps {
  banks: ReadonlyMap<string, Bank>;
  issuer: Issuer;
}

/** How long a batch was claimed for. */
export interface BatchLease {
  leaseEnds: Temporal.Instant;
  /** The last moment at which a call may begin and still end within the lease. */
  until: Temporal.Instant;
  halt: Halt;
  silent: SilentBanks;
}

/** How many batches are sent to a bank at once; the next is prepared while others wait for answers. */
export const BATCHES_PER_BANK = 4;
/**
 * How many attempts are checked, recorded as sent together and then sent: if a process crashes, few are left with an unknown
 * outcome, and a slow bank still receives part of a batch before time runs out.
 */
const CHUNK = 64;
/** The first chunk is smaller: a bank that asks to be left alone is called no more often before that is heeded. */
const FIRST_CHUNK = 32;

/**
 * Sends a batch of attempts of one bank in chunks, in three steps: the checks that still apply, the record that they may be with
 * the bank from now on, and the call. An attempt that was never sent can be ended by a check; one that was sent, only by the
 * bank's report on the payment itself, or by the money. No call begins after `until`, or once the engine stops: what was not sent
 * then is given back. Outcomes determined before an error are still recorded.
 */
export async function sendBatch(
  deps: SubmitDeps,
  batch: readonly StartedAttempt[],
  lease: BatchLease,
): Promise<void> {
  const { halt } = lease;
  const work = new Sending(deps, lease, deps.banks.get(batch[0]?.bankId ?? ''));
  let hasFailed = true;
  try {
    for (const chunk of chunksOf(batch))
      if (!halt.isHalted) await work.sendChunk(await work.prepareAll(chunk));
    hasFailed = false;
  } finally {
    await recordBatch(deps, work.outcomes);
    if (halt.isHalted) await releaseUnsent(deps.platform, batch, work.outcomes, lease.leaseEnds);
    else if (hasFailed)
      await releaseAfterFailure(deps.platform, batch, work.outcomes, lease.leaseEnds);
  }
}

function* chunksOf(batch: readonly StartedAttempt[]): Generator<readonly StartedAttempt[]> {
  yield batch.slice(0, FIRST_CHUNK);
  for (let at = FIRST_CHUNK; at < batch.length; at += CHUNK) yield batch.slice(at, at + CHUNK);
}

/** A batch being sent, and its outcomes so far. */
class Sending {
  readonly outcomes: AttemptOutcome[] = [];
  readonly #deps: SubmitDeps;
  readonly #grants: Grants;
  readonly #budget: CallBudget;
  readonly #leaseEnds: Temporal.Instant;
  readonly #silent: SilentBanks;
  /** How many calls are under way at once: this batch's part of what the bank takes. */
  readonly #width: number;

  constructor(
    deps: SubmitDeps,
    { until, halt, leaseEnds, silent }: BatchLease,
    bank: Bank | undefined,
  ) {
    this.#deps = deps;
    this.#leaseEnds = leaseEnds;
    this.#silent = silent;
    this.#grants = noGrants(deps.platform);
    this.#budget = new CallBudget(deps.platform.clock, until, { bank, halt });
    this.#width = Math.max(1, Math.floor((bank?.traits.ordersAtOnce ?? 0) / BATCHES_PER_BANK));
  }

  #note(attempt: ClaimedAttempt, outcome: Outcome): void {
    this.outcomes.push({ ref: attempt, outcome, leaseEnds: this.#leaseEnds });
  }

  /** Whether the bank may be called for this attempt: false if it asked us to back off, or if the lease is nearly over. */
  #mayCall(attempt: ClaimedAttempt): boolean {
    const notBefore = this.#budget.restsUntil;
    if (notBefore !== null) this.#note(attempt, { kind: 'unknown', notBefore });
    return notBefore === null && this.#budget.hasTime();
  }

  async prepareAll(started: readonly StartedAttempt[]): Promise<Ready[]> {
    const ready: Ready[] = [];
    const { platform } = this.#deps;
    const bankId = started[0]?.bankId ?? '';
    const [batch] = await platform.db.read((tx) =>
      Promise.all([findConsents(tx, started), this.#silent.read(tx, bankId)]),
    );
    if (batch.length < started.length) logIncomplete(platform, started, batch);
    const found = await moneyOfLostOrders(this.#deps, batch, () => this.#budget.hasTime());
    const refused = await refuseCarriedOver(platform, batch);
    const stops = new Map([
      ...(await findPaidAlready(platform, batch)),
      ...(await holdStops(platform, batch)),
      // Last: while it is held, too, an attempt does not wait for a customer who cannot confirm its consent.
      ...(await consentStops(platform, batch)),
    ]);
    await mapInParallel(batch, this.#width, async (attempt) => {
      // An attempt whose limit period is over no longer waits for its consent.
      const { paymentId: id } = attempt;
      const stop = found.get(id) ?? refused.get(id) ?? stops.get(id);
      const prepared = stop ?? (await this.#prepare(attempt));
      if (prepared === null) return;
      if ('kind' in prepared) this.#note(attempt, prepared);
      else ready.push(prepared);
    });
    return ready;
  }

  async #prepare(attempt: ClaimedAttempt): Promise<Ready | Outcome | null> {
    const { sentAt: first, lastOrderAt: last } = attempt;
    const now = this.#deps.platform.clock.now();
    const next = nextStep(attempt, first, last, now);
    if (next.step === 'end') return endOf(next.code, attempt.polls);
    if (!this.#budget.hasTime()) return null;
    if (next.step === 'look') return awaitMoney(this.#deps, attempt, next);
    if (!this.#mayCall(attempt)) return null;
    const bank = this.#deps.banks.get(attempt.bankId);
    try {
      if (bank === undefined) throw new Error('the bank is not configured');
      const prepared = await prepare(
        this.#deps.platform,
        bank,
        attempt,
        this.#grants,
        this.#silent,
      );
      const isDoubted =
        'kind' in prepared && prepared.kind === 'failed' && distrustsRefusal(attempt, now);
      return (isDoubted ? await moneyOfLostOrder(this.#deps, attempt) : null) ?? prepared;
    } catch (error) {
      return await this.#unknown(attempt, error);
    }
  }

  async sendChunk(chunk: readonly Ready[]): Promise<void> {
    const { clock } = this.#deps.platform;
    const going = chunk.filter(({ attempt }) => this.#mayCall(attempt));
    const noted = await this.#noteSent(going);
    await mapInParallel(noted, this.#width, async ({ ready, at }) => {
      const { attempt } = ready;
      const isTooLate = isTooLateToRepeat(attempt.sentAt ?? at, clock.now());
      const maySend = !isTooLate && this.#budget.mayStillCall();
      this.#note(attempt, maySend ? await this.#send(ready) : notSent(attempt.polls, null));
    });
  }

  /** Returns the attempts that may still be sent, and the time recorded for them; the others are processed again when due. */
  async #noteSent(ready: readonly Ready[]): Promise<{ ready: Ready; at: Temporal.Instant }[]> {
    const { db, log, clock } = this.#deps.platform;
    return isolateFailures(
      ready,
      async (some) => {
        const attempts = some.map((one) => one.attempt);
        const noted = await db.transaction((tx) => markSent(tx, clock, attempts));
        return some.flatMap((one) => {
          const at = noted.get(one.attempt.paymentId);
          return at === undefined ? [] : [{ ready: one, at }];
        });
      },
      ({ attempt }, error) =>
        log.report('payment.send_failed', { payment_id: attempt.paymentId, err: error }),
    );
  }

  /**
   * Makes the call. A refusal of a first order is always conclusive. On a repeat, a refusal of the caller (token, address,
   * consent) says nothing about the earlier calls, whose money we look for. Where the bank refuses for its customer or for the
   * signature, it has not even looked at the order: that of this call is taken back, whatever became of the earlier ones. It
   * would count otherwise as one that may be with the bank when those turn out never to have left.
   */
  async #send({ attempt, bank, grant }: Ready): Promise<Outcome> {
    const isFirst = attempt.sentAt === null;
    try {
      const report = await bank.submitPayment(grant, requestOf(this.#deps.platform, attempt));
      this.#silent.note(bank.bankId, true);
      return toOutcome(report);
    } catch (error) {
      if (error instanceof BankRefused && isFirst && asksForCustomer(error))
        return awaitCustomer(attempt, this.#deps.platform.clock.now());
      if (error instanceof BankRefused && this.#isBelieved(attempt, error))
        return refused(error, attempt.polls);
      if (error instanceof SignatureRefused) return this.#unread(attempt, error);
      if (error instanceof BankDefect && isFirst) return defectOf(this.#deps, attempt, error);
      if (error instanceof BankRefused || error instanceof BankDefect)
        return this.#refusedRepeat(attempt, error);
      const unknown = await this.#unknown(attempt, error);
      const neverLeft = error instanceof BankUnavailable && error.notSent;
      return neverLeft ? notSent(attempt.polls, this.#budget.restsUntil) : unknown;
    }
  }

  async #refusedRepeat(attempt: ClaimedAttempt, error: BankRefused | BankDefect): Promise<Outcome> {
    const found = await awaitMoney(this.#deps, attempt, WAIT_FOR_MONEY, error);
    const isUnread = error instanceof BankRefused && asksForCustomer(error);
    return isUnread ? notSent(attempt.polls, this.#budget.restsUntil) : found;
  }

  /** The bank ordered nothing, and what is wrong is not the payment: docs/rules/payments.md#orders-that-never-left. */
  #unread(attempt: ClaimedAttempt, error: SignatureRefused): Outcome {
    this.#deps.platform.log.report('payment.signature_refused', {
      payment_id: attempt.paymentId,
      bank_id: attempt.bankId,
      err: error,
    });
    return notSent(attempt.polls, this.#budget.restsUntil);
  }

  #isBelieved(attempt: ClaimedAttempt, error: BankRefused): boolean {
    if (attempt.sentAt === null) return true;
    const now = this.#deps.platform.clock.now();
    return isAboutThePayment(error) && believesRefusal(attempt.lastOrderAt, now);
  }

  async #unknown(attempt: ClaimedAttempt, error: unknown): Promise<Outcome> {
    this.#budget.heed(error);
    if (error instanceof BankUnavailable) this.#silent.note(attempt.bankId, false);
    if (error instanceof BankUnavailable && error.asksForConsent)
      await scheduleConsentCheck(this.#deps, attempt);
    this.#deps.platform.log.report('payment.outcome_unknown', {
      payment_id: attempt.paymentId,
      bank_id: attempt.bankId,
      err: error,
    });
    return { kind: 'unknown', notBefore: this.#budget.restsUntil };
  }
}

/** The bank rejected the payment's own content: a retry would not help. */
function defectOf(deps: SubmitDeps, attempt: ClaimedAttempt, error: BankDefect): Outcome {
  deps.platform.log.report('payment.request_rejected', {
    payment_id: attempt.paymentId,
    err: error,
  });
  const message = 'The bank refused the request; nothing was collected.';
  return ended('rejected', message, attempt.polls);
}

type MoneyCheck = Extract<NextStep, { step: 'look' }>;

/** For a refused repeat: we look until the money arrives or a stop comes. */
const WAIT_FOR_MONEY: MoneyCheck = { step: 'look', overAt: null, code: null };

/**
 * No order may follow, and the bank does not report the outcome of those that were sent: the issuer shows whether the money came.
 * After a stop the attempt ends a day after its last order; otherwise it stays open, because a failed payment could be retried.
 */
async function awaitMoney(
  deps: SubmitDeps,
  attempt: ClaimedAttempt,
  look: MoneyCheck,
  refusal?: BankRefused | BankDefect,
): Promise<Outcome> {
  const { platform } = deps;
  const again: Outcome =
    look.overAt === null ? UNKNOWN : { kind: 'unknown', notBefore: null, notAfter: look.overAt };
  const money = await checkForMoney(deps, attempt, attempt.sentAt ?? attempt.startedAt);
  if (money !== 'not_there') return UNKNOWN;
  if (look.code !== null && isOver(look.overAt, platform.clock.now()))
    return stopped(look.code, attempt.polls);
  if (look.code !== null) return again;
  if (refusal instanceof BankRefused && suggestsConsentProblem(refusal.error))
    await scheduleConsentCheck(deps, attempt, asksForCustomer(refusal));
  const name = { payment_id: attempt.paymentId, bank_id: attempt.bankId };
  const isFirst = (): Promise<boolean> =>
    platform.db.transaction((tx) => noteReported(tx, platform.clock.now(), attempt));
  if (refusal === undefined) {
    if (await isFirst()) platform.log.report('payment.outcome_overdue', name);
  } else platform.log.report('payment.repeat_refused', { ...name, err: refusal });
  return UNKNOWN;
}

/** The bank's answer is about the consent: only a check of the consent itself decides. */
async function scheduleConsentCheck(
  { platform }: SubmitDeps,
  attempt: ClaimedAttempt,
  wantsCustomer = false,
): Promise<void> {
  const { bankId, bankConsentId: consent } = attempt;
  const now = platform.clock.now();
  await platform.db.transaction((tx) => checkNow(tx, now, bankId, [consent], wantsCustomer));
}

/** Reports rows missing for a payment: the database was changed by hand. */
export function logIncomplete(
  platform: SubmitDeps['platform'],
  rows: readonly SubmitRow[],
  found: readonly SubmitRow[],
): void {
  const known = new Set(found.map((attempt) => attempt.paymentId));
  const missing = rows.filter((row) => !known.has(row.paymentId)).map((row) => row.paymentId);
  platform.log.report('payment.rows_missing', { payments: missing });
}
