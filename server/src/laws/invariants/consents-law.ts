import { ATTEMPT_CONSENT } from '../../payments/books/evidence-store.ts';
import { bySql, changesOf, type Law } from './law.ts';

/** The bank's word alone ends a consent only after two looks. */
export const TWO_CHECKS: Law = {
  name: 'two-looks-before-an-end',
  sentence:
    'No consent ended by its bank’s word without two looks, at least an hour apart and with none between that disagreed.',
  parts: [
    bySql(
      'consent',
      `SELECT e.merchant_id, e.object_id AS id, e.merchant_id || ' ' || e.object_id || ' ended at ' || e.at AS what
       FROM scope k JOIN consents c ON c.merchant_id = k.merchant_id AND c.consent_id = k.id
       JOIN ${changesOf('c.merchant_id', 'c.schedule_id')} e ON e.object_id = c.consent_id
         AND e.to_state = 'revoked' AND e.reason IN ('withdrawn_at_bank', 'expired_at_bank')
       WHERE NOT EXISTS (SELECT 1 FROM consent_looks a
         JOIN consent_looks b ON b.merchant_id = a.merchant_id AND b.consent_id = a.consent_id AND b.said = 'over'
           AND b.at >= a.at + interval '1 hour'
         WHERE a.merchant_id = e.merchant_id AND a.consent_id = e.object_id AND a.said = 'over' AND b.at <= e.at
           AND NOT EXISTS (SELECT 1 FROM consent_looks d WHERE d.merchant_id = a.merchant_id
             AND d.consent_id = a.consent_id AND d.said = 'stands' AND d.at BETWEEN a.at AND b.at))`,
    ),
  ],
};

/** For an order `o`: none of its attempt stood when it was noted. */
const IS_FIRST_ORDER = `NOT EXISTS (SELECT 1 FROM payment_orders e WHERE e.merchant_id = o.merchant_id
  AND e.payment_id = o.payment_id AND e.attempt = o.attempt AND e.sequence < o.sequence
  AND (e.taken_back_at IS NULL OR CASE WHEN e.taken_back_sequence IS NULL THEN e.taken_back_at > o.sent_at
    ELSE e.taken_back_sequence > o.sequence END))`;

/** SQL: the first change by which a consent was granted. */
const grantOf = (c: string): string =>
  `LATERAL (SELECT min(e.change_id) AS change_id FROM ${changesOf(`${c}.merchant_id`, `${c}.schedule_id`)} e
     WHERE e.object_id = ${c}.consent_id AND e.to_state = 'granted')`;

/**
 * While a consent waits for its customer to authenticate again, no attempt sends its first order; an order that may be with the
 * bank is repeated. Waits, orders and the taking back of orders have their places in one sequence, each drawn under a lock that
 * the others want too: no clock is compared with another. An order that was taken back counts too: it was noted as sent during
 * the wait. One without such a place was taken back by an earlier version, of which only the moment is known.
 */
export const NOTHING_NEW_IN_A_WAIT: Law = {
  name: 'nothing-new-while-a-consent-waits',
  sentence:
    'No attempt sent its first order while its consent waited for the customer to authenticate again.',
  parts: [
    bySql(
      'consent',
      `SELECT c.merchant_id, c.consent_id AS id,
         o.merchant_id || ' ' || o.payment_id || ' attempt ' || o.attempt || ', order ' || o.call AS what
       FROM scope k JOIN consents c ON c.merchant_id = k.merchant_id AND c.consent_id = k.id
       JOIN ${changesOf('c.merchant_id', 'c.schedule_id')} w ON w.object_id = c.consent_id
         AND w.to_state = 'to_confirm'
       CROSS JOIN LATERAL (SELECT min(e.change_id) AS change_id FROM state_changes e WHERE e.merchant_id = w.merchant_id
         AND e.schedule_id = w.schedule_id AND e.object_id = w.object_id AND e.from_state = 'to_confirm'
         AND e.change_id > w.change_id) over
       JOIN schedules s ON s.merchant_id = c.merchant_id AND s.customer_id = c.customer_id
       JOIN payments p ON p.merchant_id = s.merchant_id AND p.schedule_id = s.schedule_id
       JOIN attempts a ON a.merchant_id = p.merchant_id AND a.payment_id = p.payment_id
         AND ${ATTEMPT_CONSENT} = c.consent_id
       JOIN payment_orders o ON o.merchant_id = p.merchant_id AND o.payment_id = p.payment_id AND o.attempt = a.number
         AND o.sequence > w.change_id AND (over.change_id IS NULL OR o.sequence < over.change_id)
       WHERE ${IS_FIRST_ORDER}`,
    ),
  ],
};

/**
 * Once a customer has agreed to pay from another account, the one that they left is ordered from no more: what waits moves on or
 * fails, and only an order that may be with the bank is repeated. A shared consent goes on for the customer's other schedules.
 */
export const NOTHING_NEW_AT_A_LEFT_ACCOUNT: Law = {
  name: 'nothing-new-at-a-left-account',
  sentence:
    'No attempt sent its first order under a consent after its customer agreed to pay from another account.',
  parts: [
    bySql(
      'consent',
      `SELECT c.merchant_id, c.consent_id AS id,
         o.merchant_id || ' ' || o.payment_id || ' attempt ' || o.attempt || ', order ' || o.call
           || ' under ' || l.consent_id AS what
       FROM scope k
       JOIN consents c ON c.merchant_id = k.merchant_id AND c.consent_id = k.id AND c.another_account
       CROSS JOIN ${grantOf('c')} agreed
       JOIN payments p ON p.merchant_id = c.merchant_id AND p.schedule_id = c.schedule_id
       JOIN attempts a ON a.merchant_id = p.merchant_id AND a.payment_id = p.payment_id
         AND ${ATTEMPT_CONSENT} <> c.consent_id
       JOIN payment_orders o ON o.merchant_id = p.merchant_id AND o.payment_id = p.payment_id AND o.attempt = a.number
         AND o.sequence > agreed.change_id
       JOIN consents l ON l.merchant_id = p.merchant_id AND l.consent_id = ${ATTEMPT_CONSENT}
       CROSS JOIN ${grantOf('l')} earlier
       WHERE earlier.change_id < agreed.change_id AND ${IS_FIRST_ORDER}`,
    ),
  ],
};

/**
 * What was not sent waits for the customer only while the customer can confirm the consent: until a new one replaces it, or its
 * agreed end. After that it moves on or fails when it is next due; two days leave time for an issuer that does not say whether
 * its money is there already.
 */
export const NO_WAIT_FOR_NOBODY: Law = {
  name: 'nothing-waits-for-nobody',
  sentence: 'No attempt waits unsent under a consent that nobody can confirm any more.',
  parts: [
    bySql(
      'work',
      `SELECT w.merchant_id, w.payment_id AS id,
         w.merchant_id || ' ' || w.payment_id || ' waits until ' || w.due_at || ' under ' || c.consent_id
           || ', over at ' || over.at AS what
       FROM scope k JOIN payment_work w ON w.merchant_id = k.merchant_id AND w.payment_id = k.id AND w.stage = 'submit'
       JOIN payments p ON p.merchant_id = w.merchant_id AND p.payment_id = w.payment_id
       JOIN consents c ON c.merchant_id = p.merchant_id AND c.consent_id = p.consent_id
         AND (c.suspended_at IS NOT NULL OR c.confirm_asked_at IS NOT NULL)
       CROSS JOIN LATERAL (SELECT CASE c.status WHEN 'granted' THEN (c.control_parameters ->> 'validTo')::timestamptz
         ELSE c.ended_at END AS at) over
       JOIN attempts a ON a.merchant_id = w.merchant_id AND a.payment_id = w.payment_id AND a.number = w.attempt
         AND a.status = 'started' AND a.sent_at IS NULL
       CROSS JOIN LATERAL (SELECT max(taken_back_at) AS at FROM payment_orders
         WHERE merchant_id = a.merchant_id AND payment_id = a.payment_id AND attempt = a.number) unsent
       WHERE w.due_at > greatest(over.at, a.started_at, unsent.at) + interval '2 days' AND over.at IS NOT NULL`,
    ),
  ],
};

/** Without its grant nothing could be collected under a consent, and nobody would notice. */
export const GRANTS: Law = {
  name: 'granted-consents-have-grants',
  sentence: 'Every granted consent has the grant that its bank gave for it.',
  parts: [
    bySql(
      'consent',
      `SELECT c.merchant_id, c.consent_id AS id, c.merchant_id || ' ' || c.consent_id AS what
       FROM scope k JOIN consents c ON c.merchant_id = k.merchant_id AND c.consent_id = k.id
       WHERE c.status = 'granted'
         AND NOT EXISTS (SELECT FROM bank_grants g WHERE g.merchant_id = c.merchant_id AND g.consent_id = c.consent_id)`,
    ),
  ],
};
