import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  explaining,
  insertMany,
  insertPayments,
  openDashboard,
  type TestDashboard,
} from '../../../test-support/slices/dashboard.ts';
import { readOverview } from './service.ts';

const SCHEDULES = 2_000;

let d: TestDashboard;
before(async () => {
  d = await openDashboard('2026-06-15T10:00:00Z');
  await insertMany(d.h, {
    count: SCHEDULES,
    status: `CASE WHEN n % 20 = 0 THEN 'cancelled' ELSE 'active' END`,
    description: `'Membership ' || n`,
  });
  await insertPayments(d.h, { schedules: SCHEDULES, each: 20 });
});
after(() => d.close());

test('the days of an overview are read from the index of what has ended, not from all payments ever', async () => {
  const { h } = d;
  const [overview, plans] = await h.db.forMerchant(h.merchantId, async (plain) => {
    const { tx, plans } = explaining(plain);
    const call = { tx, now: h.clock.at, merchantId: h.merchantId, timeZone: 'Europe/London' };
    return [await readOverview(call, 15), plans.join('\n')] as const;
  });
  for (const index of ['transfers_pkey', 'payments_failed_at'])
    assert.ok(plans.includes(index), `no ${index}:\n${plans}`);
  assert.ok(!plans.includes('to_settle_due'), `rows of other merchants are read:\n${plans}`);
  assert.ok(!plans.includes('Seq Scan on payments'), plans);
  assert.ok(overview.collected.count > 500);
  assert.ok(overview.failed.count > 50);
  assert.ok(overview.upcoming.count > 500);
});
