import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { assertLaws, paymentsOf } from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

// A bank that ends consents which lie unused: docs/rules/consents.md#consents-that-lie-unused.
let h: Harness;
afterEach(() => h.close());

/** Opens a harness whose bank ends a consent after so many months without a payment, and whose merchant reminds customers. */
async function opened(months: number | null): Promise<void> {
  h = await openHarness();
  Object.assign(h.bank, { traits: { ...h.bank.traits, endsUnusedAfterMonths: months } });
  await h.db.transaction((tx) =>
    tx.run("INSERT INTO notices_on (merchant_id, kind) VALUES ($1, 'consent_unused')", [
      h.merchantId,
    ]),
  );
}

const CUSTOMER = {
  type: 'phone' as const,
  value: '+447700900111',
  email: 'kim@example.com',
};

const reminders = (): Promise<{ createdAt: Temporal.Instant }[]> =>
  h.db.read((tx) =>
    tx.rows("SELECT created_at FROM notices WHERE kind = 'consent_unused' ORDER BY created_at"),
  );

test('a customer is reminded once, a month before the bank ends a consent under which nothing is collected', async () => {
  await opened(13);
  const { id, warnings } = await h.agreed({
    customer: CUSTOMER,
    frequency: { type: 'yearly', interval: 3 },
    start_date: '2026-01-10T09:00:00Z',
  });
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['max_gap'],
  );
  await h.runUntil('2027-02-10T00:00:00Z');
  const [payment, ...others] = await paymentsOf(h, id);
  assert.deepEqual([payment?.status, others.length], ['success', 0]);
  const [reminder, ...more] = await reminders();
  assert.equal(more.length, 0);
  assert.equal(reminder?.createdAt.toString().slice(0, 10), '2027-01-10');
  await assertLaws(h);
});

test('nobody is reminded where something is collected in time, or where the bank ends no consent', async () => {
  await opened(13);
  await h.agreed({ customer: CUSTOMER, frequency: 'yearly', start_date: '2026-01-10T09:00:00Z' });
  await h.runUntil('2027-03-01T00:00:00Z');
  assert.deepEqual(await reminders(), []);
  await h.close();
  await opened(null);
  const twoYearly = { type: 'yearly' as const, interval: 2 };
  await h.agreed({ customer: CUSTOMER, frequency: twoYearly, start_date: '2026-01-10T09:00:00Z' });
  await h.runUntil('2027-03-15T00:00:00Z');
  assert.deepEqual(await reminders(), []);
});

test('a check that failed is made again the next day', async () => {
  await opened(13);
  await h.agreed({
    customer: CUSTOMER,
    frequency: { type: 'yearly', interval: 3 },
    start_date: '2026-01-10T09:00:00Z',
  });
  await h.runUntil('2026-12-01T00:00:00Z');
  let failures = 0;
  Object.defineProperty(h.bank.traits, 'endsUnusedAfterMonths', {
    get: () => {
      failures += 1;
      if (failures === 1) throw new Error('the first check fails');
      return 13;
    },
  });
  await h.runUntil('2027-02-10T00:00:00Z');
  const [reminder, ...more] = await reminders();
  assert.ok(failures > 1);
  assert.equal(more.length, 0);
  const day = reminder?.createdAt.toString().slice(0, 10) ?? '';
  assert.ok(day >= '2027-01-10' && day <= '2027-01-12', day);
});
