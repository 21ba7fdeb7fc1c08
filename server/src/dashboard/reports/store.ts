import type { Tx } from '../../platform/db/db.ts';
import { createdSince, firstActivation } from '../../schedules/books/history-store.ts';
import type { CalendarRow } from './calendar.ts';
import type { DayRange } from './range.ts';

// Each report is one statement, so that its figures are of one instant: the reads of a call are several transactions.

/** What payments are split by: each payment is counted once in each. */
export const SPLITS = ['reason', 'bank', 'amount', 'age'] as const;
export type Split = (typeof SPLITS)[number];

/** Payments whose first attempt has ended, of one part of a split, by outcome. */
export interface DueRow {
  split: Split;
  /** The reason, null: never failed; the bank's id; or the place among the bounds of amounts or ages. */
  part: string | null;
  /** Whether they were due in the days before the range. */
  isBefore: boolean;
  /** The first day of the week or month; only where split by reason. */
  period: Temporal.PlainDate | null;
  /** `clean`: collected by the first attempt. */
  outcome: 'clean' | 'recovered' | 'waiting' | 'lost';
  count: number;
  value: number;
}

/** The days whose payments are summed, and where the parts of a split by amount, in pence, or age, in days, begin. */
export interface Counted {
  range: DayRange;
  /** The days before the range begin here. */
  before: Temporal.Instant;
  by: 'week' | 'month';
  amount: readonly number[];
  age: readonly number[];
}

/** What the groups of `sumDue` are split by: of the four, a bit is 0 where it is. */
const SPLIT_OF = `CASE GROUPING(reason, bank_id, amount, age)
  WHEN b'0111'::int THEN 'reason' WHEN b'1011'::int THEN 'bank' WHEN b'1101'::int THEN 'amount' ELSE 'age' END`;

/**
 * Sums the payments due within a range and in the days before it, once for each split. A reason is that of a payment's last
 * failure; an age is that of the schedule when the payment was due.
 */
export function sumDue(
  tx: Tx,
  merchantId: string,
  { range, before, by, amount, age }: Counted,
  timeZone: string,
): Promise<DueRow[]> {
  return tx.rows<DueRow>(
    `SELECT ${SPLIT_OF} AS split, coalesce(reason, bank_id, amount::text, age::text) AS part, is_before, period, outcome,
            count(*) AS count, sum(amount_pence)::bigint AS value
     FROM (
       SELECT *, CASE WHEN status = 'failed' THEN 'lost' WHEN status <> 'success' THEN 'waiting'
                WHEN reason IS NULL THEN 'clean' ELSE 'recovered' END AS outcome
       FROM (
         SELECT p.due_date < $2 AS is_before, date_trunc($5, p.due_date AT TIME ZONE $4)::date AS period, p.status,
                p.amount_pence, p.bank_id, width_bucket(p.amount_pence, $7::bigint[]) AS amount,
                width_bucket(extract(epoch FROM p.due_date - s.created_at) / 86400, $8::numeric[]) AS age,
                CASE WHEN p.status = 'failed' THEN coalesce(p.error_code, 'unknown')
                  WHEN p.attempts > CASE p.status WHEN 'success' THEN 1 ELSE 0 END THEN (
                  SELECT a.error_code FROM attempts a
                  WHERE a.merchant_id = $1 AND a.payment_id = p.payment_id AND a.status = 'failed'
                  ORDER BY a.number DESC LIMIT 1) END AS reason
         FROM payments p JOIN schedules s ON s.merchant_id = p.merchant_id AND s.schedule_id = p.schedule_id
         WHERE p.merchant_id = $1 AND p.due_date >= $6 AND p.due_date < $3
         OFFSET 0) one
       WHERE status IN ('success', 'failed') OR reason IS NOT NULL) due
     GROUP BY GROUPING SETS ((is_before, outcome, reason, period), (is_before, outcome, bank_id),
       (is_before, outcome, amount), (is_before, outcome, age))`,
    [merchantId, range.since, range.until, timeZone, by, before, amount, age],
  );
}

/** What one customer owes of one age. */
export interface ArrearsRow {
  customerId: string;
  /** The place of the age in `AGES`. */
  age: number;
  count: number;
  value: number;
  oldest: Temporal.Instant;
}

/**
 * Sums the payments that failed for good and were not collected since, per customer and age in days since they were due.
 * `ages`: the lower bounds of the ages after the first one, in days, ascending.
 */
export function sumArrears(
  tx: Tx,
  merchantId: string,
  range: { since: Temporal.Instant | null; until: Temporal.Instant | null },
  today: Temporal.PlainDate,
  ages: readonly number[],
  timeZone: string,
): Promise<ArrearsRow[]> {
  return tx.rows<ArrearsRow>(
    `SELECT customer_id, width_bucket($4::date - (due_date AT TIME ZONE $6)::date, $5::int[]) AS age,
            count(*) AS count, sum(amount_pence)::bigint AS value, min(due_date) AS oldest
     FROM payments
     WHERE merchant_id = $1 AND failed_at IS NOT NULL AND status = 'failed'
       AND due_date >= coalesce($2::timestamptz, '-infinity') AND due_date < coalesce($3::timestamptz, 'infinity')
     GROUP BY 1, 2`,
    [merchantId, range.since, range.until, today, ages, timeZone],
  );
}

/** What the schedules that became active in one month collected in another; `collected_in` null: how many they are. */
export interface CohortRow {
  month: Temporal.PlainDate;
  collectedIn: Temporal.PlainDate | null;
  schedules: number;
  active: number;
  count: number;
  value: number;
}

/**
 * Sums what was collected from the schedules that became active within a range, per month in which they became active and month
 * of collection. `months`: the months of collection, ascending, without a gap.
 */
export function sumCohorts(
  tx: Tx,
  merchantId: string,
  { since, until }: DayRange,
  months: readonly { month: Temporal.PlainDate; since: Temporal.Instant }[],
  timeZone: string,
): Promise<CohortRow[]> {
  return tx.rows<CohortRow>(
    `WITH started AS MATERIALIZED (
       SELECT s.schedule_id, s.status, date_trunc('month', c.at AT TIME ZONE $4)::date AS month
       FROM schedules s CROSS JOIN LATERAL (${firstActivation('s')}) c
       WHERE s.merchant_id = $1 AND s.created_at >= $5 AND s.created_at < $3 AND c.at >= $2 AND c.at < $3
     )
     SELECT month, NULL::date AS collected_in, count(*) AS schedules,
            count(*) FILTER (WHERE status = 'active') AS active, 0 AS count, 0 AS value
     FROM started GROUP BY 1
     UNION ALL
     SELECT s.month, ($7::date[])[width_bucket(p.completed_at, $6::timestamptz[])], 0, 0, count(*), sum(p.amount_pence)::bigint
     FROM payments p JOIN started s ON s.schedule_id = p.schedule_id
     WHERE p.merchant_id = $1 AND p.due_date >= $2 AND p.status = 'success' GROUP BY 1, 2
     ORDER BY 1, 2 NULLS FIRST`,
    [
      merchantId,
      since,
      until,
      timeZone,
      createdSince(since),
      months.map((one) => one.since),
      months.map(({ month }) => month),
    ],
  );
}

/** Sums, per day, the payments due by now, by how they stand, and the settlements that were paid out. */
export function sumCalendar(
  tx: Tx,
  merchantId: string,
  { since, until }: DayRange,
  now: Temporal.Instant,
  timeZone: string,
): Promise<CalendarRow[]> {
  const sums = 'sum(amount_pence)::bigint AS value, count(*) AS count';
  return tx.rows<CalendarRow>(
    `SELECT (due_date AT TIME ZONE $4)::date AS day,
            CASE status WHEN 'success' THEN 'collected' WHEN 'failed' THEN 'failed' ELSE 'waiting' END AS what, ${sums}
     FROM payments WHERE merchant_id = $1 AND due_date >= $2 AND due_date < $3 AND due_date <= $5 GROUP BY 1, 2
     UNION ALL
     SELECT (completed_at AT TIME ZONE $4)::date, 'settled', ${sums}
     FROM settlements WHERE merchant_id = $1 AND status = 'success' AND completed_at >= $2 AND completed_at < $3
     GROUP BY 1`,
    [merchantId, since, until, timeZone, now],
  );
}

/** Takes one of the merchant's two turns for the rest of the transaction; returns false if both are taken. */
export async function tryReportSlot(tx: Tx, merchantId: string): Promise<boolean> {
  const row = await tx.row<{ taken: boolean }>(
    `SELECT CASE WHEN pg_try_advisory_xact_lock(hashtextextended($1 || ' 1', 0)) THEN true
       ELSE pg_try_advisory_xact_lock(hashtextextended($1 || ' 2', 0)) END AS taken`,
    [`report ${merchantId}`],
  );
  return row?.taken ?? false;
}
