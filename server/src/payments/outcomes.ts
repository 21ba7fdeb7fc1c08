import { recordChanges } from '../platform/audit-trail.ts';
import { formatInstant } from '../platform/calendar.ts';
import type { Tx } from '../platform/db.ts';
import { appendEvents, type DataOf } from '../platform/events.ts';
import type { Platform } from '../platform/platform.ts';
import { unguessed } from '../platform/unguessed.ts';
import { type Credited, recordClaims, releaseClaims } from './credited.ts';
import type { PAYMENT_EVENTS } from './events.ts';
import { keepSaid, leaveOpen, readPaid } from './evidence-store.ts';
import { payFromEarlier } from './items.ts';
import { refs, STILL_THERE } from './learned-sql.ts';
import { type AskedRow, recordNotSent, recordUnknown, setDue } from './open-outcomes.ts';
import type { StopCode } from './order-decision.ts';
import { bankPaymentOf, markAttempts, RETURNING, reportOf } from './outcome-rows.ts';
import { askAgainAt, type Learned, type NoRetryReason, type RecordedRow } from './payment.ts';
import { findPaidAttempts } from './reinstate.ts';
import { planRetries } from './retries.ts';
import type { RetryDecision } from './retry-plan.ts';

/**
 * Records what became of attempts, a whole batch in the caller's transaction, and the only way in which a bank's word enters
 * the books: whether it answered at once or was asked later. Money that arrives is recorded by `takePayIns`.
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
  await recordPending(platform, tx, now, [...of('pending'), ...of('credited')]);
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

type TrackedRow = AskedRow & { amount_pence: number };

/** Under way at the bank; also where it says that it has paid, for only the money ends the attempt then. */
async function recordPending(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  learned: readonly Learned[],
): Promise<void> {
  if (learned.length === 0) return;
  const rows = await tx.rows<TrackedRow>(
    `UPDATE payments p SET stage = 'track', bank_payment_id = l.bank_payment_id, due_at = l.first_poll_at,
       polls = CASE WHEN p.stage = 'track' THEN p.polls ELSE 0 END
     FROM unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::timestamptz[])
       AS l (merchant_id, payment_id, attempt, bank_payment_id, first_poll_at)
     WHERE ${STILL_THERE} RETURNING p.merchant_id, p.payment_id, p.polls, p.amount_pence`,
    [
      ...refs(learned),
      learned.map(bankPaymentOf),
      learned.map(({ ref }) => askAgainAt(now, 1, ref.paymentId)),
    ],
  );
  const polled = rows.filter((row) => row.polls > 0);
  await setDue(tx, polled, (row) => askAgainAt(now, row.polls + 1, row.payment_id));
  const amounts = new Map(rows.map((row) => [row.payment_id, row.amount_pence]));
  const claimed = await recordClaims(platform, tx, now, learned.flatMap(toCredited(amounts)));
  const others = learned.filter(({ ref }) => !claimed.has(ref.paymentId));
  await markAttempts(tx, null, others, 'processing');
  await keepLate(platform, tx, now, learned, rows);
}

/** What a bank has credited, of the payments whose amounts these are. */
const toCredited =
  (amounts: ReadonlyMap<string, number>) =>
  ({ ref, outcome }: Learned): Credited[] => {
    const amountPence = amounts.get(ref.paymentId);
    if (outcome.kind !== 'credited' || amountPence === undefined) return [];
    return [{ ref, outcome, amountPence }];
  };

/** What was learned of attempts that have ended meanwhile, as by their money, is evidence: it names the bank's payment. */
async function keepLate(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  learned: readonly Learned[],
  recorded: readonly { payment_id: string }[],
): Promise<void> {
  const taken = new Set(recorded.map((row) => row.payment_id));
  const late = learned.flatMap((one) => {
    const report = taken.has(one.ref.paymentId) ? null : reportOf(one);
    return report === null ? [] : [{ ref: one.ref, report }];
  });
  await keepSaid(platform, tx, now, late);
  await readPaid(tx, now, late);
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
  await keepLate(platform, tx, now, learned, held);
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
  await releaseClaims(
    platform,
    tx,
    now,
    failed.map((f) => f.known),
  );
  await leaveOpen(
    tx,
    now,
    failed.filter((f) => f.isStopped).map((f) => f.known),
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
    const late = paid.get(row.payment_id);
    if (late !== undefined) await payFromEarlier(platform, tx, now, row, late);
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
