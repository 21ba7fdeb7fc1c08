/**
 * No order was sent outside the life of its consent, or after the merchant paused or cancelled; every order counts, including
 * repeats. Orders and state changes are ordered by their positions in one sequence, both taken under the same locks, and by
 * their times. What fell due before a new consent replaced the old one may follow. An order that provably never left does not
 * count.
 */
export const NOTHING_AFTER_A_NO = {
  sentence:
    'No order was sent outside the life of its consent, or after its schedule was paused or cancelled.',
  sql: `SELECT a.merchant_id || ' ' || a.payment_id || ' attempt ' || a.number AS what
     FROM attempts a JOIN payments p USING (merchant_id, payment_id)
     JOIN consents c ON c.merchant_id = p.merchant_id AND c.consent_id = p.consent_id
     WHERE a.sent_at IS NOT NULL AND (c.granted_at IS NULL OR a.sent_at < c.granted_at
       OR (a.sent_at > c.ended_at AND NOT (c.status = 'replaced' AND p.due_date <= c.ended_at)))
     UNION
     SELECT o.merchant_id || ' ' || o.payment_id || ' attempt ' || o.attempt || ', order ' || o.call
     FROM payment_orders o JOIN payments p USING (merchant_id, payment_id)
     JOIN consents c ON c.merchant_id = p.merchant_id AND c.consent_id = p.consent_id
     LEFT JOIN (SELECT merchant_id, object_id, max(change_id) AS change_id FROM state_changes
                WHERE to_state IN ('revoked', 'dropped') AND object_id LIKE 'con\\_%' GROUP BY 1, 2) ended
       ON ended.merchant_id = c.merchant_id AND ended.object_id = c.consent_id
     WHERE o.taken_back_at IS NULL AND (o.sent_at < c.granted_at OR o.sequence > ended.change_id
       OR (o.sent_at > c.ended_at AND NOT (c.status = 'replaced' AND p.due_date <= c.ended_at)))
     UNION
     SELECT o.merchant_id || ' ' || o.payment_id || ' attempt ' || o.attempt || ', order ' || o.call
       || ' after the schedule was ' || no.to_state
     FROM state_changes no JOIN payments p ON p.merchant_id = no.merchant_id AND p.schedule_id = no.object_id
     JOIN payment_orders o ON o.merchant_id = p.merchant_id AND o.payment_id = p.payment_id
     WHERE no.to_state IN ('paused', 'cancelled') AND no.object_id = no.schedule_id
       AND o.taken_back_at IS NULL AND o.sequence > no.change_id
       AND (no.to_state = 'cancelled' OR NOT EXISTS (SELECT 1 FROM state_changes go
         WHERE go.merchant_id = p.merchant_id AND go.schedule_id = p.schedule_id AND go.object_id = p.payment_id
           AND go.to_state = 'pending' AND (go.from_state IS NULL OR go.from_state = 'failed')
           AND go.change_id > no.change_id AND go.change_id < o.sequence))`,
} as const;
