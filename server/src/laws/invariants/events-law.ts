import { bySql, changesOf, type Law } from './law.ts';

/**
 * SQL: whether the history of a payment may have been archived: it fell due before the newest horizon. It was if its opening is
 * gone from the audit trail; its outcomes were compared before that, and are not any more. docs/rules/retention.md#the-archive
 */
const MAY_BE_ARCHIVED =
  'p.due_date < (SELECT max(horizon) FROM archives WHERE verified_at IS NOT NULL)';

/** Counts of a kind of line. */
const times = (condition: string): string => `count(*) FILTER (WHERE ${condition})`;

/**
 * The outcomes of the payments of a schedule and of its set-up, and the events sent about them: each row of the schedule is
 * read once, and nothing is joined by subject.
 */
const OF_SCHEDULES = bySql(
  'schedule',
  `SELECT merchant_id, id, merchant_id || ' ' || subject_id || ' ' || o.outcome AS what
   FROM counted CROSS JOIN LATERAL (VALUES
     ('success', is_payment > 0 AND NOT is_archived AND succeeded <> told_success),
     ('failures', is_payment > 0 AND failed <> told_failed),
     ('failed attempts', is_payment > 0 AND NOT is_archived AND attempts_failed > told_failed),
     ('skipped', subject_id = id AND skipped <> told_skipped),
     ('refund success', is_refund > 0 AND refunded <> told_refunded),
     ('refund failure', is_refund > 0 AND failed <> told_refund_failed),
     ('set-up', subject_id = id AND set_up <> told_set_up)) o (outcome, is_broken)
   WHERE o.is_broken`,
  `lines AS (
     SELECT p.merchant_id, p.schedule_id AS id, p.payment_id AS subject_id, 'payment' AS line, p.status AS said,
       ${MAY_BE_ARCHIVED} AS opens
     FROM scope k JOIN payments p ON p.merchant_id = k.merchant_id AND p.schedule_id = k.id
     UNION ALL
     SELECT p.merchant_id, p.schedule_id, p.payment_id, 'attempt', a.status, NULL
     FROM scope k JOIN payments p ON p.merchant_id = k.merchant_id AND p.schedule_id = k.id
     CROSS JOIN LATERAL (SELECT status FROM attempts
       WHERE merchant_id = p.merchant_id AND payment_id = p.payment_id OFFSET 0) a
     UNION ALL
     SELECT r.merchant_id, p.schedule_id, r.refund_id, 'refund', r.status, NULL
     FROM scope k JOIN payments p ON p.merchant_id = k.merchant_id AND p.schedule_id = k.id AND p.refunded_pence IS NOT NULL
     JOIN refunds r ON r.merchant_id = p.merchant_id AND r.payment_id = p.payment_id
     UNION ALL
     SELECT e.merchant_id, e.schedule_id, CASE WHEN e.kind LIKE 'schedule.setup\\_%' THEN e.schedule_id ELSE e.subject_id END,
       'event', e.kind, NULL
     FROM scope k JOIN events e ON e.merchant_id = k.merchant_id AND e.schedule_id = k.id
     UNION ALL
     SELECT c.merchant_id, c.schedule_id, CASE WHEN c.object_id LIKE 'con\\_%' THEN c.schedule_id ELSE c.object_id END,
       CASE WHEN c.object_id LIKE 'con\\_%' THEN 'consent' ELSE 'change' END,
       CASE WHEN c.from_state = 'processing' AND c.to_state = 'pending' THEN 'failed' ELSE c.to_state END,
       c.from_state IS NULL
     FROM scope k CROSS JOIN ${changesOf('k.merchant_id', 'k.id')} c
   ), counted AS (
     SELECT merchant_id, id, subject_id, ${times(`line = 'payment'`)} AS is_payment,
       coalesce(bool_or(opens) FILTER (WHERE line = 'payment'), false)
         AND NOT coalesce(bool_or(opens) FILTER (WHERE line = 'change'), false) AS is_archived,
       ${times(`line = 'payment' AND said = 'success'`)} AS succeeded,
       ${times(`line = 'event' AND said = 'collection.success'`)} AS told_success,
       ${times(`line = 'change' AND said = 'failed'`)} AS failed,
       ${times(`line = 'attempt' AND said = 'failed'`)} AS attempts_failed,
       ${times(`line = 'event' AND said = 'collection.failed'`)} AS told_failed,
       ${times(`line = 'change' AND said = 'occurrence_skipped'`)} AS skipped,
       ${times(`line = 'event' AND said = 'collection.skipped'`)} AS told_skipped,
       ${times(`line = 'refund'`)} AS is_refund,
       ${times(`line = 'change' AND said = 'success'`)} AS refunded,
       ${times(`line = 'event' AND said = 'refund.success'`)} AS told_refunded,
       ${times(`line = 'event' AND said = 'refund.failed'`)} AS told_refund_failed,
       ${times(`line = 'consent' AND said IN ('granted', 'denied', 'expired', 'rejected')`)} AS set_up,
       ${times(`line = 'event' AND said IN ('schedule.setup_success', 'schedule.setup_failed')`)} AS told_set_up
     FROM lines GROUP BY merchant_id, id, subject_id)`,
);

/** The outcomes of settlements, and the events sent about them: neither belongs to a schedule. */
const OF_SETTLEMENTS = bySql(
  'settlement',
  `SELECT merchant_id, id, merchant_id || ' ' || id || ' ' || k.outcome AS what
   FROM counted CROSS JOIN LATERAL (VALUES ('success', success, told_success), ('failed', failed, told_failed))
     k (outcome, became, told)
   WHERE is_asked > 0 AND k.became <> k.told`,
  `merchant AS (SELECT DISTINCT merchant_id FROM scope), lines AS (
     SELECT merchant_id, id, 'settlement' AS line, '' AS said FROM scope
     UNION ALL
     SELECT e.merchant_id, e.subject_id, 'event', e.kind FROM merchant m
     JOIN events e ON e.merchant_id = m.merchant_id AND e.schedule_id IS NULL
     UNION ALL
     SELECT c.merchant_id, c.object_id, 'change', c.to_state FROM merchant m
     JOIN state_changes c ON c.merchant_id = m.merchant_id AND c.schedule_id IS NULL
   ), counted AS (
     SELECT merchant_id, id, ${times(`line = 'settlement'`)} AS is_asked,
       ${times(`line = 'change' AND said = 'success'`)} AS success, ${times(`line = 'change' AND said = 'failed'`)} AS failed,
       ${times(`line = 'event' AND said = 'settlement.success'`)} AS told_success,
       ${times(`line = 'event' AND said = 'settlement.failed'`)} AS told_failed
     FROM lines GROUP BY merchant_id, id)`,
);

/** Every outcome that concerns the merchant has exactly one event: none is lost, and none is sent twice. */
export const ONE_EVENT: Law = {
  name: 'one-event-per-outcome',
  sentence: 'Every outcome that concerns the merchant has exactly one event.',
  parts: [OF_SCHEDULES, OF_SETTLEMENTS],
};

/** An event and its deliveries are written in one transaction: docs/rules/webhooks.md#events. */
export const NO_EVENT_LOST: Law = {
  name: 'no-event-lost',
  sentence: 'Every event has a delivery, or is on the list of those that no endpoint wanted.',
  parts: [
    bySql(
      'event',
      `SELECT v.merchant_id, v.event_id AS id, v.merchant_id || ' ' || v.event_id || ' ' || v.kind AS what
       FROM scope k JOIN events v ON v.merchant_id = k.merchant_id AND v.event_id = k.id
       WHERE NOT EXISTS (SELECT FROM deliveries d WHERE d.merchant_id = v.merchant_id AND d.event_id = v.event_id)
         AND NOT EXISTS (SELECT FROM events_without_endpoint n WHERE n.merchant_id = v.merchant_id AND n.event_id = v.event_id)`,
    ),
  ],
};
