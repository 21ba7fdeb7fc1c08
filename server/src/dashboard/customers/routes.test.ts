import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { MerchantSide } from '../../../test-support/harness.ts';
import { openDashboard, type TestDashboard } from '../../../test-support/slices/dashboard.ts';
import type { List } from '../../platform/http/lists/page.ts';
import type { CustomerDetail, CustomerItem } from './view.ts';

let d: TestDashboard;
let other: MerchantSide;
before(async () => {
  d = await openDashboard();
  other = await d.h.merchant();
});
after(() => d.close());

const ACCOUNT = { type: 'bank_account', account_number: '66374958', sort_code: '123456' };

const phone = (n: number) => ({ type: 'phone', value: `+4477009001${n}` });
const search = (text: string, more = '', merchantId?: string): Promise<List<CustomerItem>> =>
  d.get<List<CustomerItem>>(`/api/v1/customers?q=${encodeURIComponent(text)}${more}`, merchantId);

test('a merchant without customers gets an empty list', async () => {
  const empty = await d.get<List<CustomerItem>>('/api/v1/customers', other.merchantId);
  assert.deepEqual(empty, { data: [], total: 0 });
});

test('customers are listed newest first, page after page, with what they are called and have', async () => {
  const made: string[] = [];
  for (let n = 10; n < 15; n++) {
    d.h.clock.at = d.h.clock.at.add({ seconds: n % 2 }); // two customers may share a moment
    made.unshift((await d.h.create({ customer: phone(n) })).customer.id);
  }
  const bank = (await d.h.create({ customer: ACCOUNT })).customer.id;
  made.unshift(bank);
  const seen: string[] = [];
  let after: string | undefined = 'start';
  for (let page = 0; page < 4 && after !== undefined; page++) {
    const answer: List<CustomerItem> = await d.get(`/api/v1/customers?limit=2&after=${after}`);
    seen.push(...answer.data.map((customer) => customer.id));
    after = answer.next_cursor;
  }
  assert.equal(after, undefined);
  assert.deepEqual(seen, made.toSorted().toReversed());
  const [newest, ...older] = (await d.get<List<CustomerItem>>('/api/v1/customers')).data;
  assert.equal(newest?.shown.label, '12-34-56 66374958');
  assert.ok(newest.type === 'bank_account');
  assert.deepEqual([newest.sort_code, newest.account_number], ['123456', '66374958']);
  assert.equal(older[0]?.shown.label, '+44 7700 900114');
  assert.ok(older[0]?.type === 'phone');
  assert.equal(older[0].value, '+447700900114');
  assert.deepEqual(older[0].shown.schedules, { active: 0, total: 1 });
});

test('a customer is found by phone, by account, by its own id and by those of its schedule and payment', async () => {
  const schedule = await d.h.agreed({ customer: phone(33) });
  const { id } = schedule.customer;
  await d.h.runUntil('2026-01-12T09:00:00Z');
  const payment = await d.h.db.read((tx) =>
    tx.row<{ paymentId: string }>('SELECT payment_id FROM payments WHERE schedule_id = $1', [
      schedule.id,
    ]),
  );
  for (const text of ['07700 900133', '+44 7700 900133', id, schedule.id, payment?.paymentId ?? ''])
    assert.deepEqual(
      (await search(text)).data.map((customer) => customer.id),
      [id],
      text,
    );
  assert.equal((await search('12-34-56 66374958')).data.length, 1);
  assert.equal((await search('07700 900199')).data.length, 0);
  assert.equal((await search('Broadband')).data.length, 0);
});

test('a page for each customer sums what was collected and what failed, and shows the wallet', async () => {
  const { customer } = await d.h.agreed({
    customer: phone(44),
    amount: { value: 700, currency: 'GBP' },
    frequency: { type: 'weekly' },
    start_date: d.h.clock.at.add({ hours: 1 }).toString(),
    max_retries: 0,
  });
  await d.h.runUntil(d.h.clock.at.add({ hours: 24 * 8 }));
  const detail = await d.get<CustomerDetail>(`/api/customers/${customer.id}`);
  assert.deepEqual(detail.collected, { value: 1400, count: 2 });
  assert.deepEqual(detail.failed, { value: 0, count: 0 });
  assert.deepEqual(detail.shown.schedules, { active: 1, total: 1 });
  assert.equal(detail.wallet?.status, 'open');
  assert.deepEqual(detail.wallet?.balance, { value: 0, currency: 'GBP' });
});

test('a customer who has not agreed yet has no wallet and no sums', async () => {
  const { customer } = await d.h.create({ customer: phone(55) });
  const detail = await d.get<CustomerDetail>(`/api/customers/${customer.id}`);
  assert.equal(detail.wallet, null);
  assert.deepEqual(detail.collected, { value: 0, count: 0 });
});

test('another merchant sees none of it, by no search and no id', async () => {
  const { customer, id } = await d.h.create({ customer: phone(66) });
  const { merchantId } = other;
  for (const text of ['07700 900166', customer.id, id])
    assert.deepEqual((await search(text, '', merchantId)).data, []);
  const { status } = await d.refused('GET', `/api/customers/${customer.id}`, undefined, merchantId);
  assert.equal(status, 404);
});

test('a broken cursor, a limit out of range and an unknown field are refused and named', async () => {
  for (const [query, field] of [
    ['after=x', 'after'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['offset=1&after=start', 'offset'],
    ['cursor=', 'cursor'],
  ] as const) {
    const { status, body } = await d.refused('GET', `/api/v1/customers?${query}`);
    assert.equal(status, 400);
    assert.ok(body.message.startsWith(`${field}: `), body.message);
  }
  assert.equal((await d.refused('GET', '/api/customers/cus_x')).status, 404);
});
