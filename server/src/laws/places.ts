import { bySql, type Law } from './law.ts';

/** Invariants of money that has arrived, or is reported to have: each pound of it has exactly one place. */
export const PLACES: readonly Law[] = [
  bySql(
    'money-has-a-place',
    'Every pay-in belongs to one attempt that worked, or is one item of the unallocated list.',
    `WITH arrived AS (
       SELECT t.merchant_id, t.source_id, t.amount_pence, t.credit_account_id, c.kind FROM transfers t
       JOIN accounts c ON c.merchant_id = t.merchant_id AND c.account_id = t.credit_account_id WHERE t.kind = 'pay_in'
     ), paid AS (
       SELECT a.merchant_id, a.pay_in_id, count(*) AS times, min(p.wallet_id) AS wallet_id FROM attempts a
       JOIN payments p USING (merchant_id, payment_id) WHERE a.status = 'success' GROUP BY 1, 2
     ), listed AS (
       SELECT merchant_id, movement_id, count(*) AS times, min(amount_pence) AS pence, min(wallet_id) AS wallet_id,
         count(*) FILTER (WHERE status IN ('allocated', 'accepted_in_part')) AS given
       FROM unallocated_items WHERE part_of IS NULL GROUP BY 1, 2
     )
     SELECT a.merchant_id || ' ' || a.source_id || ' of ' || a.amount_pence || ' is in ' || a.kind || ', pays for '
       || coalesce(p.times, 0) || ' attempts, and is on the list ' || coalesce(l.times, 0) || ' times' AS what
     FROM arrived a
     LEFT JOIN paid p ON p.merchant_id = a.merchant_id AND p.pay_in_id = a.source_id
     LEFT JOIN listed l ON l.merchant_id = a.merchant_id AND l.movement_id = a.source_id
     WHERE CASE a.kind
       WHEN 'customer_wallet' THEN p.times IS DISTINCT FROM 1 OR l.times IS NOT NULL OR p.wallet_id <> a.credit_account_id
       WHEN 'unallocated' THEN l.times IS DISTINCT FROM 1 OR l.pence <> a.amount_pence OR coalesce(p.times, 0) > l.given
       ELSE true END
     UNION ALL
     SELECT p.merchant_id || ' ' || coalesce(p.pay_in_id, 'no pay-in') || ' pays for ' || p.times || ' attempts and never came'
     FROM paid p LEFT JOIN arrived a ON a.merchant_id = p.merchant_id AND a.source_id = p.pay_in_id
     LEFT JOIN listed l ON l.merchant_id = p.merchant_id AND l.movement_id = p.pay_in_id
     WHERE a.source_id IS NULL
     UNION ALL
     SELECT l.merchant_id || ' ' || l.movement_id || ' is on the list and never came'
     FROM listed l LEFT JOIN arrived a ON a.merchant_id = l.merchant_id AND a.source_id = l.movement_id
     WHERE a.kind IS DISTINCT FROM 'unallocated'`,
  ),
  bySql(
    'unallocated-equals-items',
    'The account of unallocated money is the sum of the open items.',
    `SELECT a.merchant_id || ' has ' || a.balance_pence || ' unallocated, its open items are ' || coalesce(i.pence, 0) AS what
     FROM accounts a LEFT JOIN (SELECT merchant_id, sum(amount_pence) AS pence FROM unallocated_items
       WHERE status = 'open' GROUP BY 1) i USING (merchant_id)
     WHERE a.kind = 'unallocated' AND a.balance_pence <> coalesce(i.pence, 0)`,
  ),
  bySql(
    'claims-equal-credited',
    'What banks owe is the sum of the attempts that they have credited and whose money has not come.',
    `SELECT a.merchant_id || ' is owed ' || a.balance_pence || ', credited without money are ' || coalesce(c.pence, 0) AS what
     FROM accounts a LEFT JOIN (
       SELECT t.merchant_id, sum(p.amount_pence) AS pence FROM attempts t JOIN payments p USING (merchant_id, payment_id)
       WHERE t.claimed_at IS NOT NULL AND t.status NOT IN ('success', 'failed') GROUP BY 1) c USING (merchant_id)
     WHERE a.kind = 'due_from_bank' AND a.balance_pence <> coalesce(c.pence, 0)`,
  ),
  bySql(
    'every-attempt-can-end',
    'An attempt without an end is the last of its payment, which is under way; every payment under way has work, and no other.',
    `SELECT a.merchant_id || ' ' || a.payment_id || ' attempt ' || a.number || ' is ' || a.status || ', its payment is '
       || p.status || ' at attempt ' || p.attempts || ', stage ' || coalesce(w.stage, 'none') AS what
     FROM attempts a JOIN payments p USING (merchant_id, payment_id) LEFT JOIN payment_work w USING (merchant_id, payment_id)
     WHERE a.status NOT IN ('success', 'failed')
       AND (w.stage IN ('submit', 'track') AND w.attempt = a.number AND p.attempts = a.number) IS NOT TRUE
     UNION ALL
     SELECT w.merchant_id || ' ' || w.payment_id || ' is in stage ' || w.stage || ' without an attempt under way or paid'
     FROM payment_work w WHERE w.stage <> 'wait' AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.merchant_id = w.merchant_id
       AND a.payment_id = w.payment_id
       AND CASE w.stage WHEN 'move' THEN a.status = 'success' ELSE a.status <> 'success' AND a.number = w.attempt END)
     UNION ALL
     SELECT p.merchant_id || ' ' || p.payment_id || ' is ' || p.status || ', its work is ' || coalesce(w.stage, 'none')
     FROM payments p FULL JOIN payment_work w USING (merchant_id, payment_id)
     WHERE (CASE p.status WHEN 'pending' THEN w.stage = 'wait' WHEN 'processing' THEN w.stage <> 'wait'
       ELSE w.stage IS NULL END) IS NOT TRUE`,
  ),
];
