import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { MerchantSide } from '../../../test-support/harness.ts';
import { openDashboard, type TestDashboard } from '../../../test-support/slices/dashboard.ts';
import type { List } from '../../platform/http/lists/page.ts';
import type { ScheduleItem } from './list-view.ts';

let d: TestDashboard;
let other: MerchantSide;
before(async () => {
  d = await openDashboard();
  other = await d.h.merchant();
});
after(() => d.close());

const phone = (n: number) => ({ type: 'phone', value: `+4477009002${n}` });
const list = (query: object, merchantId?: string): Promise<List<ScheduleItem>> =>
  d.get<List<ScheduleItem>>(`/api/v1/schedules?${new URLSearchParams({ ...query })}`, merchantId);
const found = async (query: object, merchantId?: string): Promise<string[]> =>
  (await list(query, merchantId)).data.map((schedule) => schedule.id);

/** Returns every page of a list, following its cursors. */
async function pages(query: object): Promise<string[][]> {
  const seen: string[][] = [];
  let after: string | undefined = 'start';
  for (let page = 0; page < 20 && after !== undefined; page++) {
    const answer: List<ScheduleItem> = await list({ ...query, after });
    seen.push(answer.data.map((schedule) => schedule.id));
    after = answer.next_cursor;
  }
  return seen;
}

test('a merchant without schedules gets an empty list, whatever is searched for', async () => {
  for (const query of [{}, { q: 'Gym' }, { status: 'active' }, { q: '07700 900200' }])
    assert.deepEqual(await list(query, other.merchantId), { data: [], total: 0 });
});

test('schedules are listed newest first, each once, page after page, though some are of one moment', async () => {
  const made: string[] = [];
  for (let n = 10; n < 17; n++) {
    d.h.clock.at = d.h.clock.at.add({ seconds: n % 3 === 0 ? 1 : 0 });
    made.push((await d.h.create({ customer: phone(n), description: `Gym ${n}` })).id);
  }
  const seen = await pages({ limit: '3' });
  assert.deepEqual(
    seen.map((page) => page.length),
    [3, 3, 1],
  );
  assert.deepEqual(seen.flat(), made.toReversed());
});

test('a line of the list says what is collected, from whom, when, and how the last payment went', async () => {
  const schedule = await d.h.agreed({ customer: phone(30), description: 'Allotment' });
  await d.h.runUntil('2026-01-12T09:00:00Z');
  const [line] = (await list({ q: schedule.id })).data;
  assert.equal(line?.status, 'active');
  assert.deepEqual(line?.shown.terms, {
    amount: { value: 4999, currency: 'GBP' },
    frequency: { type: 'monthly', day: 10, interval: 1 },
    frequency_text: 'every month on the 10th',
  });
  assert.equal(line?.shown.customer, '+44 7700 900230');
  assert.equal(line?.next_payment_date, '2026-02-10T09:00:00.000Z');
  assert.equal(line?.shown.last_payment?.status, 'success');
  assert.equal(line?.shown.last_payment?.due_date, '2026-01-10T09:00:00.000Z');
  assert.equal(line?.shown.consent_waiting, false);
  await d.h.update(schedule.id, { amount: { value: 9999, currency: 'GBP' } });
  const [raised] = (await list({ q: line?.shown.last_payment?.id ?? '' })).data;
  assert.equal(raised?.id, schedule.id, 'found by its payment');
  assert.equal(raised?.shown.consent_waiting, true);
  assert.deepEqual(
    [raised?.shown.terms.amount.value, raised?.shown.asked?.amount.value],
    [4999, 9999],
  );
});

test('before its consent a schedule shows the first collection that it would bring, and no payment', async () => {
  const { id } = await d.h.create({ customer: phone(31), start_date: '2026-03-01T09:00:00Z' });
  const [line] = (await list({ q: id })).data;
  assert.equal(line?.next_payment_date, '2026-03-01T09:00:00.000Z');
  assert.equal(line?.shown.last_payment, null);
  assert.equal(line?.shown.consent_waiting, true);
});

test('all schedules of a customer are found by phone, account or id, and the status narrows them', async () => {
  const account = { type: 'bank_account', account_number: '1234567', sort_code: '20-00-00' };
  const first = await d.h.create({ customer: account, description: 'One' });
  d.h.clock.at = d.h.clock.at.add({ seconds: 1 });
  const second = await d.h.create({ customer: account, description: 'Two' });
  const both = [second.id, first.id];
  assert.deepEqual(await found({ q: '20-00-00 01234567' }), both);
  assert.deepEqual(await found({ q: '1234567 200000' }), both);
  assert.deepEqual(await found({ q: first.customer.id }), both);
  await d.h.update(first.id, { status: 'cancelled' });
  assert.deepEqual(await found({ q: first.customer.id, status: 'cancelled' }), [first.id]);
  assert.deepEqual(await pages({ q: first.customer.id, limit: '1' }), [[second.id], [first.id]]);
  assert.deepEqual(await found({ q: first.id, status: 'active' }), []);
  assert.equal((await found({ q: '07700900210' })).length, 1);
  assert.equal((await found({ q: '(07700) 900 210' })).length, 1);
});

test('words find every schedule that has all of them, whole or begun, newest first', async () => {
  const names = ['Yoga 2', 'yoga 10', 'Yogurt', 'Hot yoga', 'Yóga', '100 % yoga'];
  const ids = new Map<string, string>();
  for (const description of names)
    ids.set((await d.h.create({ customer: phone(40), description })).id, description);
  const texts = async (query: object): Promise<(string | undefined)[]> =>
    (await found(query)).map((id) => ids.get(id));
  assert.deepEqual(await texts({ q: 'yog' }), names.toReversed());
  assert.deepEqual(await texts({ q: ' yoGA' }), names.filter((n) => n !== 'Yogurt').toReversed());
  assert.deepEqual(await texts({ q: 'yoga 1' }), ['100 % yoga', 'yoga 10']);
  assert.deepEqual(await texts({ q: 'yog gone' }), []);
  assert.deepEqual((await pages({ q: 'yog', limit: '1' })).flat(), await found({ q: 'yog' }));
  const [one] = await found({ q: 'yogurt' });
  await d.h.update(one ?? '', { status: 'cancelled' });
  assert.deepEqual(await texts({ q: 'yog', status: 'cancelled' }), ['Yogurt']);
});

test('they are sorted by age or description, either way', async () => {
  const all = await found({ limit: '100' });
  assert.deepEqual(await found({ limit: '100', sort: 'created_at' }), all.toReversed());
  const byText = (await list({ limit: '100', sort: 'description' })).data;
  assert.deepEqual(
    byText.map((one) => one.description.toLowerCase()),
    byText.map((one) => one.description.toLowerCase()).toSorted(),
  );
  const backwards = await pages({ limit: '7', sort: '-description' });
  assert.deepEqual(backwards.flat(), byText.map((one) => one.id).toReversed());
});

test('the longest description still has its next page', async () => {
  const description = 'Ω\u0001'.repeat(127);
  for (let n = 0; n < 2; n++) await d.h.create({ customer: phone(41), description });
  const query = { q: description.slice(0, 4), sort: 'description', limit: '1' };
  assert.equal((await pages(query)).flat().length, 2);
});

test('another merchant finds nothing of it, by no id, phone or text', async () => {
  const { id, customer } = await d.h.create({ customer: phone(50), description: 'Secret' });
  for (const search of [id, customer.id, '07700900250', 'Secret', ''])
    assert.deepEqual(await found({ q: search }, other.merchantId), [], search);
});

test('what cannot be asked for is refused and named; a cursor serves its own order and filter only', async () => {
  const { next_cursor: after = '' } = await list({ limit: '1' });
  for (const [query, field] of [
    [{ after: 'broken' }, 'after'],
    [{ after, sort: 'description' }, 'after'],
    [{ after, status: 'active' }, 'after'],
    [{ after, q: 'yoga' }, 'after'],
    [{ sort: 'amount' }, 'sort'],
    [{ amount_from: '-1' }, 'amount_from'],
    [{ from: 'May' }, 'from'],
    [{ status: 'gone' }, 'status'],
    [{ limit: 'many' }, 'limit'],
    [{ q: 'x'.repeat(256) }, 'q'],
    [{ offset: '1', after }, 'offset'],
  ] as const) {
    const { status, body } = await d.refused(
      'GET',
      `/api/v1/schedules?${new URLSearchParams(query)}`,
    );
    assert.equal(status, 400);
    assert.ok(body.message.startsWith(`${field}: `), body.message);
  }
});
