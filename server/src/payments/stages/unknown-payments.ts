import type { PaymentRead } from '../../banks/bank.ts';
import { inGroups } from '../../platform/cluster/shards.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Stage } from '../../platform/engine/stage.ts';
import { ConcurrencyLimits, mapInParallel } from '../../platform/network/concurrency-limits.ts';
import {
  type AttemptReport,
  makeReadDue,
  makeReadsDue,
  recordLateReport,
} from '../books/evidence-store.ts';
import { trackNow } from '../books/queue-store.ts';
import {
  claimReported,
  earliestReported,
  findKnown,
  findMerchantsOf,
  findNamedAttempt,
  forget,
  noteReported,
  type Reported,
  scheduleRead,
} from '../books/unknown-store.ts';
import { recordBatch } from '../outcomes/record.ts';
import { toOutcome } from '../payment/outcome.ts';
import { readInstructionId } from '../payment/payment.ts';
import { FIRST_READ_AFTER, nextReadAt } from '../payment/retry.ts';
import type { SubmitDeps } from './send.ts';

const LEASE_MS = 240_000;
const CONCURRENCY = 4;
/** Handles a bank's notice about payments: known payments are read now, unknown ones are queued for investigation. */
export async function handlePaymentNotice(
  tx: Tx,
  now: Temporal.Instant,
  bankId: string,
  bankPaymentIds: readonly string[],
): Promise<void> {
  const merchantsOf = () => findMerchantsOf(tx, bankPaymentIds);
  await inGroups(tx, merchantsOf, async () => {
    await trackNow(tx, now, bankId, bankPaymentIds);
    await makeReadsDue(tx, now, bankId, bankPaymentIds);
    return [];
  });
  await noteReported(tx, bankId, bankPaymentIds, now.add(FIRST_READ_AFTER));
}

/**
 * Investigates payments that a bank reported and that match no attempt: each is read, and its own instruction id identifies its
 * attempt. This finds an order whose response was lost, without sending another order.
 */
export function unknownPaymentsStage(deps: SubmitDeps): Stage {
  const { platform } = deps;
  const lanes = new ConcurrencyLimits(1);
  return {
    name: 'payments.unknown',
    batch: 100,
    ...earliestReported,
    async run(now, limit) {
      const rows = await platform.db.transaction((tx) =>
        claimReported(tx, now, LEASE_MS, limit, lanes.full()),
      );
      for (const [bankId, batch] of Map.groupBy(rows, (row) => row.bankId))
        lanes.start(
          bankId,
          () => investigate(deps, bankId, batch),
          (error) =>
            platform.log.report('bank.payments_not_checked', { bank_id: bankId, err: error }),
        );
      return rows.length;
    },
    idle: () => lanes.idle(),
  };
}

async function investigate(
  deps: SubmitDeps,
  bankId: string,
  batch: readonly Reported[],
): Promise<void> {
  const { db, clock } = deps.platform;
  const known = await db.transaction(async (tx) => {
    const ids = await findKnown(
      tx,
      batch.map((reported) => reported.bankPaymentId),
    );
    if (ids.size > 0) await handlePaymentNotice(tx, clock.now(), bankId, [...ids]); // its response has come meanwhile
    await forget(tx, bankId, [...ids]);
    return ids;
  });
  const unknown = batch.filter((reported) => !known.has(reported.bankPaymentId));
  await mapInParallel(unknown, CONCURRENCY, (reported) => investigateOne(deps, reported));
}

async function investigateOne(deps: SubmitDeps, reported: Reported): Promise<void> {
  const { platform } = deps;
  const { bankId, bankPaymentId } = reported;
  try {
    const bank = deps.banks.get(bankId);
    if (bank === undefined) throw new Error('the bank is not configured');
    await match(deps, bankId, await bank.readPayment(bankPaymentId));
  } catch (err) {
    const again = nextReadAt(platform.clock.now(), reported.tries, bankPaymentId);
    platform.log.report('bank.payment_unreadable', {
      bank_id: bankId,
      bank_payment_id: bankPaymentId,
      err,
      is_last: again === null,
    });
    if (again !== null) return platform.db.transaction((tx) => scheduleRead(tx, reported, again));
  }
  await platform.db.transaction((tx) => forget(tx, bankId, [bankPaymentId]));
}

/** Finds the attempt of a bank's payment by the instruction id of its order. */
async function match(deps: SubmitDeps, bankId: string, report: PaymentRead): Promise<void> {
  const { db, log, clock } = deps.platform;
  const name = readInstructionId(report.instructionId ?? '');
  const found =
    name === null
      ? null
      : await db.read((tx) => findNamedAttempt(tx, bankId, report.bankConsentId, name));
  const named = { bank_id: bankId, bank_payment_id: report.bankPaymentId };
  if (found === null) return log.report('bank.unknown_payment', named);
  const { ref } = found;
  if (found.bankPaymentId !== null && found.bankPaymentId !== report.bankPaymentId)
    return log.report('bank.duplicate_payment', {
      ...named,
      payment_id: ref.paymentId,
      attempt: ref.attempt,
      other: found.bankPaymentId,
    });
  if (found.isOpen) return recordBatch(deps, [{ ref, outcome: toOutcome(report) }]);
  await db.transaction((tx) => storeEnded(deps, tx, clock.now(), { ref, report }));
}

async function storeEnded(
  { platform }: SubmitDeps,
  tx: Tx,
  now: Temporal.Instant,
  said: AttemptReport,
): Promise<void> {
  await recordLateReport({ platform, tx, now }, [said]);
  await makeReadDue(tx, now, said);
}
