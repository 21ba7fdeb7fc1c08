// Slow: fills tables with thousands of rows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asOwner } from '../../../test-support/owner.ts';
import { explaining } from '../../../test-support/slices/dashboard.ts';
import { bareMerchant, ownPlatform } from '../../../test-support/slices/platform.ts';
import { listCases } from './list.ts';

const ROWS = 20_000;
/** As many as wait. */
const WAITING = 20;
const AT = Temporal.Instant.from('2026-01-20T00:00:00Z');

const FILL = [
  `INSERT INTO customers (merchant_id, customer_id, phone, phone_index, created_at)
   VALUES ($1, 'cus_1', 'sealed', '', '2025-01-01')`,
  `INSERT INTO schedules (merchant_id, schedule_id, customer_id, customer_type, status, description, max_retries, terms_version,
     created_at, updated_at) VALUES ($1, 'sch_1', 'cus_1', 'phone', 'active', 'Gas', 3, 1, '2025-01-01', '2025-01-01')`,
  `INSERT INTO payments (merchant_id, payment_id, schedule_id, customer_id, consent_id, wallet_id, bank_id, amount_pence,
     currency, due_date, status, created_at, completed_at)
   SELECT $1, 'pay_' || n, 'sch_1', 'cus_1', 'con', 'wal', 'northbank', 4999, 'GBP', due, 'success', due, due
   FROM generate_series(1, $2::int) n CROSS JOIN LATERAL (SELECT timestamptz '2025-01-01' + n * interval '9 minutes' AS due) x`,
  `INSERT INTO settlements (merchant_id, settlement_id, settle_date, amount_pence, gross_pence, currency, status, destination,
     created_at, completed_at)
   SELECT $1, 'set_' || n, date '1970-01-01' + n, 1, 1, 'GBP', 'success', '', '2025-01-01', '2025-01-01'
   FROM generate_series(1, $2::int) n`,
  `INSERT INTO wallets (merchant_id, wallet_id, customer_id, status, issuer_wallet_id, created_at)
   VALUES ($1, 'wal', 'cus_1', 'open', 'iw', '2025-01-01')`,
  `INSERT INTO unallocated_items (merchant_id, item_id, movement_id, wallet_id, amount_pence, currency, reason, schedule_id,
     payment_id, attempt, status, arrived_at, opened_at, ended_at, ended_by, end_reason)
   SELECT $1, 'una_' || n, 'mov_' || n, 'wal', 4998, 'GBP', 'another_amount', 'sch_1', 'pay_' || n, 1,
     CASE WHEN open THEN 'open' ELSE 'returned' END, '2025-01-01', '2025-01-01',
     CASE WHEN open THEN NULL ELSE timestamptz '2025-01-01' END, CASE WHEN open THEN NULL ELSE 'x' END,
     CASE WHEN open THEN NULL ELSE 'x' END
   FROM generate_series(1, $2::int) n CROSS JOIN LATERAL (SELECT n <= ${WAITING} AS open) x`,
  `INSERT INTO reconciliation_items (issuer, item, merchant_id, date, what, found_at, seen_at, resolved_at, resolved_by,
     resolution)
   SELECT 'issuer', 'line ' || n, $1, '2025-01-01', '', '2025-01-01', '2025-01-01', '2025-01-01', 'x', 'x'
   FROM generate_series(1, $2::int) n`,
  `INSERT INTO bank_revocations (merchant_id, bank_id, bank_consent_id, due_at, created_at)
   SELECT $1, 'northbank', 'urn-' || n, CASE WHEN n <= ${WAITING} THEN timestamptz '2026-02-01' END, '2025-01-01'
   FROM generate_series(1, $2::int) n`,
];

test('the queue is read along indexes, however much is settled and decided', async () => {
  const platform = await ownPlatform();
  try {
    const merchantId = await bareMerchant(platform);
    await platform.db.transaction(async (tx) => {
      for (const sql of FILL)
        await tx.run(sql, sql.includes('$2') ? [merchantId, ROWS] : [merchantId]);
    });
    const tables = [
      ...['payments', 'settlements', 'unallocated_items', 'reconciliation_items'],
      'bank_revocations',
    ];
    await asOwner(platform.db, async (tx) => {
      for (const table of tables) await tx.run(`ANALYZE ${table}`);
    });
    await platform.db.read(async (plain) => {
      const { tx, plans } = explaining(plain);
      assert.equal((await listCases(platform, tx, AT)).length, 2 * WAITING);
      // The key of deletions has the bank before the consent: without it, all of a merchant's are read.
      const whole = new RegExp(`Seq Scan on (${tables.join('|')})|using bank_revocations_pkey`);
      const scans = plans.filter((plan) => whole.test(plan));
      assert.deepEqual(scans, []);
    });
  } finally {
    await platform.drop();
  }
});
