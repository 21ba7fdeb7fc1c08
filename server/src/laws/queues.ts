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
];
