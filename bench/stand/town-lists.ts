import { blindWords, sealIdentity, sealProfile } from '../../server/src/customers/sealed.ts';
import type { Tx } from '../../server/src/platform/db/db.ts';
import type { Harness } from '../../server/test-support/harness.ts';
import { asOwner } from '../../server/test-support/owner.ts';

const FIRST = ['Robin', 'Kim', 'Alex', 'Sam', 'Jo', 'Nina', 'Omar', 'Priya', 'Tom', 'Una'];
const LAST = 500;

/** How many there are of each: five payments for each schedule, two schedules for each customer. */
export interface Size {
  payments: number;
}

const STATEMENTS = [
  `INSERT INTO schedules (merchant_id, schedule_id, customer_id, customer_type, status, description, max_retries, terms_version,
     live_version, consented_version, consent_id, created_at, updated_at)
   SELECT $1, 'sch_' || lpad(n::text, 22, '0'), 'cus_' || lpad((n / 2)::text, 22, '0'), 'phone',
     CASE WHEN n % 100 < 80 THEN 'active' WHEN n % 100 < 90 THEN 'cancelled' WHEN n % 100 < 95 THEN 'paused'
          ELSE 'pending_consent' END,
     CASE WHEN n % 5000 = 7 THEN 'Telescope hire ' || n
          ELSE (ARRAY['Gym membership', 'Broadband', 'Mobile plan', 'Rent', 'Energy', 'Club fee', 'Insurance'])[1 + n % 7]
               || ' ' || n END,
     3, 1, CASE WHEN n % 100 < 95 THEN 1 END, 1, 'con_0', $2::timestamptz - interval '700 days' + n * $3::interval,
     $2::timestamptz FROM generate_series(0, $4::int - 1) n`,
  `INSERT INTO schedule_agenda (merchant_id, schedule_id, due_at)
   SELECT merchant_id, schedule_id, CASE WHEN status = 'active' THEN $2::timestamptz + random() * interval '30 days' END
   FROM schedules WHERE merchant_id = $1 AND $3::interval IS NOT NULL AND $4::int > 0`,
  `INSERT INTO schedule_terms (merchant_id, schedule_id, version, amount_pence, currency, frequency_type, frequency_day,
     frequency_interval, first_at, time_of_day, time_zone, created_at)
   SELECT $1, 'sch_' || lpad(n::text, 22, '0'), 1,
     CASE WHEN n % 3 = 0 THEN 4999 ELSE 500 + n * 7919::bigint % 20000 END, 'GBP', 'monthly', 1 + n % 28, 1, $2,
     '09:00', 'Europe/London', $2::timestamptz + 0 * $3::interval
   FROM generate_series(0, $4::int - 1) n`,
  `INSERT INTO schedule_words (merchant_id, word, schedule_id)
   SELECT s.merchant_id, word, s.schedule_id FROM schedules s, regexp_split_to_table(lower(s.description), ' ') word
   WHERE s.merchant_id = $1 AND $2::timestamptz IS NOT NULL AND $3::interval IS NOT NULL AND $4::int > 0
   UNION SELECT merchant_id, '£' || lpad(amount_pence::text, 12, '0'), schedule_id FROM schedule_terms WHERE merchant_id = $1`,
  `INSERT INTO payments (merchant_id, payment_id, schedule_id, customer_id, consent_id, wallet_id, bank_id, amount_pence,
     currency, due_date, status, error_code, error_message, created_at, completed_at, failed_at)
   SELECT $1, 'pay_' || lpad((4 - k)::text, 4, '0') || lpad(n::text, 18, '0'), 'sch_' || lpad(n::text, 22, '0'),
     'cus_' || lpad((n / 2)::text, 22, '0'), 'con_0', 'wal_0', 'northbank', t.amount_pence, 'GBP', d.at, d.status,
     CASE WHEN d.status = 'failed' THEN (ARRAY['insufficient_funds', 'technical', 'blocked', 'account_closed'])
       [CASE WHEN n % 1000 = 3 THEN 4 ELSE 1 + n % 3 END] END, 'It failed.', d.at,
     CASE WHEN d.status = 'success' THEN d.at END, CASE WHEN d.status = 'failed' THEN d.at END
   FROM generate_series(0, 4) k, generate_series(0, $4::int - 1) n
   JOIN schedule_terms t ON t.merchant_id = $1 AND t.schedule_id = 'sch_' || lpad(n::text, 22, '0')
   CROSS JOIN LATERAL (SELECT
     $2::timestamptz + 0 * $3::interval - k * interval '30 days' - n * 7919 % 2592000 * interval '1 second' AS at,
     CASE WHEN (n + k * 13) % 25 = 3 THEN 'failed' WHEN k = 0 AND n % 400 = 8 THEN 'processing'
          WHEN k = 0 AND n % 400 = 9 THEN 'pending' ELSE 'success' END AS status) d`,
  `INSERT INTO payment_work (merchant_id, payment_id, stage, bank_id, wallet_id, due_at)
   SELECT merchant_id, payment_id, 'wait', bank_id, wallet_id, due_date FROM payments
   WHERE merchant_id = $1 AND status IN ('pending', 'processing') AND $2::timestamptz + $3::interval IS NOT NULL AND $4::int > 0`,
  `INSERT INTO events (merchant_id, event_id, kind, schedule_id, subject_id, body, created_at)
   SELECT merchant_id, replace(payment_id, 'pay_', 'evt_'), 'collection.' || status, NULL, payment_id, 'sealed', due_date
   FROM payments WHERE merchant_id = $1 AND $2::timestamptz + $3::interval IS NOT NULL AND $4::int > 0`,
  `INSERT INTO refunds (merchant_id, refund_id, payment_id, schedule_id, amount_pence, currency, status, created_at, completed_at)
   SELECT merchant_id, replace(payment_id, 'pay_', 'ref_'), payment_id, schedule_id, amount_pence, currency, 'success', due_date,
     due_date
   FROM payments WHERE merchant_id = $1 AND status = 'success' AND right(payment_id, 2) = '07'
     AND $2::timestamptz + $3::interval IS NOT NULL AND $4::int > 0`,
];

/** Fills one merchant's lists with years of plausible rows: names, prices, reasons and dates spread as in life. */
export async function fillLists(h: Harness, { payments }: Size): Promise<void> {
  const schedules = payments / 5;
  const every = `${(700 * 86_400) / schedules} seconds`;
  await h.db.transaction(async (tx) => {
    await insertCustomers(h, tx, schedules / 2);
    for (const sql of STATEMENTS) await tx.run(sql, [h.merchantId, h.clock.at, every, schedules]);
  });
  await asOwner(h.db, (tx) => tx.run('VACUUM (ANALYZE)'));
}

async function insertCustomers(h: Harness, tx: Tx, count: number): Promise<void> {
  const { platform, merchantId } = h;
  const { sealed: phone } = sealIdentity(platform, merchantId, 'phone', '+447700900123');
  const people = FIRST.flatMap((first) =>
    Array.from({ length: LAST }, (_, n) => [first, `Lastname${n}`] as const),
  );
  const names = people.map(([first, last]) => {
    const profile = { name: `${first} ${last}`, email: null, reference: null, notes: null };
    return sealProfile(platform, merchantId, profile).name;
  });
  const wordsOf = (place: 0 | 1): Buffer[] =>
    blindWords(
      platform,
      merchantId,
      people.map((person) => `word:${person[place].toLowerCase()}`),
    );
  await tx.run(
    `INSERT INTO customers (merchant_id, customer_id, phone, phone_index, name, created_at)
     SELECT $1, 'cus_' || lpad(n::text, 22, '0'), $2, int4send(n), ($3::text[])[1 + n * 7919::bigint % $4::int],
       $5::timestamptz - interval '700 days' + n * interval '1 second' * (700 * 86400 / $6::int)
     FROM generate_series(0, $6::int - 1) n`,
    [merchantId, phone, names, names.length, h.clock.at, count],
  );
  for (const words of [wordsOf(0), wordsOf(1)])
    await tx.run(
      `INSERT INTO customer_words (merchant_id, customer_id, word)
       SELECT $1, 'cus_' || lpad(n::text, 22, '0'), ($2::bytea[])[1 + n * 7919::bigint % $3::int]
       FROM generate_series(0, $4::int - 1) n`,
      [merchantId, words, words.length, count],
    );
}
