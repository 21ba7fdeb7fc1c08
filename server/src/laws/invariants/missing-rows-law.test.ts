import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHarness } from '../../../test-support/harness.ts';
import { brokenIn } from '../../../test-support/slices/laws.ts';
import { ADD_TEST_KEYS, DROP_TEST_KEYS } from '../../../test-support/test-keys.ts';
import { checkInvariants } from '../run/invariant-run.ts';

/** Rows that name one that is not there, by the key that keeps them out of the database of tests. */
const ORPHANS: Readonly<Record<string, string>> = {
  payments_of_schedule: `INSERT INTO payments (merchant_id, payment_id, schedule_id, customer_id, consent_id, wallet_id, bank_id,
      amount_pence, currency, due_date, status, created_at, failed_at)
    SELECT merchant_id, payment_id || 'x', 'sch_gone', customer_id, consent_id, wallet_id, bank_id, amount_pence, currency,
      due_date, 'failed', created_at, created_at FROM payments`,
  payments_in_settlement: `UPDATE payments SET settlement_id = 'set_gone'`,
  payment_work_of_payment: `INSERT INTO payment_work (merchant_id, payment_id, stage, bank_id, wallet_id, due_at)
    SELECT merchant_id, 'pay_gone', 'wait', bank_id, wallet_id, due_date FROM payments LIMIT 1`,
  attempts_of_payment: `INSERT INTO attempts (merchant_id, payment_id, number, manual, status, started_at)
    SELECT merchant_id, 'pay_gone', n, false, 'failed', started_at FROM attempts, generate_series(1, 2) n LIMIT 2`,
  payment_orders_of_attempt: `INSERT INTO payment_orders (merchant_id, payment_id, attempt, call, sent_at)
    SELECT merchant_id, payment_id, 7, 1, sent_at FROM payment_orders`,
  to_settle_of_payment: `INSERT INTO to_settle (merchant_id, payment_id, settle_at, amount_pence)
    SELECT merchant_id, 'pay_gone', due_date, amount_pence FROM payments LIMIT 1`,
  transfers_from_debit_account: `INSERT INTO transfers SELECT merchant_id, transfer_id || 'x', kind, 'wal_gone',
      credit_account_id, amount_pence, source_id || 'x', at FROM transfers WHERE kind = 'move'`,
  transfers_to_credit_account: `INSERT INTO transfers SELECT merchant_id, transfer_id || 'x', kind, debit_account_id, 'wal_gone',
      amount_pence, source_id || 'x', at FROM transfers WHERE kind = 'move'`,
  events_of_merchant: `INSERT INTO events (merchant_id, event_id, kind, subject_id, body, created_at)
    SELECT 'mer_gone', event_id, kind, subject_id, body, created_at FROM events`,
  deliveries_to_endpoint: `INSERT INTO deliveries (merchant_id, delivery_id, event_id, endpoint_id, status, created_at)
    SELECT merchant_id, event_id, event_id, 'end_gone', 'failed', created_at FROM events`,
};

test('a row that names one that is not there is noticed wherever the product has no key against it', async (t) => {
  const harness = await openHarness();
  t.after(() => harness.close());
  const schedule = await harness.create();
  await harness.decide(schedule.consent_url);
  await harness.runUntil('2026-02-12T12:00:00Z'); // collected twice, settled twice
  await checkInvariants(harness.platform);
  const names = ADD_TEST_KEYS.map((sql) => /ADD CONSTRAINT (\w+)/.exec(sql)?.[1]);
  assert.deepEqual(Object.keys(ORPHANS).sort(), names.sort());
  for (const [key, orphan] of Object.entries(ORPHANS)) {
    console.log(key);
    const broken = await brokenIn(harness, [...DROP_TEST_KEYS, orphan]);
    const [line = ''] = broken['no-row-names-a-missing-one'] ?? [];
    assert.match(line, /names one of \w+ that is not there$/, `${key}: ${JSON.stringify(broken)}`);
  }
});
