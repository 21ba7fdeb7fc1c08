import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertLaws, onlyPaymentOf, settlementsOf } from '../../server/test-support/books.ts';
import { type Harness, type MerchantSide, openHarness } from '../../server/test-support/harness.ts';
import { type HttpSide, openHttp } from '../../server/test-support/http-side.ts';

let h: Harness;
let http: HttpSide;
let stranger: MerchantSide;
let ids: Record<'schedule' | 'customer' | 'payment' | 'settlement', string>;
before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  http = await openHttp(h);
  stranger = await h.merchant();
  const { id, customer } = await h.agreed();
  await h.runUntil('2026-01-14T12:00:00Z');
  const [settlement] = await settlementsOf(h);
  ids = {
    schedule: id,
    customer: customer.id,
    payment: (await onlyPaymentOf(h, id)).id,
    settlement: settlement?.id ?? '',
  };
});
after(async () => {
  await http.close();
  await h.close();
});

test("another merchant's schedules, customers, payments and settlements are not found, as if they were not there", async () => {
  const { schedule, customer, payment, settlement } = ids;
  const calls: ['GET' | 'POST' | 'PUT', string, object?][] = [
    ['GET', `/schedules/${schedule}`],
    ['GET', `/schedules/${schedule}/payments`],
    ['POST', `/schedules/${schedule}/payments`, { amount: { value: 1, currency: 'GBP' } }],
    ['GET', `/schedules/${schedule}/upcoming`],
    ['PUT', `/schedules/${schedule}`, { status: 'cancelled' }],
    ['GET', `/customers/${customer}/schedules`],
    ['GET', `/customers/${customer}`],
    ['GET', `/payments/${payment}`],
    ['POST', `/payments/${payment}/retry`],
    ['GET', `/settlements/${settlement}`],
    ['GET', `/settlements/${settlement}/payments`],
    ['POST', `/settlements/${settlement}/retry`],
  ];
  for (const [method, path, body] of calls) {
    const own = await http.call(method, path, method === 'PUT' ? { description: 'mine' } : body);
    assert.notEqual(own.status, 404, `${method} ${path}`);
    const theirs = await http.call(method, path, body, stranger.merchantId);
    assert.equal(theirs.status, 404, `${method} ${path}`);
    assert.equal(theirs.body.error.code, 'not_found');
    const nowhere = await http.call(
      method,
      path.replace(/_\w{22}/, '_0000000000000000000000'),
      body,
    );
    assert.deepEqual(nowhere.body, theirs.body, 'the same answer as for what does not exist');
  }
  assert.equal((await h.show(schedule)).status, 'active');
});

test("another merchant's lists are empty, and its customer's id names nobody", async () => {
  for (const path of ['/schedules', '/customers', '/payments', '/settlements'])
    assert.deepEqual((await http.call('GET', path, undefined, stranger.merchantId)).body, {
      data: [],
      total: 0,
    });
  const body = {
    amount: { value: 1, currency: 'GBP' },
    frequency: 'daily',
    customer: { type: 'user_id', value: ids.customer },
    description: 'x',
  };
  const created = await http.call('POST', '/schedules', body, stranger.merchantId);
  assert.equal(created.status, 404);
  assert.equal(created.body.error.code, 'customer_not_found');
});

test('one phone number is a customer of each merchant, apart', async () => {
  const [own, theirs] = [await h.create(), await stranger.create()];
  assert.equal(own.customer.id, ids.customer);
  assert.notEqual(theirs.customer.id, own.customer.id);
  await assertLaws(h);
});
