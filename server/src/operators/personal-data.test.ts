import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AdminCaller, type TestAdmin, testAdmin } from '../../test-support/admin.ts';
import { type Harness, openHarness } from '../../test-support/harness.ts';
import type { Call } from '../platform/http/calls/route.ts';
import { makeBareServer } from '../platform/http/server.ts';
import { addAdmin } from './admin/mount.ts';
import { recording } from './admin/recording.ts';
import type { AdminRoute } from './admin/route.ts';
import { addConsole } from './console/routes.ts';
import { makeConsoleSession } from './console/session.ts';
import { adminRoutes } from './routes.ts';

/** The GET routes of the operators' port whose answers name no customer. A new one is put here, or declares what it `shows`. */
const NAMES_NOBODY = [
  '/admin/v1/activity',
  '/admin/v1/activity/csv',
  '/admin/v1/banks',
  '/admin/v1/banks/:id',
  '/admin/v1/customers/:id', // ids and the merchant
  '/admin/v1/decisions', // ids and amounts
  '/admin/v1/disputes', // no word of the customer
  '/admin/v1/me',
  '/admin/v1/merchants',
  '/admin/v1/merchants/:id',
  '/admin/v1/merchants/:id/api_keys',
  '/admin/v1/openapi.json',
  '/admin/v1/operators',
  '/admin/v1/operators/:id',
  '/admin/v1/operators/:id/keys',
  '/admin/v1/overdue',
  '/admin/v1/overdue/states',
  '/admin/v1/payments/waiting',
  '/admin/v1/postman.json',
  '/admin/v1/reconciliation/differences',
  '/admin/v1/reconciliation/reports',
  '/admin/v1/reconciliation/reports/:date',
  '/admin/v1/requests',
  '/admin/v1/requests/:id',
  '/admin/v1/safeguarding/breaches',
  '/admin/v1/safeguarding/days',
  '/admin/v1/safeguarding/days/:date',
  '/admin/v1/safeguarding/months/:month',
  '/admin/v1/safeguarding/receipts',
  '/admin/v1/safeguarding/register', // banks, agents, agreements
  '/admin/v1/search', // ids, merchants and the people who work for them
  '/admin/v1/settlements/waiting',
  '/admin/v1/unallocated', // without the payer
  '/admin/v1/users', // a merchant's team
  '/admin/v1/users/:id',
];

/** Not made of routes with a schema: recorded by what they call, which a test of theirs looks at. */
const RECORDED_BY_HAND = ['/admin/v1/safeguarding/pack'];

/** Fields by which a response would name a person. */
const NAMES = /"(payer|phone|number|account_number|sort_code|email|customer_name|tables|file)":/;

/** Whose account or address it is, if it is no customer's: a merchant's, or one of its team, or an operator's. */
const OF_OTHERS = ['Merchants', 'Users', 'Operators', 'Requests', 'Settlement accounts'];

let h: Harness;
let admin: TestAdmin;
let robin: AdminCaller;
let routes: AdminRoute[];

before(async () => {
  h = await openHarness('2026-03-02T10:00:00Z');
  const { platform, issuer, bank } = h;
  const banks = new Map([[bank.bankId, bank]]);
  const caseFiles = { platform, banks, readArchive: async () => [] };
  const { distrustKey } = h.service;
  routes = adminRoutes({ platform, issuer, banks, distrustKey, caseFiles });
  admin = await testAdmin(platform, routes);
  robin = await admin.as('Robin Fern');
});
after(async () => {
  await admin?.app.close();
  await h?.close();
});

const looks = async (): Promise<string[]> => {
  const rows = await h.db.read((tx) =>
    tx.rows<{ actor: string; merchantId: string; objectId: string; toState: string }>(
      `SELECT actor, merchant_id, object_id, to_state FROM state_changes
       WHERE from_state = 'details' AND split_part(actor, ':', 1) = 'operator' ORDER BY change_id`,
    ),
  );
  return rows.map((row) => [row.actor, row.merchantId, row.objectId, row.toState].join(' '));
};

test('every GET of the operators’ port declares what it shows of customers, or is listed as showing nothing', async () => {
  const app = makeBareServer(h.platform, { connections: 1 });
  const urls = new Set<string>();
  app.addHook('onRoute', ({ method, url }) => {
    if ([method].flat().includes('GET') && url.startsWith('/admin')) urls.add(url);
  });
  await addAdmin(app, h.platform, routes);
  await addConsole(app, h.platform, makeConsoleSession(h.platform));
  await app.ready();
  await app.close();
  const declared = routes.flatMap(({ shows, path }) => (shows === undefined ? [] : [path]));
  assert.deepEqual(
    [...urls].filter((url) => !declared.includes(url)).sort(),
    [...NAMES_NOBODY, ...RECORDED_BY_HAND].sort(),
  );
});

test('a route whose response has a field that names a person declares it, a change too', () => {
  for (const { operationId, response, tag, shows } of routes)
    if (!OF_OTHERS.includes(tag) && NAMES.test(JSON.stringify(response)))
      assert.ok(shows !== undefined, `${operationId} shows personal data and is not recorded`);
});

test('what shows personal data reads, or has its own transactions, so that the record comes before the answer', () => {
  for (const { operationId, shows, method, apart } of routes)
    assert.ok(shows === undefined || method === 'GET' || apart !== undefined, operationId);
});

test('who opens money with its payer is recorded, once for as long as the page stays open', async () => {
  h.issuer.payIn({
    endToEndId: 'a-stranger',
    amountPence: 250,
    creditor: [...h.issuer.wallets.values()][0]?.wallet.account.accountNumber ?? '',
  });
  await h.runUntil(h.clock.at);
  const { data } = await robin.must('GET', '/unallocated');
  const { item_id: id } = data[0];
  assert.deepEqual(await looks(), [], 'the list names nobody');
  const line = (who: string) => `operator:${who} ${h.merchantId} ${id} shown`;
  await robin.must('GET', `/decisions/unallocated_money/${id}`);
  await robin.must('GET', `/unallocated/${id}`);
  assert.deepEqual(await looks(), [line('Robin Fern')]);
  const kim = await admin.as('Kim Ash');
  await kim.must('GET', `/unallocated/${id}`);
  h.clock.at = h.clock.at.add({ minutes: 11 });
  const full = await robin.must('GET', `/decisions/unallocated_money/${id}`);
  assert.deepEqual(await looks(), [line('Robin Fern'), line('Kim Ash'), line('Robin Fern')]);
  assert.ok(!full.changes.some(({ title }: { title: string }) => /shown/.test(title)));
  assert.equal((await robin.call('GET', '/unallocated/una_0000000000000000000000')).status, 404);
  assert.equal((await looks()).length, 3);
  const { data: told } = await robin.must('GET', `/activity?object_id=${id}&action=shown`);
  assert.deepEqual([told.length, told[0].merchant_id], [3, h.merchantId]);
  await robin.must('POST', `/unallocated/${id}/credit`, { reason: 'the merchant’s own money' });
  assert.equal((await looks()).length, 3, 'the answer to a decision is the same page');
});

test('an export is recorded by what makes it, once', async () => {
  const { customer } = await h.create({ customer: { phone: '+447700900123' } });
  const before = (await looks()).length;
  await robin.must('GET', `/customers/${customer.id}/export?reason=asked`);
  assert.deepEqual((await looks()).slice(before), [
    `operator:Robin Fern ${h.merchantId} ${customer.id} exported`,
  ]);
});

test('nobody is shown where it cannot be recorded', async () => {
  const route = routes.find(({ operationId }) => operationId === 'getUnallocated') as AdminRoute;
  const db = { ...h.db, transaction: () => Promise.reject(new Error('no space')) };
  const item = { item_id: 'una_1', merchant_id: 'mer_1' };
  const { apart } = recording({ db }, { ...route, handle: async () => item });
  const call = { now: h.clock.at, actorId: 'Robin Fern', params: {}, query: {} };
  await assert.rejects(async () => apart?.(call as Call<unknown, unknown, unknown>), /no space/);
});
