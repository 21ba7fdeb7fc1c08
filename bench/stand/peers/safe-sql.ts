// The statements of the jobs that are as safe as the service. Schedules are locked before consents, and each in primary-key
// order, so that two batches cannot deadlock. `$1` to `$4`: merchants, schedules, payments and due dates of the jobs.

const JOBS = `unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[])
      AS j (merchant_id, schedule_id, payment_id, due_date)`;

/** A pause, a cancellation and a change of terms wait for this. */
export const LOCK_SCHEDULES = `
  SELECT 1 FROM schedules WHERE (merchant_id, schedule_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
  ORDER BY merchant_id, schedule_id FOR KEY SHARE`;

/** A withdrawal waits for this: one that commits later sees the order. */
export const LOCK_CONSENTS = `
  SELECT 1 FROM consents WHERE (merchant_id, consent_id) IN (
    SELECT s.merchant_id, s.consent_id FROM unnest($1::text[], $2::text[]) AS j (merchant_id, schedule_id)
    CROSS JOIN LATERAL (SELECT merchant_id, consent_id FROM schedules
      WHERE merchant_id = j.merchant_id AND schedule_id = j.schedule_id OFFSET 0) s)
  ORDER BY merchant_id, consent_id FOR KEY SHARE`;

/**
 * Opens the payments of these occurrences that have none yet, notes their orders before the bank is called, and moves the
 * schedules on. `$5`: now. Returns the payments.
 */
export const OPEN = `
  WITH due AS (
    SELECT j.merchant_id, j.payment_id, j.schedule_id, j.due_date, s.customer_id, s.consent_id, c.wallet_id, c.bank_id,
      t.amount_pence, t.currency
    FROM ${JOBS}
    CROSS JOIN LATERAL (SELECT customer_id, consent_id, live_version FROM schedules WHERE merchant_id = j.merchant_id
      AND schedule_id = j.schedule_id AND status = 'active' OFFSET 0) s
    CROSS JOIN LATERAL (SELECT due_at FROM schedule_agenda WHERE merchant_id = j.merchant_id
      AND schedule_id = j.schedule_id AND due_at = j.due_date OFFSET 0) a
    CROSS JOIN LATERAL (SELECT wallet_id, bank_id FROM consents WHERE merchant_id = j.merchant_id
      AND consent_id = s.consent_id AND status = 'granted' OFFSET 0) c
    CROSS JOIN LATERAL (SELECT amount_pence, currency FROM schedule_terms WHERE merchant_id = j.merchant_id
      AND schedule_id = j.schedule_id AND version = s.live_version OFFSET 0) t
  ), opened AS (
    INSERT INTO payments (merchant_id, payment_id, schedule_id, customer_id, consent_id, wallet_id, bank_id, amount_pence,
      currency, due_date, status, attempts, created_at)
    SELECT merchant_id, payment_id, schedule_id, customer_id, consent_id, wallet_id, bank_id, amount_pence, currency, due_date,
      'processing', 1, $5 FROM due
    ON CONFLICT (merchant_id, schedule_id, due_date, ad_hoc) DO NOTHING RETURNING merchant_id, payment_id, schedule_id, due_date
  ), attempted AS (
    INSERT INTO attempts (merchant_id, payment_id, number, manual, status, started_at, sent_at)
    SELECT merchant_id, payment_id, 1, false, 'started', $5, $5 FROM opened
  ), ordered AS (
    INSERT INTO payment_orders (merchant_id, payment_id, attempt, call, sent_at)
    SELECT merchant_id, payment_id, 1, 1, $5 FROM opened
  ), audited AS (
    INSERT INTO state_changes (merchant_id, object_id, schedule_id, from_state, to_state, reason, at)
    SELECT merchant_id, payment_id, schedule_id, f, t, r, $5 FROM opened
    CROSS JOIN (VALUES (NULL, 'pending', 'the occurrence is due'), ('pending', 'processing', 'attempt 1')) v (f, t, r)
  ), moved_on AS (
    UPDATE schedule_agenda a SET next_occurrence = a.next_occurrence + 1, due_at = a.due_at + interval '1 month'
    FROM opened o WHERE a.merchant_id = o.merchant_id AND a.schedule_id = o.schedule_id
  )
  SELECT payment_id FROM opened`;

/** Reads how far these payments are, and what their calls need. */
export const READ_PROGRESS = `
  SELECT p.*, a.*, c.*, g.*, f.from_wallet, m.to_wallet, m.to_account, s.schedule_status,
    (SELECT event_id FROM events WHERE merchant_id = j.merchant_id AND schedule_id = j.schedule_id
     AND subject_id = j.payment_id AND kind = 'collection.success') AS event_id
  FROM unnest($1::text[], $2::text[], $3::text[]) AS j (merchant_id, schedule_id, payment_id)
  CROSS JOIN LATERAL (SELECT merchant_id, payment_id, schedule_id, consent_id, wallet_id, amount_pence, currency, status
    FROM payments WHERE merchant_id = j.merchant_id AND payment_id = j.payment_id OFFSET 0) p
  CROSS JOIN LATERAL (SELECT status AS attempt_status, sent_at FROM attempts
    WHERE merchant_id = j.merchant_id AND payment_id = j.payment_id AND number = 1 OFFSET 0) a
  CROSS JOIN LATERAL (SELECT status AS schedule_status FROM schedules
    WHERE merchant_id = j.merchant_id AND schedule_id = j.schedule_id OFFSET 0) s
  CROSS JOIN LATERAL (SELECT status AS consent_status, bank_consent_id, initiation FROM consents
    WHERE merchant_id = j.merchant_id AND consent_id = p.consent_id OFFSET 0) c
  CROSS JOIN LATERAL (SELECT bank_grant FROM bank_grants
    WHERE merchant_id = j.merchant_id AND consent_id = p.consent_id OFFSET 0) g
  CROSS JOIN LATERAL (SELECT issuer_wallet_id AS from_wallet FROM wallets
    WHERE merchant_id = j.merchant_id AND wallet_id = p.wallet_id OFFSET 0) f
  CROSS JOIN LATERAL (SELECT issuer_wallet_id AS to_wallet, wallet_id AS to_account FROM wallets
    WHERE merchant_id = j.merchant_id AND customer_id IS NULL AND status = 'open' OFFSET 0) m`;

/** Notes that orders are sent again. */
export const NOTE_REPEATS = `
  INSERT INTO payment_orders (merchant_id, payment_id, attempt, call, sent_at)
  SELECT r.merchant_id, r.payment_id, 1, (SELECT max(call) + 1 FROM payment_orders o
    WHERE o.merchant_id = r.merchant_id AND o.payment_id = r.payment_id AND o.attempt = 1), $3
  FROM unnest($1::text[], $2::text[]) AS r (merchant_id, payment_id)`;

/**
 * Stores notices of pay-ins, each once, and marks the attempts that they pay. Notices: `$1` source, `$2` ids, `$3` bodies, `$4`
 * now; and what they name: `$5` merchants, `$6` payments, `$7` attempts, `$8` amounts.
 */
export const RECORD_PAY_INS = `
  WITH notice AS (
    INSERT INTO inbox (source, notification_id, body, received_at)
    SELECT $1, *, $4::timestamptz FROM unnest($2::text[], $3::text[]) ON CONFLICT DO NOTHING RETURNING notification_id
  )
  UPDATE attempts a SET status = 'success', finished_at = $4, pay_in_id = n.notification_id, pay_in_by = 'name'
  FROM notice CROSS JOIN LATERAL (
    SELECT * FROM unnest($2::text[], $5::text[], $6::text[], $7::int[], $8::bigint[])
      AS u (notification_id, merchant_id, payment_id, number, amount_pence)
    WHERE u.notification_id = notice.notification_id) n
  CROSS JOIN LATERAL (SELECT wallet_id, amount_pence FROM payments
    WHERE merchant_id = n.merchant_id AND payment_id = n.payment_id OFFSET 0) p
  WHERE a.merchant_id = n.merchant_id AND a.payment_id = n.payment_id AND a.number = n.number AND a.status = 'started'
    AND p.amount_pence = n.amount_pence
  RETURNING a.merchant_id, a.payment_id, p.wallet_id, p.amount_pence`;

/** Returns which of these payments' money has arrived. */
export const PAID = `
  SELECT r.payment_id FROM unnest($1::text[], $2::text[]) AS r (merchant_id, payment_id)
  JOIN attempts a ON a.merchant_id = r.merchant_id AND a.payment_id = r.payment_id AND a.number = 1 AND a.status = 'success'`;

/**
 * Ends payments that have not ended yet, with the bank's ids (`$3`), and takes the next number of each schedule's events. `$4`:
 * now. Returns a row for each payment, and one for each schedule with its last number.
 */
export const SUCCEED = `
  WITH done AS (
    UPDATE payments p SET status = 'success', completed_at = $4
    FROM unnest($1::text[], $2::text[], $3::text[]) AS d (merchant_id, payment_id, bank_payment_id)
    WHERE p.merchant_id = d.merchant_id AND p.payment_id = d.payment_id AND p.status = 'processing'
    RETURNING p.merchant_id, p.payment_id, p.schedule_id, p.amount_pence, d.bank_payment_id
  ), named AS (
    UPDATE attempts a SET bank_payment_id = d.bank_payment_id FROM done d
    WHERE a.merchant_id = d.merchant_id AND a.payment_id = d.payment_id AND a.number = 1 AND d.bank_payment_id IS NOT NULL
  ), settled AS (
    INSERT INTO to_settle (merchant_id, payment_id, settle_at, amount_pence)
    SELECT merchant_id, payment_id, $4::timestamptz + interval '1 day', amount_pence FROM done
  ), numbered AS (
    INSERT INTO schedule_agenda AS a (merchant_id, schedule_id, last_event)
    SELECT merchant_id, schedule_id, count(*) FROM done GROUP BY merchant_id, schedule_id ORDER BY merchant_id, schedule_id
    ON CONFLICT (merchant_id, schedule_id) DO UPDATE SET last_event = a.last_event + excluded.last_event
    RETURNING schedule_id, last_event AS last
  )
  SELECT payment_id, schedule_id, NULL::int AS last FROM done UNION ALL SELECT NULL, schedule_id, last FROM numbered`;

/** Writes events and the audit rows of what they report: `$1` to `$6` of each, and now. */
export const INSERT_EVENTS = `
  WITH audited AS (
    INSERT INTO state_changes (merchant_id, object_id, schedule_id, from_state, to_state, reason, at)
    SELECT m, p, s, 'processing', 'success', 'in the merchant''s wallet', $7
    FROM unnest($1::text[], $2::text[], $3::text[]) AS e (m, p, s)
  )
  INSERT INTO events (merchant_id, event_id, kind, schedule_id, sequence, subject_id, body, created_at)
  SELECT m, e, 'collection.success', s, n, p, b, $7
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[]) AS e (m, p, s, e, n, b)`;

/** Reads events with the endpoints that have not acknowledged them. */
export const OUTGOING = `
  SELECT v.merchant_id, v.event_id, v.body, v.sequence, w.endpoint_id, w.url, w.secret
  FROM unnest($1::text[], $2::text[]) AS t (merchant_id, event_id)
  JOIN events v USING (merchant_id, event_id) JOIN webhook_endpoints w USING (merchant_id)
  WHERE w.status = 'enabled' AND NOT EXISTS (SELECT FROM deliveries d WHERE d.merchant_id = v.merchant_id
    AND d.event_id = v.event_id AND d.endpoint_id = w.endpoint_id AND d.status = 'delivered')`;

/**
 * Records one try of each delivery: `$1` to `$4` its keys, `$5` whether it was acknowledged, and its response if it fits into
 * the row; `$9`: now. What is not acknowledged waits for the library. Returns the number of each try.
 */
export const RECORD_TRIES = `
  INSERT INTO deliveries AS d (merchant_id, delivery_id, event_id, endpoint_id, status, attempts, failures, due_at, created_at,
    finished_at, first_at, first_response_status, first_response_body, first_duration_ms)
  SELECT m, i, e, w, CASE WHEN ok THEN 'delivered' ELSE 'pending' END, 1, CASE WHEN ok THEN 0 ELSE 1 END,
    CASE WHEN ok THEN NULL ELSE $9::timestamptz END, $9, CASE WHEN ok THEN $9::timestamptz END,
    CASE WHEN fits THEN $9::timestamptz END, CASE WHEN fits THEN s END, CASE WHEN fits THEN b END, CASE WHEN fits THEN t END
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::int[], $7::text[], $8::int[])
    AS r (m, i, e, w, ok, s, b, t)
  CROSS JOIN LATERAL (SELECT ok AND coalesce(octet_length(b) <= 256, false) AS fits) f
  ON CONFLICT (merchant_id, event_id, endpoint_id) DO UPDATE SET status = excluded.status, attempts = d.attempts + 1,
    failures = d.failures + excluded.failures, due_at = excluded.due_at, finished_at = excluded.finished_at
  RETURNING delivery_id, event_id, endpoint_id, attempts, first_at IS NOT NULL AND attempts = 1 AS is_in_row`;

/** Keeps tries that are not in the delivery's own row. */
export const INSERT_TRIES = `
  INSERT INTO delivery_attempts (merchant_id, delivery_id, number, manual, response_status, response_body, error, duration_ms, at)
  SELECT m, d, n, false, s, b, e, t, $8
  FROM unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::text[], $6::text[], $7::int[]) AS k (m, d, n, s, b, e, t)`;
