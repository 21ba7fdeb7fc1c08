import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { THIS_PROCESS } from '../../platform/engine/this-process.ts';
import type { Work } from '../../platform/platform.ts';
import { recordChanges } from '../../platform/state/audit-trail.ts';
import { type Moved, moveRows, type Step } from '../../platform/state/move-rows.ts';
import { stageOf, stateOf } from '../../platform/state/move-statement.ts';
import { type Move, transition } from '../../platform/state/state-machine.ts';
import { failedData, successData } from '../payment/events.ts';
import type {
  AttemptRef,
  Facts,
  Failure,
  NewPayment,
  NoRetryReason,
  PaymentKey,
  RecordedRow,
} from '../payment/payment.ts';
import type { RetryDecision } from '../payment/retry.ts';
import { PAYMENTS, type PaymentState } from '../payment/states.ts';
import { FACTS } from './facts-store.ts';
import { insertToSettle } from './settling-store.ts';

/** Every write of a payment's status and of its work's stage. No other column affects a payment's state. */

const CLAIMED = transition(PAYMENTS, ['pending', 'submit'], 'submit');
const AT_BANK = transition(PAYMENTS, ['submit', 'track'], 'track');
const PAID = transition(PAYMENTS, ['submit', 'track'], 'move');
const RETRY = transition(PAYMENTS, ['submit', 'track'], 'pending');
const END = transition(PAYMENTS, ['submit', 'track'], 'failed');
const STOPPED = transition(PAYMENTS, ['pending'], 'failed');
const REINSTATED = {
  pending: transition(PAYMENTS, ['pending'], 'move'),
  failed: transition(PAYMENTS, ['failed'], 'move'),
};
const SET_ASIDE = transition(PAYMENTS, ['move'], 'failed');
const TRANSFERRED = transition(PAYMENTS, ['move'], 'success');
const BY_HAND = transition(PAYMENTS, ['failed'], 'pending');

/** The assignments to the work in a claim that starts an attempt or resumes one. */
export const CLAIM_FOR_SUBMIT = `${stageOf(CLAIMED)}, polls = t.polls + 1,
  attempt = t.attempt + CASE WHEN t.polls = 0 THEN 1 ELSE 0 END`;

/** The columns of `RecordedRow`, for a payment `t` with its work `w`. */
const MOVED = `t.merchant_id, t.payment_id, t.schedule_id, t.wallet_id, t.amount_pence, t.currency, w.attempt, w.manual`;

/** Moves payments along edges of their state machine: apart from the claim, the only way in which their state changes. */
function movePayments<R, T extends object = object>(
  tx: Tx,
  now: Temporal.Instant,
  rows: readonly R[],
  keyOf: (row: R) => PaymentKey,
  { columns, ...step }: Omit<Step<PaymentState, R>, 'rows'>,
): Promise<Moved<R, T>[]> {
  return moveRows<PaymentState, R, T>(tx, now, {
    ...step,
    rows,
    columns: {
      merchant_id: ['text', (row) => keyOf(row).merchantId],
      payment_id: ['text', (row) => keyOf(row).paymentId],
      ...columns,
    },
  });
}

const itself = <R>(row: R): R => row;

const isAttempt = 'w.attempt = n.attempt';

const auditOf = (row: RecordedRow | TransferredRow, reason: string) => ({
  merchantId: row.merchantId,
  objectId: row.paymentId,
  scheduleId: row.scheduleId,
  reason,
});

/**
 * Inserts payments and their work, due now or at a later due date; of those that are begun, with a lease until `leasedUntil`. The
 * unique key allows one per occurrence, even in a race. Returns the ids of those that are new.
 */
export async function insertPayments(
  tx: Tx,
  now: Temporal.Instant,
  payments: readonly NewPayment[],
  leasedUntil: Temporal.Instant,
): Promise<Set<string>> {
  const opened = await tx.rows<{ merchantId: string; paymentId: string; scheduleId: string }>(
    `WITH opened AS (
       INSERT INTO payments (merchant_id, payment_id, schedule_id, customer_id, consent_id, wallet_id, bank_id,
         amount_pence, currency, due_date, attempts, ad_hoc, description, terms_version, occurrence, is_first, status, created_at)
       SELECT *, CASE attempts WHEN 0 THEN 'pending' ELSE 'processing' END, $12::timestamptz
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
                   $8::bigint[], $9::text[], $10::timestamptz[], $11::int[], $14::text[], $15::text[], $16::int[], $17::int[],
                   $18::boolean[])
         AS n (m, p, s, c, o, w, b, a, y, d, attempts, ad_hoc, description, terms_version, occurrence, is_first)
       ON CONFLICT (merchant_id, schedule_id, due_date, ad_hoc) DO NOTHING
       RETURNING merchant_id, payment_id, schedule_id, bank_id, wallet_id, due_date, attempts
     ), queued AS (
       INSERT INTO payment_work (merchant_id, payment_id, stage, bank_id, wallet_id, due_at, attempt, polls, leased_until,
         claimed_by)
       SELECT merchant_id, payment_id, CASE attempts WHEN 0 THEN 'wait' ELSE 'submit' END, bank_id, wallet_id,
         CASE attempts WHEN 0 THEN greatest($12, due_date) ELSE $13::timestamptz END, attempts, attempts,
         CASE attempts WHEN 0 THEN NULL ELSE $13::timestamptz END, ${THIS_PROCESS} FROM opened
     ) SELECT merchant_id, payment_id, schedule_id FROM opened`,
    [
      ...columns(
        payments,
        'merchantId',
        'paymentId',
        'scheduleId',
        'customerId',
        'consentId',
        'walletId',
        'bankId',
        'amountPence',
        'currency',
        'dueDate',
      ),
      payments.map(({ isBegun }) => (isBegun ? 1 : 0)),
      now,
      leasedUntil,
      payments.map(({ adHoc, paymentId }) => (adHoc === undefined ? null : paymentId)),
      payments.map(({ adHoc }) => adHoc?.description ?? null),
      ...columns(payments, 'termsVersion', 'occurrence'),
      payments.map(({ adHoc }) => adHoc?.isFirst ?? null),
    ],
  );
  const reasons = new Map(payments.map(({ paymentId, adHoc }) => [paymentId, adHoc?.reason]));
  const changes = opened.map((p) => ({
    merchantId: p.merchantId,
    objectId: p.paymentId,
    scheduleId: p.scheduleId,
    from: null,
    to: 'pending',
    reason: reasons.get(p.paymentId) ?? 'the occurrence is due',
  }));
  await recordChanges(tx, now, changes);
  return new Set(opened.map((row) => row.paymentId));
}

/** Marks payments whose attempt has just been claimed as processing, and returns their facts. */
export function beginPayments(
  tx: Tx,
  begun: readonly Omit<AttemptRef, 'scheduleId'>[],
): Promise<Facts[]> {
  if (begun.length === 0) return Promise.resolve([]);
  return tx.rows<Facts>(
    `UPDATE payments t SET ${stateOf(CLAIMED)}, attempts = n.attempt, next_retry_at = NULL
     FROM unnest($1::text[], $2::text[], $3::int[]) AS n (merchant_id, payment_id, attempt)
     WHERE t.merchant_id = n.merchant_id AND t.payment_id = n.payment_id RETURNING ${FACTS}`,
    columns(begun, 'merchantId', 'paymentId', 'attempt'),
  );
}

/** A payment that its bank has accepted under an id, and when to poll the bank first. */
export interface AtBank {
  ref: AttemptRef;
  bankPaymentId: string | null;
  firstPollAt: Temporal.Instant;
}

/** A payment whose bank is polled again. */
export interface AskedRow extends PaymentKey {
  polls: number;
}

/** The same, for a payment in the `track` stage. */
export type TrackedRow = AskedRow & { amountPence: number };

/** Moves payments whose attempt is under way at the bank to `track`. Returns those that were still at that attempt. */
export function moveToTrack(
  tx: Tx,
  now: Temporal.Instant,
  rows: readonly AtBank[],
): Promise<TrackedRow[]> {
  return movePayments<AtBank, TrackedRow>(tx, now, rows, ({ ref }) => ref, {
    move: AT_BANK,
    columns: {
      attempt: ['int', ({ ref }) => ref.attempt],
      bank_payment_id: ['text', ({ bankPaymentId }) => bankPaymentId],
      first_poll_at: ['timestamptz', ({ firstPollAt }) => firstPollAt],
    },
    setWork: `bank_payment_id = n.bank_payment_id, due_at = n.first_poll_at,
      polls = CASE WHEN w.stage = 'track' THEN w.polls ELSE 0 END`,
    where: isAttempt,
    returning: 'w.merchant_id, w.payment_id, w.polls, t.amount_pence',
  });
}

/** An attempt whose money has arrived; with `expected`, only if its payment waits for this amount in this wallet. */
export interface Arrived {
  ref: Omit<AttemptRef, 'scheduleId'>;
  expected?: { walletId: string; amountPence: number };
}

/** Moves payments whose money has arrived to the transfer, due at `dueAt`. Returns those that were still at that attempt. */
export function moveToTransfer<A extends Arrived>(
  tx: Tx,
  now: Temporal.Instant,
  arrived: readonly A[],
  dueAt: Temporal.Instant = now,
): Promise<Moved<A, RecordedRow>[]> {
  return movePayments<A, RecordedRow>(tx, now, arrived, ({ ref }) => ref, {
    move: PAID,
    columns: {
      attempt: ['int', ({ ref }) => ref.attempt],
      due_at: ['timestamptz', () => dueAt],
      wallet_id: ['text', ({ expected }) => expected?.walletId ?? null],
      amount_pence: ['bigint', ({ expected }) => expected?.amountPence ?? null],
    },
    setWork: `due_at = n.due_at, polls = 0, claimed_by = ${THIS_PROCESS}`,
    where: `${isAttempt} AND w.wallet_id = coalesce(n.wallet_id, w.wallet_id)
      AND t.amount_pence = coalesce(n.amount_pence, t.amount_pence)`,
    returning: MOVED,
  });
}

/** Moves a payment whose failed attempt was paid late to the transfer and cancels its retry. Throws if it is in another state. */
export async function moveToReinstated(
  tx: Tx,
  now: Temporal.Instant,
  row: RecordedRow,
  from: 'pending' | 'failed',
): Promise<void> {
  const moved = await movePayments(tx, now, [row], itself, {
    move: REINSTATED[from],
    columns: { due_at: ['timestamptz', () => now] },
    setWork: 'due_at = n.due_at, polls = 0',
    set: 'next_retry_at = NULL, failed_at = NULL',
    audit: () => auditOf(row, 'the money arrived after all'),
  });
  if (moved.length !== 1) throw new Error(`the payment ${row.paymentId} is not ${from}`);
  if (from === 'failed') await insertWork(tx, now, row, REINSTATED.failed);
}

/** A payment whose attempt failed, or that was stopped while waiting. */
export interface Ended {
  row: RecordedRow;
  failure: Failure;
  /** The reason for the audit trail; defaults to the failure's code. */
  reason?: string;
  /** A stop ended it: a cancellation, a pause or a withdrawal. */
  isStopped?: boolean;
  /** Without a retry time the payment has failed. */
  retry: RetryDecision;
}

const retryAtOf = ({ retry }: Ended): Temporal.Instant | null => ('at' in retry ? retry.at : null);
const noRetryReasonOf = ({ retry }: Ended): NoRetryReason | null =>
  'none' in retry ? retry.none : null;

/**
 * Records failed attempts: their payments wait for a retry, or have failed. `from`: `pending` if they were waiting, `processing`
 * if an attempt was under way.
 */
export async function moveToRetryOrFailed(
  work: Work,
  ended: readonly Ended[],
  from: 'pending' | 'processing',
): Promise<void> {
  const isRetried = (one: Ended): boolean => retryAtOf(one) !== null;
  if (from === 'pending') return endByTransition(work, ended, STOPPED);
  await endByTransition(work, ended.filter(isRetried), RETRY);
  await endByTransition(
    work,
    ended.filter((one) => !isRetried(one)),
    END,
  );
}

/** Fails a payment whose money never got on to the merchant. The caller has locked it, and books the money. */
export function moveToSetAside(work: Work, ended: Ended): Promise<void> {
  return endByTransition(work, [ended], SET_ASIDE);
}

async function endByTransition(
  work: Work,
  ended: readonly Ended[],
  move: Move<PaymentState>,
): Promise<void> {
  await movePayments(work.tx, work.now, ended, ({ row }) => row, {
    move,
    columns: {
      code: ['text', ({ failure }) => failure.code],
      message: ['text', ({ failure }) => failure.message],
      retry_at: ['timestamptz', retryAtOf],
      no_retry_reason: ['text', noRetryReasonOf],
      failed_at: ['timestamptz', (one) => (retryAtOf(one) === null ? work.now : null)],
    },
    setWork: 'polls = 0, manual = false, due_at = n.retry_at',
    set: `error_code = n.code, error_message = n.message, next_retry_at = n.retry_at, no_retry_reason = n.no_retry_reason,
      failed_at = n.failed_at`,
    audit: ({ row, failure, reason }) => auditOf(row, reason ?? failure.code),
    events: {
      platform: work.platform,
      of: (one) => ({
        data: failedData(work.now, one.row, {
          failure: one.failure,
          retryAt: retryAtOf(one),
          noRetryReason: noRetryReasonOf(one),
          isStopped: one.isStopped === true,
        }),
      }),
    },
  });
}

/** A payment whose money is in the merchant's wallet. */
export interface TransferredRow extends Omit<RecordedRow, 'walletId' | 'attempt' | 'manual'> {
  /** Null: none. */
  feePence: number | null;
}

/** Marks payments as successful: their money is in the merchant's wallet, and becomes due for settlement at `settleAt`. */
export async function moveToSuccess<R extends TransferredRow>(
  work: Work,
  rows: readonly R[],
  { settleAt, book }: { settleAt: Temporal.Instant; book(done: readonly R[]): Promise<void> },
): Promise<void> {
  await movePayments(work.tx, work.now, rows, itself, {
    move: TRANSFERRED,
    columns: {
      completed_at: ['timestamptz', () => work.now],
      fee_pence: ['bigint', (row) => row.feePence],
    },
    set: 'completed_at = n.completed_at, fee_pence = n.fee_pence, error_code = NULL, error_message = NULL',
    async book(done) {
      await Promise.all([insertToSettle(work.tx, done, settleAt), book(done)]);
    },
    audit: (row) => auditOf(row, "in the merchant's wallet"),
    events: { platform: work.platform, of: (row) => ({ data: successData(work.now, row) }) },
  });
}

/** Schedules a manual retry of a failed payment for a moment. */
export async function moveToRetried(
  tx: Tx,
  now: Temporal.Instant,
  payment: PaymentKey & { scheduleId: string },
  at: Temporal.Instant,
): Promise<void> {
  const { merchantId, paymentId: objectId, scheduleId } = payment;
  await movePayments(tx, now, [payment], itself, {
    move: BY_HAND,
    columns: { due_at: ['timestamptz', () => at] },
    set: 'failed_at = NULL, next_retry_at = n.due_at',
    audit: () => ({ merchantId, objectId, scheduleId, reason: 'retried by hand' }),
  });
  await insertWork(tx, at, payment, BY_HAND);
}

/** Inserts the work of a payment that had ended. Only a person brings one back to wait for an attempt. */
async function insertWork(
  tx: Tx,
  dueAt: Temporal.Instant,
  { merchantId, paymentId }: PaymentKey,
  { machine, to }: Move<PaymentState>,
): Promise<void> {
  await tx.run(
    `INSERT INTO payment_work (merchant_id, payment_id, stage, bank_id, wallet_id, due_at, attempt, manual)
     SELECT merchant_id, payment_id, $3, bank_id, wallet_id, $4, attempts, $5 FROM payments
     WHERE merchant_id = $1 AND payment_id = $2`,
    [merchantId, paymentId, machine.states[to].stage ?? null, dueAt, to === 'pending'],
  );
}
