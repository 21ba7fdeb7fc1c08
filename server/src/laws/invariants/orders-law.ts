import { ATTEMPT_CONSENT } from '../../payments/books/evidence-store.ts';
import { bySql, changesOf, type Law } from './law.ts';

/** What a consent ended before may still follow: what fell due before a new consent replaced it. */
const IS_TOO_LATE = `> c.ended_at AND NOT (c.status = 'replaced' AND p.due_date <= c.ended_at)`;

/** Attempts and orders sent outside the life of their consent, by their times. */
const OUTSIDE_THE_CONSENT = bySql(
  'payment',
  `SELECT p.merchant_id, p.payment_id AS id, p.merchant_id || ' ' || p.payment_id || ' attempt ' || s.what AS what
   FROM scope k JOIN payments p ON p.merchant_id = k.merchant_id AND p.payment_id = k.id
   JOIN attempts a ON a.merchant_id = p.merchant_id AND a.payment_id = p.payment_id
   JOIN consents c ON c.merchant_id = p.merchant_id AND c.consent_id = ${ATTEMPT_CONSENT}
   CROSS JOIN LATERAL (
     SELECT a.number::text AS what
     WHERE a.sent_at IS NOT NULL AND (c.granted_at IS NULL OR a.sent_at < c.granted_at OR (a.sent_at ${IS_TOO_LATE}))
     UNION ALL
     SELECT o.attempt || ', order ' || o.call FROM payment_orders o WHERE o.merchant_id = p.merchant_id
       AND o.payment_id = p.payment_id AND o.attempt = a.number AND o.taken_back_at IS NULL
       AND (o.sent_at < c.granted_at OR (o.sent_at ${IS_TOO_LATE}))) s`,
);

/** Orders sent after the end of their consent, by their places in the one sequence of orders and state changes. */
const AFTER_THE_CONSENT = bySql(
  'consent',
  `SELECT c.merchant_id, c.consent_id AS id,
     o.merchant_id || ' ' || o.payment_id || ' attempt ' || o.attempt || ', order ' || o.call AS what
   FROM scope k JOIN consents c ON c.merchant_id = k.merchant_id AND c.consent_id = k.id
   CROSS JOIN LATERAL (SELECT max(e.change_id) AS change_id FROM ${changesOf('c.merchant_id', 'c.schedule_id')} e
     WHERE e.object_id = c.consent_id AND e.to_state IN ('revoked', 'dropped')) ended
   JOIN schedules s ON ended.change_id IS NOT NULL AND s.merchant_id = c.merchant_id AND s.customer_id = c.customer_id
   JOIN payments p ON p.merchant_id = s.merchant_id AND p.schedule_id = s.schedule_id
   JOIN attempts a ON a.merchant_id = p.merchant_id AND a.payment_id = p.payment_id
     AND ${ATTEMPT_CONSENT} = c.consent_id
   JOIN payment_orders o ON o.merchant_id = p.merchant_id AND o.payment_id = p.payment_id AND o.attempt = a.number
   WHERE o.taken_back_at IS NULL AND o.sequence > ended.change_id`,
);

/**
 * Orders sent after their schedule was paused or cancelled, by the same sequence. A payment whose opening is no longer in the
 * audit trail was archived, and checked before that: docs/rules/retention.md#the-archive.
 */
const AFTER_A_STOP = bySql(
  'schedule',
  `SELECT DISTINCT o.merchant_id, k.id, o.merchant_id || ' ' || o.payment_id || ' attempt ' || o.attempt || ', order ' || o.call
     || ' after the schedule was ' || no.to_state AS what
   FROM scope k
   JOIN ${changesOf('k.merchant_id', 'k.id')} no ON no.object_id = k.id
     AND no.to_state IN ('paused', 'cancelled')
   JOIN payments p ON p.merchant_id = no.merchant_id AND p.schedule_id = no.schedule_id
   JOIN payment_orders o ON o.merchant_id = p.merchant_id AND o.payment_id = p.payment_id
   WHERE o.taken_back_at IS NULL AND o.sequence > no.change_id
     AND (no.to_state = 'cancelled' OR NOT EXISTS (SELECT 1 FROM state_changes go
       WHERE go.merchant_id = p.merchant_id AND go.schedule_id = p.schedule_id AND go.object_id = p.payment_id
         AND go.to_state = 'pending' AND (go.from_state IS NULL OR go.from_state = 'failed')
         AND go.change_id > no.change_id AND go.change_id < o.sequence))
     AND (no.to_state = 'cancelled'
       OR (p.due_date < (SELECT max(horizon) FROM archives WHERE verified_at IS NOT NULL)) IS NOT TRUE
       OR EXISTS (SELECT FROM state_changes opening WHERE opening.merchant_id = p.merchant_id
         AND opening.schedule_id = p.schedule_id AND opening.object_id = p.payment_id AND opening.from_state IS NULL))`,
);

/**
 * No order was sent outside the life of its consent, or after the merchant paused or cancelled; every order counts, including
 * repeats. Orders and state changes are ordered by their positions in one sequence, both taken under the same locks, and by
 * their times. What fell due before a new consent replaced the old one may follow. An order that provably never left does not
 * count.
 */
export const NOTHING_AFTER_A_NO: Law = {
  name: 'nothing-without-consent',
  sentence:
    'No order was sent outside the life of its consent, or after its schedule was paused or cancelled.',
  parts: [OUTSIDE_THE_CONSENT, AFTER_THE_CONSENT, AFTER_A_STOP],
};

/**
 * What an attempt says of its orders is what they say. While it is under way without a report of its bank, it was sent when the
 * first of the orders that stand was; when it has ended, an order that stands still means that it was sent. Whoever notes an
 * order and whoever takes one back lock the same row, so that neither misses the other.
 */
export const SENT_AS_ORDERED: Law = {
  name: 'sent-as-ordered',
  sentence:
    'An attempt counts as sent exactly if it has an order that was not taken back, and from the first of them; or from its start, if its bank has it and a restore has lost the order.',
  parts: [
    bySql(
      'payment',
      `SELECT a.merchant_id, a.payment_id AS id,
         a.merchant_id || ' ' || a.payment_id || ' attempt ' || a.number || ' was sent ' || coalesce('at ' || a.sent_at, 'never')
           || ', and the first order that stands ' || coalesce('at ' || o.first, 'never') AS what
       FROM scope k JOIN attempts a ON a.merchant_id = k.merchant_id AND a.payment_id = k.id
       CROSS JOIN LATERAL (SELECT min(sent_at) FILTER (WHERE taken_back_at IS NULL) AS first, count(*) AS of_any
         FROM payment_orders WHERE merchant_id = a.merchant_id AND payment_id = a.payment_id AND attempt = a.number) o
       WHERE CASE WHEN a.status = 'started' THEN a.sent_at IS DISTINCT FROM o.first
         WHEN a.sent_at IS NULL THEN o.first IS NOT NULL
         ELSE o.of_any = 0 AND (a.bank_payment_id IS NULL OR a.sent_at <> a.started_at) END`,
    ),
  ],
};
