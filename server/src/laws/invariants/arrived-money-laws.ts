import { opaque } from '../../platform/values/opaque.ts';
import { bySql, type Law } from './law.ts';

/** Whether an attempt of the wallet's customer was paid by the pay-in `t`, among payments that satisfy `also`. */
const paysFor = (also: string): string =>
  `EXISTS (SELECT 1 FROM wallets w JOIN schedules s ON s.merchant_id = w.merchant_id AND s.customer_id = w.customer_id
     JOIN payments p ON p.merchant_id = s.merchant_id AND p.schedule_id = s.schedule_id ${also}
     JOIN attempts a ON a.merchant_id = p.merchant_id AND a.payment_id = p.payment_id
     WHERE w.merchant_id = t.merchant_id AND w.wallet_id = t.credit_account_id
       AND a.pay_in_id = t.source_id AND a.status = 'success')`;

/** Most pay-ins come soon after their payment fell due: a customer's older payments are read only if it is none of those. */
const IS_PAID = `CASE WHEN ${paysFor(`AND p.due_date BETWEEN t.at - interval '40 days' AND t.at + interval '2 days'`)} THEN true
  ELSE ${paysFor('')} END`;

/** Whether a person put the money of the pay-in `t` on the list, because it could not be transferred to the merchant. */
const SET_ASIDE = `EXISTS (SELECT 1 FROM unallocated_items i
  JOIN transfers s ON s.merchant_id = i.merchant_id AND s.source_id = i.item_id AND s.kind = 'set_aside'
  WHERE i.merchant_id = t.merchant_id AND i.movement_id = t.source_id AND i.part_of IS NULL
    AND s.amount_pence = t.amount_pence)`;

/**
 * Pay-ins and returned pay-outs without a place, among `t`: rows of transfers with the `id` of their subject. A return to the
 * merchant's wallet is a settlement's or a refund's.
 */
const LOST_PAY_INS = `SELECT t.merchant_id, t.id, t.merchant_id || ' ' || t.source_id || ' of ' || t.amount_pence || ' is in '
     || c.kind || ', and is on the list ' || l.times || ' times' AS what
   FROM arrived t JOIN accounts c ON c.merchant_id = t.merchant_id AND c.account_id = t.credit_account_id
   CROSS JOIN LATERAL (SELECT count(*) AS times, min(i.amount_pence) AS pence FROM unallocated_items i
     WHERE i.merchant_id = t.merchant_id AND i.movement_id = t.source_id AND i.part_of IS NULL) l
   WHERE CASE c.kind WHEN 'unallocated' THEN l.times <> 1 OR l.pence <> t.amount_pence
     WHEN 'merchant_wallet' THEN t.kind <> 'pay_out_return' OR l.times > 0
     WHEN 'customer_wallet' THEN t.kind <> 'pay_in' OR (l.times = 1) <> (${SET_ASIDE}) OR l.times = 0 AND NOT (${IS_PAID})
     ELSE true END`;

const LISTED = `CROSS JOIN LATERAL (SELECT count(*) AS times,
    count(*) FILTER (WHERE i.status IN ('allocated', 'accepted_in_part')) AS given FROM unallocated_items i
  WHERE i.merchant_id = a.merchant_id AND i.movement_id = a.pay_in_id AND i.part_of IS NULL) l`;

/** Attempts that worked without money of their own. */
const PAID_BY_NOTHING = bySql(
  'payment',
  `SELECT a.merchant_id, a.payment_id AS id, a.merchant_id || ' ' || coalesce(a.pay_in_id, 'no pay-in') || ' pays for '
     || a.payment_id || ' attempt ' || a.number
     || CASE WHEN t.source_id IS NULL THEN ' and never came' ELSE ' from ' || t.credit_account_id END AS what
   FROM scope k JOIN payments p ON p.merchant_id = k.merchant_id AND p.payment_id = k.id
   JOIN attempts a ON a.merchant_id = p.merchant_id AND a.payment_id = p.payment_id AND a.status = 'success'
   LEFT JOIN transfers t ON t.merchant_id = a.merchant_id AND t.source_id = a.pay_in_id
     AND t.kind IN ('pay_in', 'pay_out_return')
   LEFT JOIN accounts c ON c.merchant_id = t.merchant_id AND c.account_id = t.credit_account_id ${LISTED}
   WHERE CASE c.kind WHEN 'customer_wallet' THEN p.wallet_id <> t.credit_account_id WHEN 'unallocated' THEN l.given = 0
     ELSE true END`,
);

/** Money that pays for more than one attempt; a wallet, and so its money, belongs to one customer. */
const PAID_TWICE = bySql(
  'customer',
  `SELECT k.merchant_id, k.id, k.merchant_id || ' ' || a.pay_in_id || ' pays for ' || count(*) || ' attempts' AS what
   FROM scope k
   CROSS JOIN LATERAL (SELECT schedule_id FROM schedules
     WHERE merchant_id = k.merchant_id AND customer_id = k.id OFFSET 0) s
   CROSS JOIN LATERAL (SELECT payment_id FROM payments
     WHERE merchant_id = k.merchant_id AND schedule_id = s.schedule_id OFFSET 0) p
   CROSS JOIN LATERAL (SELECT pay_in_id FROM attempts
     WHERE merchant_id = k.merchant_id AND payment_id = p.payment_id AND ${opaque("status = 'success'")} OFFSET 0) a
   WHERE a.pay_in_id IS NOT NULL GROUP BY k.merchant_id, k.id, a.pay_in_id HAVING count(*) > 1`,
);

/** Items of the list whose money never came. */
const LISTED_AND_NEVER_CAME = bySql(
  'item',
  `SELECT i.merchant_id, i.item_id AS id, i.merchant_id || ' ' || i.movement_id || ' is on the list and never came' AS what
   FROM scope k JOIN unallocated_items i ON i.merchant_id = k.merchant_id AND i.item_id = k.id AND i.part_of IS NULL
   WHERE NOT EXISTS (SELECT 1 FROM transfers t
     JOIN accounts c ON c.merchant_id = t.merchant_id AND c.account_id = t.credit_account_id AND c.kind = 'unallocated'
     WHERE t.merchant_id = i.merchant_id
       AND t.source_id = CASE i.reason WHEN 'not_transferred' THEN i.item_id ELSE i.movement_id END
       AND t.kind = CASE i.reason WHEN 'not_transferred' THEN 'set_aside' WHEN 'came_back' THEN 'pay_out_return'
         ELSE 'pay_in' END)`,
);

const MONEY_HAS_A_PLACE: Law = {
  name: 'money-has-a-place',
  sentence:
    'Every pay-in belongs to one attempt that worked, or is one item of the unallocated list; so is every pay-out that came back and fits nothing.',
  parts: [
    bySql(
      'transfer',
      LOST_PAY_INS,
      `arrived AS (SELECT t.*, t.transfer_id AS id FROM scope k
         JOIN transfers t ON t.merchant_id = k.merchant_id AND t.transfer_id = k.id
           AND t.kind IN ('pay_in', 'pay_out_return'))`,
    ),
    PAID_BY_NOTHING,
    PAID_TWICE,
    LISTED_AND_NEVER_CAME,
  ],
  hourly: [
    bySql(
      'seal',
      LOST_PAY_INS,
      `arrived AS (SELECT t.*, k.id FROM scope k
         JOIN transfer_seals s ON s.merchant_id = k.merchant_id AND s.from_id = k.id
         JOIN transfers t ON t.merchant_id = s.merchant_id AND t.transfer_id >= s.from_id AND t.transfer_id < s.to_id
           AND t.kind IN ('pay_in', 'pay_out_return'))`,
    ),
    PAID_BY_NOTHING,
    PAID_TWICE,
    LISTED_AND_NEVER_CAME,
  ],
};

const UNALLOCATED_EQUALS_ITEMS: Law = {
  name: 'unallocated-equals-items',
  sentence: 'The account of unallocated money is the sum of the open items.',
  parts: [
    bySql(
      'account',
      `SELECT a.merchant_id, a.account_id AS id,
         a.merchant_id || ' has ' || a.balance_pence || ' unallocated, its open items are ' || i.pence AS what
       FROM scope k JOIN accounts a ON a.merchant_id = k.merchant_id AND a.account_id = k.id AND a.kind = 'unallocated'
       CROSS JOIN LATERAL (SELECT coalesce(sum(x.amount_pence), 0) AS pence FROM unallocated_items x
         WHERE x.merchant_id = a.merchant_id AND x.status = 'open') i
       WHERE a.balance_pence <> i.pence`,
    ),
  ],
};

const PAYMENTS_AND_WORK = `scope k JOIN payments p ON p.merchant_id = k.merchant_id AND p.payment_id = k.id
  LEFT JOIN payment_work w ON w.merchant_id = p.merchant_id AND w.payment_id = p.payment_id`;

/** Only a payment under way has an attempt without an end: law every-attempt-can-end. */
const CLAIMS_EQUAL_CREDITED: Law = {
  name: 'claims-equal-credited',
  sentence:
    'What banks owe is the sum of the attempts that they have credited and whose money has not come.',
  parts: [
    bySql(
      'account',
      `SELECT a.merchant_id, a.account_id AS id,
         a.merchant_id || ' is owed ' || a.balance_pence || ', credited without money are ' || c.pence AS what
       FROM scope k JOIN accounts a ON a.merchant_id = k.merchant_id AND a.account_id = k.id AND a.kind = 'due_from_bank'
       CROSS JOIN LATERAL (SELECT coalesce(sum(p.amount_pence), 0) AS pence FROM payment_work w
         JOIN payments p ON p.merchant_id = w.merchant_id AND p.payment_id = w.payment_id
         JOIN attempts t ON t.merchant_id = w.merchant_id AND t.payment_id = w.payment_id
         WHERE w.merchant_id = a.merchant_id AND t.claimed_at IS NOT NULL AND t.status NOT IN ('success', 'failed')) c
       WHERE a.balance_pence <> c.pence`,
    ),
  ],
};

const EVERY_ATTEMPT_CAN_END: Law = {
  name: 'every-attempt-can-end',
  sentence:
    'An attempt without an end is the last of its payment, which is under way; every payment under way has work, and no other.',
  parts: [
    bySql(
      'payment',
      `SELECT a.merchant_id, a.payment_id AS id, a.merchant_id || ' ' || a.payment_id || ' attempt ' || a.number || ' is '
         || a.status || ', its payment is ' || p.status || ' at attempt ' || p.attempts || ', stage ' || coalesce(w.stage, 'none')
         AS what
       FROM ${PAYMENTS_AND_WORK} JOIN attempts a ON a.merchant_id = p.merchant_id AND a.payment_id = p.payment_id
       WHERE a.status NOT IN ('success', 'failed')
         AND (w.stage IN ('submit', 'track') AND w.attempt = a.number AND p.attempts = a.number) IS NOT TRUE
       UNION ALL
       SELECT p.merchant_id, p.payment_id,
         p.merchant_id || ' ' || p.payment_id || ' is ' || p.status || ', its work is ' || coalesce(w.stage, 'none')
       FROM ${PAYMENTS_AND_WORK}
       WHERE (CASE p.status WHEN 'pending' THEN w.stage = 'wait' WHEN 'processing' THEN w.stage <> 'wait'
         ELSE w.stage IS NULL END) IS NOT TRUE`,
    ),
    bySql(
      'work',
      `SELECT w.merchant_id, w.payment_id AS id, w.merchant_id || ' ' || w.payment_id || ' is in stage ' || w.stage
         || ' without an attempt under way or paid' AS what
       FROM scope k JOIN payment_work w ON w.merchant_id = k.merchant_id AND w.payment_id = k.id
       WHERE NOT EXISTS (SELECT 1 FROM payments p WHERE p.merchant_id = w.merchant_id AND p.payment_id = w.payment_id)
         OR (w.stage <> 'wait' AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.merchant_id = w.merchant_id
           AND a.payment_id = w.payment_id AND CASE w.stage WHEN 'move' THEN a.status = 'success'
             ELSE a.status <> 'success' AND a.number = w.attempt END))`,
    ),
  ],
};

/** Invariants of money that has arrived, or is reported to have: each pound of it has exactly one place. */
export const ARRIVED_MONEY: readonly Law[] = [
  MONEY_HAS_A_PLACE,
  UNALLOCATED_EQUALS_ITEMS,
  CLAIMS_EQUAL_CREDITED,
  EVERY_ATTEMPT_CAN_END,
];
