import { oneOf } from '../../../server/src/platform/one-of.ts';
import { BATCH } from '../pgbench.ts';
import { BANK_ID } from '../seed.ts';

/**
 * The same rows in the same tables with the same constraints, in the fewest set-based statements that could work: opened, sent,
 * credited, transferred, 500 each, in four transactions. Omits everything that only a race, a crash or a failure needs.
 */
export const SAME: readonly string[] = [
  `WITH due AS (
     SELECT s.merchant_id, s.schedule_id, s.customer_id, s.consent_id, a.due_at, c.wallet_id, c.bank_id,
       t.amount_pence, t.currency
     FROM schedule_agenda a JOIN schedules s ON s.merchant_id = a.merchant_id AND s.schedule_id = a.schedule_id
     CROSS JOIN LATERAL (SELECT amount_pence, currency FROM schedule_terms t WHERE t.merchant_id = s.merchant_id
       AND t.schedule_id = s.schedule_id AND t.version = s.live_version OFFSET 0) t
     CROSS JOIN LATERAL (SELECT wallet_id, bank_id FROM consents c WHERE c.merchant_id = s.merchant_id
       AND c.consent_id = s.consent_id OFFSET 0) c
     WHERE a.due_at IS NOT NULL AND greatest(a.due_at, a.put_off_until) <= now()
     ORDER BY greatest(a.due_at, a.put_off_until) LIMIT ${BATCH} FOR NO KEY UPDATE OF a SKIP LOCKED
   ), opened AS (
     INSERT INTO payments (merchant_id, payment_id, schedule_id, customer_id, consent_id, wallet_id, bank_id, amount_pence,
       currency, due_date, status, stage, due_at, created_at)
     SELECT merchant_id, 'pay_' || lpad(nextval('bench_ids')::text, 22, '0'), schedule_id, customer_id, consent_id, wallet_id,
       bank_id, amount_pence, currency, due_at, 'pending', 'submit', now(), now() FROM due
     ON CONFLICT (merchant_id, schedule_id, due_date) DO NOTHING RETURNING merchant_id, payment_id, schedule_id
   ), changed AS (
     INSERT INTO state_changes (merchant_id, object_id, schedule_id, from_state, to_state, reason, at)
     SELECT merchant_id, payment_id, schedule_id, NULL, 'pending', 'the occurrence is due', now() FROM opened
   )
   UPDATE schedule_agenda a SET next_occurrence = a.next_occurrence + 1, due_at = a.due_at + interval '1 month' FROM due d
   WHERE a.merchant_id = d.merchant_id AND a.schedule_id = d.schedule_id`,
  `WITH claimed AS (
     UPDATE payments p SET status = 'processing', attempts = 1, polls = 1, due_at = now() + interval '4 minutes'
     WHERE ${oneOf(`SELECT ctid FROM payments WHERE bank_id = '${BANK_ID}' AND stage = 'submit' AND due_at <= now()
       ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`)}
     RETURNING p.merchant_id, p.payment_id, p.schedule_id
   ), changed AS (
     INSERT INTO state_changes (merchant_id, object_id, schedule_id, from_state, to_state, reason, at)
     SELECT merchant_id, payment_id, schedule_id, 'pending', 'processing', 'attempt 1', now() FROM claimed
   )
   INSERT INTO attempts (merchant_id, payment_id, number, manual, status, started_at, sent_at)
   SELECT merchant_id, payment_id, 1, false, 'started', now(), now() FROM claimed`,
  `WITH credited AS (
     UPDATE payments p SET stage = 'move', due_at = now()
     WHERE ${oneOf(`SELECT ctid FROM payments WHERE bank_id = '${BANK_ID}' AND stage = 'submit' AND due_at > now()
       ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`)}
     RETURNING p.merchant_id, p.payment_id, p.wallet_id, p.amount_pence
   ), attempted AS (
     UPDATE attempts a SET status = 'success', finished_at = now(), bank_payment_id = 'bp-' || a.payment_id FROM credited c
     WHERE a.merchant_id = c.merchant_id AND a.payment_id = c.payment_id AND a.number = 1
   ), posted AS (
     INSERT INTO transfers (merchant_id, transfer_id, kind, debit_account_id, credit_account_id, amount_pence, source_id, at)
     SELECT merchant_id, 'trf_' || lpad(nextval('bench_ids')::text, 22, '0'), 'pay_in', 'outside', wallet_id, amount_pence,
       payment_id, now() FROM credited
   ), change AS (
     SELECT merchant_id, account_id, sum(pence) AS pence FROM (
       SELECT merchant_id, 'outside' AS account_id, -amount_pence AS pence FROM credited
       UNION ALL SELECT merchant_id, wallet_id, amount_pence FROM credited) sides GROUP BY merchant_id, account_id
   )
   UPDATE accounts a SET balance_pence = a.balance_pence + c.pence FROM change c
   WHERE a.merchant_id = c.merchant_id AND a.account_id = c.account_id`,
  `WITH waiting AS (
     SELECT p.merchant_id, p.payment_id, p.schedule_id, p.wallet_id, p.amount_pence, w.wallet_id AS to_account FROM payments p
     CROSS JOIN LATERAL (SELECT wallet_id FROM wallets WHERE merchant_id = p.merchant_id AND customer_id IS NULL OFFSET 0) w
     WHERE p.stage = 'move' ORDER BY p.due_at LIMIT ${BATCH} FOR UPDATE OF p SKIP LOCKED
   ), done AS (
     UPDATE payments p SET status = 'success', stage = NULL, due_at = NULL, completed_at = now()
     FROM waiting w WHERE p.merchant_id = w.merchant_id AND p.payment_id = w.payment_id
   ), settled AS (
     INSERT INTO to_settle (merchant_id, payment_id, settle_at, amount_pence)
     SELECT merchant_id, payment_id, now() + interval '1 day', amount_pence FROM waiting
   ), posted AS (
     INSERT INTO transfers (merchant_id, transfer_id, kind, debit_account_id, credit_account_id, amount_pence, source_id, at)
     SELECT merchant_id, 'trf_' || lpad(nextval('bench_ids')::text, 22, '0'), 'move', wallet_id, to_account, amount_pence,
       payment_id, now() FROM waiting
   ), changed AS (
     INSERT INTO state_changes (merchant_id, object_id, schedule_id, from_state, to_state, reason, at)
     SELECT merchant_id, payment_id, schedule_id, 'processing', 'success', 'in the merchant''s wallet', now() FROM waiting
   ), counted AS (
     UPDATE schedule_agenda a SET last_event = a.last_event + 1 FROM waiting w
     WHERE a.merchant_id = w.merchant_id AND a.schedule_id = w.schedule_id
   ), told AS (
     INSERT INTO events (merchant_id, event_id, kind, schedule_id, sequence, subject_id, body, created_at)
     SELECT merchant_id, 'evt_' || lpad(nextval('bench_ids')::text, 22, '0'), 'collection.success', schedule_id, 1, payment_id,
       json_build_object('event', 'collection.success', 'data', json_build_object('payment_id', payment_id, 'schedule_id',
         schedule_id, 'amount', json_build_object('value', amount_pence, 'currency', 'GBP'), 'completed_at', now()))::text,
       now() FROM waiting
   ), change AS (
     SELECT merchant_id, account_id, sum(pence) AS pence FROM (
       SELECT merchant_id, wallet_id AS account_id, -amount_pence AS pence FROM waiting
       UNION ALL SELECT merchant_id, to_account, amount_pence FROM waiting) sides GROUP BY merchant_id, account_id
   )
   UPDATE accounts a SET balance_pence = a.balance_pence + c.pence FROM change c
   WHERE a.merchant_id = c.merchant_id AND a.account_id = c.account_id`,
];
