import { blockNewHolds } from '../../merchants/holds/hold-store.ts';
import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { nextChangeId } from '../../platform/state/audit-trail.ts';
import { type Clock, momentIn } from '../../platform/time/clock.ts';
import { opaque } from '../../platform/values/opaque.ts';
import { mayOrder, type SentContext, type StartedAttempt } from '../payment/attempt.ts';
import type { AttemptRef } from '../payment/payment.ts';
import { refs } from './attempt-store.ts';
import { findHeldPayments } from './held-store.ts';
import { type LockedWork, readLockedWork } from './lock-store.ts';

/** For an attempt `a`: whether an earlier attempt of its payment was paid after it had been recorded as failed. */
export const PAID_BEFORE = `a.number > 1 AND EXISTS (SELECT 1 FROM attempts e WHERE e.merchant_id = a.merchant_id
  AND e.payment_id = a.payment_id AND e.number < a.number AND e.status = 'failed' AND e.pay_in_id IS NOT NULL)`;

/** For an attempt `a`: whether the one before it failed because funds were lacking. */
export const LACKED_FUNDS = `coalesce((SELECT e.error_code = 'insufficient_funds' FROM attempts e
  WHERE e.merchant_id = a.merchant_id AND e.payment_id = a.payment_id AND e.number = a.number - 1), false)`;

/** Whether nothing new is sent under a consent until its customer confirms it at the bank. */
export const SUSPENDED = '(suspended_at IS NOT NULL OR confirm_asked_at IS NOT NULL)';

/** For an attempt `a`: when its last order that was not taken back was sent. */
export const LAST_ORDER_AT = `(SELECT max(o.sent_at) FROM payment_orders o WHERE o.merchant_id = a.merchant_id
  AND o.payment_id = a.payment_id AND o.attempt = a.number AND o.taken_back_at IS NULL)`;

/**
 * Marks attempts as sent, before calling the bank. Returns the payments that may be sent, with the time of their order; the
 * others were claimed by another process, stopped, held, paid or left without consent in the meantime, or an order of theirs was
 * taken back, so that checks which were left out apply again. Locks schedules and then consents in primary-key order, as every
 * pause, cancellation and withdrawal does, and reads them with their locks: one that committed earlier is visible here, and one
 * that commits later sees the order. Holds are read under a lock of their own in the same way. Then the work, as everybody who
 * records an outcome does: another process that takes back an earlier order at the same moment would otherwise leave an attempt
 * that counts as unsent while this order stands, and whose customer would be debited again. The time is read from the database
 * under those locks, and the order's place in the sequence of changes is drawn under them.
 */
export async function markSent(
  tx: Tx,
  clock: Clock,
  rows: readonly StartedAttempt[],
): Promise<Map<string, Temporal.Instant>> {
  if (rows.length === 0) return new Map();
  const [, schedules] = await Promise.all([blockNewHolds(tx), lockSchedules(tx, rows)]);
  // One round trip; each statement starts once the previous one has its locks.
  const [consents, locked, now, attempts, held] = await Promise.all([
    lockConsents(tx, rows),
    readLockedWork(tx, rows),
    momentIn(clock, tx),
    readAttempts(tx, rows),
    findHeldPayments(tx, rows),
  ]);
  const scheduleOf = new Map(schedules.map((one) => [one.scheduleId, one]));
  const consentOf = new Map(consents.map((one) => [one.consentId, one]));
  const workOf = new Map(locked.map((one) => [one.paymentId, one]));
  const attemptOf = new Map(attempts.map((one) => [one.paymentId, one]));
  const going = rows.filter((row) => {
    const schedule = scheduleOf.get(row.scheduleId);
    const consent = consentOf.get(row.consentId);
    const work = workOf.get(row.paymentId);
    const attempt = attemptOf.get(row.paymentId);
    if (!schedule || !consent || !work || !attempt) return false;
    const standing = { ...schedule, ...consent, ...work, ...attempt };
    const isAsChecked = standing.mayBeSent === (row.sentAt !== null);
    return isAsChecked && !held.has(row.paymentId) && mayOrder(standing, row.attempt, row.polls);
  });
  await insertOrders(tx, now, going);
  return new Map(going.map((row) => [row.paymentId, now]));
}

type ScheduleStatusRow = { scheduleId: string } & Pick<SentContext, 'scheduleStatus'>;
type LockedConsent = { consentId: string } & Pick<
  SentContext,
  'consentStatus' | 'isDoubted' | 'isSuspended'
>;
type AttemptNow = { paymentId: string } & Omit<
  SentContext,
  keyof ScheduleStatusRow | keyof LockedConsent | keyof LockedWork
>;

/** The first statement: it sees everything that has already committed. */
function lockSchedules(tx: Tx, rows: readonly StartedAttempt[]): Promise<ScheduleStatusRow[]> {
  return tx.rows(
    `/* before: UPDATE attempts a SET sent_at */
     SELECT schedule_id, status AS schedule_status FROM schedules
     WHERE (merchant_id, schedule_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
     ORDER BY merchant_id, schedule_id FOR KEY SHARE`,
    columns(rows, 'merchantId', 'scheduleId'),
  );
}

function lockConsents(tx: Tx, rows: readonly StartedAttempt[]): Promise<LockedConsent[]> {
  return tx.rows(
    `SELECT consent_id, status AS consent_status, doubted_at IS NOT NULL AS is_doubted, ${SUSPENDED} AS is_suspended
     FROM consents WHERE (merchant_id, consent_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
     ORDER BY merchant_id, consent_id FOR KEY SHARE`,
    columns(rows, 'merchantId', 'consentId'),
  );
}

/** A separate statement after the locks, so that it sees what committed while we waited for them. */
function readAttempts(tx: Tx, rows: readonly StartedAttempt[]): Promise<AttemptNow[]> {
  return tx.rows(
    `SELECT r.payment_id, a.*
     FROM unnest($1::text[], $2::text[], $3::int[]) AS r (merchant_id, payment_id, attempt)
     CROSS JOIN LATERAL (SELECT manual, status AS attempt_status, sent_at IS NOT NULL AS may_be_sent,
         ${PAID_BEFORE} AS paid_before FROM attempts a
       WHERE merchant_id = r.merchant_id AND payment_id = r.payment_id AND number = r.attempt OFFSET 0) a`,
    columns(rows, 'merchantId', 'paymentId', 'attempt'),
  );
}

/** The attempt keeps the time of its first order: banks count the lifetime of an idempotency key from there. */
async function insertOrders(
  tx: Tx,
  now: Temporal.Instant,
  rows: readonly StartedAttempt[],
): Promise<void> {
  if (rows.length === 0) return;
  const keys = columns(rows, 'merchantId', 'paymentId', 'attempt');
  await Promise.all([
    tx.run(
      `UPDATE attempts a SET sent_at = $4
       FROM unnest($1::text[], $2::text[], $3::int[]) AS r (merchant_id, payment_id, attempt)
       WHERE a.merchant_id = r.merchant_id AND a.payment_id = r.payment_id AND a.number = r.attempt
         AND ${opaque('a.sent_at IS NULL')}`,
      [...keys, now],
    ),
    tx.run(
      `INSERT INTO payment_orders (merchant_id, payment_id, attempt, call, sent_at)
       SELECT *, $5::timestamptz FROM unnest($1::text[], $2::text[], $3::int[], $4::int[])`,
      [...keys, rows.map((r) => r.polls), now],
    ),
  ]);
}

/**
 * Takes back the records of orders that provably never left, of locked payments. An attempt with no other orders counts as
 * unsent: every check applies again. The taking back has its place in the sequence of orders and changes, drawn under the locks.
 */
export async function unmarkSent(
  tx: Tx,
  clock: Clock,
  orders: readonly { ref: AttemptRef; call: number }[],
): Promise<void> {
  const keys = refs(orders);
  const place = await nextChangeId(tx);
  const now = await momentIn(clock, tx);
  await tx.run(
    `UPDATE payment_orders o SET taken_back_at = $5, taken_back_sequence = $6
     FROM unnest($1::text[], $2::text[], $3::int[], $4::int[]) AS r (merchant_id, payment_id, attempt, call)
     WHERE o.merchant_id = r.merchant_id AND o.payment_id = r.payment_id AND o.attempt = r.attempt AND o.call = r.call
       AND o.taken_back_at IS NULL`,
    [...keys, orders.map(({ call }) => call), now, place],
  );
  await tx.run(
    `UPDATE attempts a SET sent_at = (SELECT min(o.sent_at) FROM payment_orders o WHERE o.merchant_id = a.merchant_id
       AND o.payment_id = a.payment_id AND o.attempt = a.number AND o.taken_back_at IS NULL)
     FROM unnest($1::text[], $2::text[], $3::int[]) AS r (merchant_id, payment_id, attempt)
     WHERE a.merchant_id = r.merchant_id AND a.payment_id = r.payment_id AND a.number = r.attempt
       AND ${opaque("a.status = 'started'")}`,
    keys,
  );
}
