import assert from 'node:assert/strict';
import { createDecipheriv } from 'node:crypto';
import { after, before, test } from 'node:test';
import { findKeys } from '../../server/src/app/deployment/keys.ts';
import type { Role } from '../../server/src/merchants/role.ts';
import { createUser } from '../../server/src/merchants/team/users.ts';
import { adminRoutes } from '../../server/src/operators/routes.ts';
import { testAdmin } from '../../server/test-support/admin.ts';
import { limitedKey } from '../../server/test-support/agents.ts';
import { DashboardVisitor } from '../../server/test-support/dashboard-visitor.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';

const KIM = {
  phone: '+447700900322',
  name: 'Kim Fernsby',
  email: 'kim@fernsby.example',
  reference: 'K-77-REF',
};
/** Whatever of Kim is somewhere has one of these in it; the account that pays is added. */
const traces = ['447700900322', '7700900322', 'fernsby', 'k-77-ref'];
const SEALED = /v1\.(\w+)\.([A-Za-z0-9_-]{40,})/g;
const NONCE = 12;
const TAG = 16;

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

/** Returns a browser in which a new member of the team is signed in. */
async function member(role: Role): Promise<DashboardVisitor> {
  const { platform } = service.running;
  const asked = {
    now: platform.clock.now(),
    merchantId: service.merchantId,
    actorId: 'operator:A',
  };
  const { url } = await platform.db.transaction((tx) =>
    createUser(platform, { tx, ...asked }, { email: `${role}@fern.example`, name: 'A', role }),
  );
  const visitor = new DashboardVisitor(service.baseUrl);
  assert.equal((await visitor.setPassword(url, 'correct horse battery')).status, 200);
  return visitor;
}

/** Opens every sealed text within a text with the vault's keys alone: whatever place it is bound to, and not asking the vault. */
function opened(text: string, keys: ReadonlyMap<string, Buffer>): string {
  return text.replaceAll(SEALED, (sealed: string, id: string, body: string) => {
    const key = keys.get(id);
    const bytes = Buffer.from(body, 'base64url');
    if (key === undefined || bytes.length < NONCE + TAG) return sealed;
    const counter = Buffer.concat([bytes.subarray(0, NONCE), Buffer.from([0, 0, 0, 2])]);
    const stream = createDecipheriv('aes-256-ctr', key, counter);
    return stream.update(bytes.subarray(NONCE, -TAG)).toString('utf8');
  });
}

/** Reads every column of every table, bytes as text too, and returns where there is a trace: `table.column: trace`. */
async function found(): Promise<string[]> {
  const keys = findKeys(service.running.config)?.encryption ?? new Map<string, Buffer>();
  assert.ok(keys.size > 0);
  const index = service.running.platform.vault
    .index(KIM.phone, `customer:${service.merchantId}:phone`)
    .toString('hex');
  const tables = await service.db.read((tx) =>
    tx.rows<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    ),
  );
  assert.ok(tables.length > 60);
  const places = new Set<string>();
  for (const { name } of tables) {
    const rows = await service.db.read((tx) =>
      tx.rows<{ row: Record<string, unknown> }>(`SELECT to_jsonb(t) AS row FROM ${name} t`),
    );
    for (const { row } of rows)
      for (const [column, value] of Object.entries(row))
        for (const trace of tracesIn(value, keys, index)) places.add(`${name}.${column}: ${trace}`);
  }
  return [...places].toSorted();
}

/** Returns the traces in one value, its sealed texts opened. */
function tracesIn(value: unknown, keys: ReadonlyMap<string, Buffer>, index: string): string[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
  const bytes = text.startsWith('\\x') ? Buffer.from(text.slice(2), 'hex').toString() : '';
  const all = opened(`${text} ${bytes}`, keys).toLowerCase();
  return [...traces, index].filter((trace) => all.includes(trace));
}

test('once a customer is erased, nothing of them is in any column of any table, open or sealed', async () => {
  const { api, merchantId } = service;
  const { body: schedule } = await api<{ id: string; customer: { id: string } }>(
    'POST',
    '/api/v1/schedules',
    {
      amount: { value: 1999, currency: 'GBP' },
      frequency: { type: 'monthly', interval: 1, day: 7 },
      customer: KIM,
      description: 'Yoga with Kim Fernsby',
      metadata: { guardian: 'Ms Fernsby' },
    },
    { 'idempotency-key': 'create-kim' },
  );
  await service.grant(schedule.id);
  await service.advance('P4D');
  const account = (await service.bankBooks()).accounts.find(({ login }) => login === 'alex');
  traces.push(account?.account_number ?? assert.fail('nobody paid'));
  const visitor = await member('owner');
  const view = { list: 'customers', name: 'One of ours', query: 'q=kim+fernsby' };
  assert.equal((await visitor.call('POST', '/api/views', view)).status, 200);
  const id = schedule.customer.id;
  const erase = () =>
    api('POST', `/api/v1/customers/${id}/erase`, { reason: 'asked on 5 January', metadata: true });
  assert.equal(Object((await erase()).body.error).code, 'customer_in_use');
  await api(
    'PUT',
    `/api/v1/schedules/${schedule.id}`,
    { status: 'cancelled' },
    { 'idempotency-key': 'cancel-kim' },
  );
  await service.advance('P3D');
  await api(
    'PUT',
    `/api/v1/customers/${id}`,
    { notes: 'Ms Fernsby calls' },
    { 'idempotency-key': 'note-kim' },
  );
  // No key of the act names Kim: only what it is asked with does.
  const agent = await limitedKey(service, null);
  const act = await agent.prepare({
    operation: 'createSchedule',
    params: {},
    body: {
      amount: { value: 1999, currency: 'GBP' },
      frequency: { type: 'monthly', interval: 1, day: 7 },
      customer: KIM,
      description: 'Yoga again',
    },
  });
  assert.equal(act.body.status, 'prepared', JSON.stringify(act.body));

  const before = await found();
  for (const table of [
    'customers',
    'consents',
    'request_log',
    'saved_views',
    'idempotency_keys',
    'inbox',
    'prepared_acts',
  ])
    assert.ok(
      before.some((place) => place.startsWith(`${table}.`)),
      `${table} holds something before: ${before.join('; ')}`,
    );
  const { body: held } = await api(
    'GET',
    `/api/v1/customers/${id}/export?reason=${encodeURIComponent('asked on 5 January')}`,
  );
  for (const table of ['customers', 'saved_views', 'idempotency_keys', 'inbox', 'prepared_acts'])
    assert.ok(Object.hasOwn(Object(held.tables), table), `the export has ${table}`);

  const blank = await api('POST', `/api/v1/customers/${id}/erase`, { reason: ' ' });
  assert.deepEqual(
    [blank.status, Object(blank.body).error.details],
    [400, { reason: 'must not be empty' }],
  );

  const erased = await erase();
  assert.equal(erased.status, 200, JSON.stringify(erased.body));
  assert.deepEqual(await found(), []);
  assert.equal((await agent.commit(act.body.id)).code, 'act_over', 'it would create Kim again');

  const { platform } = service.running;
  const activity = await service.db.read((tx) =>
    tx.rows<{ toState: string; actor: string }>(
      'SELECT to_state, actor FROM state_changes WHERE merchant_id = $1 AND object_id = $2 ORDER BY change_id',
      [merchantId, id],
    ),
  );
  const said = activity.filter(({ toState }) => toState !== 'details_changed');
  assert.deepEqual(
    said.map(({ toState }) => toState),
    ['exported', 'erased'],
  );
  assert.ok(said.every(({ actor }) => actor.startsWith('api_key:')));
  const admin = await testAdmin(
    platform,
    adminRoutes({
      platform,
      banks: new Map(),
      issuer: {} as never,
      distrustKey: service.running.service.distrustKey,
    }),
  );
  const robin = await admin.as('Robin Fern');
  const again = await robin.must('POST', `/customers/${id}/erase`, { reason: 'asked again' });
  assert.equal(again.erased_at, erased.body.erased_at, 'a second time changes nothing');
  const customer = await robin.must('GET', `/customers/${id}`);
  assert.deepEqual(
    [customer.merchant_id, customer.merchant_name, customer.erased_at],
    [merchantId, 'Fernhill Gym', erased.body.erased_at],
  );
  const left = await robin.must('GET', `/customers/${id}/export?reason=check`);
  assert.equal(left.tables.customers[0].name, null);
  for (const path of ['/customers/cus_none', '/customers/cus_none/export?reason=x'])
    assert.equal((await robin.call('GET', path)).status, 404, path);
  await admin.app.close();
});

test('another merchant’s customer, and a member who is no owner, cannot be erased or exported', async () => {
  const visitor = await member('finance');
  for (const [method, path, body] of [
    ['POST', 'erase', { reason: 'x' }],
    ['GET', 'export?reason=x', undefined],
  ] as const) {
    const elsewhere = await service.api(method, `/api/v1/customers/cus_elsewhere/${path}`, body);
    assert.equal(elsewhere.status, 404);
    const refused = await visitor.call(method, `/api/v1/customers/cus_elsewhere/${path}`, body);
    assert.equal(Object(refused.body.error).code, 'forbidden');
  }
});
