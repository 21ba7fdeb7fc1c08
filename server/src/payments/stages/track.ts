import { BankRefused, BankUnavailable, type PaymentRead } from '../../banks/bank.ts';
import { CallBudget } from '../../banks/call-budget.ts';
import { isDebited } from '../../banks/status-codes.ts';
import type { Halt, Stage } from '../../platform/engine/stage.ts';
import { ConcurrencyLimits, mapInParallel } from '../../platform/network/concurrency-limits.ts';
import type { Platform } from '../../platform/platform.ts';
import { noteReported, waitsForDecision } from '../books/overdue-store.ts';
import {
  claimToTrack,
  earliestToTrack,
  findOrderTimes,
  findStart,
  type TrackRow,
} from '../books/queue-store.ts';
import { recordBatch } from '../outcomes/record.ts';
import { checkForMoney } from '../pay-ins/arrivals.ts';
import { isOver, type StopCode } from '../payment/attempt.ts';
import {
  type AttemptOutcome,
  type Outcome,
  stopped,
  toOutcome,
  UNKNOWN,
} from '../payment/outcome.ts';
import { instructionId } from '../payment/payment.ts';
import { ARRIVES_WITHIN, NO_OUTCOME_FOR } from '../payment/retry.ts';
import { releaseAfterFailure, releaseUnsent } from './release.ts';
import type { BatchLease, SubmitDeps } from './send.ts';

const LEASE_MS = 240_000;
/** How long the last calls of a batch may take: to the bank with its token, and to the issuer. */
const LAST_CALLS_MS = 60_000;
const CONCURRENCY = 32;
/** From this poll on, some minutes after sending, we check at the issuer too: its notice may be lost. */
const POLLS_BEFORE_ISSUER_CHECK = 5;

/** Polls the banks for the status of payments, with backoff. A notification only makes a payment due now. */
export function trackStage(deps: SubmitDeps): Stage {
  const { platform } = deps;
  const lanes = new ConcurrencyLimits(2);
  const halt: Halt = { isHalted: false };
  return {
    halt,
    name: 'payments.track',
    batch: 250,
    ...earliestToTrack,
    async run(now, limit) {
      const rows = await platform.db.transaction((tx) =>
        claimToTrack(tx, now, LEASE_MS, limit, lanes.full()),
      );
      const leaseEnds = now.add({ milliseconds: LEASE_MS });
      const until = leaseEnds.subtract({ milliseconds: LAST_CALLS_MS });
      for (const [bankId, batch] of Map.groupBy(rows, (row) => row.bankId))
        lanes.start(
          bankId,
          () => pollBatch(deps, batch, { leaseEnds, until, halt }),
          (error) => platform.log.report('payment.batch_failed', { bank_id: bankId, err: error }),
        );
      return rows.length;
    },
    idle: () => lanes.idle(),
  };
}

/** Polls until the lease is nearly over, the bank asks us to back off, or the engine stops: the rest is then given back. */
async function pollBatch(
  deps: SubmitDeps,
  batch: readonly TrackRow[],
  { leaseEnds, until, halt }: Omit<BatchLease, 'silent'>,
): Promise<void> {
  const outcomes: AttemptOutcome[] = [];
  const budget = new CallBudget(deps.platform.clock, until, {
    bank: deps.banks.get(batch[0]?.bankId ?? ''),
    halt,
  });
  let hasFailed = true;
  try {
    await mapInParallel(batch, CONCURRENCY, async (row) => {
      const outcome = await pollOne(deps, budget, row);
      if (outcome === null) return;
      outcomes.push({ ref: row, outcome, leaseEnds });
    });
    hasFailed = false;
  } finally {
    await recordBatch(deps, outcomes);
    if (halt.isHalted) await releaseUnsent(deps.platform, batch, outcomes, leaseEnds);
    else if (hasFailed) await releaseAfterFailure(deps.platform, batch, outcomes, leaseEnds);
  }
}

async function pollOne(
  deps: SubmitDeps,
  budget: CallBudget,
  row: TrackRow,
): Promise<Outcome | null> {
  const notBefore = budget.restsUntil;
  if (notBefore !== null) return { kind: 'unknown', notBefore };
  if (!budget.hasTime()) return null;
  const waits =
    row.polls >= POLLS_BEFORE_ISSUER_CHECK &&
    (await deps.platform.db.read((tx) => waitsForDecision(tx, row)));
  // The bank has said its last word: only the issuer can show more money.
  const outcome = waits ? UNKNOWN : await pollBank(deps, budget, row);
  if (waits) await reportDaily(deps.platform, row, 'payment.waits_for_decision');
  const isOpen = outcome.kind === 'pending' || outcome.kind === 'unknown';
  // Only the issuer shows whether the money of a payment that the bank has credited is there.
  const isDue = isOpen && row.polls >= POLLS_BEFORE_ISSUER_CHECK;
  if (isDue || outcome.kind === 'credited') await findLostNotice(deps, row, waits);
  const { stoppedBy } = row;
  return isOpen && stoppedBy !== null ? endWhenOver(deps, { ...row, stoppedBy }, outcome) : outcome;
}

/** The notice of the money may be lost, and a bank may never report more than that the debtor's side is settled. */
async function findLostNotice(deps: SubmitDeps, row: TrackRow, isReported: boolean): Promise<void> {
  const since = await deps.platform.db.read((tx) => findStart(tx, row));
  if (since === null) return;
  const money = await checkForMoney(deps, row, since);
  if (money === 'not_there' && !isReported) await logOverdue(deps.platform, row, since);
}

/** A bank may keep a payment open for ever: then an operator has to contact the bank. */
async function logOverdue(
  platform: Platform,
  row: TrackRow,
  since: Temporal.Instant,
): Promise<void> {
  const waited = platform.clock.now().since(since);
  if (Temporal.Duration.compare(waited, NO_OUTCOME_FOR) > 0)
    await reportDaily(platform, row, 'payment.outcome_overdue');
}

/** Logs that a payment waits: once, and then once a day. */
async function reportDaily(
  platform: Platform,
  row: TrackRow,
  event: 'payment.outcome_overdue' | 'payment.waits_for_decision',
): Promise<void> {
  const { db, clock, log } = platform;
  if (!(await db.transaction((tx) => noteReported(tx, clock.now(), row)))) return;
  log.report(event, {
    payment_id: row.paymentId,
    bank_id: row.bankId,
    bank_payment_id: row.bankPaymentId,
  });
}

/** Returns a report about the payment that was asked for. Throws if it is about another one. */
function ofRow(row: TrackRow, report: PaymentRead): PaymentRead {
  const { instructionId: told } = report;
  const isOurs =
    report.bankPaymentId === row.bankPaymentId &&
    (told === null || told === instructionId(row.paymentId, row.attempt));
  if (!isOurs) throw new BankUnavailable('the bank answered with another payment');
  return report;
}

/** A refusal of the status query says nothing about the payment. */
async function pollBank(deps: SubmitDeps, budget: CallBudget, row: TrackRow): Promise<Outcome> {
  const name = { payment_id: row.paymentId, bank_id: row.bankId };
  const bank = deps.banks.get(row.bankId);
  try {
    if (bank !== undefined) return toOutcome(ofRow(row, await bank.readPayment(row.bankPaymentId)));
    deps.platform.log.report('payment.bank_missing', name);
  } catch (error) {
    budget.heed(error);
    const isRefused = error instanceof BankRefused;
    deps.platform.log.report(isRefused ? 'payment.status_refused' : 'payment.status_unavailable', {
      ...name,
      err: error,
    });
  }
  return { kind: 'unknown', notBefore: budget.restsUntil };
}

/**
 * Returns the outcome of a stopped payment that its bank, polled just now, has not ended. A day after its last order it ends with
 * the reason for the stop, unless its money has come or the bank has ever reported that it debited the customer: later silence
 * does not take that back.
 */
async function endWhenOver(
  deps: SubmitDeps,
  row: TrackRow & { stoppedBy: StopCode },
  outcome: Outcome,
): Promise<Outcome> {
  const { db, clock } = deps.platform;
  if (outcome.kind === 'pending' && isDebited(outcome.bankStatus)) return outcome;
  const standing = await db.read((tx) => findOrderTimes(tx, row));
  const last = standing?.lastOrderAt ?? standing?.sentAt ?? null;
  if (standing === null || last === null || isDebited(standing.bankStatus ?? '')) return outcome;
  if (!isOver(last.add(ARRIVES_WITHIN), clock.now())) return outcome;
  const money = await checkForMoney(deps, row, standing.sentAt ?? last);
  return money === 'not_there' ? stopped(row.stoppedBy, null) : outcome;
}
