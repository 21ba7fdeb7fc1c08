import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { Aggregator } from '../../server/src/banks/aggregator.ts';
import { openModulr } from '../../server/src/banks/modulr/connector.ts';
import { checkLaws } from '../../server/src/laws/invariants/laws.ts';
import { bankConsentOf, kindsOf, paymentsOf } from '../../server/test-support/books.ts';
import { assertConform, noModulrDocument } from '../../server/test-support/modulr/document.ts';
import { FAKE_KEY } from '../../server/test-support/modulr/fake-modulr.ts';
import { type ModulrHarness, openModulrHarness } from '../../server/test-support/modulr/harness.ts';

// Modulr as issuer and as the way to a bank: a customer's life there, against the fake made from Modulr's document.

let m: ModulrHarness;
let connection: Aggregator;
afterEach(async () => {
  if (noModulrDocument === false) assertConform(m.fake.exchanges);
  for (const { law, broken } of await checkLaws(m.h.platform)) assert.deepEqual(broken, [], law);
  await connection.close();
  await m.close();
});

async function open(): Promise<void> {
  m = await openModulrHarness('2026-01-05T09:30:00Z', (baseUrl, now) => {
    connection = openModulr(
      {
        ...FAKE_KEY,
        bankId: 'modulr',
        baseUrl,
        vrpType: 'UK.OBIE.VRPType.CVRP1',
        merchantCategoryCode: '4899',
        confirmsFunds: true,
        requests: 8000,
        sandbox: true,
      },
      now,
    );
    return connection.bank('H210000043', 'Sandbox Bank');
  });
}

const latestOf = (ids: Iterable<string>): string => [...ids].at(-1) ?? '';

/** The customer goes to the bank, agrees there, and comes back with nothing. */
async function agreed(): Promise<string> {
  const created = await m.h.create({ start_date: '2026-01-05T10:30:00Z' });
  const state = await m.h.begin(created.consent_url);
  const consent = latestOf(m.fake.books.vrp.consents.keys());
  m.fake.books.vrp.decide(`https://bank.example/?consent=${consent}`, 'ordinary', true);
  assert.equal(await m.h.complete(state), 'granted');
  return created.id;
}

const customerAt = async (scheduleId: string) => {
  const consent = m.fake.books.vrp.consents.get(await bankConsentOf(m.h, scheduleId));
  assert.ok(consent);
  return consent;
};

const statusesOf = async (scheduleId: string): Promise<string[]> =>
  (await paymentsOf(m.h, scheduleId)).map(({ status }) => status).toSorted();

test('a collection succeeds, one is refused, and a consent withdrawn at the bank is found', async () => {
  await open();
  const id = await agreed();
  await m.pass('2026-01-05T10:40:00Z');
  assert.deepEqual(await statusesOf(id), ['success']);

  (await customerAt(id)).customer = 'penniless';
  await m.pass('2026-02-05T10:20:00Z', { hours: 24 });
  await m.pass('2026-02-05T10:40:00Z');
  const [refused] = (await paymentsOf(m.h, id)).filter(({ status }) => status !== 'success');
  assert.equal(refused?.attempts.at(-1)?.error?.code, 'insufficient_funds');

  (await customerAt(id)).customer = 'ordinary';
  await m.pass('2026-02-20T10:20:00Z', { hours: 12 });
  m.fake.books.vrp.withdraw(await bankConsentOf(m.h, id));
  const orders = m.fake.books.vrp.payments.size;
  await m.pass('2026-03-06T10:20:00Z', { hours: 6 });
  assert.equal((await m.h.show(id)).status, 'cancelled');
  assert.ok((await kindsOf(m.h, id)).includes('consent.revoked'));
  assert.equal(m.fake.books.vrp.payments.size, orders);
});

test('a customer who has not decided at the bank is not taken for one who agreed', async () => {
  await open();
  const created = await m.h.create({ start_date: '2026-01-05T10:30:00Z' });
  const state = await m.h.begin(created.consent_url);
  await assert.rejects(m.h.complete(state), { name: 'BankUnavailable' });
  const consent = latestOf(m.fake.books.vrp.consents.keys());
  m.fake.books.vrp.decide(`https://bank.example/?consent=${consent}`, 'ordinary', false);
  assert.equal(await m.h.complete(state), 'denied');
});

test('an order whose answer was lost is repeated under its key for a day at most, and debits once', async () => {
  await open();
  const id = await agreed();
  m.fake.losesAnswer = (call) => call === 'POST /vrp';
  m.fake.books.vrp.settlesAfter = { hours: 30 };
  await m.pass('2026-01-07T09:00:00Z', { hours: 1 });
  const orders = m.fake.exchanges.filter(({ path }) => path === '/vrp').length;
  assert.ok(orders > 1);
  assert.equal(m.fake.books.vrp.payments.size, 1);
  await m.pass('2026-01-09T10:00:00Z', { hours: 1 });
  assert.equal(m.fake.exchanges.filter(({ path }) => path === '/vrp').length, orders);
  assert.deepEqual(await statusesOf(id), ['success']);
});
