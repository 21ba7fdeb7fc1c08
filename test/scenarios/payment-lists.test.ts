import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showPayments } from '../../server/src/payments/api/service.ts';
import type { PaymentFilter } from '../../server/src/payments/books/list-store.ts';
import { asked, dueInAnHour, refusedWith, settlementsOf } from '../../server/test-support/books.ts';
import type { MerchantSide } from '../../server/test-support/harness.ts';
import { oneForAll } from '../../server/test-support/opened.ts';

let other: MerchantSide;
let collected: string;
let failed: string;
let settlementId: string;

/** Two months: one schedule is collected, one fails, and another merchant has its own. */
const { h, runFor } = oneForAll(async () => {
  collected = await dueInAnHour(h, { customer: { phone: '+447700900501' } });
  h.bank.mood.refuses = 'final';
  failed = await dueInAnHour(h, { customer: { phone: '+447700900502' } });
  h.bank.cheerUp();
  other = await h.merchant();
  const start = h.clock.at.round('second').add({ hours: 1 });
  await other.agreed({ start_date: start.toString(), customer: { phone: '+447700900503' } });
  await runFor({ hours: 24 * 20 });
  settlementId = (await settlementsOf(h))[0]?.id ?? '';
  h.bank.mood.refuses = 'final';
  await runFor({ hours: 24 * 15 });
  h.bank.cheerUp();
});

const WHOLE = { limit: 100, offset: 0 };

async function list(
  filter: PaymentFilter,
  page = WHOLE,
  by: MerchantSide = h,
): Promise<{ lines: string[]; total: number | undefined }> {
  const { data, total } = await h.db.forMerchant(by.merchantId, (tx) =>
    showPayments(asked(h, tx, by), filter, page),
  );
  const name = (id: string): string =>
    id === collected ? 'collected' : id === failed ? 'failed' : 'else';
  return {
    lines: data.map((p) => `${name(p.schedule_id)} ${p.due_date.slice(0, 7)} ${p.status}`),
    total,
  };
}

const ALL = [
  'failed 2026-02 failed',
  'collected 2026-02 failed',
  'failed 2026-01 failed',
  'collected 2026-01 success',
];

test('without a filter a merchant sees all payments of its own, newest first', async () => {
  assert.deepEqual(await list({}), { lines: ALL, total: 4 });
  assert.equal((await list({}, WHOLE, other)).total, 2);
});

const CASES: [string, () => PaymentFilter, string[]][] = [
  ['of a schedule', () => ({ scheduleId: collected }), [ALL[1] ?? '', ALL[3] ?? '']],
  ['of a status', () => ({ status: 'failed' }), ALL.slice(0, 3)],
  ['of a status that none has', () => ({ status: 'pending' }), []],
  ['of a settlement', () => ({ settlementId }), [ALL[3] ?? '']],
  [
    'of a schedule and a status',
    () => ({ scheduleId: collected, status: 'success' }),
    [ALL[3] ?? ''],
  ],
  ['of a settlement and another schedule', () => ({ settlementId, scheduleId: failed }), []],
  [
    'of a settlement, its schedule and a status',
    () => ({ settlementId, scheduleId: collected, status: 'success' }),
    [ALL[3] ?? ''],
  ],
  ['of a settlement that is not there', () => ({ settlementId: 'set_none' }), []],
];

for (const [name, filter, lines] of CASES)
  test(`payments ${name}: only these, and their number`, async () => {
    assert.deepEqual(await list(filter()), { lines, total: lines.length });
  });

test('a page is a window on the list, and the number is that of the whole', async () => {
  const filter = { status: 'failed' } as const;
  assert.deepEqual(await list(filter, { limit: 1, offset: 1 }), { lines: [ALL[1]], total: 3 });
  assert.deepEqual(await list(filter, { limit: 10, offset: 3 }), { lines: [], total: 3 });
});

test('another merchant’s schedule is not found, and its settlement holds nothing', async () => {
  await assert.rejects(list({ scheduleId: collected }, WHOLE, other), refusedWith('not_found'));
  assert.deepEqual(await list({ settlementId }, WHOLE, other), { lines: [], total: 0 });
});
