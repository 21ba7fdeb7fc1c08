import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { MerchantSide } from '../../../test-support/harness.ts';
import {
  explaining,
  insertMany,
  openDashboard,
  type TestDashboard,
} from '../../../test-support/slices/dashboard.ts';
import { findByWords } from '../../customers/word-store.ts';
import { collectOnce } from '../../payments/api/collect-once.ts';
import { findIds } from '../../schedules/books/match-store.ts';
import { findBetween, findByEntries, findEntries } from '../../schedules/books/word-store.ts';
import { findLatestPayments, findSettlements } from './store.ts';
import type { Found } from './view.ts';

let d: TestDashboard;
let other: MerchantSide;
let gym: { id: string; customer: { id: string }; reference: string };
before(async () => {
  d = await openDashboard();
  other = await d.h.merchant();
  gym = await d.h.agreed({
    description: 'Café membership',
    metadata: { order: 'A-1742', nested: { plan: 'platinum' } },
    reference: 'HEDGEROW 0042',
    customer: { phone: '+447700900777', name: 'Robin Winter', email: 'robin@winter.example' },
    start_date: '2026-01-06T09:00:00Z',
  });
  d.h.clock.at = d.h.clock.at.add({ seconds: 1 });
  await d.h.create({ description: 'Café broadband', amount: { value: 1250, currency: 'GBP' } });
  await d.h.runUntil('2026-01-08T12:00:00Z');
});
after(() => d.close());

const search = (q: string, merchantId?: string): Promise<Found> =>
  d.get<Found>(`/api/search?q=${encodeURIComponent(q)}`, merchantId);
const descriptions = (found: Found): string[] => found.schedules.map((one) => one.description);

test('a schedule is found by any word of its description, metadata and reference, whole or begun', async () => {
  for (const q of [
    'membership',
    'MEMB',
    'cafe memb',
    'membership cafe',
    'platinum',
    '1742',
    'hedgerow',
    '0042',
    'memb plat',
  ]) {
    const found = await search(q);
    assert.deepEqual(descriptions(found), ['Café membership'], q);
    assert.equal(found.payments[0]?.description, 'Café membership', 'with its latest payment');
  }
  assert.deepEqual(descriptions(await search('café')), ['Café broadband', 'Café membership']);
  for (const q of ['embership', 'cafe gold', 'order', '  ', '£'])
    assert.deepEqual(descriptions(await search(q)), [], q);
});

test('a customer is found with the schedules and latest payments, by name, email, reference and digits', async () => {
  for (const q of ['robin', 'Winter Robin', 'robin@winter.example', '0777', '07700 900777']) {
    const { customers, schedules, payments } = await search(q);
    assert.deepEqual(
      customers.map(({ id, label, number }) => [id, label, number]),
      [[gym.customer.id, 'Robin Winter', '+44 7700 900777']],
      q,
    );
    assert.deepEqual(
      schedules.map(({ id }) => id),
      [gym.id],
      q,
    );
    assert.equal(payments[0]?.customer.label, 'Robin Winter');
  }
});

test('a customer is found by beginnings of the name, and a name one letter away is offered where nothing is found', async () => {
  for (const q of ['rob', 'wint rob']) {
    const { customers, did_you_mean } = await search(q);
    assert.deepEqual([customers.map(({ id }) => id), did_you_mean], [[gym.customer.id], []], q);
  }
  const { did_you_mean, ...found } = await search('robim winter');
  assert.deepEqual(
    did_you_mean.map(({ id, label, number }) => [id, label, number]),
    [[gym.customer.id, 'Robin Winter', '+44 7700 900777']],
  );
  assert.ok(Object.values(found).every((list) => list.length === 0));
  assert.deepEqual((await search('robim', other.merchantId)).did_you_mean, []);
});

test('ids are found by their beginning, each as what it is', async () => {
  const { payments, settlements } = await search('£49.99');
  const [payment] = payments;
  const [settlement] = settlements;
  assert.ok(payment !== undefined && settlement !== undefined);
  for (const n of [4, 16, 22].map((digits) => 'sch_'.length + digits))
    assert.ok((await search(gym.id.slice(0, n))).schedules.some(({ id }) => id === gym.id));
  assert.equal((await search(payment.id.slice(0, 24))).payments[0]?.id, payment.id);
  assert.equal((await search(gym.customer.id.slice(0, 24))).customers[0]?.id, gym.customer.id);
  assert.equal((await search(settlement.id.slice(0, 24))).settlements[0]?.id, settlement.id);
  assert.deepEqual((await search('sch_zzzz')).schedules, []);
});

test('a settlement is found by its statement reference: any case, its end, or the whole line of a statement', async () => {
  const [settlement] = (await search('49.99')).settlements;
  const { id, statement_reference: reference = '' } = settlement ?? {};
  const [day, code] = [reference.slice(0, 7), reference.slice(7)];
  for (const q of [
    reference,
    reference.toLowerCase(),
    `${day} ${code}`,
    code,
    `FPI RECOLLECT ${reference}`,
  ])
    assert.deepEqual(
      (await search(q)).settlements.map((one) => one.id),
      [id],
      q,
    );
  for (const q of [code.slice(-3), 'S26', 'recollect'])
    assert.deepEqual((await search(q)).settlements, [], q);
});

test('an amount finds the schedules that collect it now, and settlements of it', async () => {
  assert.deepEqual(descriptions(await search('12.50')), ['Café broadband']);
  const found = await search('49.99');
  assert.deepEqual(descriptions(found), ['Café membership']);
  assert.deepEqual(
    found.settlements.map(({ amount }) => amount.value),
    [4999],
  );
});

test('a payment is found by its own amount, whatever its schedule collects', async () => {
  const once = { amount: { value: 333, currency: 'GBP' } };
  const { id } = await d.h.agreed({
    description: 'Rowing',
    customer: { phone: '+447700900778' },
    limits: { per_period: { value: 9000, currency: 'GBP' } },
  });
  await d.h.runUntil('2026-01-10T12:00:00Z'); // the limits begin with the first occurrence
  const asked = { merchantId: d.h.merchantId, now: d.h.clock.at };
  const made = await d.h.db.forMerchant(d.h.merchantId, (tx) =>
    collectOnce(d.h.platform, { ...asked, tx, idempotencyKey: null }, id, once),
  );
  const { payments, schedules } = await search('£3.33');
  assert.deepEqual(
    payments.map(({ id, amount }) => [id, amount.value]),
    [[made.id, 333]],
  );
  assert.deepEqual(schedules, []);
  const usual = (await search('49.99')).payments;
  assert.ok(usual.length > 0 && usual.every(({ amount }) => amount.value === 4999));
});

test('what has changed is found as it is now', async () => {
  const { id } = await d.h.create({ description: 'Skating', metadata: { plan: 'bronze' } });
  await d.h.update(id, {
    description: 'Swimming lanes',
    metadata: null,
    amount: { value: 777, currency: 'GBP' },
  });
  for (const [q, expected] of [
    ['swimming', ['Swimming lanes']],
    ['7.77', ['Swimming lanes']],
    ['skating', []],
    ['bronze', []],
  ] as const)
    assert.deepEqual(descriptions(await search(q)), expected, q);
  assert.ok(
    !descriptions(await search('49.99')).includes('Swimming lanes'),
    'not by the old amount',
  );
});

test('another merchant finds nothing of it', async () => {
  for (const q of ['membership', 'robin', '0777', '49.99', gym.id, gym.id.slice(0, 8)])
    assert.deepEqual(
      await search(q, other.merchantId),
      { schedules: [], payments: [], customers: [], settlements: [], did_you_mean: [] },
      q,
    );
});

test('every part of the search reads an index, however many rows a merchant has', async () => {
  await insertMany(d.h, { count: 20_000, status: `'active'`, description: `'Membership ' || n` });
  await d.h.db.transaction(async (tx) => {
    await tx.run(
      `INSERT INTO schedule_words (merchant_id, word, schedule_id)
       SELECT s.merchant_id, word, s.schedule_id FROM schedules s, regexp_split_to_table(lower(s.description), ' ') word
       ON CONFLICT DO NOTHING`,
    );
    await tx.run(
      `INSERT INTO customer_words (merchant_id, word, customer_id)
       SELECT merchant_id, sha256(right(customer_id, 2)::bytea), customer_id FROM customers ON CONFLICT DO NOTHING`,
    );
  });
  const { h } = d;
  const plans = await h.db.forMerchant(h.merchantId, async (plain) => {
    const { tx, plans: said } = explaining(plain);
    await findByEntries(tx, h.merchantId, ['membership'], 500);
    await findBetween(tx, h.merchantId, ['memb', 'memc'], 500);
    await findEntries(tx, h.merchantId, 'memb', 100);
    await findByWords(tx, h.merchantId, [[Buffer.alloc(32)]], 10);
    await findByWords(tx, h.merchantId, [[Buffer.alloc(32)], [Buffer.alloc(32)]], 10);
    for (const kind of ['sch', 'pay', 'cus', 'set'] as const)
      await findIds(tx, h.merchantId, kind, `${kind}_0`, 6);
    await findLatestPayments(tx, h.merchantId, [gym.id]);
    await findSettlements(tx, h.merchantId, { ids: [], pence: 4999, reference: 'S260110' }, 6);
    return said.join('\n');
  });
  assert.doesNotMatch(
    plans,
    /Seq Scan on (schedule_words|customer_words|schedules|customers|payments)/,
    plans,
  );
  assert.match(plans, /Index.* using schedule_words_pkey/);
  assert.match(plans, /customer_words_pkey/);
});
