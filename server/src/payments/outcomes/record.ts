import { checkNow } from '../../consents/check-store.ts';
import type { ConsentHooks } from '../../consents/service.ts';
import type { Tx } from '../../platform/db/db.ts';
import { isolateFailures } from '../../platform/db/isolate-failures.ts';
import type { Platform, Work } from '../../platform/platform.ts';
import { earlier } from '../../platform/values/instants.ts';
import { lockAgainstChanges } from '../../schedules/books/due-store.ts';
import { type Credited, moveAttemptsToFailed, moveToProcessing } from '../books/attempt-store.ts';
import { findPaidAttempts } from '../books/candidate-store.ts';
import { keepReading, recordLateReport, scheduleReads } from '../books/evidence-store.ts';
import { lockUnderWay } from '../books/lock-store.ts';
import { unmarkSent } from '../books/order-store.ts';
import { moveToRetryOrFailed, moveToTrack } from '../books/payment-store.ts';
import { findAsked, findFailing, findUnsent, setDue } from '../books/queue-store.ts';
import { findBankConsents } from '../books/read-store.ts';
import { planRetries } from '../limits/plan-retries.ts';
import {
  type AttemptOutcome,
  bankPaymentOf,
  bankStatusOf,
  type Outcome,
  reportOf,
} from '../payment/outcome.ts';
import { nextPollAfterRest, nextPollWhilePending } from '../payment/retry.ts';
import { moveToPresentConsents } from './move-on.ts';
import { recordClaims, releaseClaims } from './paid.ts';
import { payFromEarlier } from './record-item.ts';

export interface OutcomeDeps {
  platform: Platform;
  consentHooks: ConsentHooks;
}

/**
 * Records the outcomes of a batch in one transaction, after others that schedule checks of consents which refusals put in
 * doubt: a refused payment ends no consent. An outcome that cannot be recorded does not block the others: it is logged, and the
 * bank is queried again after the lease.
 */
export async function recordBatch(
  { platform }: OutcomeDeps,
  outcomes: readonly AttemptOutcome[],
): Promise<void> {
  await isolateFailures(
    outcomes,
    async (some) => {
      const now = platform.clock.now();
      const refused = some.filter(reportsConsentGone);
      // First, and separately: if this process crashes, the bank reports the same again.
      if (refused.length > 0)
        await platform.db.transaction((tx) => scheduleConsentChecks(tx, now, refused, false));
      const asking = some.filter(
        ({ outcome }) => outcome.kind === 'not_sent' && outcome.asksForCustomer,
      );
      if (asking.length > 0)
        await platform.db.transaction((tx) => scheduleConsentChecks(tx, now, asking, true));
      await platform.db.transaction((tx) => recordOutcomes({ platform, tx, now }, some));
      return [];
    },
    ({ ref }, err) =>
      platform.log.report('payment.outcome_not_recorded', { payment_id: ref.paymentId, err }),
  );
}

const reportsConsentGone = ({ outcome }: AttemptOutcome): boolean =>
  outcome.kind === 'failed' && outcome.consentGone;

/** The bank refused payments because of their consents: only a check of the consents themselves decides whether they are over. */
async function scheduleConsentChecks(
  tx: Tx,
  now: Temporal.Instant,
  refused: readonly AttemptOutcome[],
  wantsCustomer: boolean,
): Promise<void> {
  const consents = await findBankConsents(tx, refused);
  for (const [bankId, of] of Map.groupBy(consents, (row) => row.bankId))
    await checkNow(
      tx,
      now,
      bankId,
      of.map((row) => row.bankConsentId),
      wantsCustomer,
    );
}

/**
 * Records the outcomes of a whole batch of attempts in the caller's transaction: the only way in which a bank's report enters the
 * books, whether it came with the call or from a later poll. Money that arrives is recorded by `recordPayIns`.
 */
export async function recordOutcomes(
  work: Work,
  outcomes: readonly AttemptOutcome[],
): Promise<void> {
  const sorted = [...outcomes].sort((a, b) => (a.ref.paymentId < b.ref.paymentId ? -1 : 1));
  const of = <K extends Outcome['kind']>(kind: K): Of<K>[] =>
    sorted.filter((one): one is Of<K> => one.outcome.kind === kind);
  await lockAgainstChanges(
    work.tx,
    of('failed').map(({ ref }) => ref),
  );
  const underWay = await lockUnderWay(
    work.tx,
    sorted.map(({ ref }) => ref),
  );
  await recordUnknown(work.tx, work.now, of('unknown'));
  await recordNotSent(work, of('not_sent'));
  await recordPending(work, [...of('pending'), ...of('credited')], underWay);
  await recordFailed(work, of('failed'));
}

type Of<K extends Outcome['kind']> = AttemptOutcome & { outcome: Extract<Outcome, { kind: K }> };

const byPayment = <O extends AttemptOutcome>(outcomes: readonly O[]): Map<string, O> =>
  new Map(outcomes.map((one) => [one.ref.paymentId, one]));

/** An unknown outcome is never recorded as a failure: the same attempt is queried again, under the same key. */
async function recordUnknown(
  tx: Tx,
  now: Temporal.Instant,
  unknown: readonly Of<'unknown'>[],
): Promise<void> {
  if (unknown.length === 0) return;
  const found = byPayment(unknown);
  await setDue(tx, await findAsked(tx, unknown), (row) => {
    const outcome = found.get(row.paymentId)?.outcome;
    if (outcome === undefined) return now;
    const { notBefore, notAfter } = outcome;
    const at = nextPollAfterRest(now, row.polls, row.paymentId, notBefore);
    return notAfter === undefined ? at : earlier(notAfter, at);
  });
}

/**
 * The order is not with the bank: it is sent again later, after every check. If a stop came meanwhile, the attempt ends at once.
 */
async function recordNotSent(
  { platform, tx, now }: Work,
  unsent: readonly Of<'not_sent'>[],
): Promise<void> {
  if (unsent.length === 0) return;
  const orders = unsent.map(({ ref, outcome }) => ({ ref, call: outcome.call }));
  await unmarkSent(tx, platform.clock, orders);
  const found = byPayment(unsent);
  await setDue(tx, await findUnsent(tx, orders), (row) => {
    const outcome = found.get(row.paymentId)?.outcome;
    if (outcome === undefined || row.stoppedBy !== null) return now;
    return nextPollAfterRest(now, row.polls, row.paymentId, outcome.notBefore);
  });
}

const bankReportOf = (one: AttemptOutcome) => ({
  ref: one.ref,
  bankPaymentId: bankPaymentOf(one),
  bankStatus: bankStatusOf(one),
});

/** Records attempts under way at the bank. This includes those that it reports as paid: only the money ends such an attempt. */
async function recordPending(
  work: Work,
  all: readonly AttemptOutcome[],
  underWay: ReadonlySet<string>,
): Promise<void> {
  if (all.length === 0) return;
  const pending = all.filter(({ ref }) => underWay.has(ref.paymentId));
  const tracked = await moveToTrack(
    work.tx,
    work.now,
    pending.map((one) => ({
      ref: one.ref,
      bankPaymentId: bankPaymentOf(one),
      firstPollAt: nextPollWhilePending(work.now, 0, one.ref.paymentId),
    })),
  );
  const polled = tracked.filter((row) => row.polls > 0);
  await setDue(work.tx, polled, (row) => nextPollWhilePending(work.now, row.polls, row.paymentId));
  const amounts = new Map(tracked.map((row) => [row.paymentId, row.amountPence]));
  const claimed = await recordClaims(work, pending.flatMap(toCredited(amounts)));
  const others = pending.filter(({ ref }) => !claimed.has(ref.paymentId));
  await moveToProcessing(work.tx, work.now, others.map(bankReportOf));
  await storeLateReports(work, all, tracked);
}

/** Returns the attempts that a bank reported as credited, with their payments' amounts. */
const toCredited =
  (amounts: ReadonlyMap<string, number>) =>
  ({ ref, outcome }: AttemptOutcome): Credited[] => {
    const amountPence = amounts.get(ref.paymentId);
    if (outcome.kind !== 'credited' || amountPence === undefined) return [];
    return [{ ref, outcome, amountPence }];
  };

/**
 * Keeps a bank's report on attempts that have ended meanwhile, for example because their money came. It is evidence: it contains
 * the bank's id of the payment.
 */
async function storeLateReports(
  work: Work,
  outcomes: readonly AttemptOutcome[],
  recorded: readonly { paymentId: string }[],
): Promise<void> {
  const taken = new Set(recorded.map((row) => row.paymentId));
  const late = outcomes.flatMap((one) => {
    const report = taken.has(one.ref.paymentId) ? null : reportOf(one);
    return report === null ? [] : [{ ref: one.ref, report }];
  });
  const isUnfinished = await recordLateReport(work, late);
  await scheduleReads(work.tx, work.now, late.filter(isUnfinished));
}

/**
 * Moves the attempts that cannot go on under their consents to the present ones of their schedules, where those have room.
 * Returns the failures of all others.
 */
async function moveOn(
  { platform, tx, now }: Work,
  failures: readonly Of<'failed'>[],
): Promise<readonly Of<'failed'>[]> {
  const stranded = failures.flatMap(({ ref, outcome: { mayMoveOn, call } }) =>
    mayMoveOn !== undefined && call !== null ? [{ ref, call }] : [],
  );
  if (stranded.length === 0) return failures;
  await unmarkSent(tx, platform.clock, stranded);
  const { moved, staying } = await moveToPresentConsents(tx, now, await findUnsent(tx, stranded));
  return failures
    .filter(({ ref }) => !moved.has(ref.paymentId))
    .map((one) => {
      const why = staying.get(one.ref.paymentId);
      if (why === undefined || one.outcome.mayMoveOn !== 'another_account') return one;
      return { ...one, outcome: { ...one.outcome, ...why } };
    });
}

/**
 * Records known failures: schedules a retry if one is allowed, otherwise fails the payment. Every failure passes through here,
 * however it was determined.
 */
async function recordFailed(work: Work, all: readonly Of<'failed'>[]): Promise<void> {
  const failures = await moveOn(work, all);
  if (failures.length === 0) return;
  const calls = failures.map(({ ref, outcome }) => ({ ref, call: outcome.call }));
  const rows = await findFailing(work.tx, calls);
  await storeLateReports(work, failures, rows);
  if (rows.length === 0) return;
  const failureOf = byPayment(failures);
  const failed = rows.flatMap((row) => {
    const known = failureOf.get(row.paymentId);
    if (known === undefined) return [];
    const { failure, reason, isStopped = false, isFinal } = known.outcome;
    const mayRetry = !isStopped && (isFinal || row.stoppedBy === null); // a stop forbids a retry, too
    return [{ row, known, failure, isFinal, isStopped, mayRetry, reason: reason ?? failure.code }];
  });
  await moveAttemptsToFailed(
    work.tx,
    work.now,
    failed.map(({ known, failure }) => ({ ...bankReportOf(known), failure })),
  );
  await releaseClaims(
    work,
    failed.map((f) => f.known),
  );
  await keepReading(
    work.tx,
    work.now,
    failed.filter((f) => f.isStopped).map((f) => f.known),
  );
  const paid = await findPaidAttempts(work.tx, rows);
  const retries = await planRetries(
    work.tx,
    work.now,
    failed.filter((f) => f.mayRetry && !paid.has(f.row.paymentId)),
  );
  const ended = failed.map((f) => ({
    ...f,
    retry: retries.get(f.row.paymentId) ?? { none: 'stopped' as const },
  }));
  await moveToRetryOrFailed(work, ended, 'processing');
  for (const row of rows) {
    const late = paid.get(row.paymentId);
    if (late !== undefined) await payFromEarlier(work, row, late);
  }
}
