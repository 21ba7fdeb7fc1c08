import type { Tx } from '../../platform/db/db.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { opaque } from '../../platform/values/opaque.ts';
import { type AttemptRef, instructionId, type PaymentStatus } from '../payment/payment.ts';
import {
  CREDITED_FOR,
  NO_OUTCOME_FOR,
  NOT_SENT_FOR,
  NOT_TRANSFERRED_FOR,
} from '../payment/retry.ts';
import { type Waiting, waitingFor } from '../payment/waiting.ts';
import { ageOf } from './unallocated-view.ts';

/** A payment and its latest attempt, and what decides whether it waits. */
interface Row extends AttemptRef {
  bankId: string;
  amountPence: number;
  currency: string;
  status: PaymentStatus;
  stage: string | null;
  bankPaymentId: string | null;
  bankStatus: string | null;
  sentAt: Temporal.Instant | null;
  claimedAt: Temporal.Instant | null;
  wrongAmountSince: Temporal.Instant | null;
  paidAt: Temporal.Instant | null;
  beginsAt: Temporal.Instant | null;
}

/** A payment that waits for an operator, and why. */
export interface WaitingPayment {
  row: Row;
  waiting: Waiting;
}

/** Since when money of another amount is on the unallocated list for the attempt `a`. */
const WRONG_AMOUNT = `(SELECT min(u.arrived_at) FROM unallocated_items u WHERE u.merchant_id = a.merchant_id
  AND u.payment_id = a.payment_id AND u.attempt = a.number AND u.reason = 'another_amount' AND u.status = 'open')`;

/** For a payment `p`, its work `w` and its last attempt `a`: what decides whether it waits, besides its status and stage. */
const FACTS = `a.sent_at, a.claimed_at, ${WRONG_AMOUNT} AS wrong_amount_since,
  CASE WHEN w.stage = 'move' THEN (SELECT max(s.finished_at) FROM attempts s WHERE s.merchant_id = p.merchant_id
    AND s.payment_id = p.payment_id AND s.status = 'success') END AS paid_at,
  CASE WHEN p.status = 'pending' THEN coalesce(p.next_retry_at, p.due_date) ELSE a.started_at END AS begins_at`;

/** Joins a payment `p` and its last attempt `a`, if one has begun, to its work `w`. */
const OF_WORK = `JOIN payments p ON p.merchant_id = w.merchant_id AND p.payment_id = w.payment_id
  LEFT JOIN attempts a ON a.merchant_id = w.merchant_id AND a.payment_id = w.payment_id AND a.number = w.attempt`;

/** A payment that was asked about less often is too young to wait, unless another amount came. */
const FEW_POLLS = 5;

/** The work of the payments that may wait: without those that have just begun, of which there are many at once. */
const MAY_WAIT = `SELECT merchant_id, payment_id, stage, attempt FROM payment_work
    WHERE stage IN ('wait', 'move') OR polls >= ${FEW_POLLS}
  UNION SELECT b.merchant_id, b.payment_id, b.stage, b.attempt FROM unallocated_items u
    JOIN payment_work b ON b.merchant_id = u.merchant_id AND b.payment_id = u.payment_id
    WHERE u.status = 'open' AND u.reason = 'another_amount'`;

/** Lists payments that wait for an operator, in the operators' view: oldest first, at most `most`. */
export async function listWaiting(tx: Tx, now: Temporal.Instant, most: number) {
  return (await findAllWaiting(tx, now, most)).map(({ row, waiting }) => view(row, waiting, now));
}

/** Returns the payments of all merchants that wait for an operator, oldest first, at most `most`. */
export async function findAllWaiting(
  tx: Tx,
  now: Temporal.Instant,
  most: number,
): Promise<WaitingPayment[]> {
  const rows = await tx.rows<Row>(
    `SELECT * FROM (
       SELECT p.merchant_id, p.payment_id, p.schedule_id, p.bank_id, p.amount_pence, p.currency, p.status, w.stage,
         p.attempts AS attempt, a.bank_payment_id, a.bank_status, ${FACTS}
       FROM (${MAY_WAIT}) w ${OF_WORK}) f
     WHERE sent_at <= $1 OR claimed_at <= $2 OR wrong_amount_since IS NOT NULL OR paid_at <= $4 OR begins_at <= $5
     ORDER BY coalesce(sent_at, begins_at), payment_id LIMIT $3`,
    [
      now.subtract(NO_OUTCOME_FOR),
      now.subtract(CREDITED_FOR),
      most,
      now.subtract(NOT_TRANSFERRED_FOR),
      now.subtract(NOT_SENT_FOR),
    ],
  );
  return rows.flatMap((row) => {
    const waiting = waitingFor(row, now);
    return waiting === null ? [] : [{ row, waiting }];
  });
}

function view(row: Row, { reason, since }: Waiting, now: Temporal.Instant) {
  return {
    payment_id: row.paymentId,
    merchant_id: row.merchantId,
    schedule_id: row.scheduleId,
    amount: { value: row.amountPence, currency: row.currency },
    waits_for: reason,
    since: formatInstant(since),
    age: ageOf(since, now),
    bank_id: row.bankId,
    end_to_end_id: instructionId(row.paymentId, Math.max(1, row.attempt)),
    bank_payment_id: row.bankPaymentId,
    bank_status: row.bankStatus,
  };
}

/** Returns which of these payments wait for an operator, why, and since when. */
export async function findWaiting(
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<Map<string, Waiting>> {
  if (paymentIds.length === 0) return new Map();
  const rows = await tx.rows<Row>(
    `SELECT p.payment_id, p.status, w.stage, ${FACTS}
     FROM payments p
     JOIN payment_work w ON w.merchant_id = p.merchant_id AND w.payment_id = p.payment_id
     LEFT JOIN attempts a ON a.merchant_id = p.merchant_id AND a.payment_id = p.payment_id AND a.number = w.attempt
     WHERE p.merchant_id = $1 AND p.payment_id = ANY ($2) AND ${opaque("p.status IN ('pending', 'processing')")}`,
    [merchantId, paymentIds],
  );
  return new Map(
    rows.flatMap((row): [string, Waiting][] => {
      const waiting = waitingFor(row, now);
      return waiting === null ? [] : [[row.paymentId, waiting]];
    }),
  );
}

/** A payment that an operator gives up, in its current state. */
export interface OperatedRow
  extends Omit<Row, 'currency' | 'bankStatus' | 'claimedAt' | 'wrongAmountSince' | 'paidAt'> {
  walletId: string;
  polls: number;
  /** The issuer has had money of another amount for this attempt: it is or was on the unallocated list. */
  hasWrongAmount: boolean;
  /** The item of that money, if nobody has decided about it yet. */
  undecidedItemId: string | null;
}

export function findOperated(tx: Tx, paymentId: string): Promise<OperatedRow | null> {
  return tx.row<OperatedRow>(
    `SELECT p.merchant_id, p.payment_id, p.schedule_id, p.wallet_id, p.amount_pence, p.bank_id, a.bank_payment_id,
            p.status, w.stage, p.attempts AS attempt, coalesce(w.polls, 0) AS polls, a.sent_at,
            CASE WHEN p.status = 'pending' THEN coalesce(p.next_retry_at, p.due_date) ELSE a.started_at END AS begins_at,
            EXISTS (SELECT 1 FROM unallocated_items u WHERE u.merchant_id = p.merchant_id AND u.payment_id = p.payment_id
              AND u.attempt = p.attempts AND u.reason = 'another_amount') AS has_wrong_amount,
            (SELECT min(u.item_id) FROM unallocated_items u WHERE u.merchant_id = p.merchant_id AND u.payment_id = p.payment_id
              AND u.reason = 'another_amount' AND u.status = 'open') AS undecided_item_id
     FROM payments p
     LEFT JOIN payment_work w ON w.merchant_id = p.merchant_id AND w.payment_id = p.payment_id
     LEFT JOIN attempts a ON a.merchant_id = p.merchant_id AND a.payment_id = p.payment_id AND a.number = p.attempts
     WHERE p.payment_id = $1`,
    [paymentId],
  );
}
