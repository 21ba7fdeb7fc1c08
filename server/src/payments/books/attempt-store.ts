import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { recordChanges } from '../../platform/state/audit-trail.ts';
import { type Moved, moveRows, type Step } from '../../platform/state/move-rows.ts';
import { transition } from '../../platform/state/state-machine.ts';
import { opaque } from '../../platform/values/opaque.ts';
import type { RecognisedBy } from '../payment/allocation.ts';
import { STOPPED, type StopCode, type SubmitRow } from '../payment/attempt.ts';
import type { Outcome } from '../payment/outcome.ts';
import type { AttemptRef, Failure } from '../payment/payment.ts';
import { ATTEMPTS, type AttemptState } from '../payment/states.ts';

/** Every write of an attempt's status, and other data stored about attempts. */

const AT_BANK = transition(ATTEMPTS, ['started', 'processing'], 'processing');
const FAILED = transition(ATTEMPTS, ['started', 'processing'], 'failed');
const STOPPED_UNSENT = transition(ATTEMPTS, ['started'], 'failed');
const PAID = transition(ATTEMPTS, ['started', 'processing'], 'success');
const REINSTATED = transition(ATTEMPTS, ['failed'], 'success');
const SET_ASIDE = transition(ATTEMPTS, ['success'], 'failed');

type Ref = Omit<AttemptRef, 'scheduleId'>;

/** The keys of attempts, bound by `refs`. */
export const REFS = 'unnest($1::text[], $2::text[], $3::int[])';

/** Returns the first three bind values of a statement over attempts. */
export function refs(attempts: readonly { ref: Ref }[]): [string[], string[], number[]] {
  return [
    attempts.map(({ ref }) => ref.merchantId),
    attempts.map(({ ref }) => ref.paymentId),
    attempts.map(({ ref }) => ref.attempt),
  ];
}

/** Whether the work `w` of a payment still has the attempt `l` under way: a repeated or late report changes nothing. */
export const STILL_THERE = `w.merchant_id = l.merchant_id AND w.payment_id = l.payment_id
  AND ${opaque("w.attempt = l.attempt AND w.stage IN ('submit', 'track')")}`;

/** Moves attempts along edges of their state machine: the only way in which their status changes. */
function moveAttempts<R extends { ref: Ref }, T extends object = object>(
  tx: Tx,
  now: Temporal.Instant,
  rows: readonly R[],
  { columns, ...step }: Omit<Step<AttemptState, R>, 'rows'>,
): Promise<Moved<R, T>[]> {
  return moveRows<AttemptState, R, T>(tx, now, {
    ...step,
    rows,
    columns: {
      merchant_id: ['text', ({ ref }) => ref.merchantId],
      payment_id: ['text', ({ ref }) => ref.paymentId],
      number: ['int', ({ ref }) => ref.attempt],
      ...columns,
    },
  });
}

/** Inserts new attempts, before any bank is called. */
export async function startAttempts(
  tx: Tx,
  now: Temporal.Instant,
  rows: readonly SubmitRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(
    `INSERT INTO attempts (merchant_id, payment_id, number, manual, status, started_at)
     SELECT *, 'started', $5::timestamptz FROM unnest($1::text[], $2::text[], $3::int[], $4::boolean[])`,
    [...columns(rows, 'merchantId', 'paymentId', 'attempt', 'manual'), now],
  );
  await recordChanges(
    tx,
    now,
    rows.map((r) => ({
      merchantId: r.merchantId,
      objectId: r.paymentId,
      scheduleId: r.scheduleId,
      from: 'pending',
      to: 'processing',
      reason: r.manual ? `attempt ${r.attempt}, by hand` : `attempt ${r.attempt}`,
    })),
  );
}

/** What a bank reported about an attempt: the id and the status of its payment, null if it gave none. */
export interface ReportedAttempt {
  ref: Ref;
  bankPaymentId: string | null;
  bankStatus: string | null;
}

const bankColumns = {
  bank_payment_id: ['text', (one: ReportedAttempt) => one.bankPaymentId],
  bank_status: ['text', (one: ReportedAttempt) => one.bankStatus],
} as const;
const SET_BANK = `bank_payment_id = coalesce(n.bank_payment_id, t.bank_payment_id),
  bank_status = coalesce(n.bank_status, t.bank_status)`;
/** What the bank has was sent, though a database that was restored has lost the note of it: no earlier than it was started. */
const SET_SENT = 'sent_at = coalesce(t.sent_at, t.started_at)';

/** The same, where the bank has named its payment: an attempt may also end without one. */
const SET_SENT_IF_KNOWN = `sent_at = CASE WHEN n.bank_payment_id IS NULL THEN t.sent_at
  ELSE coalesce(t.sent_at, t.started_at) END`;

/** Records that attempts are under way at the bank. Skips reports that contain nothing new. */
export async function moveToProcessing(
  tx: Tx,
  now: Temporal.Instant,
  attempts: readonly ReportedAttempt[],
): Promise<void> {
  await moveAttempts(tx, now, attempts, {
    move: AT_BANK,
    columns: bankColumns,
    set: `finished_at = NULL, error_code = NULL, error_message = NULL, ${SET_SENT}, ${SET_BANK}`,
    where: `(t.status, t.bank_payment_id, t.bank_status) IS DISTINCT FROM
      ('processing', coalesce(n.bank_payment_id, t.bank_payment_id), coalesce(n.bank_status, t.bank_status))`,
  });
}

/** Ends attempts as failed. */
export async function moveAttemptsToFailed(
  tx: Tx,
  now: Temporal.Instant,
  attempts: readonly (ReportedAttempt & { failure: Failure })[],
): Promise<void> {
  await moveAttempts(tx, now, attempts, {
    move: FAILED,
    columns: {
      ...bankColumns,
      code: ['text', ({ failure }) => failure.code],
      message: ['text', ({ failure }) => failure.message],
      finished_at: ['timestamptz', () => now],
    },
    set: `finished_at = n.finished_at, error_code = n.code, error_message = n.message, ${SET_BANK},
      ${SET_SENT_IF_KNOWN}`,
  });
}

/**
 * Fails the attempts that were started but not sent, because of a stop. Returns their payments. The payments are locked, so no
 * order can be recorded meanwhile.
 */
export async function stopUnsent(
  tx: Tx,
  now: Temporal.Instant,
  attempts: readonly { ref: Ref }[],
  code: StopCode,
): Promise<Set<string>> {
  const moved = await moveAttempts(tx, now, attempts, {
    move: STOPPED_UNSENT,
    columns: {
      code: ['text', () => code],
      message: ['text', () => STOPPED[code]],
      finished_at: ['timestamptz', () => now],
    },
    set: 'finished_at = n.finished_at, error_code = n.code, error_message = n.message',
    where: 't.sent_at IS NULL',
  });
  return new Set(moved.map(({ row }) => row.ref.paymentId));
}

/** An attempt and its pay-in. */
export interface Paid {
  ref: AttemptRef;
  payInId: string;
  by: RecognisedBy;
}

const paidColumns = {
  pay_in_id: ['text', (one: Paid) => one.payInId],
  pay_in_by: ['text', (one: Paid) => one.by],
} as const;
const SET_PAID = `finished_at = n.finished_at, error_code = NULL, error_message = NULL, pay_in_id = n.pay_in_id,
  pay_in_by = n.pay_in_by`;

/** A paid attempt, and what the bank has reported about it. */
export interface PaidAttempt {
  paymentId: string;
  payInId: string;
  /** The bank had already reported that it has paid. */
  isClaimed: boolean;
  bankPaymentId: string | null;
  bankStatus: string | null;
}

/** Marks attempts under way as paid. Returns those that still were under way. */
export async function moveToPaid(
  tx: Tx,
  now: Temporal.Instant,
  paid: readonly Paid[],
): Promise<PaidAttempt[]> {
  return moveAttempts<Paid, PaidAttempt>(tx, now, paid, {
    move: PAID,
    columns: { ...paidColumns, finished_at: ['timestamptz', () => now] },
    set: SET_PAID,
    returning: `t.payment_id, t.pay_in_id, t.claimed_at IS NOT NULL AS is_claimed, t.bank_payment_id, t.bank_status`,
  });
}

/** Marks a failed attempt as paid: its money arrived late. Throws if it has not failed. */
export async function moveAttemptToReinstated(
  tx: Tx,
  now: Temporal.Instant,
  paid: Paid,
): Promise<void> {
  const moved = await moveAttempts(tx, now, [paid], {
    move: REINSTATED,
    columns: { ...paidColumns, finished_at: ['timestamptz', () => now] },
    set: SET_PAID,
  });
  if (moved.length !== 1)
    throw new Error(`attempt ${paid.ref.attempt} of ${paid.ref.paymentId} has not failed`);
}

/** Takes the money off a paid attempt: it is on the unallocated list. Throws if the attempt is not paid. */
export async function moveAttemptToSetAside(
  tx: Tx,
  now: Temporal.Instant,
  attempt: { ref: Ref; failure: Failure },
): Promise<void> {
  const moved = await moveAttempts(tx, now, [attempt], {
    move: SET_ASIDE,
    columns: {
      code: ['text', ({ failure }) => failure.code],
      message: ['text', ({ failure }) => failure.message],
    },
    set: 'pay_in_id = NULL, pay_in_by = NULL, error_code = n.code, error_message = n.message',
  });
  if (moved.length !== 1)
    throw new Error(`attempt ${attempt.ref.attempt} of ${attempt.ref.paymentId} is not paid`);
}

/** An attempt that the bank reported as paid, and its amount. */
export interface ClaimedRow {
  merchantId: string;
  paymentId: string;
  number: number;
  amountPence: number;
}

/** An attempt under way that its bank reported as credited. */
export interface Credited {
  ref: AttemptRef;
  outcome: Extract<Outcome, { kind: 'credited' }>;
  amountPence: number;
}

/** Marks attempts under way that the bank reports as paid for the first time. Returns them. */
export function markClaimed(
  tx: Tx,
  now: Temporal.Instant,
  credited: readonly Credited[],
): Promise<ClaimedRow[]> {
  return moveAttempts<Credited, ClaimedRow>(tx, now, credited, {
    move: AT_BANK,
    columns: {
      amount_pence: ['bigint', ({ amountPence }) => amountPence],
      bank_payment_id: ['text', ({ outcome }) => outcome.bankPaymentId],
      bank_status: ['text', ({ outcome }) => outcome.bankStatus],
      claimed_at: ['timestamptz', () => now],
    },
    set: `claimed_at = n.claimed_at, bank_payment_id = n.bank_payment_id, bank_status = n.bank_status, ${SET_SENT}`,
    where: 't.claimed_at IS NULL AND t.pay_in_id IS NULL',
    returning: 't.merchant_id, t.payment_id, t.number, n.amount_pence',
  });
}

/** Returns those of these attempts that the bank has reported as paid. */
export function findClaimed(
  tx: Tx,
  attempts: readonly { ref: AttemptRef }[],
): Promise<ClaimedRow[]> {
  return tx.rows<ClaimedRow>(
    `SELECT a.merchant_id, a.payment_id, a.number, p.amount_pence
     FROM ${REFS} AS l (merchant_id, payment_id, attempt)
     JOIN attempts a ON a.merchant_id = l.merchant_id AND a.payment_id = l.payment_id AND a.number = l.attempt
       AND ${opaque('a.claimed_at IS NOT NULL')}
     CROSS JOIN LATERAL (SELECT amount_pence FROM payments
       WHERE merchant_id = l.merchant_id AND payment_id = l.payment_id OFFSET 0) p`,
    refs(attempts),
  );
}

/** Returns the attempt's pay-in, or null. */
export async function findPayIn(
  tx: Tx,
  { merchantId, paymentId, attempt }: Ref,
): Promise<string | null> {
  const row = await tx.row<{ payInId: string | null }>(
    'SELECT pay_in_id FROM attempts WHERE merchant_id = $1 AND payment_id = $2 AND number = $3',
    [merchantId, paymentId, attempt],
  );
  return row?.payInId ?? null;
}
