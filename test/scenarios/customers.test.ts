import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Harness, type MerchantSide, openHarness } from '../../server/test-support/harness.ts';
import { type HttpSide, openHttp } from '../../server/test-support/http-side.ts';

let h: Harness;
let http: HttpSide;
let stranger: MerchantSide;
before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  http = await openHttp(h);
  stranger = await h.merchant();
});
after(async () => {
  await http.close();
  await h.close();
});

const phone = (ending: string) => ({ type: 'phone', value: `+447700900${ending}` });
const create = (customer: object) => {
  h.clock.at = h.clock.at.add({ seconds: 1 });
  return http.call('POST', '/schedules', {
    amount: { value: 4999, currency: 'GBP' },
    frequency: 'monthly',
    customer,
    description: 'Broadband',
  });
};
const found = async (q: string, merchantId?: string): Promise<string[]> => {
  const { body } = await http.call(
    'GET',
    `/customers?q=${encodeURIComponent(q)}&limit=100`,
    undefined,
    merchantId,
  );
  assert.equal(body.total, body.data.length);
  return body.data.map((customer: { id: string }) => customer.id);
};

const KIM = { name: 'Kim O’Brien-Fern', email: 'Kim.Fern@post.example', reference: 'C-1042' };

test('a name, an email and a reference come with the schedule, and stay when the number comes again', async () => {
  const first = await create({ ...phone('101'), ...KIM });
  assert.equal(first.status, 200, JSON.stringify(first.body));
  const shown = { id: first.body.customer.id, ...phone('101'), ...KIM };
  assert.deepEqual(first.body.customer, shown);
  assert.deepEqual((await http.call('GET', `/schedules/${first.body.id}`)).body.customer, shown);
  assert.deepEqual((await create(phone('101'))).body.customer, shown, 'nothing sent, nothing lost');
  const renamed = await create({ ...phone('101'), name: 'Kim Ash', email: null });
  const { email: _, ...left } = shown;
  assert.deepEqual(renamed.body.customer, { ...left, name: 'Kim Ash' });
  const byId = await create({ type: 'user_id', value: shown.id, reference: 'C-7' });
  assert.deepEqual(
    [byId.body.customer.type, byId.body.customer.name, byId.body.customer.reference],
    ['user_id', 'Kim Ash', 'C-7'],
  );
  assert.deepEqual(await found('O’Brien'), [], 'the old name no longer finds');
  assert.deepEqual(await found('ash'), [shown.id]);
});

test('a customer is shown, changed field by field, and cleared; wrong fields are named', async () => {
  const { body } = await create({ ...phone('202'), ...KIM });
  const { id } = body.customer;
  const full = {
    id,
    ...phone('202'),
    ...KIM,
    notes: null,
    bank: null,
    paying_account: null,
    created_at: h.clock.at.toString({ fractionalSecondDigits: 3 }),
  };
  assert.deepEqual((await http.call('GET', `/customers/${id}`)).body, full);
  const notes = 'Rang on Monday.\nPays late in January.';
  const changed = await http.call('PUT', `/customers/${id}`, { notes, name: ' Zoë Fern ' });
  assert.deepEqual(changed.body, { ...full, notes, name: 'Zoë Fern' });
  const cleared = await http.call('PUT', `/customers/${id}`, { name: '', notes: null });
  assert.deepEqual(cleared.body, { ...full, name: null });
  const wrong = await http.call('PUT', `/customers/${id}`, { email: 'kim', phone: '+44', name: 7 });
  assert.equal(wrong.status, 400);
  assert.deepEqual(Object.keys(wrong.body.error.details).sort(), ['email', 'name', 'phone']);
  assert.equal((await http.call('PUT', '/customers/cus_x', { name: 'A' })).status, 404);
});

test('a customer is found by words of the name, email, reference, last digits, number and id', async () => {
  const { body } = await create({
    ...phone('303'),
    name: 'Aïda Núñez Ross',
    email: 'a.ross@post.example',
    reference: 'R/303 b',
  });
  const { id } = body.customer;
  for (const q of [
    'ross',
    'NUNEZ aida',
    ' Aïda ',
    'A.Ross@post.example',
    'R/303 b',
    '0303',
    '900303',
    '7700 900303',
    '07700 900303',
    '+44 7700 900303',
    id,
  ])
    assert.deepEqual(await found(q), [id], q);
  for (const q of [
    'ro',
    'oss',
    'aida smith',
    'post',
    'R/303',
    '1303',
    '303',
    '0000303',
    '8700900303',
  ])
    assert.deepEqual(await found(q), [], q);
  const account = { type: 'bank_account', sort_code: '08-99-99', account_number: '66374958' };
  const other = (await create({ ...account, name: 'Ross Holdings' })).body.customer.id;
  assert.deepEqual(await found('4958'), [other]);
  assert.deepEqual(await found('089999 66374958'), [other]);
  assert.deepEqual(await found('ross'), [other, id], 'newest first');
  const page = await http.call('GET', '/customers?q=ross&limit=1&offset=1');
  assert.deepEqual([page.body.total, page.body.data[0].id], [2, id]);
});

test('all customers are listed newest first, with the bank of those who agreed', async () => {
  h.clock.at = h.clock.at.add({ seconds: 1 });
  const { customer } = await h.agreed({ customer: { ...phone('404'), name: 'Bo' } });
  const { body } = await http.call('GET', '/customers?limit=2');
  const [newest, before] = body.data;
  assert.equal(newest.id, customer.id);
  assert.ok(newest.id > before.id);
  assert.ok(body.total >= 4);
  assert.deepEqual([newest.bank.id, newest.name], [h.bank.bankId, 'Bo']);
});

test('nothing of it lies in the database in plain text but the reference, and the trail names fields, no values', async () => {
  const { id } = (
    await create({ ...phone('505'), name: 'Quillfeather', email: 'quill@post.example' })
  ).body.customer;
  await http.call('PUT', `/customers/${id}`, { notes: 'Quillnote', reference: 'Q-505' });
  const rows = await h.db.read((tx) =>
    tx.rows<{ row: string }>(
      `SELECT c::text AS row FROM customers c WHERE customer_id = $1
       UNION ALL SELECT encode(word, 'escape') FROM customer_words WHERE customer_id = $1
       UNION ALL SELECT s::text FROM state_changes s WHERE object_id = $1`,
      [id],
    ),
  );
  const text = rows.map(({ row }) => row).join('\n');
  assert.doesNotMatch(text, /quill/i);
  assert.match(text, /Q-505/);
  assert.match(text, /details_changed,"changed: reference, notes"/);
});

test('another merchant finds none of them, by no word and no number', async () => {
  await create({ ...phone('606'), name: 'Hidden' });
  for (const q of ['Hidden', '0606', '07700900606'])
    assert.deepEqual(await found(q, stranger.merchantId), [], q);
});

test('two schedules at once for one new number make one customer, who is found by the name that stayed', async () => {
  const both = await Promise.all([
    create({ ...phone('707'), name: 'Robin Day' }),
    create({ ...phone('707'), name: 'Robin Knight' }),
  ]);
  const [a, b] = both.map(({ status, body }) => [status, body.customer.id]);
  assert.deepEqual(a, b);
  const { name } = (await http.call('GET', `/customers/${a?.[1]}`)).body;
  for (const one of ['Robin Day', 'Robin Knight'])
    assert.deepEqual(await found(one), one === name ? [a?.[1]] : [], one);
});
