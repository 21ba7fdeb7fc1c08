import { isOfTheDatabase } from '../platform/apart.ts';
import { recordChanges } from '../platform/audit-trail.ts';
import type { Tx } from '../platform/db.ts';
import { dueBy, earliest, type Stage } from '../platform/engine.ts';
import type { Platform } from '../platform/platform.ts';
import { occurrence } from '../schedules/occurrences.ts';
import { checkMoment } from '../schedules/schedule.ts';
import { TERMS_COLUMNS, type TermsRow, toTerms } from '../schedules/store.ts';
import { paymentIdOf } from './payment.ts';

interface DueSchedule extends TermsRow {
  merchant_id: string;
  schedule_id: string;
  customer_id: string;
  consent_id: string;
  wallet_id: string;
  bank_id: string;
  next_occurrence: number;
  due_at: Temporal.Instant;
}

const TERMS = TERMS_COLUMNS.split(',')
  .map((column) => `t.${column.trim()}`)
  .join(', ');

/** When the next occurrence is to be opened: when it is due, or later where it was put off. */
export const TO_OPEN_AT = 'greatest(due_at, put_off_until)';
/** With the condition of its index, which holds no other schedules. */
const IS_TO_OPEN = `due_at IS NOT NULL AND ${TO_OPEN_AT} <= $1`;

/**
 * Held until the transaction ends; a schedule that somebody else holds is left for the next round. Terms and consent are found
 * by their keys whatever the planner knows of them, and compared again outside: a schedule that changed while we waited for
 * it comes with its new row, and with what was read for the old one.
 */
function lockDue(
  tx: Tx,
  now: Temporal.Instant,
  limit: number,
  only: { merchantId: string; scheduleId: string } | null,
): Promise<DueSchedule[]> {
  return tx.rows<DueSchedule>(
    `SELECT s.merchant_id, s.schedule_id, s.customer_id, s.consent_id, c.wallet_id, c.bank_id, s.next_occurrence,
            s.due_at, ${TERMS}
     FROM schedules s
     CROSS JOIN LATERAL (SELECT ${TERMS_COLUMNS} FROM schedule_terms
       WHERE merchant_id = s.merchant_id AND schedule_id = s.schedule_id AND version = s.live_version OFFSET 0) t
     CROSS JOIN LATERAL (SELECT consent_id, wallet_id, bank_id FROM consents
       WHERE merchant_id = s.merchant_id AND consent_id = s.consent_id OFFSET 0) c
     WHERE t.version = s.live_version AND c.consent_id = s.consent_id
       AND ${IS_TO_OPEN}
       ${only === null ? '' : 'AND s.merchant_id = $3 AND s.schedule_id = $4'}
     ORDER BY ${TO_OPEN_AT} LIMIT $2 FOR UPDATE OF s SKIP LOCKED`,
    only === null ? [now, limit] : [now, limit, only.merchantId, only.scheduleId],
  );
}

/** One payment per occurrence: the unique key refuses a second one, whatever races. */
async function insertPayments(
  tx: Tx,
  platform: Platform,
  now: Temporal.Instant,
  due: readonly DueSchedule[],
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
      due.map((d) => d.merchant_id),
      due.map((d) => paymentIdOf(platform.vault, occurrenceOf(d))),
      due.map((d) => d.schedule_id),
      due.map((d) => d.customer_id),
      due.map((d) => d.consent_id),
      due.map((d) => d.wallet_id),
      due.map((d) => d.bank_id),
      due.map((d) => d.amount_pence),
      due.map((d) => d.currency),
      due.map((d) => d.due_at),
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

const occurrenceOf = (due: DueSchedule) => ({
  merchantId: due.merchant_id,
  scheduleId: due.schedule_id,
  dueDate: due.due_at,
});

async function moveOn(tx: Tx, now: Temporal.Instant, due: readonly DueSchedule[]): Promise<void> {
  const next = due.map((d) => occurrence(toTerms(d).series, d.next_occurrence + 1));
  await tx.run(
    `UPDATE schedules s SET next_occurrence = s.next_occurrence + 1, due_at = n.due_at, check_at = n.check_at,
       put_off_until = NULL
     FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::timestamptz[]) AS n (merchant_id, schedule_id, due_at, check_at)
     WHERE s.merchant_id = n.merchant_id AND s.schedule_id = n.schedule_id`,
    [
      due.map((d) => d.merchant_id),
      due.map((d) => d.schedule_id),
      next,
      next.map((dueAt) => checkMoment(dueAt, now)),
    ],
  );
}

/** Opens the payments of up to `limit` due occurrences and moves their schedules on: one transaction for hundreds. */
export async function openPayments(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  limit: number,
  only: { merchantId: string; scheduleId: string } | null = null,
): Promise<number> {
  const due = await lockDue(tx, now, limit, only);
  if (due.length === 0) return 0;
  await insertPayments(tx, platform, now, due);
  await moveOn(tx, now, due);
  return due.length;
}

/** How long an occurrence that cannot be opened is left before it is tried again. */
const AFTER_ERROR = Temporal.Duration.from({ hours: 1 });

interface DueKey {
  merchant_id: string;
  schedule_id: string;
}

/**
 * Opens what is due; where that fails, each by itself, so that one that cannot be opened holds up no other: it is logged,
 * and put off while its occurrence stays due.
 */
async function openOrPutOff(
  platform: Platform,
  now: Temporal.Instant,
  limit: number,
): Promise<number> {
  const { db, log } = platform;
  try {
    return await db.transaction((tx) => openPayments(platform, tx, now, limit));
  } catch (cause) {
    if (isOfTheDatabase(cause)) throw cause;
    let done = 0;
    for (const key of await db.read((tx) => findDue(tx, now, limit)))
      try {
        const only = { merchantId: key.merchant_id, scheduleId: key.schedule_id };
        done += await db.transaction((tx) => openPayments(platform, tx, now, 1, only));
      } catch (err) {
        if (isOfTheDatabase(err)) throw err;
        log.error({ ...key, err }, 'a payment could not be opened, it is tried again');
        done += await db.transaction((tx) => putOff(tx, key, now.add(AFTER_ERROR)));
      }
    return done;
  }
}

function findDue(tx: Tx, now: Temporal.Instant, limit: number): Promise<DueKey[]> {
  return tx.rows<DueKey>(
    `SELECT merchant_id, schedule_id FROM schedules
     WHERE ${IS_TO_OPEN} ORDER BY ${TO_OPEN_AT} LIMIT $2`,
    [now, limit],
  );
}

function putOff(tx: Tx, key: DueKey, until: Temporal.Instant): Promise<number> {
  return tx.run(
    'UPDATE schedules SET put_off_until = $3 WHERE merchant_id = $1 AND schedule_id = $2',
    [key.merchant_id, key.schedule_id, until],
  );
}

/** Occurrences of active schedules that are due. After an outage each is opened once, in order. */
export function openStage(platform: Platform): Stage {
  return {
    name: 'payments.open',
    batch: 500,
    ...dueBy(earliest(TO_OPEN_AT, 'schedules', 'due_at IS NOT NULL')),
    run: (now, limit) => openOrPutOff(platform, now, limit),
  };
}
