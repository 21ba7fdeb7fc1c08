import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { IssuerRefused } from '../../server/src/wallets/issuer.ts';
import { assertLaws, paymentsIn, refund, settlementsOf } from '../../server/test-support/books.ts';
import { oneForEach } from '../../server/test-support/opened.ts';

// Faster Payments allow at most GBP 1,000,000.00: an issuer refuses a larger pay-out.
const { h } = oneForEach('2026-01-05T00:00:00Z');
const MAX = 100_000_000;

beforeEach(() => {
  const payOut = h.issuer.payOut.bind(h.issuer);
  h.issuer.payOut = async (order) => {
    if (order.amountPence > MAX) throw new IssuerRefused('amount_too_large', 'Too large.');
    return payOut(order);
  };
});

let customers = 0;

/** Collects payments of these amounts in pence, one minute after another on the morning of the 6th. */
async function collect(...amounts: number[]): Promise<void> {
  const start = Temporal.Instant.from('2026-01-06T09:00:00Z');
  for (const [n, value] of amounts.entries()) {
    customers += 1;
    await h.agreed({
      start_date: start.add({ minutes: n }).toString(),
      frequency: 'yearly',
      amount: { value, currency: 'GBP' },
      customer: { phone: `+4477006${String(10_000 + customers)}` },
    });
  }
}

/**
 * Returns each day's settlements in the order of their parts: amount, status, and when their payments were collected, the oldest
 * first.
 */
async function settled(): Promise<string[]> {
  const parts = await h.db.read((tx) =>
    tx.rows<{ settlementId: string }>(
      'SELECT settlement_id FROM settlements ORDER BY settle_date, part',
    ),
  );
  const all = new Map((await settlementsOf(h)).map((one) => [one.id, one]));
  return Promise.all(
    parts.map(async ({ settlementId: id }) => {
      const found = all.get(id);
      const payments = await paymentsIn(h, id);
      const times = payments.map(({ due_date }) => due_date.slice(11, 16)).sort();
      return `${found?.settlement_date} ${found?.amount.value} ${found?.status}: ${times.join(' ')}`;
    }),
  );
}

test('what one pay-out does not carry goes by further ones on the same day, the oldest first', async () => {
  await collect(60_000_000, 60_000_000, 40_000_000, 1);
  await h.runUntil('2026-01-07T12:00:00Z');
  assert.deepEqual(await settled(), [
    '2026-01-07 60000000 success: 09:00',
    '2026-01-07 100000000 success: 09:01 09:02',
    '2026-01-07 1 success: 09:03',
  ]);
  await h.runUntil('2026-01-10T12:00:00Z');
  assert.equal((await settled()).length, 3);
  await assertLaws(h);
});

test('what failed settlements held goes again with no more than the largest pay-out', async () => {
  await collect(70_000_000, 50_000_000);
  h.issuer.payOutError = 'invalid_account';
  await h.runUntil('2026-01-08T12:00:00Z');
  h.issuer.payOutError = null;
  await h.runUntil('2026-01-13T12:00:00Z');
  assert.deepEqual(await settled(), [
    '2026-01-07 70000000 failed: 09:00',
    '2026-01-07 50000000 failed: 09:01',
    '2026-01-08 70000000 failed: 09:00',
    '2026-01-08 50000000 failed: 09:01',
    '2026-01-09 70000000 success: 09:00',
    '2026-01-09 50000000 success: 09:01',
  ]);
  await assertLaws(h);
});

test('of a day’s pay-outs one may fail: what it held goes on the next business day, and nothing twice', async () => {
  await collect(70_000_000, 50_000_000);
  const payOut = h.issuer.payOut.bind(h.issuer);
  h.issuer.payOut = async (order) => {
    if (order.amountPence === 50_000_000) throw new IssuerRefused('invalid_account', 'No.');
    return payOut(order);
  };
  await h.runUntil('2026-01-07T12:00:00Z');
  h.issuer.payOut = payOut;
  await h.runUntil('2026-01-13T12:00:00Z');
  assert.deepEqual(await settled(), [
    '2026-01-07 70000000 success: 09:00',
    '2026-01-07 50000000 failed: 09:01',
    '2026-01-08 50000000 success: 09:01',
  ]);
  await assertLaws(h);
});

test('refunds that come back go out in parts, none larger than one pay-out carries', async () => {
  await collect(MAX, MAX, MAX, MAX);
  await h.runUntil('2026-01-06T10:00:00Z');
  const payments = await h.db.read((tx) =>
    tx.rows<{ paymentId: string }>('SELECT payment_id FROM payments ORDER BY due_date'),
  );
  const refunds = [];
  for (const { paymentId: id } of payments.slice(0, 2)) refunds.push(await refund(h, id));
  await h.runUntil('2026-01-07T12:00:00Z');
  for (const { id } of refunds) h.issuer.comeBack(id);
  await h.runUntil('2026-01-08T12:00:00Z');
  assert.deepEqual(
    (await settlementsOf(h)).map(
      (one) => `${one.settlement_date} ${one.amount.value} ${one.status}`,
    ),
    [
      `2026-01-07 ${MAX} success`,
      `2026-01-07 ${MAX} success`,
      `2026-01-08 ${MAX} success`,
      `2026-01-08 ${MAX} success`,
    ],
  );
  await assertLaws(h);
});

test('the table refuses a pay-out that is larger than one may be', async () => {
  await collect(MAX);
  await h.runUntil('2026-01-06T10:00:00Z');
  await assert.rejects(
    h.db.transaction((tx) =>
      tx.run(
        `INSERT INTO settlements (merchant_id, settlement_id, settle_date, amount_pence, gross_pence, currency, status,
           destination, created_at) VALUES ($1, 'set_x', '2026-01-07', $2, $2, 'GBP', 'pending', '', now())`,
        [h.merchantId, MAX + 1],
      ),
    ),
    /settlements_amount_within_largest/,
  );
});
