import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openDashboard, type TestDashboard } from '../../../test-support/slices/dashboard.ts';
import { reserveReportSlot } from './service.ts';
import type { Statement } from './statement-view.ts';
import type { AgeingReport, CohortReport, FailureReport } from './view.ts';

let d: TestDashboard;
before(async () => {
  d = await openDashboard('2026-12-31T23:30:00Z');
});
after(() => d.close());

test('a merchant without payments has empty reports, and sees nothing of others', async () => {
  const { merchantId } = await d.h.merchant();
  assert.equal(
    (await d.get<FailureReport>('/api/reports/failures', merchantId)).total.failed.count,
    0,
  );
  assert.deepEqual((await d.get<AgeingReport>('/api/reports/ageing', merchantId)).customers, []);
  assert.equal((await d.get<CohortReport>('/api/reports/cohorts', merchantId)).total.value, 0);
  const statement = await d.get<Statement>('/api/reports/statement', merchantId);
  assert.deepEqual([statement.opening, statement.closing, statement.lines], [0, 0, []]);
  assert.equal(statement.month, '2026-11', 'the last month that is over');
});

test('two reports of a merchant are added up at once, and the third is asked to wait', async () => {
  const { db, merchantId } = d.h;
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const slow = Array.from({ length: 2 }, () => Promise.withResolvers<void>());
  const taken = slow.map(({ resolve: taken }) =>
    db.forMerchant(merchantId, async (tx) => {
      await reserveReportSlot(tx, merchantId);
      taken();
      await end;
    }),
  );
  await Promise.all(slow.map(({ promise }) => promise));
  const { status, body } = await d.refused('GET', '/api/reports/failures');
  assert.deepEqual([status, body.code], [429, 'rate_limit_exceeded']);
  const other = await d.h.merchant();
  await d.get('/api/reports/failures', other.merchantId);
  resolve();
  await Promise.all(taken);
  await d.get('/api/reports/failures');
});

test('wrong ranges are refused by name', async () => {
  for (const [path, field] of [
    ['failures?from=yesterday', 'from'],
    ['failures?from=2026-02-30', 'from'],
    ['failures?from=2026-03-02&to=2026-03-01', 'to'],
    ['failures?from=2024-01-01&to=2026-03-01', 'from'],
    ['cohorts?from=2026-13', 'from'],
    ['statement?month=2027-02', 'month'],
  ] as const) {
    const { status, body } = await d.refused('GET', `/api/reports/${path}`);
    assert.deepEqual([status, Object.keys(body.details ?? {})], [400, [field]], path);
  }
});
