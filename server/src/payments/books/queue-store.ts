import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { claim, claimAndBegin, earliestDueInLanes } from '../../platform/engine/claim.ts';
import type { Platform } from '../../platform/platform.ts';
import { opaque } from '../../platform/values/opaque.ts';
import type { ClaimedAttempt, StartedAttempt, StopCode, SubmitRow } from '../payment/attempt.ts';
import type { AttemptRef, Facts, PaymentKey, Receiving, RecordedRow } from '../payment/payment.ts';
import { refs, STILL_THERE } from './attempt-store.ts';
import { findFacts, RECORDED } from './facts-store.ts';
import { dueNowOrAfterLease } from './lease-store.ts';
import { lockPayments, lockWork } from './lock-store.ts';
import { LACKED_FUNDS, LAST_ORDER_AT, PAID_BEFORE, SUSPENDED } from './order-store.ts';
import { type AskedRow, beginPayments, CLAIM_FOR_SUBMIT } from './payment-store.ts';

/** The queue of payments, their work: which are due in each stage, which are claimed, and when each is due again. */

const KEY = ['merchant_id', 'payment_id'];
/** Of a claim: marks the row as leased. What was heard before is known to whoever claims it. */
const LEASED = `leased_until = $1::timestamptz + $2::bigint * interval '1 millisecond', news_at = NULL`;
/** Repeats the condition of the partial index, so that the index is used. */
const TO_SUBMIT = "t.stage IN ('wait', 'submit')";

/** When the next payments are due to be sent, by bank. */
export const earliestToSubmit = earliestDueInLanes('bank_id', 'payment_work', TO_SUBMIT);

/**
 * Claims due payments of banks with free capacity, to send an order for each; `begin` starts their attempts in the same
 * transaction. A payment that cannot begin is put off and does not block the others.
 */
export function claimToSubmit<B>(
  platform: Platform,
  now: Temporal.Instant,
  leaseMs: number,
  limit: number,
  how: { fullBanks: readonly string[]; begin: (tx: Tx, rows: SubmitRow[]) => Promise<B[]> },
): Promise<B[]> {
  return claimAndBegin<ClaimedWork, B>(platform, now, leaseMs, limit, {
    table: 'payment_work',
    key: KEY,
    where: TO_SUBMIT,
    lanes: { column: 'bank_id', full: how.fullBanks },
    set: `${CLAIM_FOR_SUBMIT}, ${LEASED}`,
    returning: `t.merchant_id, t.payment_id, t.wallet_id, t.bank_id, t.attempt, t.polls, t.manual, t.stopped_by,
      t.moves_on`,
    begin: async (tx, claimed) => {
      const facts = [
        ...(await beginPayments(tx, claimed.filter(isFresh))),
        ...(await findFacts(
          tx,
          claimed.filter((row) => !isFresh(row)),
        )),
      ];
      return how.begin(tx, withFound(claimed, facts));
    },
  });
}

type ClaimedWork = Omit<SubmitRow, keyof Facts> & PaymentKey;

/** Whether the attempt begins with this claim. */
export const isFresh = (row: Pick<SubmitRow, 'polls'>): boolean => row.polls === 1;

/** Adds to each row what was found of its payment; leaves out those of which nothing was. */
function withFound<R extends { paymentId: string }, F extends { paymentId: string }>(
  rows: readonly R[],
  all: readonly F[],
): (R & F)[] {
  const byPayment = new Map(all.map((one) => [one.paymentId, one]));
  return rows.flatMap((row) => {
    const found = byPayment.get(row.paymentId);
    return found === undefined ? [] : [{ ...row, ...found }];
  });
}

type Of<T> = Omit<T, keyof SubmitRow> & { paymentId: string };

/**
 * Reads the history of claimed attempts. The first call of a first attempt, which starts now, has none. Attempts that are missing
 * are left out.
 */
export async function findPasts(
  tx: Tx,
  now: Temporal.Instant,
  rows: readonly SubmitRow[],
): Promise<StartedAttempt[]> {
  const isFirst = (row: SubmitRow): boolean => row.attempt === 1 && isFresh(row);
  const others = rows.filter((row) => !isFirst(row));
  const pasts = others.length === 0 ? [] : await readPasts(tx, others);
  const pastOf = new Map(pasts.map((past) => [past.paymentId, past]));
  const none = {
    startedAt: now,
    sentAt: null,
    lastOrderAt: null,
    paidBefore: false,
    lackedFunds: false,
  };
  return rows.flatMap((row) => {
    const past = isFirst(row) ? none : pastOf.get(row.paymentId);
    return past === undefined ? [] : [{ ...row, ...past }];
  });
}

function readPasts(tx: Tx, rows: readonly SubmitRow[]): Promise<Of<StartedAttempt>[]> {
  return tx.rows(
    `SELECT r.payment_id, a.*
     FROM unnest($1::text[], $2::text[], $3::int[]) AS r (merchant_id, payment_id, attempt)
     CROSS JOIN LATERAL (SELECT started_at, sent_at, ${LAST_ORDER_AT} AS last_order_at, ${PAID_BEFORE} AS paid_before,
         ${LACKED_FUNDS} AS lacked_funds FROM attempts a
       WHERE merchant_id = r.merchant_id AND payment_id = r.payment_id AND number = r.attempt OFFSET 0) a`,
    columns(rows, 'merchantId', 'paymentId', 'attempt'),
  );
}

/** Reads the schedules and consents of attempts. Attempts with a missing row are left out. */
export async function findConsents(
  tx: Tx,
  rows: readonly StartedAttempt[],
): Promise<ClaimedAttempt[]> {
  const found = await tx.rows<Omit<ClaimedAttempt, keyof StartedAttempt> & { paymentId: string }>(
    `SELECT r.payment_id, c.*, g.*, s.*
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS r (merchant_id, payment_id, consent_id, schedule_id)
     CROSS JOIN LATERAL (SELECT status AS schedule_status FROM schedules
       WHERE merchant_id = r.merchant_id AND schedule_id = r.schedule_id OFFSET 0) s
     CROSS JOIN LATERAL (SELECT status AS consent_status, bank_consent_id, initiation, doubted_at, look_again_at,
         ${SUSPENDED} AS is_suspended, (control_parameters ->> 'validTo')::timestamptz AS valid_to,
         CASE WHEN limits_changed_at IS NOT NULL THEN control_parameters END AS changed_limits FROM consents
       WHERE merchant_id = r.merchant_id AND consent_id = r.consent_id OFFSET 0) c
     CROSS JOIN LATERAL (SELECT bank_grant, revision AS grant_revision FROM bank_grants
       WHERE merchant_id = r.merchant_id AND consent_id = r.consent_id OFFSET 0) g`,
    columns(rows, 'merchantId', 'paymentId', 'consentId', 'scheduleId'),
  );
  return withFound(rows, found);
}

/** A payment at the bank, claimed for a status poll. */
export interface TrackRow extends Omit<SubmitRow, 'manual' | 'movesOn'> {
  bankPaymentId: string;
}

/** When banks are next due to be polled about payments, by bank. */
export const earliestToTrack = earliestDueInLanes('bank_id', 'payment_work', "t.stage = 'track'");

/** Claims due payments at banks with free capacity. */
export async function claimToTrack(
  tx: Tx,
  now: Temporal.Instant,
  leaseMs: number,
  limit: number,
  fullBanks: readonly string[],
): Promise<TrackRow[]> {
  type Claimed = Omit<TrackRow, keyof Facts> & PaymentKey;
  const claimed = await claim<Claimed>(tx, now, leaseMs, limit, {
    table: 'payment_work',
    key: KEY,
    where: "t.stage = 'track'",
    lanes: { column: 'bank_id', full: fullBanks },
    set: `polls = t.polls + 1, ${LEASED}`,
    returning: `t.merchant_id, t.payment_id, t.bank_id, t.bank_payment_id, t.wallet_id, t.attempt, t.polls,
      t.stopped_by`,
  });
  return withFound(claimed, await findFacts(tx, claimed));
}

/** Returns when a tracked attempt started; null: there is no such attempt. */
export async function findStart(tx: Tx, row: TrackRow): Promise<Temporal.Instant | null> {
  const attempt = await tx.row<{ startedAt: Temporal.Instant }>(
    'SELECT started_at FROM attempts WHERE merchant_id = $1 AND payment_id = $2 AND number = $3',
    [row.merchantId, row.paymentId, row.attempt],
  );
  return attempt?.startedAt ?? null;
}

/** When an attempt's orders that were not taken back were sent, and the last status the bank gave. */
export interface OrderTimes {
  sentAt: Temporal.Instant | null;
  lastOrderAt: Temporal.Instant | null;
  bankStatus: string | null;
}
export function findOrderTimes(
  tx: Tx,
  row: Omit<AttemptRef, 'scheduleId'>,
): Promise<OrderTimes | null> {
  return tx.row(
    `SELECT a.sent_at, ${LAST_ORDER_AT} AS last_order_at, a.bank_status FROM attempts a
     WHERE a.merchant_id = $1 AND a.payment_id = $2 AND a.number = $3`,
    [row.merchantId, row.paymentId, row.attempt],
  );
}

/**
 * Returns those of these attempts that are under way, and how often their bank was polled; if the end of a lease is given, only
 * while nobody has claimed or recorded the payment since.
 */
export function findAsked(
  tx: Tx,
  attempts: readonly { ref: AttemptRef; leaseEnds?: Temporal.Instant }[],
): Promise<AskedRow[]> {
  return tx.rows<AskedRow>(
    `SELECT w.merchant_id, w.payment_id, w.polls FROM payment_work w
     JOIN unnest($1::text[], $2::text[], $3::int[], $4::timestamptz[]) AS l (merchant_id, payment_id, attempt, until)
       ON ${STILL_THERE} AND ${opaque('l.until IS NULL OR w.due_at = l.until')}`,
    [...refs(attempts), attempts.map(({ leaseEnds }) => leaseEnds ?? null)],
  );
}

/** Returns those of these attempts that are still under way at the same call. */
export function findUnsent(
  tx: Tx,
  attempts: readonly { ref: AttemptRef; call: number }[],
): Promise<(AskedRow & { stoppedBy: StopCode | null })[]> {
  return tx.rows(
    `SELECT w.merchant_id, w.payment_id, w.polls, w.stopped_by FROM payment_work w
     JOIN unnest($1::text[], $2::text[], $3::int[], $4::int[]) AS l (merchant_id, payment_id, attempt, call)
       ON ${STILL_THERE} AND ${opaque("w.stage = 'submit' AND w.polls = l.call")}`,
    [...refs(attempts), attempts.map(({ call }) => call)],
  );
}

const FROM_THIS_CALL = opaque("l.call IS NULL OR (w.stage = 'submit' AND w.polls = l.call)");

/** Returns those of these attempts that are still under way; if a call is given, at that call. */
export function findFailing(
  tx: Tx,
  attempts: readonly { ref: AttemptRef; call: number | null }[],
): Promise<(RecordedRow & { stoppedBy: StopCode | null })[]> {
  return tx.rows(
    `SELECT ${RECORDED}, w.manual,
       w.stopped_by
     FROM payment_work w
     JOIN unnest($1::text[], $2::text[], $3::int[], $4::int[]) AS l (merchant_id, payment_id, attempt, call)
       ON ${STILL_THERE} AND ${FROM_THIS_CALL}
     JOIN payments p ON p.merchant_id = w.merchant_id AND p.payment_id = w.payment_id
     ORDER BY p.merchant_id, p.payment_id`,
    [...refs(attempts), attempts.map(({ call }) => call)],
  );
}

/** Sets when each payment is processed next: at once if there was news of it while it was leased. */
export async function setDue<R extends AskedRow>(
  tx: Tx,
  rows: readonly R[],
  when: (row: R) => Temporal.Instant,
): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(
    `UPDATE payment_work w SET due_at = least(n.due_at, w.news_at), news_at = NULL
     FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS n (merchant_id, payment_id, due_at)
     WHERE w.merchant_id = n.merchant_id AND w.payment_id = n.payment_id`,
    [...columns(rows, 'merchantId', 'paymentId'), rows.map(when)],
  );
}

/** Makes these payments due now, because their bank has news of them. */
export async function trackNow(
  tx: Tx,
  now: Temporal.Instant,
  bankId: string,
  bankPaymentIds: readonly string[],
): Promise<void> {
  await tx.run(
    `UPDATE payment_work w SET ${dueNowOrAfterLease('w', '$1')}
     FROM (SELECT w.merchant_id, w.payment_id FROM attempts a
           CROSS JOIN LATERAL (SELECT merchant_id, payment_id, bank_id, stage, due_at FROM payment_work
             WHERE merchant_id = a.merchant_id AND payment_id = a.payment_id OFFSET 0) w
           WHERE a.bank_payment_id = ANY($3) AND a.status = 'processing' AND w.bank_id = $2 AND w.stage = 'track'
             AND w.due_at > $1
           ORDER BY w.merchant_id, w.payment_id) reported
     WHERE w.merchant_id = reported.merchant_id AND w.payment_id = reported.payment_id
       AND ${opaque("w.stage = 'track' AND w.due_at > $1")}`,
    [now, bankId, bankPaymentIds],
  );
}

/** Makes a payment under way due now, because there is news of it. */
export async function pollNow(tx: Tx, now: Temporal.Instant, row: PaymentKey): Promise<void> {
  await tx.run(
    `UPDATE payment_work w SET ${dueNowOrAfterLease('w', '$3')}
     WHERE merchant_id = $1 AND payment_id = $2 AND stage IN ('submit', 'track') AND due_at > $3`,
    [row.merchantId, row.paymentId, now],
  );
}

/** A payment that a stop may end. */
export type Stoppable = RecordedRow & { status: 'pending' | 'processing' };

/** Locks the payments of a schedule that are waiting or have an attempt under way. The schedule is locked. */
export async function lockStoppable(
  tx: Tx,
  merchantId: string,
  scheduleId: string,
): Promise<Stoppable[]> {
  const rows = await tx.rows<PaymentKey>(
    `SELECT merchant_id, payment_id FROM payments
     WHERE merchant_id = $1 AND schedule_id = $2 AND ${opaque("status IN ('pending', 'processing')")}`,
    [merchantId, scheduleId],
  );
  const locked = await lockWork(tx, rows);
  return tx.rows<Stoppable>(
    `SELECT ${RECORDED}, w.manual, p.status
     FROM payment_work w JOIN payments p ON p.merchant_id = w.merchant_id AND p.payment_id = w.payment_id
     WHERE w.merchant_id = $1 AND w.payment_id = ANY ($2) AND ${opaque("w.stage IN ('wait', 'submit', 'track')")}
     ORDER BY p.payment_id`,
    [merchantId, [...locked]],
  );
}

/** Makes the claimed payments of these schedules due now: what kept their orders from being sent is over. */
export async function sendNow(
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  scheduleIds: readonly string[],
): Promise<void> {
  await tx.run(
    `UPDATE payment_work w SET ${dueNowOrAfterLease('w', '$3')}
     FROM (SELECT merchant_id, payment_id FROM payments
           WHERE merchant_id = $1 AND schedule_id = ANY ($2) AND ${opaque("status = 'processing'")}
           ORDER BY payment_id) p
     WHERE w.merchant_id = p.merchant_id AND w.payment_id = p.payment_id
       AND ${opaque("w.stage = 'submit' AND w.due_at > $3")}`,
    [merchantId, scheduleIds, now],
  );
}

/** Marks those of these payments that are still under way as stopped: no further order is sent for them. */
export async function markStopped(
  tx: Tx,
  merchantId: string,
  rows: readonly Stoppable[],
  code: StopCode,
): Promise<void> {
  await tx.run(
    `UPDATE payment_work SET stopped_by = $3
     WHERE merchant_id = $1 AND payment_id = ANY ($2) AND ${opaque("stage <> 'wait' AND stopped_by IS NULL")}`,
    [merchantId, rows.map((row) => row.paymentId), code],
  );
}

/** Locks and returns the payment to which unallocated money is to be assigned. */
export async function lockReceiving(
  tx: Tx,
  merchantId: string,
  paymentId: string,
): Promise<Receiving | null> {
  await lockPayments(tx, [{ merchantId, paymentId }]);
  return tx.row<Receiving>(
    `SELECT ${RECORDED},
       coalesce(w.manual, false) AS manual, p.status, w.stage
     FROM payments p LEFT JOIN payment_work w ON w.merchant_id = p.merchant_id AND w.payment_id = p.payment_id
     WHERE p.merchant_id = $1 AND p.payment_id = $2`,
    [merchantId, paymentId],
  );
}

/** Returns a payment of the wallet whose money is being transferred; null: none. */
export async function findInTransfer(
  tx: Tx,
  merchantId: string,
  walletId: string,
): Promise<string | null> {
  const row = await tx.row<{ paymentId: string }>(
    `SELECT payment_id FROM payment_work WHERE merchant_id = $1 AND wallet_id = $2 AND stage = 'move' LIMIT 1`,
    [merchantId, walletId],
  );
  return row?.paymentId ?? null;
}
