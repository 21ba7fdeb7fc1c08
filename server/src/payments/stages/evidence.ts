import { BankRefused } from '../../banks/bank.ts';
import { CallBudget } from '../../banks/call-budget.ts';
import type { Tx } from '../../platform/db/db.ts';
import { isolateFailures } from '../../platform/db/isolate-failures.ts';
import type { Stage } from '../../platform/engine/stage.ts';
import { ConcurrencyLimits, mapInParallel } from '../../platform/network/concurrency-limits.ts';
import {
  type AttemptReport,
  claimEvidence,
  type EvidenceRow,
  earliestEvidence,
  recordLateReport,
  setNext,
} from '../books/evidence-store.ts';
import { nextRead } from '../payment/retry.ts';
import type { SubmitDeps } from './send.ts';

const LEASE_MS = 240_000;
/** How long the last calls of a batch may take. */
const LAST_CALLS_MS = 60_000;
/** Few at once: attempts that await an outcome take priority. */
const CONCURRENCY = 4;

type EvidenceDeps = Pick<SubmitDeps, 'platform' | 'banks'>;

/** Reads ended attempts at their bank until it has given a final status. Nothing waits for this, and no money moves. */
export function evidenceStage(deps: EvidenceDeps): Stage {
  const { platform } = deps;
  const lanes = new ConcurrencyLimits(1);
  return {
    name: 'payments.evidence',
    batch: 100,
    ...earliestEvidence,
    async run(now, limit) {
      const rows = await platform.db.transaction((tx) =>
        claimEvidence(tx, now, LEASE_MS, limit, lanes.full()),
      );
      const until = now.add({ milliseconds: LEASE_MS - LAST_CALLS_MS });
      for (const [bankId, batch] of Map.groupBy(rows, (row) => row.bankId))
        lanes.start(
          bankId,
          () => readBatch(deps, batch, until),
          (error) => platform.log.report('payment.batch_failed', { bank_id: bankId, err: error }),
        );
      return rows.length;
    },
    idle: () => lanes.idle(),
  };
}

interface Read {
  row: EvidenceRow;
  /** Null: the bank gave no report. */
  said: AttemptReport | null;
}

async function readBatch(
  deps: EvidenceDeps,
  batch: readonly EvidenceRow[],
  until: Temporal.Instant,
): Promise<void> {
  const { platform } = deps;
  const budget = new CallBudget(platform.clock, until);
  const reads = await mapInParallel(batch, CONCURRENCY, (row) => readOne(deps, budget, row));
  await isolateFailures(
    reads,
    async (some) => {
      await platform.db.transaction((tx) => record(deps, tx, platform.clock.now(), some));
      return [];
    },
    ({ row }, err) =>
      platform.log.report('payment.evidence_not_recorded', { payment_id: row.paymentId, err }),
  );
}

/** A refusal of the status query says nothing about the payment. */
async function readOne(
  { platform, banks }: EvidenceDeps,
  budget: CallBudget,
  row: EvidenceRow,
): Promise<Read> {
  const { merchantId, paymentId, attempt, bankPaymentId: id } = row;
  const bank = banks.get(row.bankId);
  if (id === null || !budget.hasTime() || budget.restsUntil !== null) return { row, said: null };
  try {
    if (bank === undefined) throw new Error('the bank is not configured');
    const report = await bank.readPayment(id);
    return { row, said: { ref: { merchantId, paymentId, attempt }, report } };
  } catch (error) {
    budget.heed(error);
    const isRefused = error instanceof BankRefused;
    platform.log.report(isRefused ? 'payment.status_refused' : 'payment.status_unavailable', {
      payment_id: paymentId,
      bank_id: row.bankId,
      err: error,
    });
    return { row, said: null };
  }
}

async function record(
  { platform }: EvidenceDeps,
  tx: Tx,
  now: Temporal.Instant,
  reads: readonly Read[],
): Promise<void> {
  const said = reads.flatMap((read) => (read.said === null ? [] : [read.said]));
  await recordLateReport({ platform, tx, now }, said);
  const next = reads.map((read) => ({
    row: read.row,
    next: nextRead(read.row, read.said?.report.outcome ?? null, now),
  }));
  await setNext(tx, next);
}
