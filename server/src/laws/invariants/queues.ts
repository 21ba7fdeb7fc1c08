import { bySql, type Law } from './law.ts';

/** Invariants of the tables that say what is still to be done: nothing is in them that should not be, and nothing is missing. */
export const QUEUES: readonly Law[] = [
  {
    name: 'only-active-schedules-are-due',
    sentence:
      'Every schedule has one agenda, and only an active one with a live consent has a next collection.',
    parts: [
      bySql(
        'schedule',
        `SELECT s.merchant_id, s.schedule_id AS id, s.merchant_id || ' ' || s.schedule_id || CASE
           WHEN a.schedule_id IS NULL THEN ' has no agenda'
           ELSE ' is ' || s.status || ' with ' || coalesce(s.consent_id, 'no consent') || ', and due at ' || a.due_at END AS what
         FROM scope k JOIN schedules s ON s.merchant_id = k.merchant_id AND s.schedule_id = k.id
         LEFT JOIN schedule_agenda a ON a.merchant_id = s.merchant_id AND a.schedule_id = s.schedule_id
         WHERE a.schedule_id IS NULL
           OR (a.due_at IS NOT NULL AND (s.status <> 'active' OR s.live_version IS NULL OR s.consent_id IS NULL))`,
      ),
    ],
  },
  {
    name: 'collected-is-settled',
    sentence:
      'Every successful payment is in a settlement or to be settled, with its amount; no other payment is in either.',
    parts: [
      bySql(
        'payment',
        `SELECT p.merchant_id, p.payment_id AS id, p.merchant_id || ' ' || p.payment_id || ' is ' || p.status || ' with '
           || p.amount_pence || ', in ' || coalesce(p.settlement_id, 'no settlement') || ', to be settled are '
           || coalesce(t.amount_pence::text, 'none') AS what
         FROM scope k JOIN payments p ON p.merchant_id = k.merchant_id AND p.payment_id = k.id
         LEFT JOIN to_settle t ON t.merchant_id = p.merchant_id AND t.payment_id = p.payment_id
         WHERE t.amount_pence IS DISTINCT FROM
             CASE WHEN p.status = 'success' AND p.settlement_id IS NULL THEN p.amount_pence END
           OR (p.status <> 'success' AND p.settlement_id IS NOT NULL)`,
      ),
    ],
  },
];
