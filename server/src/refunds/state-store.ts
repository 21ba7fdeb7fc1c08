import type { Tx } from '../platform/db/db.ts';
import type { Work } from '../platform/platform.ts';
import { moveRows, type Step } from '../platform/state/move-rows.ts';
import { transition } from '../platform/state/state-machine.ts';
import { REFUNDS, type RefundState } from './refund.ts';
import type { RefundRow } from './store.ts';

/** The state changes of refunds; nothing else writes a refund's status or stage. */

const RESERVED = transition(REFUNDS, ['waiting'], 'pending');
const TO_ASKED = transition(REFUNDS, ['pending', 'asked'], 'asked');
const TO_TRACK = transition(REFUNDS, ['asked', 'track'], 'track');
const PAID = transition(REFUNDS, ['asked', 'track'], 'success');
const NOT_PAID = transition(REFUNDS, ['asked', 'track'], 'failed');
const STOPPED_WAITING = transition(REFUNDS, ['waiting'], 'failed');
const STOPPED = transition(REFUNDS, ['pending'], 'failed');
const CAME_BACK = transition(REFUNDS, ['success'], 'failed');

type RefundStep = Omit<Step<RefundState, RefundRow>, 'rows'>;

async function moveOne(
  tx: Tx,
  now: Temporal.Instant,
  row: RefundRow,
  reason: string,
  step: RefundStep,
): Promise<boolean> {
  const moved = await moveRows<RefundState, RefundRow>(tx, now, {
    audit: () => ({
      merchantId: row.merchantId,
      objectId: row.refundId,
      scheduleId: row.scheduleId,
      reason,
      from: row.status,
    }),
    ...step,
    rows: [row],
    columns: {
      merchant_id: ['text', (one) => one.merchantId],
      refund_id: ['text', (one) => one.refundId],
      at: ['timestamptz', () => now],
      ...step.columns,
    },
  });
  return moved.length === 1;
}

/** A refund to be made. */
export type NewRefund = Pick<
  RefundRow,
  'merchantId' | 'refundId' | 'paymentId' | 'scheduleId' | 'amountPence' | 'currency' | 'reason'
>;

/** Inserts a refund: its money is set apart, or it waits for it until it is tried again at `dueAt`. */
export async function insertRefund(
  tx: Tx,
  now: Temporal.Instant,
  refund: NewRefund,
  { isWaiting, dueAt }: { isWaiting: boolean; dueAt: Temporal.Instant },
): Promise<void> {
  const state = REFUNDS.states[isWaiting ? 'waiting' : 'pending'];
  await tx.run(
    `INSERT INTO refunds (merchant_id, refund_id, payment_id, schedule_id, amount_pence, currency, reason, status, stage,
       due_at, created_at, set_apart_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      refund.merchantId,
      refund.refundId,
      refund.paymentId,
      refund.scheduleId,
      refund.amountPence,
      refund.currency,
      refund.reason,
      state.status ?? null,
      state.stage ?? null,
      dueAt,
      now,
      isWaiting ? null : now,
    ],
  );
}

/** Ends the wait of a refund: its money is set apart by `book`. */
export function moveToReserved(
  tx: Tx,
  now: Temporal.Instant,
  row: RefundRow,
  book: () => Promise<void>,
): Promise<boolean> {
  return moveOne(tx, now, row, 'its money is set apart', {
    move: RESERVED,
    columns: {},
    set: 'due_at = n.at, set_apart_at = n.at, polls = 0',
    book,
  });
}

/**
 * Notes, before the issuer is called, that the pay-out may be with it from now on. The destination stays the same once it is
 * known. Returns false if the refund has ended meanwhile.
 */
export function moveToAsked(
  tx: Tx,
  now: Temporal.Instant,
  row: RefundRow,
  destination: string,
): Promise<boolean> {
  return moveOne(tx, now, row, 'the issuer is asked', {
    move: TO_ASKED,
    columns: { destination: ['text', () => destination], polls: ['int', () => row.polls] },
    set: 'destination = coalesce(t.destination, n.destination)',
    where: 't.polls = n.polls',
  });
}

/** Records the issuer's id of a pay-out that is under way. */
export async function moveToTracked(
  tx: Tx,
  now: Temporal.Instant,
  row: RefundRow,
  { movementId, dueAt }: { movementId: string; dueAt: Temporal.Instant },
): Promise<void> {
  await moveOne(tx, now, row, 'the issuer has the pay-out', {
    move: TO_TRACK,
    columns: {
      due_at: ['timestamptz', () => dueAt],
      issuer_movement_id: ['text', () => movementId],
    },
    set: 'due_at = n.due_at, issuer_movement_id = n.issuer_movement_id',
  });
}

/** What is written when a refund ends: the postings, and the event's data. */
export interface End {
  book(): Promise<void>;
  data: object;
}

/** Ends a refund: the money is with the customer's bank. */
export async function moveToPaid(
  { platform, tx, now }: Work,
  row: RefundRow,
  { movementId, book, data }: End & { movementId: string | null },
): Promise<void> {
  await moveOne(tx, now, row, 'paid to the account that paid', {
    move: PAID,
    columns: { issuer_movement_id: ['text', () => movementId] },
    set: `due_at = NULL, completed_at = n.at,
      issuer_movement_id = coalesce(n.issuer_movement_id, t.issuer_movement_id)`,
    book,
    events: { platform, of: () => ({ data }) },
  });
}

/** Why a refund failed. */
export interface RefundError {
  code: string;
  message: string;
}

type Failure = End & { error: RefundError };

const FAILED = `due_at = NULL, failed_at = n.at, error_code = n.error_code, error_message = n.error_message`;

const errorColumns = ({ error }: Failure): RefundStep['columns'] => ({
  error_code: ['text', () => error.code],
  error_message: ['text', () => error.message],
});

/** Ends a refund that the issuer refused, unless it was called again meanwhile: that order may have gone through. */
export function moveToNotPaid(work: Work, row: RefundRow, failure: Failure): Promise<boolean> {
  return moveOne(work.tx, work.now, row, failure.error.code, {
    move: NOT_PAID,
    columns: { ...errorColumns(failure), polls: ['int', () => row.polls] },
    set: FAILED,
    where: 't.polls = n.polls',
    ...endOf(work, failure),
  });
}

/** Ends a refund for which nothing was ordered, unless it has got its money meanwhile. */
export function moveToStopped(work: Work, row: RefundRow, failure: Failure): Promise<boolean> {
  return moveOne(work.tx, work.now, row, failure.error.code, {
    move: row.stage === 'wait' ? STOPPED_WAITING : STOPPED,
    columns: errorColumns(failure),
    set: FAILED,
    ...endOf(work, failure),
  });
}

/** Fails a refund whose pay-out came back by this movement. */
export function moveToCameBack(
  work: Work,
  row: RefundRow,
  failure: Failure & { movementId: string },
): Promise<boolean> {
  return moveOne(work.tx, work.now, row, failure.error.code, {
    move: CAME_BACK,
    columns: {
      ...errorColumns(failure),
      return_movement_id: ['text', () => failure.movementId],
    },
    set: `${FAILED}, completed_at = NULL, return_movement_id = n.return_movement_id`,
    ...endOf(work, failure),
  });
}

const endOf = ({ platform }: Work, { book, data }: End): Pick<RefundStep, 'book' | 'events'> => ({
  book,
  events: { platform, of: () => ({ data }) },
});
