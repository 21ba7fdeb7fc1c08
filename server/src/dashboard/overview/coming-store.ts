import type { Tx } from '../../platform/db/db.ts';
import type { SeriesRow } from '../../schedules/books/store.ts';
import type { ComingGroup, DayChange } from './upcoming.ts';

/** The part of the time to come that a forecast looks at. */
interface Window {
  now: Temporal.Instant;
  until: Temporal.Instant;
}

/** How long an occurrence that is due may wait to be opened, and what was set for it still counts. */
const OVERDUE = Temporal.Duration.from({ hours: 48 });

/** Less the time of day, the local moment is the date of an occurrence, even if a clock change moved it past midnight. */
const dateOf = (at: string): string => `((${at} AT TIME ZONE t.time_zone) - t.time_of_day)`;

/** The first date whose time of day is not before a moment. */
const firstDateFrom = (at: string): string =>
  `CASE WHEN ${dateOf(at)}::time = '00:00' THEN ${dateOf(at)}::date ELSE ${dateOf(at)}::date + 1 END`;

type GroupRow = Omit<ComingGroup, 'frequency' | 'nonWorkingDay' | 'notBefore'> &
  Omit<SeriesRow, 'firstAt' | 'timeOfDay' | 'timeZone' | 'endAt' | 'notBefore'> & {
    notBefore: Temporal.PlainDate | null;
  };

/**
 * Groups the schedules with a fixed amount that collect before `until` by the dates on which they do: the active ones, and those
 * whose pause ends automatically by then. Where no day has to be a working day, the next date says all further ones.
 */
export async function groupComing(
  tx: Tx,
  merchantId: string,
  until: Temporal.Instant,
): Promise<ComingGroup[]> {
  const rows = await tx.rows<GroupRow>(
    `WITH coming AS (
       SELECT a.schedule_id, s.live_version, a.due_at AS at, true AS active
       FROM schedule_agenda a JOIN schedules s USING (merchant_id, schedule_id)
       WHERE a.merchant_id = $1 AND a.due_at < $2 AND s.status = 'active'
       UNION ALL
       SELECT schedule_id, live_version, resume_at, false FROM schedules
       WHERE merchant_id = $1 AND status = 'paused' AND resume_at < $2
     )
     SELECT t.frequency_type, t.frequency_day, t.frequency_interval, t.non_working_day,
            CASE WHEN c.active AND t.non_working_day = 'same' THEN ${dateOf('c.at')} ELSE ${dateOf('t.first_at')}
              END::date AS anchor,
            CASE WHEN t.non_working_day <> 'same' THEN ${firstDateFrom('t.not_before')} END AS not_before,
            CASE WHEN c.active THEN ${dateOf('c.at')}::date ELSE ${firstDateFrom('c.at')} END AS "from",
            CASE WHEN t.end_at < $2 THEN ${dateOf('t.end_at')}::date END AS last,
            sum(t.amount_pence)::bigint AS value, count(*) AS count
     FROM coming c JOIN schedule_terms t
       ON t.merchant_id = $1 AND t.schedule_id = c.schedule_id AND t.version = c.live_version
     WHERE t.amount_mode = 'fixed'
     GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`,
    [merchantId, until],
  );
  return rows.map(
    ({ frequencyType: type, frequencyDay: day, frequencyInterval: interval, ...row }) => ({
      ...row,
      frequency: { type, day, interval },
    }),
  );
}

/** What the changes of occurrences make of the sums of their day: an amount set, or nothing, instead of the usual one. */
const CHANGE = `${dateOf('o.due_date')}::date AS day,
  sum(coalesce(o.amount_pence, 0) - CASE t.amount_mode WHEN 'fixed' THEN t.amount_pence ELSE 0 END)::bigint AS value,
  count(o.amount_pence) - count(*) FILTER (WHERE t.amount_mode = 'fixed') AS count`;

const CHANGED = `occurrence_changes o JOIN schedules s USING (merchant_id, schedule_id)
  JOIN schedule_agenda a USING (merchant_id, schedule_id)
  JOIN schedule_terms t ON t.merchant_id = s.merchant_id AND t.schedule_id = s.schedule_id AND t.version = s.live_version
  WHERE o.merchant_id = $1 AND o.due_date >= $2 AND o.due_date < $3`;

/** Sums, per day, what was set for the next occurrences of active schedules. */
export function sumChangesOfNext(
  tx: Tx,
  merchantId: string,
  { now, until }: Window,
): Promise<DayChange[]> {
  return tx.rows<DayChange>(
    `SELECT ${CHANGE} FROM ${CHANGED} AND s.status = 'active' AND o.due_date = a.due_at GROUP BY 1`,
    [merchantId, now.subtract(OVERDUE), until],
  );
}

/** What was set for one moment, and the occurrences of the schedules for which it was. */
export interface LaterChange extends DayChange, SeriesRow {
  dueDate: Temporal.Instant;
}

/**
 * Sums what was set for later occurrences, per moment and series. SQL cannot say whether the series still has an occurrence
 * then.
 */
export function sumChangesOfLater(
  tx: Tx,
  merchantId: string,
  { now, until }: Window,
): Promise<LaterChange[]> {
  return tx.rows<LaterChange>(
    `SELECT ${CHANGE}, o.due_date, t.frequency_type, t.frequency_day, t.frequency_interval, t.first_at, t.time_of_day,
       t.time_zone, t.end_at, t.non_working_day, t.not_before
     FROM ${CHANGED}
       AND (s.status = 'active' AND o.due_date > a.due_at OR s.status = 'paused' AND o.due_date >= s.resume_at)
     GROUP BY 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13`,
    [merchantId, now.subtract(OVERDUE), until],
  );
}

/** Sums the ad-hoc payments that wait for their day, per day. */
export function sumAdHoc(
  tx: Tx,
  merchantId: string,
  { now, until }: Window,
  timeZone: string,
): Promise<DayChange[]> {
  return tx.rows<DayChange>(
    `SELECT (due_date AT TIME ZONE $4)::date AS day, sum(amount_pence)::bigint AS value, count(*) AS count FROM payments
     WHERE merchant_id = $1 AND due_date > $2 AND due_date < $3 AND status = 'pending' GROUP BY 1`,
    [merchantId, now, until, timeZone],
  );
}
