import { recordChanges } from '../platform/audit-trail.ts';
import { columns } from '../platform/db/columns.ts';
import type { Tx } from '../platform/db.ts';
import { type Moved, moveRows, type Step, stateOf } from '../platform/move-rows.ts';
import type { Work } from '../platform/platform.ts';
import { along } from '../platform/state-machine.ts';
import { failedData, successData } from './events.ts';
import type { AttemptRef, Failure, NoRetryReason, RecordedRow } from './payment.ts';
import type { RetryDecision } from './retry.ts';
import { PAYMENTS, type PaymentState } from './states.ts';

/** Every write of a payment's status and stage. No other column of a payment affects its state. */

const CLAIMED = along(PAYMENTS, ['pending', 'submit'], 'submit');
const AT_BANK = along(PAYMENTS, ['submit', 'track'], 'track');
const PAID = along(PAYMENTS, ['submit', 'track'], 'move');
const RETRY = along(PAYMENTS, ['submit', 'track'], 'pending');
const END = along(PAYMENTS, ['submit', 'track'], 'failed');
const STOPPED = along(PAYMENTS, ['pending'], 'failed');
const REINSTATED = {
  pending: along(PAYMENTS, ['pending'], 'move'),
  failed: along(PAYMENTS, ['failed'], 'move'),
};
const TRANSFERRED = along(PAYMENTS, ['move'], 'success');
const BY_HAND = along(PAYMENTS, ['failed'], 'pending');

/** The assignments of a claim that starts an attempt or resumes one. */
export const CLAIM_FOR_SUBMIT = `${stateOf(CLAIMED)}, next_retry_at = NULL, polls = t.polls + 1,
  attempts = t.attempts + CASE WHEN t.polls = 0 THEN 1 ELSE 0 END`;

/** The columns of `RecordedRow`, for a payment `t`. */
const RECORDED = `t.merchant_id, t.payment_id, t.schedule_id, t.wallet_id, t.amount_pence, t.currency, t.attempts, t.manual`;

type Key = Pick<AttemptRef, 'merchantId' | 'paymentId'>;

/** Moves payments along edges of their state machine: apart from the claim, the only way in which their state changes. */
function movePayments<R, T extends object = object>(
  tx: Tx,
  now: Temporal.Instant,
  rows: readonly R[],
  keyOf: (row: R) => Key,
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

const isAttempt = 't.attempts = n.attempt';

const keyOfRow = (row: Pick<RecordedRow, 'merchant_id' | 'payment_id'>): Key => ({
  merchantId: row.merchant_id,
  paymentId: row.payment_id,
});

const auditOf = (row: RecordedRow | TransferredRow, reason: string) => ({
  merchantId: row.merchant_id,
  objectId: row.payment_id,
  scheduleId: row.schedule_id,
  reason,
});

/** A payment to open. */
export interface NewPayment {
  merchantId: string;
  paymentId: string;
  scheduleId: string;
  customerId: string;
  consentId: string;
  walletId: string;
  bankId: string;
  amountPence: number;
  currency: string;
  dueDate: Temporal.Instant;
}

/** Inserts payments that are due now. The unique key allows one per occurrence, even in a race. */
export async function insertPayments(
  tx: Tx,
  now: Temporal.Instant,
  payments: readonly NewPayment[],
): Promise<void> {
  const opened = await tx.rows<{ merchant_id: string; payment_id: string; schedule_id: string }>(
    `INSERT INTO payments (merchant_id, payment_id, schedule_id, customer_id, consent_id, wallet_id, bank_id,
       amount_pence, currency, due_date, status, stage, due_at, created_at)
     SELECT *, 'pending', 'submit', $11::timestamptz, $11::timestamptz
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
                 $8::bigint[], $9::text[], $10::timestamptz[])
     ON CONFLICT (merchant_id, schedule_id, due_date) DO NOTHING
     RETURNING merchant_id, payment_id, schedule_id`,
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
      now,
    ],
  );
  const changes = opened.map((p) => ({
    merchantId: p.merchant_id,
    objectId: p.payment_id,
    scheduleId: p.schedule_id,
    from: null,
    to: 'pending',
    reason: 'the occurrence is due',
  }));
  await recordChanges(tx, now, changes);
}

/** A payment that its bank has accepted under an id, and when to poll the bank first. */
export interface AtBank {
  ref: AttemptRef;
  bankPaymentId: string | null;
  firstPollAt: Temporal.Instant;
}

/** A payment whose bank is polled again. */
export interface AskedRow {
  merchant_id: string;
  payment_id: string;
  polls: number;
}

/** The same, for a payment in the `track` stage. */
export type TrackedRow = AskedRow & { amount_pence: number };

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
    set: `bank_payment_id = n.bank_payment_id, due_at = n.first_poll_at,
      polls = CASE WHEN t.stage = 'track' THEN t.polls ELSE 0 END`,
    where: isAttempt,
    returning: 't.merchant_id, t.payment_id, t.polls, t.amount_pence',
  });
}

/** Moves payments whose money has arrived to the transfer. Returns those that were still at that attempt. */
export function moveToTransfer(
  tx: Tx,
  now: Temporal.Instant,
  paid: readonly { ref: AttemptRef }[],
): Promise<RecordedRow[]> {
  return movePayments<{ ref: AttemptRef }, RecordedRow>(tx, now, paid, ({ ref }) => ref, {
    move: PAID,
    columns: {
      attempt: ['int', ({ ref }) => ref.attempt],
      due_at: ['timestamptz', () => now],
    },
    set: 'due_at = n.due_at, polls = 0',
    where: isAttempt,
    returning: RECORDED,
  });
}

/** Moves a payment whose failed attempt was paid late to the transfer and cancels its retry. Throws if it is in another state. */
export async function moveToReinstated(
  tx: Tx,
  now: Temporal.Instant,
  row: RecordedRow,
  from: 'pending' | 'failed',
): Promise<void> {
  const moved = await movePayments(tx, now, [row], keyOfRow, {
    move: REINSTATED[from],
    columns: { due_at: ['timestamptz', () => now] },
    set: 'due_at = n.due_at, polls = 0, next_retry_at = NULL, failed_at = NULL',
    audit: () => auditOf(row, 'the money arrived after all'),
  });
  if (moved.length !== 1) throw new Error(`the payment ${row.payment_id} is not ${from}`);
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
export async function moveToFailed(
  work: Work,
  ended: readonly Ended[],
  from: 'pending' | 'processing',
): Promise<void> {
  await movePayments(work.tx, work.now, ended, ({ row }) => keyOfRow(row), {
    ...(from === 'pending'
      ? { move: STOPPED }
      : { move: [RETRY, END], choose: (one) => (retryAtOf(one) === null ? END : RETRY) }),
    columns: {
      code: ['text', ({ failure }) => failure.code],
      message: ['text', ({ failure }) => failure.message],
      retry_at: ['timestamptz', retryAtOf],
      no_retry_reason: ['text', noRetryReasonOf],
      failed_at: ['timestamptz', (one) => (retryAtOf(one) === null ? work.now : null)],
    },
    set: `polls = 0, manual = false, error_code = n.code, error_message = n.message, due_at = n.retry_at,
      next_retry_at = n.retry_at, no_retry_reason = n.no_retry_reason, failed_at = n.failed_at`,
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
export interface TransferredRow {
  merchant_id: string;
  payment_id: string;
  schedule_id: string;
  amount_pence: number;
  currency: string;
}

/** Marks payments as successful: their money is in the merchant's wallet, and becomes due for settlement at `settleAt`. */
export async function moveToSuccess<R extends TransferredRow>(
  work: Work,
  rows: readonly R[],
  { settleAt, book }: { settleAt: Temporal.Instant; book(done: readonly R[]): Promise<void> },
): Promise<void> {
  await movePayments(work.tx, work.now, rows, keyOfRow, {
    move: TRANSFERRED,
    columns: {
      completed_at: ['timestamptz', () => work.now],
      settle_at: ['timestamptz', () => settleAt],
    },
    set: `due_at = NULL, completed_at = n.completed_at, settle_at = n.settle_at, error_code = NULL, error_message = NULL,
      manual = false`,
    book,
    audit: (row) => auditOf(row, "in the merchant's wallet"),
    events: { platform: work.platform, of: (row) => ({ data: successData(work.now, row) }) },
  });
}

/** Schedules a manual retry of a failed payment for now. */
export async function moveToRetried(
  tx: Tx,
  now: Temporal.Instant,
  payment: Key & { scheduleId: string },
): Promise<void> {
  const { merchantId, paymentId: objectId, scheduleId } = payment;
  await movePayments(tx, now, [payment], (row) => row, {
    move: BY_HAND,
    columns: { due_at: ['timestamptz', () => now] },
    set: `due_at = n.due_at, polls = 0, manual = true, failed_at = NULL, next_retry_at = n.due_at, stopped_by = NULL`,
    audit: () => ({ merchantId, objectId, scheduleId, reason: 'retried by hand' }),
  });
}

/** Lowers a payment's amount to the amount accepted for it. */
export async function lowerAmount(
  tx: Tx,
  { merchantId, paymentId }: Key,
  amountPence: number,
): Promise<void> {
  await tx.run('UPDATE payments SET amount_pence = $3 WHERE merchant_id = $1 AND payment_id = $2', [
    merchantId,
    paymentId,
    amountPence,
  ]);
}
