import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { claim, earliestDueInLanes } from '../../platform/engine/claim.ts';
import type { Work } from '../../platform/platform.ts';
import { recordChanges } from '../../platform/state/audit-trail.ts';
import { isBefore } from '../../platform/values/instants.ts';
import { opaque } from '../../platform/values/opaque.ts';
import type { BankReport } from '../payment/outcome.ts';
import type { AttemptRef, PaymentStatus } from '../payment/payment.ts';
import { FINAL_STATUSES, firstRead, LEFT_OPEN_FOR, type nextRead } from '../payment/retry.ts';
import { REFS, refs } from './attempt-store.ts';
import { LAST_ORDER_AT } from './order-store.ts';

/** A claimed attempt that has ended. */
export interface EvidenceRow {
  merchantId: string;
  paymentId: string;
  attempt: number;
  bankId: string;
  bankPaymentId: string | null;
  leftOpen: boolean;
  since: Temporal.Instant;
  tries: number;
}

/** When banks are next due to be read, by bank. */
export const earliestEvidence = earliestDueInLanes(
  'bank_id',
  'payment_evidence',
  't.due_at IS NOT NULL',
);

/** Claims ended attempts that are due to be read at their bank. */
export function claimEvidence(
  tx: Tx,
  now: Temporal.Instant,
  leaseMs: number,
  limit: number,
  fullBanks: readonly string[],
): Promise<EvidenceRow[]> {
  return claim<EvidenceRow>(tx, now, leaseMs, limit, {
    table: 'payment_evidence',
    key: ['merchant_id', 'payment_id', 'attempt'],
    where: 't.due_at IS NOT NULL',
    lanes: { column: 'bank_id', full: fullBanks },
    set: 'tries = t.tries + 1',
    returning: `t.merchant_id, t.payment_id, t.attempt, t.bank_id, t.bank_payment_id, t.left_open, t.since, t.tries`,
  });
}

type Ref = Omit<AttemptRef, 'scheduleId'>;

/** A bank's report on an attempt that has ended. */
export interface AttemptReport {
  ref: Ref;
  report: BankReport;
}

interface EndedAttemptRow extends Ref {
  bankStatus: string;
  attemptStatus: 'success' | 'failed';
}

/** For an attempt `a`: its bank has not given a final status; `$n` is the list of final statuses. */
const WITHOUT_FINAL_STATUS = (n: number): string =>
  `(a.bank_status IS NULL OR a.bank_status <> ALL ($${n}))`;

/**
 * Stores banks' reports on attempts that have ended: the payment's id and its status, until it is final. This changes no state
 * and books nothing, so that no payment has to be locked. If a bank contradicts money that came, the audit trail says so.
 * Returns whether a report was stored, and its bank has still to say its last word.
 */
export async function recordLateReport(
  work: Work,
  said: readonly AttemptReport[],
): Promise<(one: AttemptReport) => boolean> {
  if (said.length === 0) return () => false;
  const rows = await work.tx.rows<EndedAttemptRow>(
    `UPDATE attempts a SET bank_payment_id = l.bank_payment_id, bank_status = l.bank_status,
       sent_at = coalesce(a.sent_at, a.started_at)
     FROM unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[])
       AS l (merchant_id, payment_id, attempt, bank_payment_id, bank_status)
     WHERE a.merchant_id = l.merchant_id AND a.payment_id = l.payment_id AND a.number = l.attempt
       AND ${opaque(`a.status IN ('success', 'failed') AND ${WITHOUT_FINAL_STATUS(6)}
         AND coalesce(a.bank_payment_id, l.bank_payment_id) = l.bank_payment_id`)}
     RETURNING a.merchant_id, a.payment_id, a.number AS attempt, a.bank_status, a.status AS attempt_status`,
    [
      ...refs(said),
      said.map(({ report }) => report.bankPaymentId),
      said.map(({ report }) => report.bankStatus),
      FINAL_STATUSES,
    ],
  );
  const outcomes = new Map(said.map(({ ref, report }) => [keyOf(ref), report.outcome]));
  const against = rows.filter(
    (row) => row.attemptStatus === 'success' && outcomes.get(keyOf(row)) === 'failed',
  );
  if (against.length > 0) await recordContradictions(work, against);
  const unfinished = rows.filter(({ bankStatus }) => !FINAL_STATUSES.includes(bankStatus));
  const isUnfinished = new Set(unfinished.map(keyOf));
  return ({ ref }) => isUnfinished.has(keyOf(ref));
}

/** For an attempt `a` of the payment `p`: the consent that it was ordered under. The payment may have moved to another since. */
export const ATTEMPT_CONSENT = 'coalesce(a.consent_id, p.consent_id)';

/** For an attempt `a` of the payment `p`: the bank that it was ordered at. */
const ITS_BANK = `coalesce((SELECT c.bank_id FROM consents c
  WHERE c.merchant_id = a.merchant_id AND c.consent_id = a.consent_id), p.bank_id)`;

/** For a payment `p`: the consent of the attempt that was paid, perhaps after the payment had moved on; else its own. */
export const PAYING_CONSENT = `coalesce((SELECT a.consent_id FROM attempts a WHERE a.merchant_id = p.merchant_id
  AND a.payment_id = p.payment_id AND a.status = 'success' LIMIT 1), p.consent_id)`;

const keyOf = ({ paymentId, attempt }: Ref): string => `${paymentId} ${attempt}`;

/** Not a change of state, but recorded in the audit trail for people who investigate the payment. */
async function recordContradictions(
  work: Work,
  against: readonly EndedAttemptRow[],
): Promise<void> {
  for (const { paymentId, attempt, bankStatus } of against)
    work.platform.log.report('payment.evidence_contradicts', {
      payment_id: paymentId,
      attempt,
      bank_status: bankStatus,
    });
  const payments = await work.tx.rows<{
    paymentId: string;
    scheduleId: string;
    status: PaymentStatus;
  }>(
    `SELECT p.payment_id, p.schedule_id, p.status FROM unnest($1::text[], $2::text[]) AS k (merchant_id, payment_id)
     JOIN payments p ON p.merchant_id = k.merchant_id AND p.payment_id = k.payment_id`,
    columns(against, 'merchantId', 'paymentId'),
  );
  const paymentOf = new Map(payments.map((payment) => [payment.paymentId, payment]));
  const changes = against.flatMap((row) => {
    const payment = paymentOf.get(row.paymentId);
    return payment === undefined ? [] : [toContradiction(row, payment)];
  });
  await recordChanges(work.tx, work.now, changes);
}

const toContradiction = (
  row: EndedAttemptRow,
  { scheduleId, status }: { scheduleId: string; status: PaymentStatus },
): Parameters<typeof recordChanges>[2][number] => ({
  merchantId: row.merchantId,
  objectId: row.paymentId,
  scheduleId,
  from: status,
  to: status,
  reason: `the bank says ${row.bankStatus} of attempt ${row.attempt}, whose money has come`,
});

/** Schedules reads of paid attempts at their bank, if it has an id for them and has not given a final status. */
export async function scheduleReads(
  tx: Tx,
  now: Temporal.Instant,
  paid: readonly { ref: Ref }[],
): Promise<void> {
  if (paid.length === 0) return;
  await tx.run(
    `INSERT INTO payment_evidence (merchant_id, payment_id, attempt, bank_id, bank_payment_id, left_open, since, due_at)
     SELECT a.merchant_id, a.payment_id, a.number, ${ITS_BANK}, a.bank_payment_id, false, $4, $5
     FROM ${REFS} AS l (merchant_id, payment_id, attempt)
     JOIN attempts a ON a.merchant_id = l.merchant_id AND a.payment_id = l.payment_id AND a.number = l.attempt
       AND ${opaque(`a.status = 'success' AND a.bank_payment_id IS NOT NULL AND ${WITHOUT_FINAL_STATUS(6)}`)}
     CROSS JOIN LATERAL (SELECT schedule_id, bank_id, status FROM payments
       WHERE merchant_id = l.merchant_id AND payment_id = l.payment_id OFFSET 0) p
     ORDER BY 1, 2, 3
     ON CONFLICT (merchant_id, payment_id, attempt) DO UPDATE SET left_open = false, since = excluded.since, tries = 0,
       bank_payment_id = excluded.bank_payment_id, due_at = excluded.due_at`,
    [...refs(paid), now, firstRead(now, false), FINAL_STATUSES],
  );
}

/** Schedules reads of stopped attempts whose order may still be open at the bank, to find out its outcome. */
export async function keepReading(
  tx: Tx,
  now: Temporal.Instant,
  stopped: readonly { ref: Ref }[],
): Promise<void> {
  if (stopped.length === 0) return;
  await tx.run(
    `INSERT INTO payment_evidence (merchant_id, payment_id, attempt, bank_id, bank_payment_id, left_open, since, due_at)
     SELECT a.merchant_id, a.payment_id, a.number, p.bank_id, a.bank_payment_id, true, coalesce(${LAST_ORDER_AT}, a.sent_at),
       CASE WHEN a.bank_payment_id IS NOT NULL THEN $4::timestamptz END
     FROM ${REFS} AS l (merchant_id, payment_id, attempt)
     JOIN attempts a ON a.merchant_id = l.merchant_id AND a.payment_id = l.payment_id AND a.number = l.attempt
       AND ${opaque(`a.sent_at IS NOT NULL AND ${WITHOUT_FINAL_STATUS(5)}`)}
     CROSS JOIN LATERAL (SELECT schedule_id, bank_id, status FROM payments
       WHERE merchant_id = l.merchant_id AND payment_id = l.payment_id OFFSET 0) p
     ORDER BY 1, 2, 3
     ON CONFLICT DO NOTHING`,
    [...refs(stopped), firstRead(now, true), FINAL_STATUSES],
  );
}

/**
 * Records that a person ended an attempt whose order may still be open at the bank: its payment is not retried by hand for as
 * long as after a stop, and the bank is read as then, unless it has said its last word.
 */
export async function recordGivenUp(
  tx: Tx,
  now: Temporal.Instant,
  { merchantId, paymentId, attempt }: Ref,
): Promise<void> {
  await tx.run(
    `INSERT INTO payment_evidence (merchant_id, payment_id, attempt, bank_id, bank_payment_id, left_open,
       was_credited, since, due_at)
     SELECT a.merchant_id, a.payment_id, a.number, p.bank_id, a.bank_payment_id, true, coalesce(a.bank_status = 'ACCC', false),
       coalesce(${LAST_ORDER_AT}, a.sent_at),
       CASE WHEN a.bank_payment_id IS NOT NULL AND ${WITHOUT_FINAL_STATUS(5)} THEN $4::timestamptz END
     FROM attempts a
     CROSS JOIN LATERAL (SELECT schedule_id, bank_id, status FROM payments
       WHERE merchant_id = $1 AND payment_id = $2 OFFSET 0) p
     WHERE a.merchant_id = $1 AND a.payment_id = $2 AND a.number = $3 AND a.sent_at IS NOT NULL
     ON CONFLICT DO NOTHING`,
    [merchantId, paymentId, attempt, firstRead(now, true), FINAL_STATUSES],
  );
}

/**
 * Returns until when an earlier order of a payment may still be open at the bank, so that the payment may not be retried by hand;
 * `until` is null if the bank reports that it has paid. Null: the payment may be retried.
 */
export async function findOpenOrder(
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  paymentId: string,
): Promise<{ until: Temporal.Instant | null } | null> {
  const row = await tx.row<{ since: Temporal.Instant; isCredited: boolean }>(
    `SELECT e.since, coalesce(a.bank_status = 'ACCC', false) AND NOT e.was_credited AS is_credited FROM payment_evidence e
     JOIN attempts a ON a.merchant_id = e.merchant_id AND a.payment_id = e.payment_id AND a.number = e.attempt
     WHERE e.merchant_id = $1 AND e.payment_id = $2 AND e.left_open
     ORDER BY is_credited DESC, e.since DESC LIMIT 1`,
    [merchantId, paymentId],
  );
  if (row === null) return null;
  if (row.isCredited) return { until: null };
  const until = row.since.add(LEFT_OPEN_FOR);
  return isBefore(now, until) ? { until } : null;
}

/** Makes reads of ended attempts due now, because their bank has news of them. */
export async function makeReadsDue(
  tx: Tx,
  now: Temporal.Instant,
  bankId: string,
  bankPaymentIds: readonly string[],
): Promise<void> {
  const paid = await tx.rows<Ref>(
    `SELECT a.merchant_id, a.payment_id, a.number AS attempt FROM attempts a
     CROSS JOIN LATERAL (SELECT bank_id FROM payments
       WHERE merchant_id = a.merchant_id AND payment_id = a.payment_id OFFSET 0) p
     WHERE a.bank_payment_id = ANY ($1) AND ${ITS_BANK} = $2
       AND ${opaque(`a.status = 'success' AND ${WITHOUT_FINAL_STATUS(3)}`)}`,
    [bankPaymentIds, bankId, FINAL_STATUSES],
  );
  await scheduleReads(
    tx,
    now,
    paid.map((row) => ({
      ref: row,
    })),
  );
  // Few orders are left open: the queue is changed only where one is, and never gone through for those that are not.
  const open = await tx.rows<Ref>(
    `SELECT e.* FROM (SELECT merchant_id, payment_id, number FROM attempts WHERE bank_payment_id = ANY ($1) OFFSET 0) a
     CROSS JOIN LATERAL (SELECT merchant_id, payment_id, attempt FROM payment_evidence
       WHERE merchant_id = a.merchant_id AND payment_id = a.payment_id AND attempt = a.number
         AND ${opaque('bank_id = $2 AND left_open')} OFFSET 0) e
     ORDER BY merchant_id, payment_id, attempt`,
    [bankPaymentIds, bankId],
  );
  if (open.length === 0) return;
  await tx.run(
    `UPDATE payment_evidence e SET due_at = $4, tries = 0
     FROM unnest($1::text[], $2::text[], $3::int[]) AS k (merchant_id, payment_id, attempt)
     WHERE e.merchant_id = k.merchant_id AND e.payment_id = k.payment_id AND e.attempt = k.attempt
       AND ${opaque('e.left_open')}`,
    [...columns(open, 'merchantId', 'paymentId', 'attempt'), now],
  );
}

/** A bank has given the id of an ended attempt's payment: makes the read that was waiting for it due now. */
export async function makeReadDue(
  tx: Tx,
  now: Temporal.Instant,
  { ref, report }: AttemptReport,
): Promise<void> {
  await scheduleReads(tx, now, [{ ref }]);
  await tx.run(
    `UPDATE payment_evidence SET bank_payment_id = $4, due_at = $5, tries = 0
     WHERE merchant_id = $1 AND payment_id = $2 AND attempt = $3 AND left_open`,
    [ref.merchantId, ref.paymentId, ref.attempt, report.bankPaymentId, now],
  );
}

/**
 * Sets when each is read next; deletes those that are done. One that was claimed again, or of which
 * there was news meanwhile, is left alone.
 */
export async function setNext(
  tx: Tx,
  reads: readonly { row: EvidenceRow; next: ReturnType<typeof nextRead> }[],
): Promise<void> {
  const done = reads.filter(({ next }) => next === 'done');
  const later = reads.filter(({ next }) => next !== 'done');
  const keys = (some: typeof reads): [string[], string[], number[], number[]] => [
    some.map(({ row }) => row.merchantId),
    some.map(({ row }) => row.paymentId),
    some.map(({ row }) => row.attempt),
    some.map(({ row }) => row.tries),
  ];
  if (done.length > 0)
    await tx.run(
      `DELETE FROM payment_evidence e
       USING unnest($1::text[], $2::text[], $3::int[], $4::int[]) AS l (merchant_id, payment_id, attempt, tries)
       WHERE e.merchant_id = l.merchant_id AND e.payment_id = l.payment_id AND e.attempt = l.attempt
         AND ${opaque('e.tries = l.tries')}`,
      keys(done),
    );
  if (later.length > 0)
    await tx.run(
      `UPDATE payment_evidence e SET due_at = l.due_at
       FROM unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::timestamptz[])
         AS l (merchant_id, payment_id, attempt, tries, due_at)
       WHERE e.merchant_id = l.merchant_id AND e.payment_id = l.payment_id AND e.attempt = l.attempt
         AND ${opaque('e.tries = l.tries')}`,
      [...keys(later), later.map(({ next }) => (typeof next === 'object' ? next.at : null))],
    );
}
