import type { Tx } from '../platform/db/db.ts';
import type { Work } from '../platform/platform.ts';
import { type Moved, moveRows, type Step } from '../platform/state/move-rows.ts';
import { transition } from '../platform/state/state-machine.ts';
import { SETTLEMENTS, type SettlementState } from './settlement.ts';
import type { SettlementRow } from './store.ts';

/** The state changes of settlements; nothing else writes a settlement's status or stage. */

const UNDER_WAY: readonly SettlementState[] = ['pending', 'asked', 'track'];
const TO_ASKED = transition(SETTLEMENTS, ['pending', 'asked'], 'asked');
const STILL_TRACKED = transition(SETTLEMENTS, ['track'], 'track');
const TO_TRACK = transition(SETTLEMENTS, UNDER_WAY, 'track');
const DIFFERS = transition(SETTLEMENTS, UNDER_WAY, 'differs');
const ASKED_AGAIN = transition(SETTLEMENTS, ['differs'], 'asked');
const PAID_OUT = transition(SETTLEMENTS, UNDER_WAY, 'success');
const FAILED = transition(SETTLEMENTS, UNDER_WAY, 'failed');
/** Of one that waits for a person. */
const PAID_BY_DECISION = transition(SETTLEMENTS, ['differs'], 'success');
const FAILED_BY_DECISION = transition(SETTLEMENTS, ['differs'], 'failed');
const CAME_BACK = transition(SETTLEMENTS, ['success'], 'failed');
const RETRIED = transition(SETTLEMENTS, ['failed'], 'pending');
const PASSED_ON = transition(SETTLEMENTS, ['failed'], 'passed_on');

type Part = Pick<SettlementRow, 'merchantId' | 'settlementId'>;
type SettlementStep<R> = Omit<Step<SettlementState, R>, 'rows'>;

/** Moves settlements along edges of their table; returns those that moved. */
function moveSettlements<R extends Part>(
  tx: Tx,
  now: Temporal.Instant,
  rows: readonly R[],
  step: SettlementStep<R>,
): Promise<Moved<R, object>[]> {
  return moveRows<SettlementState, R>(tx, now, {
    ...step,
    rows,
    columns: {
      merchant_id: ['text', (row) => row.merchantId],
      settlement_id: ['text', (row) => row.settlementId],
      ...step.columns,
    },
  });
}

async function moveOne(
  tx: Tx,
  now: Temporal.Instant,
  row: SettlementRow,
  reason: string,
  step: SettlementStep<SettlementRow>,
): Promise<boolean> {
  const moved = await moveSettlements(tx, now, [row], {
    audit: () => ({
      merchantId: row.merchantId,
      objectId: row.settlementId,
      scheduleId: null,
      reason,
      from: row.status,
    }),
    ...step,
  });
  return moved.length === 1;
}

/** Inserts a settlement, to be paid out now. */
export async function insertSettlement(
  tx: Tx,
  s: {
    merchantId: string;
    settlementId: string;
    day: Temporal.PlainDate;
    part: number;
    grossPence: number;
    /** What refunds took, less what failed ones gave back. */
    refundsPence: number;
    feesPence: number;
    /** What the merchant owed. */
    carriedPence: number;
    currency: string;
    destination: string;
    statementReference: string;
  },
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `INSERT INTO settlements (merchant_id, settlement_id, settle_date, part, amount_pence, gross_pence, carried_pence,
       refunds_pence, fees_pence, currency, status, stage, due_at, attempts, destination, statement_reference, created_at)
     VALUES ($1, $2, $3, $4, $5::bigint - $9::bigint - $10::bigint - $11::bigint, $5, $9, $10, $11, $6, 'pending', 'pay',
       $8, 1, $7, $12, $8)`,
    [
      s.merchantId,
      s.settlementId,
      s.day,
      s.part,
      s.grossPence,
      s.currency,
      s.destination,
      now,
      s.carriedPence,
      s.refundsPence,
      s.feesPence,
      s.statementReference,
    ],
  );
}

const differs = ({ status, stage }: SettlementRow): boolean =>
  status === 'processing' && stage === null;

/** What is written when an attempt ends: the postings, and the event's data. */
export interface End {
  book(): Promise<void>;
  data: object;
}

const isRunningAttempt = 't.attempts = n.attempts';
type Column = SettlementStep<SettlementRow>['columns'][string];
const attempts: Column = ['int', (row) => row.attempts];
/** What the issuer says that the pay-out carries, where it is not what was ordered. */
const issuer_reference: Column = ['text', (row) => row.issuerReference];

/**
 * Records that the pay-out was ordered: the issuer has it under an id, or its outcome is unknown. It is polled again at
 * `dueAt`. Does nothing if the attempt has ended meanwhile.
 */
export async function moveToAsked(
  tx: Tx,
  now: Temporal.Instant,
  row: SettlementRow,
  { movementId, dueAt }: { movementId: string | null; dueAt: Temporal.Instant },
): Promise<void> {
  await moveOne(tx, now, row, 'the issuer is asked', {
    move: movementId === null ? [TO_ASKED, STILL_TRACKED] : TO_TRACK,
    ...(movementId === null && {
      choose: () => (row.stage === 'track' ? STILL_TRACKED : TO_ASKED),
    }),
    columns: {
      attempts,
      due_at: ['timestamptz', () => dueAt],
      issuer_movement_id: ['text', () => movementId],
      issuer_reference,
    },
    set: `due_at = n.due_at, issuer_movement_id = coalesce(n.issuer_movement_id, t.issuer_movement_id),
      issuer_reference = n.issuer_reference`,
    where: isRunningAttempt,
  });
}

/**
 * Leaves the running attempt to a person: the issuer has another amount under its key. Returns false if it has ended
 * meanwhile.
 */
export function moveToDiffers(
  tx: Tx,
  now: Temporal.Instant,
  row: SettlementRow,
  { movementId, message }: { movementId: string | null; message: string },
): Promise<boolean> {
  return moveOne(tx, now, row, message, {
    move: DIFFERS,
    columns: {
      attempts,
      issuer_movement_id: ['text', () => movementId],
      error_message: ['text', () => message],
      issuer_reference,
    },
    set: `due_at = NULL, issuer_movement_id = n.issuer_movement_id, error_code = 'amount_differs',
      error_message = n.error_message, issuer_reference = n.issuer_reference`,
    where: isRunningAttempt,
  });
}

/** Resumes polling about an attempt that was left to a person. Returns false if none waits. */
export function moveToAskedAgain(
  tx: Tx,
  now: Temporal.Instant,
  row: SettlementRow,
  reason: string,
): Promise<boolean> {
  return moveOne(tx, now, row, reason, {
    move: ASKED_AGAIN,
    columns: { attempts, due_at: ['timestamptz', () => now] },
    set: 'due_at = n.due_at, issuer_movement_id = NULL, error_code = NULL, error_message = NULL',
    where: isRunningAttempt,
  });
}

/** Ends the running attempt: the money is paid out. `movementId` is null if it was recorded before. */
export async function moveToPaidOut(
  work: Work,
  row: SettlementRow,
  { movementId, book, data }: End & { movementId: string | null },
): Promise<void> {
  await moveOne(work.tx, work.now, row, 'paid out', {
    move: differs(row) ? PAID_BY_DECISION : PAID_OUT,
    columns: {
      attempts,
      completed_at: ['timestamptz', () => work.now],
      issuer_movement_id: ['text', () => movementId],
      issuer_reference,
    },
    set: `due_at = NULL, completed_at = n.completed_at, failed_at = NULL, error_code = NULL, error_message = NULL,
      issuer_movement_id = coalesce(n.issuer_movement_id, t.issuer_movement_id), issuer_reference = n.issuer_reference`,
    where: isRunningAttempt,
    book,
    events: { platform: work.platform, of: () => ({ data, isConfidential: true }) },
  });
}

/** Why a settlement failed, and when its money goes out again. */
export interface SettlementFailure {
  error: { code: string; message: string };
  carryAt: Temporal.Instant;
}

const failureColumns = ({
  error,
  carryAt,
}: SettlementFailure): SettlementStep<SettlementRow>['columns'] => ({
  due_at: ['timestamptz', () => carryAt],
  error_code: ['text', () => error.code],
  error_message: ['text', () => error.message],
});

/** Ends the running attempt as failed, unless the issuer was called again meanwhile: that order may have gone through. */
export async function moveToFailed(
  work: Work,
  row: SettlementRow,
  { book, data, ...failure }: End & SettlementFailure,
): Promise<void> {
  await moveOne(work.tx, work.now, row, failure.error.code, {
    move: differs(row) ? FAILED_BY_DECISION : FAILED,
    columns: {
      attempts,
      polls: ['int', () => row.polls],
      failed_at: ['timestamptz', () => work.now],
      issuer_reference,
      ...failureColumns(failure),
    },
    set: `due_at = n.due_at, failed_at = n.failed_at, error_code = n.error_code, error_message = n.error_message,
      issuer_reference = n.issuer_reference`,
    where: `${isRunningAttempt} AND t.polls = n.polls`,
    book,
    events: { platform: work.platform, of: () => ({ data, isConfidential: true }) },
  });
}

/** Fails a settlement whose pay-out came back. Its merchant's account is in doubt until it is confirmed or changed. */
export async function moveToCameBack(
  work: Work,
  row: SettlementRow,
  { movementId, book, data, ...failure }: End & SettlementFailure & { movementId: string },
): Promise<void> {
  await moveOne(work.tx, work.now, row, failure.error.code, {
    move: CAME_BACK,
    columns: {
      return_movement_id: ['text', () => movementId],
      failed_at: ['timestamptz', () => work.now],
      ...failureColumns(failure),
    },
    set: `due_at = n.due_at, failed_at = n.failed_at, completed_at = NULL, error_code = n.error_code,
      error_message = n.error_message, return_movement_id = n.return_movement_id, account_doubted_at = n.failed_at`,
    book,
    events: { platform: work.platform, of: () => ({ data, isConfidential: true }) },
  });
}

/** Starts a new attempt of a failed settlement, on request. */
export async function moveToRetried(
  tx: Tx,
  now: Temporal.Instant,
  row: SettlementRow,
  destination: string,
): Promise<void> {
  await moveOne(tx, now, row, 'retried by hand', {
    move: RETRIED,
    columns: { due_at: ['timestamptz', () => now], destination: ['text', () => destination] },
    set: `due_at = n.due_at, attempts = t.attempts + 1, polls = 0, issuer_movement_id = NULL, return_movement_id = NULL,
      destination = n.destination, failed_at = NULL, error_code = NULL, error_message = NULL`,
  });
}

/** Closes failed settlements whose money goes out with a later one. */
export async function moveToPassedOn(
  tx: Tx,
  now: Temporal.Instant,
  rows: readonly Part[],
): Promise<void> {
  await moveSettlements(tx, now, rows, {
    move: PASSED_ON,
    columns: {},
    set: 'due_at = NULL',
  });
}
