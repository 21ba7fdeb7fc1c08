import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { opaque } from '../../platform/values/opaque.ts';
import type { Candidate, LateMoney, RecognisedBy } from '../payment/allocation.ts';
import {
  type AttemptRef,
  type PaymentKey,
  type Receiving,
  type RecordedRow,
  readInstructionId,
} from '../payment/payment.ts';
import { lockPayments } from './lock-store.ts';

/** An attempt that money may belong to, with its payment's row. */
export interface FoundCandidate extends Candidate {
  row: Receiving;
}

/** The wallet where money arrived, and its end-to-end id. */
interface ArrivalKey {
  merchantId: string;
  walletId: string;
  endToEndId: string | null;
}

/**
 * Locks the payments whose attempts arrived money may belong to, and returns those attempts: of the payment that the end-to-end
 * id names, and, if it names none (with `alsoAwaiting`: in any case), of those that await money in its wallet.
 */
export async function lockCandidates(
  tx: Tx,
  places: readonly ArrivalKey[],
  alsoAwaiting: boolean,
): Promise<FoundCandidate[]> {
  const named = places.flatMap(({ merchantId, endToEndId }) => {
    const name = readInstructionId(endToEndId);
    return name === null ? [] : [{ merchantId, paymentId: name.paymentId }];
  });
  const nameless = places.filter(
    ({ endToEndId }) => alsoAwaiting || readInstructionId(endToEndId) === null,
  );
  const keys = [...named, ...(await findAwaiting(tx, nameless))];
  await lockPayments(tx, keys);
  return readCandidates(tx, keys); // as they are after the lock
}

function findAwaiting(tx: Tx, places: readonly ArrivalKey[]): Promise<PaymentKey[]> {
  if (places.length === 0) return Promise.resolve([]);
  return tx.rows<PaymentKey>(
    `SELECT p.merchant_id, p.payment_id
     FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[]) AS u (merchant_id, wallet_id)) l
     CROSS JOIN LATERAL (SELECT merchant_id, payment_id FROM payment_work
       WHERE merchant_id = l.merchant_id AND wallet_id = l.wallet_id AND ${opaque("stage IN ('submit', 'track')")} OFFSET 0) p`,
    columns(places, 'merchantId', 'walletId'),
  );
}

type PaymentColumns = FoundCandidate['row'];

interface AttemptColumns {
  number: number;
  attemptStatus: Candidate['attemptStatus'];
  sentAt: Temporal.Instant | null;
  payInId: string | null;
  payInBy: RecognisedBy | null;
}

/** Reads the attempts of these payments, each with its payment. */
async function readCandidates(tx: Tx, keys: readonly PaymentKey[]): Promise<FoundCandidate[]> {
  if (keys.length === 0) return [];
  const rows = await tx.rows<PaymentColumns & AttemptColumns>(
    `SELECT p.*, coalesce(w.manual, false) AS manual, w.stage, a.*
     FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[]) AS u (merchant_id, payment_id)) k
     CROSS JOIN LATERAL (SELECT merchant_id, payment_id, schedule_id, wallet_id, amount_pence, currency,
       attempts AS attempt, status FROM payments WHERE merchant_id = k.merchant_id AND payment_id = k.payment_id OFFSET 0) p
     LEFT JOIN LATERAL (SELECT manual, stage FROM payment_work
       WHERE merchant_id = k.merchant_id AND payment_id = k.payment_id OFFSET 0) w ON true
     CROSS JOIN LATERAL (SELECT number, status AS attempt_status, sent_at, pay_in_id, pay_in_by FROM attempts
       WHERE merchant_id = k.merchant_id AND payment_id = k.payment_id OFFSET 0) a
     ORDER BY k.merchant_id, k.payment_id`,
    columns(keys, 'merchantId', 'paymentId'),
  );
  return rows.map(toCandidate);
}

function toCandidate({
  number,
  attemptStatus,
  sentAt,
  payInId,
  payInBy,
  ...row
}: PaymentColumns & AttemptColumns): FoundCandidate {
  return {
    row,
    paymentId: row.paymentId,
    attempt: number,
    walletId: row.walletId,
    amountPence: row.amountPence,
    paymentStatus: row.status,
    isUnderWay: isUnderWay(row, number),
    attemptStatus,
    sentAt,
    paidBy: payInId === null ? null : (payInBy ?? 'name'),
  };
}

const isUnderWay = (row: PaymentColumns, attempt: number): boolean =>
  row.status === 'processing' && row.stage !== 'move' && row.attempt === attempt;

const MAX_GUESSED = 20;

/**
 * Returns recent payments of a wallet with this amount, newest first. No attempt awaits the money, but it may be meant for one of
 * them.
 */
export async function findWithSameAmount(
  tx: Tx,
  {
    merchantId,
    walletId,
    amountPence,
  }: { merchantId: string; walletId: string; amountPence: number },
): Promise<FoundCandidate[]> {
  const keys = await tx.rows<PaymentKey>(
    `SELECT p.merchant_id, p.payment_id FROM wallets w
     JOIN schedules s ON s.merchant_id = w.merchant_id AND s.customer_id = w.customer_id
     JOIN payments p ON p.merchant_id = s.merchant_id AND p.schedule_id = s.schedule_id
     WHERE w.merchant_id = $1 AND w.wallet_id = $2
       AND ${opaque('p.wallet_id = w.wallet_id AND p.amount_pence = $3')}
     ORDER BY p.payment_id DESC LIMIT ${MAX_GUESSED}`,
    [merchantId, walletId, amountPence],
  );
  return readCandidates(tx, keys);
}

/** Returns which of these movements are already booked, whatever they paid for. */
export async function findBooked(
  tx: Tx,
  movements: readonly { merchantId: string; movementId: string }[],
): Promise<Set<string>> {
  if (movements.length === 0) return new Set();
  const rows = await tx.rows<{ sourceId: string }>(
    `SELECT t.source_id FROM unnest($1::text[], $2::text[]) AS m (merchant_id, movement_id)
     CROSS JOIN LATERAL (SELECT source_id FROM transfers
       WHERE merchant_id = m.merchant_id AND source_id >= m.movement_id AND source_id <= m.movement_id
         AND ${opaque("kind = 'pay_in'")}
       ORDER BY source_id LIMIT 1) t`,
    columns(movements, 'merchantId', 'movementId'),
  );
  return new Set(rows.map((row) => row.sourceId));
}

/** Records which pay-in is the money of a failed attempt, while it is on the unallocated list. */
export async function markLatePayIn(
  tx: Tx,
  { merchantId, paymentId, attempt }: Omit<AttemptRef, 'scheduleId'>,
  movementId: string,
): Promise<void> {
  await tx.run(
    `UPDATE attempts SET pay_in_id = $4, pay_in_by = 'name'
     WHERE merchant_id = $1 AND payment_id = $2 AND number = $3 AND status = 'failed' AND pay_in_id IS NULL`,
    [merchantId, paymentId, attempt, movementId],
  );
}

/** The money noted for a failed attempt has gone another way: it no longer pays for that attempt's payment. */
export async function forgetLate(tx: Tx, merchantId: string, movementId: string): Promise<void> {
  await tx.run(
    `UPDATE attempts SET pay_in_id = NULL, pay_in_by = NULL
     WHERE merchant_id = $1 AND pay_in_id = $2 AND status = 'failed'`,
    [merchantId, movementId],
  );
}

/**
 * Finds, by payment id, the failed attempt whose money is on the unallocated list: it arrived while a later attempt was under
 * way.
 */
export async function findPaidAttempts(
  tx: Tx,
  rows: readonly RecordedRow[],
): Promise<Map<string, LateMoney>> {
  const paid = await tx.rows<{ paymentId: string; number: number; payInId: string }>(
    `SELECT DISTINCT ON (a.payment_id) a.payment_id, a.number, a.pay_in_id
     FROM unnest($1::text[], $2::text[]) AS f (merchant_id, payment_id)
     JOIN attempts a ON a.merchant_id = f.merchant_id AND a.payment_id = f.payment_id
     WHERE ${opaque("a.status = 'failed' AND a.pay_in_id IS NOT NULL")} ORDER BY a.payment_id, a.number`,
    columns(rows, 'merchantId', 'paymentId'),
  );
  return new Map(
    paid.map((one) => [
      one.paymentId,
      { attempt: one.number, payInId: one.payInId, by: 'name' as const },
    ]),
  );
}
