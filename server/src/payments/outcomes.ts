import { recordChanges } from '../platform/audit-trail.ts';
import { formatInstant } from '../platform/calendar.ts';
import type { Tx } from '../platform/db.ts';
import { appendEvents, type DataOf } from '../platform/events.ts';
import type { Platform } from '../platform/platform.ts';
import { unguessed } from '../platform/unguessed.ts';
import { OUTSIDE, post } from '../wallets/ledger.ts';
import type { PAYMENT_EVENTS } from './events.ts';
import { refs, STILL_THERE } from './learned-sql.ts';
import { type AskedRow, recordNotSent, recordUnknown, setDue } from './open-outcomes.ts';
import type { StopCode } from './order-decision.ts';
import { askAgainAt, type Learned, type NoRetryReason, type RecordedRow } from './payment.ts';
import { planRetries } from './retries.ts';
import type { RetryDecision } from './retry-plan.ts';
import { findPaidAttempts, revive } from './revive.ts';

const RETURNING = `p.merchant_id, p.payment_id, p.schedule_id, p.wallet_id, p.amount_pence, p.currency, p.attempts, p.manual`;

/** An attempt `a` without an end. */
const STILL_OPEN = unguessed("a.status NOT IN ('success', 'failed')");

/**
 * Records what became of attempts, a whole batch in the caller's transaction, and the only way an outcome enters the
 * books: whether the bank answered, was asked later, or the money simply arrived.
 */
export async function recordOutcomes(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  learned: readonly Learned[],
): Promise<void> {
  const sorted = [...learned].sort((a, b) => (a.ref.paymentId < b.ref.paymentId ? -1 : 1));
  const of = (kind: Learned['outcome']['kind']): Learned[] =>
    sorted.filter((l) => l.outcome.kind === kind);
  await holdSchedules(tx, of('failed'));
  await holdPayments(tx, sorted);
  await recordUnknown(tx, now, of('unknown'));
  await recordNotSent(tx, now, of('not_sent'));
  await recordPending(tx, now, of('pending'));
  await recordCredited(platform, tx, now, of('credited'));
  await recordFailed(platform, tx, now, of('failed'));
}

/**
 * Holds the schedules whose payments may be planned anew, before any payment is held: a pause or a cancellation at the
 * same moment comes wholly before the retry is planned, or wholly after.
 */
export async function holdSchedules(
  tx: Tx,
  learned: readonly { ref: { merchantId: string; scheduleId: string } }[],
): Promise<void> {
  if (learned.length === 0) return;
  await tx.run(
    `SELECT 1 FROM schedules WHERE (merchant_id, schedule_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
     ORDER BY merchant_id, schedule_id FOR SHARE`,
    [learned.map((l) => l.ref.merchantId), learned.map((l) => l.ref.scheduleId)],
  );
}

/** Holds the payments in one order, whatever plan a statement has: nobody who does the same waits for us in a ring. */
export async function holdPayments(
  tx: Tx,
  learned: readonly { ref: { merchantId: string; paymentId: string } }[],
): Promise<void> {
  await tx.run(
    `SELECT 1 FROM payments WHERE (merchant_id, payment_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
     ORDER BY merchant_id, payment_id FOR UPDATE`,
    [learned.map((l) => l.ref.merchantId), learned.map((l) => l.ref.paymentId)],
  );
}

async function recordPending(
  tx: Tx,
  now: Temporal.Instant,
  learned: readonly Learned[],
): Promise<void> {
  if (learned.length === 0) return;
  const rows = await tx.rows<AskedRow>(
    `UPDATE payments p SET stage = 'track', bank_payment_id = l.bank_payment_id, due_at = l.first_poll_at,
       polls = CASE WHEN p.stage = 'track' THEN p.polls ELSE 0 END
     FROM unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::timestamptz[])
       AS l (merchant_id, payment_id, attempt, bank_payment_id, first_poll_at)
     WHERE ${STILL_THERE} RETURNING p.merchant_id, p.payment_id, p.polls`,
    [
      ...refs(learned),
      learned.map(bankPaymentOf),
      learned.map(({ ref }) => askAgainAt(now, 1, ref.paymentId)),
    ],
  );
  const polled = rows.filter((row) => row.polls > 0);
  await setDue(tx, polled, (row) => askAgainAt(now, row.polls + 1, row.payment_id));
  await markAttempts(tx, null, learned, 'processing');
}

const bankPaymentOf = ({ outcome }: Learned): string | null =>
  'bankPaymentId' in outcome ? outcome.bankPaymentId : null;
const bankStatusOf = ({ outcome }: Learned): string | null =>
  'bankStatus' in outcome ? outcome.bankStatus : null;

/** Attempts keep what the bank said; `finishedAt` null: still under way. What says nothing new is not written again. */
async function markAttempts(
  tx: Tx,
  finishedAt: Temporal.Instant | null,
  learned: readonly Learned[],
  status: 'processing' | 'success' | 'failed',
): Promise<void> {
  const failures = learned.map(({ outcome }) =>
    outcome.kind === 'failed' ? outcome.failure : null,
  );
  await tx.run(
    `UPDATE attempts a SET status = $8, finished_at = $9, error_code = l.code, error_message = l.message,
       bank_payment_id = coalesce(l.bank_payment_id, a.bank_payment_id), bank_status = coalesce(l.bank_status, a.bank_status),
       pay_in_id = coalesce(l.pay_in_id, a.pay_in_id)
     FROM unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $10::text[])
       AS l (merchant_id, payment_id, attempt, bank_payment_id, bank_status, code, message, pay_in_id)
     WHERE a.merchant_id = l.merchant_id AND a.payment_id = l.payment_id AND a.number = l.attempt
       AND ${STILL_OPEN} AND (a.status, a.bank_payment_id, a.bank_status) IS DISTINCT FROM
         ($8, coalesce(l.bank_payment_id, a.bank_payment_id), coalesce(l.bank_status, a.bank_status))`,
    [
      ...refs(learned),
      learned.map(bankPaymentOf),
      learned.map(bankStatusOf),
      failures.map((f) => f?.code ?? null),
      failures.map((f) => f?.message ?? null),
      status,
      finishedAt,
      learned.map(({ outcome }) =>
        outcome.kind === 'credited' ? (outcome.payInId ?? null) : null,
      ),
    ],
  );
}

/** The money is in the customer's wallet: book it, and let `payments.move` take it on. */
async function recordCredited(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  learned: readonly Learned[],
): Promise<void> {
  if (learned.length === 0) return;
  const rows = await tx.rows<RecordedRow>(
    `UPDATE payments p SET stage = 'move', due_at = $5, polls = 0,
       bank_payment_id = coalesce(l.bank_payment_id, p.bank_payment_id)
     FROM unnest($1::text[], $2::text[], $3::int[], $4::text[]) AS l (merchant_id, payment_id, attempt, bank_payment_id)
     WHERE ${STILL_THERE} RETURNING ${RETURNING}`,
    [...refs(learned), learned.map(bankPaymentOf), now],
  );
  await markAttempts(tx, now, learned, 'success');
  await bookPayIns(platform, tx, now, rows);
}

/** The pay-in of each payment, once. */
export async function bookPayIns(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  rows: readonly RecordedRow[],
): Promise<void> {
  const postings = rows.map((row) => ({
    merchantId: row.merchant_id,
    kind: 'pay_in' as const,
    debit: OUTSIDE,
    credit: row.wallet_id,
    amountPence: row.amount_pence,
    sourceId: row.payment_id,
  }));
  await post(tx, platform.ids, now, postings);
}

const FROM_THIS_CALL = unguessed("l.call IS NULL OR (p.stage = 'submit' AND p.polls = l.call)");

/** A known failure: a retry where one is allowed, else the end. Every failure passes here, however it was learned. */
async function recordFailed(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  learned: readonly Learned[],
): Promise<void> {
  if (learned.length === 0) return;
  const held = await tx.rows<RecordedRow & { stopped_by: StopCode | null }>(
    `SELECT ${RETURNING}, p.stopped_by FROM payments p
     JOIN unnest($1::text[], $2::text[], $3::int[], $4::int[]) AS l (merchant_id, payment_id, attempt, call)
       ON ${STILL_THERE} AND ${FROM_THIS_CALL}
     ORDER BY p.merchant_id, p.payment_id`,
    [
      ...refs(learned),
      learned.map(({ outcome }) => (outcome.kind === 'failed' ? outcome.call : null)),
    ],
  );
  if (held.length === 0) return;
  const learnedOf = new Map(learned.map((l) => [l.ref.paymentId, l]));
  const failed = held.flatMap((row) => {
    const known = learnedOf.get(row.payment_id);
    if (known?.outcome.kind !== 'failed') return [];
    const { failure, reason, isStopped = false, isFinal } = known.outcome;
    const mayRetry = !isStopped && (isFinal || row.stopped_by === null); // a no forbids a retry, too
    return [{ row, known, failure, isFinal, isStopped, mayRetry, reason: reason ?? failure.code }];
  });
  await markAttempts(
    tx,
    now,
    failed.map((f) => f.known),
    'failed',
  );
  const paid = await findPaidAttempts(tx, held);
  const retries = await planRetries(
    tx,
    now,
    failed.filter((f) => f.mayRetry && !paid.has(f.row.payment_id)),
  );
  const ended = failed.map((f) => ({
    ...f,
    retry: retries.get(f.row.payment_id) ?? { none: 'stopped' as const },
  }));
  await endAttempts(platform, tx, now, ended, 'processing');
  for (const row of held) {
    const attempt = paid.get(row.payment_id);
    if (attempt !== undefined) await revive(platform, tx, now, row, attempt, 'failed');
  }
}

/** A payment whose attempt failed, or that was stopped while it waited. */
export interface Ended {
  row: RecordedRow;
  failure: { code: string; message: string };
  /** Why, in the audit trail; the failure's code where it is absent. */
  reason?: string;
  /** A no ended it: a cancellation, a pause, a withdrawal. */
  isStopped?: boolean;
  /** Without one the payment has failed. */
  retry: RetryDecision;
}

const retryAtOf = ({ retry }: Ended): Temporal.Instant | null => ('at' in retry ? retry.at : null);
const noRetryReasonOf = ({ retry }: Ended): NoRetryReason | null =>
  'none' in retry ? retry.none : null;

/** Writes failures: state, audit trail and `collection.failed` with the attempt and the next retry. */
export async function endAttempts(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  ended: readonly Ended[],
  from: 'pending' | 'processing',
): Promise<void> {
  if (ended.length === 0) return;
  await tx.run(
    `UPDATE payments p SET polls = 0, manual = false, error_code = n.code, error_message = n.message,
       status = CASE WHEN n.retry_at IS NULL THEN 'failed' ELSE 'pending' END,
       stage = CASE WHEN n.retry_at IS NULL THEN NULL ELSE 'submit' END,
       due_at = n.retry_at, next_retry_at = n.retry_at, no_retry_reason = n.no_retry_reason,
       failed_at = CASE WHEN n.retry_at IS NULL THEN $6::timestamptz END
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $7::text[])
       AS n (merchant_id, payment_id, code, message, retry_at, no_retry_reason)
     WHERE p.merchant_id = n.merchant_id AND p.payment_id = n.payment_id`,
    [
      ended.map((e) => e.row.merchant_id),
      ended.map((e) => e.row.payment_id),
      ended.map((e) => e.failure.code),
      ended.map((e) => e.failure.message),
      ended.map(retryAtOf),
      now,
      ended.map(noRetryReasonOf),
    ],
  );
  await recordChanges(
    tx,
    now,
    ended.map((e) => ({
      merchantId: e.row.merchant_id,
      objectId: e.row.payment_id,
      scheduleId: e.row.schedule_id,
      from,
      to: 'at' in e.retry ? 'pending' : 'failed',
      reason: e.reason ?? e.failure.code,
    })),
  );
  await appendEvents(
    tx,
    platform,
    now,
    ended.map((e) => ({
      merchantId: e.row.merchant_id,
      kind: 'collection.failed',
      scheduleId: e.row.schedule_id,
      subjectId: e.row.payment_id,
      data: {
        payment_id: e.row.payment_id,
        schedule_id: e.row.schedule_id,
        amount: { value: e.row.amount_pence, currency: e.row.currency },
        error: e.failure,
        failed_at: formatInstant(now),
        attempt: e.row.attempts,
        next_retry_at: 'at' in e.retry ? formatInstant(e.retry.at) : null,
        no_retry_reason: noRetryReasonOf(e),
        ...(e.isStopped === true ? { reason: 'stopped' as const } : {}),
      } satisfies DataOf<typeof PAYMENT_EVENTS, 'collection.failed'>,
    })),
  );
}
