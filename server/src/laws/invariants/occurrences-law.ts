import { opaque } from '../../platform/values/opaque.ts';
import { bySql, changesOf, type Law } from './law.ts';
import { FURTHEST_MOVE, mayBe, nominalMoment } from './series-sql.ts';

/** SQL: the terms of a version, by key. */
const termsOf = (row: string): string =>
  `LATERAL (SELECT * FROM schedule_terms WHERE merchant_id = ${row}.merchant_id AND schedule_id = ${row}.schedule_id
     AND version = ${row}.terms_version OFFSET 0)`;

/** SQL: the newest occurrence of a schedule with a payment or a skip whose due date satisfies `when`. */
const newest = (row: string, when: string): string =>
  `LATERAL (SELECT max(last_of.occurrence) AS occurrence FROM (SELECT * FROM (
     (SELECT x.due_date, x.occurrence FROM payments x WHERE x.merchant_id = ${row}.merchant_id
        AND x.schedule_id = ${row}.schedule_id AND x.due_date ${when} AND x.occurrence IS NOT NULL
      ORDER BY x.due_date DESC LIMIT 1)
     UNION ALL
     (SELECT y.due_date, y.occurrence FROM skipped_occurrences y WHERE y.merchant_id = ${row}.merchant_id
        AND y.schedule_id = ${row}.schedule_id AND y.due_date ${when} ORDER BY y.due_date DESC LIMIT 1)) either_of
   ORDER BY due_date DESC LIMIT 1) last_of)`;

/** SQL: whether a run `r` is the one of an occurrence `o`. */
const IS_ITS_RUN = `r.terms_version = o.terms_version AND r.first_occurrence <= o.occurrence
  AND o.occurrence < coalesce(r.next_occurrence, o.occurrence + 1)`;

/** SQL: the runs of a schedule, those in which an occurrence `o` may have been opened, and the first of them. */
const runsOf = `LATERAL (SELECT count(*) AS all_runs, count(*) FILTER (WHERE ${IS_ITS_RUN}) AS runs,
    min(r.first_occurrence) FILTER (WHERE ${IS_ITS_RUN}) AS first
  FROM schedule_runs r WHERE r.merchant_id = o.merchant_id AND r.schedule_id = o.schedule_id)`;

/** What is wrong with an occurrence `o` that was opened or skipped, under its terms `t`. */
const WRONG_WITH_ONE = `CASE
  WHEN u.all_runs = 0 THEN NULL
  WHEN u.runs <> 1 THEN 'the schedule did not collect it under terms ' || o.terms_version
  WHEN NOT ${mayBe('t', 'o.occurrence', 'o.due_date')} THEN 'the calendar says ' || ${nominalMoment('t', 'o.occurrence')}
  WHEN o.occurrence > u.first AND b.occurrence IS DISTINCT FROM o.occurrence - 1
    THEN 'before it came ' || coalesce('occurrence ' || b.occurrence, 'none') END`;

const ONE_CHECKED = `CROSS JOIN ${termsOf('o')} t CROSS JOIN ${runsOf} u CROSS JOIN ${newest('o', '< o.due_date')} b`;

const LABEL = `o.merchant_id || ' ' || o.schedule_id || ' occurrence ' || o.occurrence || ' of ' || o.due_date || ': '`;

/** Each payment of an occurrence is where the calendar says, in its run, and comes right after the occurrence before it. */
const EACH_PAYMENT = bySql(
  'payment',
  `SELECT o.merchant_id, o.payment_id AS id, ${LABEL} || w.what AS what
   FROM scope k JOIN payments o ON o.merchant_id = k.merchant_id AND o.payment_id = k.id AND ${opaque('o.occurrence IS NOT NULL')}
   ${ONE_CHECKED} CROSS JOIN LATERAL (SELECT ${WRONG_WITH_ONE} AS what) w WHERE w.what IS NOT NULL`,
);

/** So does each skip, which has its event and no payment. */
const EACH_SKIP = bySql(
  'schedule',
  `SELECT o.merchant_id, k.id, ${LABEL} || w.what AS what
   FROM scope k JOIN skipped_occurrences o ON o.merchant_id = k.merchant_id AND o.schedule_id = k.id
   ${ONE_CHECKED}
   LEFT JOIN LATERAL (SELECT true AS is_told FROM events WHERE merchant_id = o.merchant_id AND event_id = o.event_id
     AND kind = 'collection.skipped' OFFSET 0) e ON true
   LEFT JOIN LATERAL (SELECT true AS is_there FROM payments WHERE merchant_id = o.merchant_id AND schedule_id = o.schedule_id
     AND due_date = o.due_date AND ad_hoc IS NULL OFFSET 0) p ON true
   CROSS JOIN LATERAL (SELECT CASE WHEN p.is_there THEN 'it was skipped and has a payment' WHEN e.is_told IS NULL
     THEN 'it was skipped without an event' ELSE ${WRONG_WITH_ONE} END AS what) w WHERE w.what IS NOT NULL`,
);

/**
 * SQL: how much later, or earlier, than its nominal moment occurrence `n` may lie, where its terms move it: the other way only
 * near their start or their end.
 */
function movesBy(terms: string, n: string, direction: 'later' | 'earlier'): string {
  const at = nominalMoment(terms, n);
  const isMoved =
    direction === 'later'
      ? `= 'next' OR ${terms}.non_working_day = 'previous'
          AND ${at} - ${FURTHEST_MOVE} < coalesce(${terms}.not_before, ${terms}.first_at)`
      : `= 'previous' OR ${terms}.non_working_day = 'next' AND ${at} + ${FURTHEST_MOVE} > ${terms}.end_at`;
  return `CASE WHEN ${terms}.non_working_day ${isMoved} THEN ${FURTHEST_MOVE} ELSE interval '0' END`;
}

/**
 * SQL: how much earlier the occurrence before a run `r` may have lain under any terms since the run before, `q`: one that passes
 * in a pause lies where the terms of then move it, whatever later ones say.
 */
const MOVED_EARLIER = `(SELECT max(${movesBy('p', 'r.first_occurrence - 1', 'earlier')}) FROM schedule_terms p
      WHERE p.merchant_id = r.merchant_id AND p.schedule_id = r.schedule_id
        AND p.version BETWEEN coalesce(q.terms_version, r.terms_version) AND r.terms_version)`;

const hasEndedBefore = (terms: string, n: string): string =>
  `coalesce(${nominalMoment(terms, n)} > ${terms}.end_at, false)`;

/**
 * What is wrong with a run `r` under its terms `t`; `q` and `f`: the run before it and its terms; `a`: the agenda; `n.next`: the
 * first occurrence that it has not opened; `b`: the newest that was opened or skipped by its end.
 */
const WRONG_WITH_A_RUN = `CASE
  WHEN n.next > r.first_occurrence AND coalesce(b.occurrence, -1) < n.next - 1
    THEN 'occurrence ' || n.next - 1 || ' is neither collected nor skipped'
  WHEN r.ended_at IS NOT NULL AND NOT ${hasEndedBefore('t', 'n.next')}
    AND ${nominalMoment('t', 'n.next')} + ${movesBy('t', 'n.next', 'later')} <= r.ended_at
    THEN 'occurrence ' || n.next || ' fell due before the run ended, and was not opened'
  WHEN r.ended_at IS NULL AND a.due_at IS NULL AND NOT ${hasEndedBefore('t', 'n.next')} THEN 'it has stopped'
  WHEN r.ended_at IS NULL AND a.due_at IS NOT NULL AND NOT ${mayBe('t', 'n.next', 'a.due_at')}
    THEN 'it waits for ' || a.due_at || ', and occurrence ' || n.next || ' is of ' || ${nominalMoment('t', 'n.next')}
  WHEN q.is_same AND r.after_at = q.ended_at AND NOT q.is_over AND r.first_occurrence <> q.next_occurrence
    THEN 'it begins with occurrence ' || r.first_occurrence || ', and the one before stopped at '
      || q.next_occurrence
  WHEN q.is_same AND r.first_occurrence < q.next_occurrence THEN 'it repeats occurrence ' || r.first_occurrence
  WHEN r.first_occurrence > 0 AND NOT coalesce(q.is_same AND r.first_occurrence = q.next_occurrence, false)
    AND ${nominalMoment('t', 'r.first_occurrence - 1')} - ${MOVED_EARLIER} > r.after_at
    THEN 'occurrence ' || r.first_occurrence - 1 || ' was left out'
  WHEN r.ended_at IS NOT NULL AND NOT EXISTS (SELECT FROM schedule_runs z WHERE z.merchant_id = r.merchant_id
      AND z.schedule_id = r.schedule_id AND z.number = r.number + 1 AND z.after_at = r.ended_at)
    AND NOT EXISTS (SELECT FROM ${changesOf('r.merchant_id', 'r.schedule_id')} c WHERE c.object_id = r.schedule_id
      AND c.to_state IN ('paused', 'cancelled') AND c.at = r.ended_at)
    THEN 'it ended, and the audit trail does not say why' END`;

/** Each run goes on where the one before stopped, or the audit trail says why not, and nothing that fell due is missing. */
const EACH_RUN = bySql(
  'schedule',
  `SELECT r.merchant_id, k.id, r.merchant_id || ' ' || k.id || ' run ' || r.number || ': ' || w.what AS what
   FROM scope k JOIN schedule_runs r ON r.merchant_id = k.merchant_id AND r.schedule_id = k.id
   CROSS JOIN ${termsOf('r')} t
   LEFT JOIN LATERAL (SELECT due_at, next_occurrence FROM schedule_agenda WHERE merchant_id = r.merchant_id
     AND schedule_id = r.schedule_id OFFSET 0) a ON true
   CROSS JOIN LATERAL (SELECT CASE WHEN r.ended_at IS NULL THEN a.next_occurrence ELSE r.next_occurrence END AS next) n
   CROSS JOIN ${newest('r', `<= coalesce(r.ended_at, 'infinity')`)} b
   LEFT JOIN LATERAL (SELECT x.ended_at, x.terms_version, x.next_occurrence,
       ${hasEndedBefore('f', 'x.next_occurrence')} AS is_over,
       (f.frequency_type, f.frequency_day, f.frequency_interval, f.first_at, f.time_zone) IS NOT DISTINCT FROM
         (t.frequency_type, t.frequency_day, t.frequency_interval, t.first_at, t.time_zone) AS is_same
     FROM schedule_runs x CROSS JOIN ${termsOf('x')} f WHERE x.merchant_id = r.merchant_id AND x.schedule_id = r.schedule_id
       AND x.number = r.number - 1 OFFSET 0) q ON true
   CROSS JOIN LATERAL (SELECT ${WRONG_WITH_A_RUN} AS what) w WHERE w.what IS NOT NULL`,
);

/** A schedule is in a run while it is active, under the terms that collections follow, and never else. */
const IN_A_RUN = bySql(
  'schedule',
  `SELECT s.merchant_id, k.id, s.merchant_id || ' ' || k.id || ' is ' || s.status || ' under terms '
     || coalesce(s.live_version::text, 'none') || ', and collects under ' || coalesce(r.versions, 'none') AS what
   FROM scope k JOIN schedules s ON s.merchant_id = k.merchant_id AND s.schedule_id = k.id
   CROSS JOIN LATERAL (SELECT string_agg(terms_version::text, ', ') AS versions FROM schedule_runs
     WHERE merchant_id = s.merchant_id AND schedule_id = s.schedule_id AND ended_at IS NULL) r
   WHERE r.versions IS DISTINCT FROM CASE WHEN s.status = 'active' THEN s.live_version::text END
     AND EXISTS (SELECT FROM schedule_runs WHERE merchant_id = s.merchant_id AND schedule_id = s.schedule_id)`,
);

/**
 * Never twice and never missing are one invariant: each occurrence of a schedule up to now has a payment, or a skip with its
 * event, or fell due while nothing was collected, and the audit trail says why. Payments and skips name their occurrence, so a
 * gap shows beside its neighbour, by key; where collecting begins and ends, the calendar is asked. Rows from before occurrences
 * were named are left out, and so is a schedule that a process of the previous version began: it has no run.
 */
export const ACCOUNTED_FOR: Law = {
  name: 'occurrences-accounted-for',
  sentence:
    'Each occurrence up to now is collected once, or was skipped and told, or fell due while the schedule was stopped.',
  parts: [EACH_PAYMENT, EACH_SKIP, EACH_RUN, IN_A_RUN],
};
