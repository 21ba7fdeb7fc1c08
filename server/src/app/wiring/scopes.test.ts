import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../../test-support/service.ts';
import { createKey } from '../../merchants/keys/key-service.ts';
import type { Role } from '../../merchants/role.ts';
import { DEFAULT_SCOPES } from '../../merchants/scope.ts';
import { insertUser } from '../../merchants/sign-in/user-store.ts';
import { addMember } from '../../merchants/team/service.ts';
import { SCOPES, type Scope } from '../../platform/http/calls/access.ts';
import { allowMaker, allowScope } from './scopes.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

type Made = { id: string; key: string; scopes: string[]; made_by: string | null };

/** Creates a key as the operator does, or as a member does. */
async function keyWith(scopes: readonly Scope[], madeBy: string | null = null): Promise<string> {
  const { platform } = service.running;
  const { merchantId } = service;
  const now = platform.clock.now();
  const key = await platform.db.transaction((tx) =>
    createKey(platform, { tx, now, merchantId }, 'k', 'test', {
      scopes,
      madeBy,
      allowedIps: null,
    }),
  );
  return key.secret;
}

async function member(role: Role): Promise<string> {
  const { platform } = service.running;
  const now = platform.clock.now();
  const userId = platform.ids.next('usr', now);
  await platform.db.transaction(async (tx) => {
    await insertUser(tx, { userId, name: role, email: `${userId.toLowerCase()}@a.example` }, now);
    const actor = { merchantId: service.merchantId, actorId: 'test' };
    await addMember(platform, { tx, now, ...actor }, userId, role);
  });
  return userId;
}

const as = <T = Record<string, unknown>>(
  key: string,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
) => service.api<T>(method, path, body, { authorization: `Bearer ${key}` });

const refusal = (answer: { status: number; body: Record<string, unknown> }) => {
  const { code, message } = Object(answer.body.error) as { code?: string; message?: string };
  return { status: answer.status, code, message };
};

const CALLS: readonly (readonly [Scope, 'GET' | 'POST' | 'PUT', string, object?])[] = [
  ['schedules', 'GET', '/api/v1/schedules'],
  ['schedules', 'POST', '/api/v1/schedules/sch_0/consent'],
  ['payments', 'GET', '/api/v1/payments'],
  ['payments', 'POST', '/api/v1/payments/pay_0/retry', {}],
  ['payments', 'POST', '/api/v1/settlements/set_0/retry', {}],
  ['settlements', 'GET', '/api/v1/settlements'],
  ['webhooks', 'GET', '/api/v1/webhook_endpoints'],
  ['merchant', 'GET', '/api/v1/merchant'],
  ['merchant', 'PUT', '/api/v1/merchant', { address: '2 High Street' }],
  ['keys', 'GET', '/api/v1/api_keys'],
];

test('a key calls what its scopes name, and is refused the rest with the name of the scope that it lacks', async () => {
  for (const [scope, method, path, body] of CALLS) {
    const without = await as(
      await keyWith(SCOPES.filter((other) => other !== scope)),
      method,
      path,
      body,
    );
    const { status, code, message } = refusal(without);
    assert.deepEqual([status, code], [403, 'forbidden'], path);
    assert.match(message ?? '', new RegExp(`"${scope}"`), path);
    const withIt = await as(await keyWith([scope]), method, path, body);
    assert.notEqual(withIt.status, 403, `${method} ${path}`);
  }
});

test('the key of a new merchant has every scope but keys, and reaches the sandbox', async () => {
  assert.deepEqual([...DEFAULT_SCOPES, 'keys'], [...SCOPES]);
  assert.equal((await service.api('GET', '/api/v1/api_keys')).status, 403);
  assert.equal((await service.api('GET', '/sandbox/clock')).status, 200);
});

test('a key with the scope keys gives no more than it has, not by replacing another key either', async () => {
  const maker = await keyWith(['keys', 'schedules']);
  const give = (body: object) => as<Made>(maker, 'POST', '/api/v1/api_keys', body);
  assert.deepEqual((await give({ name: 'a' })).body.scopes, ['schedules']);
  const more = refusal(
    await as(maker, 'POST', '/api/v1/api_keys', { name: 'b', scopes: ['merchant'] }),
  );
  assert.deepEqual([more.status, more.code], [403, 'forbidden']);
  assert.match(more.message ?? '', /"merchant"/);
  const wide = await as<Made>(await keyWith(SCOPES), 'POST', '/api/v1/api_keys', { name: 'c' });
  const stolen = refusal(await as(maker, 'POST', `/api/v1/api_keys/${wide.body.id}/rotate`, {}));
  assert.deepEqual([stolen.status, stolen.code], [403, 'forbidden']);
  assert.equal((await give({ name: 'd', scopes: [] })).status, 400);
  assert.equal((await give({ name: 'e', scopes: ['everything'] })).status, 400);
});

test('a key does no more than the member who made it may do, now', async () => {
  const userId = await member('owner');
  const key = await keyWith(SCOPES, userId);
  const put = () => as(key, 'PUT', '/api/v1/merchant', { address: '3 High Street' });
  assert.equal((await put()).status, 200);
  const role = (to: Role) =>
    service.db.transaction((tx) =>
      tx.run('UPDATE members SET role = $2 WHERE user_id = $1', [userId, to]),
    );
  await role('developer');
  const other = await keyWith(SCOPES, userId);
  const refused = refusal(await as(other, 'PUT', '/api/v1/merchant', { address: '4' }));
  assert.deepEqual([refused.status, refused.code], [403, 'forbidden']);
  assert.match(refused.message ?? '', /"merchant"/);
  assert.equal((await as(other, 'POST', '/api/v1/settlements/set_0/retry', {})).status, 403);
  assert.equal((await as(other, 'GET', '/api/v1/schedules')).status, 200);
  const child = await as<Made>(other, 'POST', '/api/v1/api_keys', { name: 'child' });
  assert.equal(child.body.made_by, userId, 'it ends with the same membership');
  await service.db.transaction((tx) => tx.run('DELETE FROM members WHERE user_id = $1', [userId]));
  assert.equal((await as(child.body.key, 'GET', '/api/v1/schedules')).status, 401);
});

test('the levers of the sandbox refuse a key whose maker may not use them now', async () => {
  const levers = [
    ['GET', '/sandbox/clock'],
    ['POST', '/sandbox/clock/advance', { by: 'PT1M' }],
    ['PUT', '/sandbox/issuer', { modes: [] }],
  ] as const;
  for (const role of ['developer', 'finance', 'read_only'] as const) {
    const key = await keyWith(['schedules'], await member(role));
    for (const [method, path, body] of levers) {
      const { status } = await as(key, method, path, body);
      assert.equal(status, role === 'developer' ? 200 : 403, `${role} ${method} ${path}`);
    }
  }
});

test('an endpoint without a scope or a permission cannot be mounted for keys', () => {
  const emptyTheSafe = { operationId: 'emptyTheSafe', scope: null, permission: 'read' } as const;
  assert.throws(() => allowScope(emptyTheSafe), /no API key may call emptyTheSafe/);
  assert.throws(() => allowMaker({ ...emptyTheSafe, permission: null }), /no member may call/);
});

test('the reference names the scope of every endpoint', async () => {
  const { body } = await service.api<{ paths: Record<string, Record<string, unknown>> }>(
    'GET',
    '/openapi.json',
  );
  const operations = Object.entries(body.paths)
    .filter(([path]) => path.startsWith('/api/v1/'))
    .flatMap(([, methods]) => Object.values(methods) as { description?: string }[]);
  assert.ok(operations.length > 25);
  for (const operation of operations)
    assert.match(operation.description ?? '', /scope `\w+`|whatever its scopes/);
});

test('the audit trail names the key that made a change, and the customer on the portal', async () => {
  const created = await service.api<{ id: string }>('POST', '/api/v1/schedules', {
    customer: { type: 'phone', value: '+447700900123' },
    amount: { value: 4999, currency: 'GBP' },
    frequency: { type: 'monthly', day: 15 },
    description: 'Membership',
  });
  assert.equal(created.status, 200, JSON.stringify(created.body));
  await service.grant(created.body.id);
  await service.api('PUT', `/api/v1/schedules/${created.body.id}`, { status: 'paused' });
  const rows = await service.db.read((tx) =>
    tx.rows<{ actor: string; toState: string }>(
      'SELECT actor, to_state FROM state_changes WHERE schedule_id = $1 ORDER BY change_id',
      [created.body.id],
    ),
  );
  const actors = new Map(rows.map((row) => [row.toState, row.actor]));
  assert.match(actors.get('paused') ?? '', /^api_key:key_/);
  assert.equal(actors.get('authorising'), 'customer');
  assert.ok(rows.every(({ actor }) => actor !== ''));
});
