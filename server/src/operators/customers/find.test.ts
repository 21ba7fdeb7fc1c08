import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AdminCaller, type TestAdmin, testAdmin } from '../../../test-support/admin.ts';
import { type Harness, type MerchantSide, openHarness } from '../../../test-support/harness.ts';
import { explaining } from '../../../test-support/slices/dashboard.ts';
import { findByBankPaymentId } from '../../payments/books/read-store.ts';
import { findByStatementReference as findSchedules } from '../../schedules/books/word-store.ts';
import { findByStatementReference as findSettlements } from '../../settlements/store.ts';
import { adminRoutes } from '../routes.ts';

let h: Harness;
let other: MerchantSide;
let admin: TestAdmin;
let robin: AdminCaller;
let gym: string;
let feather: string;
let namesake: string;

const WHY = 'a complaint by phone, ticket 4711';

before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  other = await h.merchant();
  const { platform, issuer, bank } = h;
  const banks = new Map([[bank.bankId, bank]]);
  const { distrustKey } = h.service;
  admin = await testAdmin(platform, adminRoutes({ platform, issuer, banks, distrustKey }));
  robin = await admin.as('Robin Fern');
  await admin.as('Kim Ash');
  const made = await h.agreed({
    reference: 'FERNHILL 0042',
    start_date: '2026-01-06T09:00:00Z',
    customer: { phone: '+447700900777', name: 'Olivia Featherstonehaugh', reference: 'C-1042' },
  });
  gym = made.id;
  feather = made.customer.id;
  const customer = { phone: '+447700900778', name: 'Feathers, Kim' };
  namesake = (await other.create({ customer })).customer.id;
  await h.runUntil('2026-01-08T12:00:00Z');
});
after(async () => {
  await admin.app.close();
  await h.close();
});

const find = async (by: AdminCaller, q: string, also: object = {}) =>
  (await by.must('GET', `/customers?${new URLSearchParams({ q, reason: WHY, ...also })}`)).data;
const recorded = (): Promise<{ objectId: string; actor: string; reason: string }[]> =>
  h.db.read((tx) =>
    tx.rows(
      `SELECT object_id, actor, reason FROM state_changes WHERE to_state = 'shown' ORDER BY change_id`,
    ),
  );

test('an operator finds a customer of any merchant by name, number, reference and id', async () => {
  const shown = {
    id: feather,
    name: 'Olivia Featherstonehaugh',
    number: '+44 7700 900777',
    reference: 'C-1042',
    merchant_id: h.merchantId,
    merchant_name: (await robin.must('GET', `/merchants/${h.merchantId}`)).name,
  };
  for (const q of ['featherst', 'oli feather', '07700 900777', '0777', 'C-1042', feather, gym])
    assert.deepEqual(await find(robin, q), [shown], q);
  const ids = (await find(robin, 'feather')).map(({ id }: { id: string }) => id);
  assert.deepEqual(ids.toSorted(), [feather, namesake].toSorted());
  const [only] = await find(robin, 'feather', { merchant_id: other.merchantId });
  assert.equal(only.id, namesake);
  assert.deepEqual(await find(robin, 'nobody'), []);
});

test('each customer who is shown is recorded with who saw them and why, and nobody else', async () => {
  const before = (await recorded()).length;
  await find(robin, 'nobody');
  await find(robin, 'feather');
  const since = (await recorded()).slice(before);
  assert.deepEqual(since.map((one) => one.objectId).sort(), [feather, namesake].sort());
  for (const { actor, reason } of since)
    assert.deepEqual([actor, reason], ['operator:Robin Fern', WHY]);
});

test('ten are shown and recorded, however many match, and the answer says that there are more', async () => {
  const many = await h.merchant();
  const create = (n: number) =>
    many.create({ customer: { phone: `+4477009008${n + 10}`, name: `Quillon ${n}` } });
  for (let n = 0; n < 10; n++) await create(n);
  const ask = async () =>
    robin.must('GET', `/customers?${new URLSearchParams({ q: 'quillon', reason: WHY })}`);
  const ten = await ask();
  assert.deepEqual([ten.data.length, ten.has_more], [10, false]);
  await create(10);
  const before = (await recorded()).length;
  const more = await ask();
  assert.deepEqual([more.data.length, more.has_more], [10, true]);
  assert.equal((await recorded()).length, before + 10);
});

test('a search is recorded with how many it found, and never with what was typed', async () => {
  const searches = async () =>
    (await robin.must('GET', '/activity?action=searched')).data.map(
      ({ object_id: id, reason }: Record<string, string>) => [id, reason],
    );
  await find(robin, 'nobody');
  await find(robin, 'Featherstonehaugh', { merchant_id: h.merchantId });
  assert.deepEqual((await searches()).slice(0, 2), [
    ['customer search', `1 found at ${h.merchantId}: ${WHY}`],
    ['customer search', `0 found: ${WHY}`],
  ]);
  assert.doesNotMatch(JSON.stringify(await searches()), /feather|nobody/i);
});

test('it takes the role support and a reason, and an unknown merchant is 404', async () => {
  const before = (await recorded()).length;
  const lacking = await admin.as('Lee Elm', ['auditor', 'payments', 'security']);
  const query = new URLSearchParams({ q: 'feather', reason: WHY });
  assert.equal((await lacking.call('GET', `/customers?${query}`)).status, 403);
  const without = await robin.call('GET', '/customers?q=feather');
  assert.deepEqual([without.status, Object.keys(without.body.error.details)], [400, ['reason']]);
  query.set('merchant_id', 'mer_0000000000000000000000');
  assert.equal((await robin.call('GET', `/customers?${query}`)).status, 404);
  assert.equal((await recorded()).length, before);
});

test('a schedule, a payment and a settlement are found by the reference that others know them by', async () => {
  const search = async (q: string): Promise<{ kind: string; id: string }[]> =>
    (await robin.must('GET', `/search?${new URLSearchParams({ q })}`)).data;
  const [row] = await h.db.read((tx) =>
    tx.rows<{ settlementId: string; reference: string; paymentId: string; bankPaymentId: string }>(
      `SELECT s.settlement_id, s.statement_reference AS reference, a.payment_id, a.bank_payment_id FROM settlements s, attempts a
       WHERE a.bank_payment_id IS NOT NULL`,
    ),
  );
  assert.ok(row !== undefined);
  const { settlementId, reference, paymentId, bankPaymentId } = row;
  const own = await other.create({ customer: { phone: '+447700900779' } });
  for (const [q, kind, id] of [
    ['fernhill 0042', 'schedule', gym],
    ['FERNHILL-0042', 'schedule', gym],
    [own.reference.toLowerCase(), 'schedule', own.id],
    [reference.toLowerCase(), 'settlement', settlementId],
    [bankPaymentId, 'payment', paymentId],
  ] as const)
    assert.deepEqual(
      (await search(q)).map((one) => [one.kind, one.id]),
      [[kind, id]],
      q,
    );
  for (const q of ['0042', 'fernhill 004', 'Olivia', '£'])
    assert.deepEqual(
      (await search(q)).filter(({ kind }) => kind === 'schedule'),
      [],
      q,
    );
});

test('references are found along indexes', async () => {
  const plans = await h.db.transaction(async (plain) => {
    const { tx, plans: said } = explaining(plain);
    await findByBankPaymentId(tx, 'FERNHILL 0042', 10);
    await findSettlements(tx, 'FERNHILL 0042', 10);
    await findSchedules(tx, 'FERNHILL 0042', 10);
    return said.join('\n');
  });
  assert.doesNotMatch(plans, /Seq Scan on (attempts|settlements|schedules|schedule_words)/, plans);
  assert.match(plans, /settlements_by_reference/);
});
