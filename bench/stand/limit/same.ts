import { BATCH } from '../pgbench.ts';
import { AMOUNT_PENCE } from '../seed.ts';

/** The payments that the first statement hands on: variables of pgbench. */
const KEYS = 'unnest(:merchants::text[], :payments::text[]) AS k (merchant_id, payment_id)';

const NEW_ID = "lpad(nextval('bench_ids')::text, 22, '0')";

/** Returns statements that post a transfer of each row of `rows`, and change both balances. */
const posting = (rows: string, kind: string, debit: string, credit: string): string => `
   posted AS (
     INSERT INTO transfers (merchant_id, transfer_id, kind, debit_account_id, credit_account_id, amount_pence, source_id, at)
     SELECT merchant_id, 'trf_' || ${NEW_ID}, '${kind}', ${debit}, ${credit}, amount_pence, payment_id, now() FROM ${rows}
   ), change AS (
     SELECT merchant_id, account_id, sum(pence) AS pence FROM (
       SELECT merchant_id, ${debit} AS account_id, -amount_pence AS pence FROM ${rows}
       UNION ALL SELECT merchant_id, ${credit}, amount_pence FROM ${rows}) sides GROUP BY merchant_id, account_id
   )
   UPDATE accounts a SET balance_pence = a.balance_pence + c.pence FROM change c
   WHERE a.merchant_id = c.merchant_id AND a.account_id = c.account_id`;

/**
 * The same rows in the same tables with the same constraints, in the fewest set-based statements that could work: opened, sent,
 * credited, transferred, 500 each, in four transactions that hand the payments on. Omits what only a race, a crash or a failure
 * needs: locks in one order, rights read again before the note, and rows that have moved on meanwhile.
 */
export const SAME_ROWS_STATEMENTS: readonly string[] = [
  `WITH due AS (
     SELECT s.merchant_id, s.schedule_id, s.customer_id, s.consent_id, a.due_at, c.wallet_id, c.bank_id,
       t.amount_pence, t.currency
     FROM schedule_agenda a
     CROSS JOIN LATERAL (SELECT * FROM schedules s WHERE s.merchant_id = a.merchant_id
       AND s.schedule_id = a.schedule_id OFFSET 0) s
     CROSS JOIN LATERAL (SELECT amount_pence, currency FROM schedule_terms t WHERE t.merchant_id = s.merchant_id
       AND t.schedule_id = s.schedule_id AND t.version = s.live_version OFFSET 0) t
     CROSS JOIN LATERAL (SELECT wallet_id, bank_id FROM consents c WHERE c.merchant_id = s.merchant_id
       AND c.consent_id = s.consent_id OFFSET 0) c
     WHERE a.due_at IS NOT NULL AND greatest(a.due_at, a.put_off_until) <= now()
     ORDER BY greatest(a.due_at, a.put_off_until) LIMIT ${BATCH} FOR NO KEY UPDATE OF a SKIP LOCKED
   ), opened AS (
     INSERT INTO payments (merchant_id, payment_id, schedule_id, customer_id, consent_id, wallet_id, bank_id, amount_pence,
       currency, due_date, attempts, status, created_at)
     SELECT merchant_id, 'pay_' || ${NEW_ID}, schedule_id, customer_id, consent_id, wallet_id,
       bank_id, amount_pence, currency, due_at, 1, 'processing', now() FROM due
     ON CONFLICT (merchant_id, schedule_id, due_date, ad_hoc) DO NOTHING
     RETURNING merchant_id, payment_id, schedule_id, bank_id, wallet_id
   ), queued AS (
     INSERT INTO payment_work (merchant_id, payment_id, stage, bank_id, wallet_id, due_at, attempt, polls)
     SELECT merchant_id, payment_id, 'submit', bank_id, wallet_id, now() + interval '4 minutes', 1, 1 FROM opened
   ), attempted AS (
     INSERT INTO attempts (merchant_id, payment_id, number, manual, status, started_at)
     SELECT merchant_id, payment_id, 1, false, 'started', now() FROM opened
   ), changed AS (
     INSERT INTO state_changes (merchant_id, object_id, schedule_id, from_state, to_state, reason, at)
     SELECT merchant_id, payment_id, schedule_id, f, t, r, now() FROM opened
     CROSS JOIN (VALUES (NULL, 'pending', 'the occurrence is due'), ('pending', 'processing', 'attempt 1')) v (f, t, r)
   ), moved_on AS (
     UPDATE schedule_agenda a SET next_occurrence = a.next_occurrence + 1, due_at = a.due_at + interval '1 month' FROM due d
     WHERE a.merchant_id = d.merchant_id AND a.schedule_id = d.schedule_id
   )
   SELECT (SELECT coalesce(array_agg(merchant_id), '{}')::text FROM opened) AS merchants,
     (SELECT coalesce(array_agg(payment_id), '{}')::text FROM opened) AS payments
   \\gset`,
  `WITH sent AS (
     UPDATE attempts a SET sent_at = now() FROM ${KEYS}
     WHERE a.merchant_id = k.merchant_id AND a.payment_id = k.payment_id AND a.number = 1
     RETURNING a.merchant_id, a.payment_id
   )
   INSERT INTO payment_orders (merchant_id, payment_id, attempt, call, sent_at)
   SELECT merchant_id, payment_id, 1, 1, now() FROM sent`,
  `WITH noticed AS (
     INSERT INTO inbox (source, notification_id, body, received_at)
     SELECT 'issuer', 'in-' || payment_id, json_build_object('kind', 'payin', 'externalReference',
         merchant_id || '/' || payment_id, 'movementId', 'in-' || payment_id, 'endToEndId', payment_id || '-a1', 'amountPence',
         ${AMOUNT_PENCE}, 'at', now())::text, now() FROM ${KEYS} ON CONFLICT DO NOTHING
   ), attempted AS (
     UPDATE attempts a SET status = 'success', finished_at = now(), bank_payment_id = 'bp-' || a.payment_id,
       pay_in_id = 'in-' || a.payment_id, pay_in_by = 'name'
     FROM ${KEYS} WHERE a.merchant_id = k.merchant_id AND a.payment_id = k.payment_id AND a.number = 1
   ), credited AS (
     UPDATE payment_work w SET stage = 'move', due_at = now() + interval '2 minutes', polls = 0 FROM ${KEYS}
     WHERE w.merchant_id = k.merchant_id AND w.payment_id = k.payment_id
     RETURNING w.merchant_id, w.payment_id, w.wallet_id, ${AMOUNT_PENCE} AS amount_pence
   ), ${posting('credited', 'pay_in', "'outside'", 'wallet_id')}`,
  `WITH ended AS (
     DELETE FROM payment_work w USING ${KEYS} WHERE w.merchant_id = k.merchant_id AND w.payment_id = k.payment_id
   ), done AS (
     UPDATE payments p SET status = 'success', completed_at = now() FROM ${KEYS}
     WHERE p.merchant_id = k.merchant_id AND p.payment_id = k.payment_id
     RETURNING p.merchant_id, p.payment_id, p.schedule_id, p.wallet_id, p.amount_pence
   ), moved AS (
     SELECT d.*, w.to_account FROM done d CROSS JOIN LATERAL (SELECT wallet_id AS to_account FROM wallets
       WHERE merchant_id = d.merchant_id AND customer_id IS NULL OFFSET 0) w
   ), settled AS (
     INSERT INTO to_settle (merchant_id, payment_id, settle_at, amount_pence)
     SELECT merchant_id, payment_id, now() + interval '1 day', amount_pence FROM done
   ), changed AS (
     INSERT INTO state_changes (merchant_id, object_id, schedule_id, from_state, to_state, reason, at)
     SELECT merchant_id, payment_id, schedule_id, 'processing', 'success', 'in the merchant''s wallet', now() FROM done
   ), counted AS (
     UPDATE schedule_agenda a SET last_event = a.last_event + 1 FROM done d
     WHERE a.merchant_id = d.merchant_id AND a.schedule_id = d.schedule_id RETURNING d.*, a.last_event
   ), told AS (
     INSERT INTO events (merchant_id, event_id, kind, schedule_id, sequence, subject_id, body, created_at)
     SELECT merchant_id, 'evt_' || ${NEW_ID}, 'collection.success', schedule_id, last_event, payment_id,
       json_build_object('event', 'collection.success', 'data', json_build_object('payment_id', payment_id, 'schedule_id',
         schedule_id, 'amount', json_build_object('value', amount_pence, 'currency', 'GBP'), 'completed_at', now()))::text,
       now() FROM counted RETURNING merchant_id, event_id
   ), without_endpoint AS (
     INSERT INTO events_without_endpoint SELECT merchant_id, event_id FROM told
   ), ${posting('moved', 'move', 'wallet_id', 'to_account')}`,
];
