import type { PaymentRead } from '../banks/bank.ts';
import { claim, earliestDueInLanes } from '../platform/claim.ts';
import type { Tx } from '../platform/db.ts';
import type { Stage } from '../platform/engine.ts';
import { Lanes, mapInParallel } from '../platform/lanes.ts';
import { spread } from '../platform/spread.ts';
import { toOutcome } from './answers.ts';
import { keepSaid, nameRead, readToldOf, type Said } from './evidence-store.ts';
import { holdPayments } from './outcomes.ts';
import { type AttemptRef, readInstructionId } from './payment.ts';
import type { SubmitDeps } from './send.ts';
import { settleOutcomes } from './settle-outcomes.ts';
import { trackNow } from './track.ts';

const LEASE_MS = 240_000;
const WIDTH = 4;
/** The answer to an order may be on its way: most payments are known by then. */
const FIRST_WAIT = Temporal.Duration.from({ seconds: 30 });
/** How long to wait after a question without an answer, in seconds; after the last one the notice is forgotten. */
const WAITS = [300, 3600, 6 * 3600, 24 * 3600];

interface Told {
  bank_id: string;
  bank_payment_id: string;
  tries: number;
}

/** A bank has news of payments: those that we know are read now, the others are looked into. */
export async function hearOf(
  tx: Tx,
  now: Temporal.Instant,
  bankId: string,
  bankPaymentIds: readonly string[],
): Promise<void> {
  await trackNow(tx, now, bankId, bankPaymentIds);
  await readToldOf(tx, now, bankId, bankPaymentIds);
  await tx.run(
    `INSERT INTO unknown_bank_payments (bank_id, bank_payment_id, due_at)
     SELECT DISTINCT $1, l.id, $3::timestamptz FROM unnest($2::text[]) AS l (id)
     WHERE NOT EXISTS (SELECT FROM attempts a WHERE a.bank_payment_id = l.id)
     ORDER BY 2 ON CONFLICT DO NOTHING`,
    [bankId, bankPaymentIds, now.add(FIRST_WAIT)],
  );
}

/**
 * Payments that a bank told of and that no attempt names: each is read once, and its own instruction id says which attempt it is
 * of. Thus an order whose answer was lost is found, without another order.
 */
export function unknownPaymentsStage(deps: SubmitDeps): Stage {
  const { platform } = deps;
  const lanes = new Lanes(1);
  return {
    name: 'payments.unknown',
    batch: 100,
    ...earliestDueInLanes('bank_id', 'unknown_bank_payments', 'true'),
    async run(now, limit) {
      const rows = await platform.db.transaction((tx) =>
        claim<Told>(tx, now, LEASE_MS, limit, {
          table: 'unknown_bank_payments',
          key: ['bank_id', 'bank_payment_id'],
          lanes: { column: 'bank_id', full: lanes.full() },
          set: 'tries = t.tries + 1',
          returning: 't.bank_id, t.bank_payment_id, t.tries',
        }),
      );
      for (const [bankId, batch] of Map.groupBy(rows, (row) => row.bank_id))
        lanes.start(
          bankId,
          () => lookInto(deps, bankId, batch),
          (error) =>
            platform.log.error(
              { bank_id: bankId, err: error },
              'payments that a bank told of were not looked into',
            ),
        );
      return rows.length;
    },
    idle: () => lanes.idle(),
  };
}

async function lookInto(deps: SubmitDeps, bankId: string, batch: readonly Told[]): Promise<void> {
  const { db, clock } = deps.platform;
  const known = await db.transaction(async (tx) => {
    const ids = await findKnown(
      tx,
      batch.map((told) => told.bank_payment_id),
    );
    if (ids.size > 0) await hearOf(tx, clock.now(), bankId, [...ids]); // its answer has come meanwhile
    await forget(tx, bankId, [...ids]);
    return ids;
  });
  const unknown = batch.filter((told) => !known.has(told.bank_payment_id));
  await mapInParallel(unknown, WIDTH, (told) => lookIntoOne(deps, told));
}

async function lookIntoOne(deps: SubmitDeps, told: Told): Promise<void> {
  const { platform } = deps;
  const { bank_id, bank_payment_id } = told;
  const seconds = WAITS[told.tries - 1];
  try {
    const bank = deps.banks.get(bank_id);
    if (bank === undefined) throw new Error('the bank is not configured');
    await match(deps, bank_id, await bank.readPayment(bank_payment_id));
  } catch (err) {
    platform.log.warn(
      { bank_id, bank_payment_id, err, is_last: seconds === undefined },
      'the bank did not tell of a payment that it had told of',
    );
    if (seconds !== undefined) return askLater(deps, told, seconds);
  }
  await platform.db.transaction((tx) => forget(tx, bank_id, [bank_payment_id]));
}

/** The attempt that a bank's payment is of, by the name that its order carried. */
async function match(deps: SubmitDeps, bankId: string, report: PaymentRead): Promise<void> {
  const { db, log, clock } = deps.platform;
  const name = readInstructionId(report.instructionId);
  const found =
    name === null
      ? null
      : await db.read((tx) => findAttempt(tx, bankId, report.bankConsentId, name));
  const named = { bank_id: bankId, bank_payment_id: report.bankPaymentId };
  if (found === null) return log.error(named, 'the bank told of a payment that is none of ours');
  const { ref } = found;
  if (found.bankPaymentId !== null && found.bankPaymentId !== report.bankPaymentId)
    return log.error(
      { ...named, payment_id: ref.paymentId, attempt: ref.attempt, other: found.bankPaymentId },
      'the bank has two payments of one order: ask the bank about it',
    );
  if (found.isOpen) return settleOutcomes(deps, [{ ref, outcome: toOutcome(report) }]);
  await db.transaction((tx) => keepEnded(deps, tx, clock.now(), { ref, report }));
}

async function keepEnded(
  { platform }: SubmitDeps,
  tx: Tx,
  now: Temporal.Instant,
  said: Said,
): Promise<void> {
  await holdPayments(tx, [said]);
  await keepSaid(platform, tx, now, [said]);
  await nameRead(tx, now, said);
}

interface Found {
  ref: AttemptRef;
  bankPaymentId: string | null;
  isOpen: boolean;
}

/** The consent tells the merchant: no payment is looked for among those of all. */
async function findAttempt(
  tx: Tx,
  bankId: string,
  bankConsentId: string,
  { paymentId, attempt }: { paymentId: string; attempt: number },
): Promise<Found | null> {
  const row = await tx.row<{
    merchant_id: string;
    schedule_id: string;
    bank_payment_id: string | null;
    is_open: boolean;
  }>(
    `SELECT p.merchant_id, p.schedule_id, a.bank_payment_id, a.status IN ('started', 'processing') AS is_open
     FROM consents c
     JOIN payments p ON p.merchant_id = c.merchant_id AND p.payment_id = $3 AND p.bank_id = c.bank_id
     JOIN attempts a ON a.merchant_id = p.merchant_id AND a.payment_id = p.payment_id AND a.number = $4
     WHERE c.bank_consent_id = $2 AND c.bank_id = $1 LIMIT 1`,
    [bankId, bankConsentId, paymentId, attempt],
  );
  if (row === null) return null;
  const ref = { merchantId: row.merchant_id, scheduleId: row.schedule_id, paymentId, attempt };
  return { ref, bankPaymentId: row.bank_payment_id, isOpen: row.is_open };
}

async function findKnown(tx: Tx, bankPaymentIds: readonly string[]): Promise<Set<string>> {
  const rows = await tx.rows<{ bank_payment_id: string }>(
    'SELECT DISTINCT bank_payment_id FROM attempts WHERE bank_payment_id = ANY ($1)',
    [bankPaymentIds],
  );
  return new Set(rows.map((row) => row.bank_payment_id));
}

async function forget(tx: Tx, bankId: string, bankPaymentIds: readonly string[]): Promise<void> {
  await tx.run(
    'DELETE FROM unknown_bank_payments WHERE bank_id = $1 AND bank_payment_id = ANY ($2)',
    [bankId, bankPaymentIds],
  );
}

async function askLater({ platform }: SubmitDeps, told: Told, seconds: number): Promise<void> {
  const at = platform.clock.now().add(spread(seconds, `${told.bank_payment_id} ${told.tries}`));
  await platform.db.transaction((tx) =>
    tx.run(
      'UPDATE unknown_bank_payments SET due_at = $3 WHERE bank_id = $1 AND bank_payment_id = $2',
      [told.bank_id, told.bank_payment_id, at],
    ),
  );
}
