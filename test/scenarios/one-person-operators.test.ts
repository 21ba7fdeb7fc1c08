// Slow: calls every route again and again for three days.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUser } from '../../server/src/merchants/team/users.ts';
import {
  OPERATOR_ROLES,
  type OperatorRole,
} from '../../server/src/operators/access/books/roles.ts';
import type { NewOperatorKey } from '../../server/src/operators/access/keys.ts';
import { createOperator } from '../../server/src/operators/access/service.ts';
import { addAdmin } from '../../server/src/operators/admin/mount.ts';
import { addConsole } from '../../server/src/operators/console/routes.ts';
import { makeConsoleSession } from '../../server/src/operators/console/session.ts';
import { adminRoutes } from '../../server/src/operators/routes.ts';
import { addNotFound } from '../../server/src/platform/http/calls/not-found.ts';
import { makeBareServer } from '../../server/src/platform/http/server.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';
import { FERNHILL } from '../../server/test-support/merchant.ts';
import { allDue } from '../races/acts.ts';

/** A stolen key is used at these hours after the theft. */
const HOURS = [0, 25, 50, 71] as const;
const MULE = { name: 'Mule', sort_code: '112233', account_number: '44332211' };

type Port = ReturnType<typeof makeBareServer>;

interface Mounted {
  method: string;
  url: string;
}

/** A JSON schema, as far as a body is made from it. */
interface Shape {
  type?: string;
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
  const?: unknown;
  enum?: unknown[];
  minimum?: number;
}

/** The operators' port in this process, with every route that is mounted on it. */
async function openPort(h: Harness): Promise<{ app: Port; routes: Mounted[] }> {
  const { platform, issuer, bank } = h;
  const app = makeBareServer(platform, { connections: 10 });
  const routes: Mounted[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) if (one !== 'HEAD') routes.push({ method: one, url });
  });
  addNotFound(app);
  const session = makeConsoleSession(platform);
  const banks = new Map([[bank.bankId, bank]]);
  const deps = { platform, issuer, banks, distrustKey: h.service.distrustKey };
  await addAdmin(app, platform, adminRoutes(deps), { lendKey: session.lendKey });
  await addConsole(app, platform, session);
  await app.ready();
  return { app, routes };
}

/** What one person alone has: a key, and everything that an answer ever told them. */
class Thief {
  readonly ids = new Map<string, Set<string>>();
  readonly keys: string[];
  readonly answers: string[] = [];
  /** The routes that have let them do something. */
  readonly reached = new Set<string>();
  readonly #app: Port;
  readonly #shapes: Map<string, Shape>;
  /** Their own, which they keep. */
  readonly #own: string;
  #turn = 0;

  constructor(app: Port, stolen: NewOperatorKey, shapes: Map<string, Shape>, known: string[]) {
    this.#app = app;
    this.#own = stolen.operator.operatorId;
    this.#shapes = shapes;
    this.keys = [stolen.secret];
    for (const id of known) this.#learn(id);
  }

  #learn(text: string): void {
    for (const [id, prefix = ''] of text.matchAll(/\b([a-z]{3})_[0-9A-Za-z]{22}\b/g)) {
      const all = this.ids.get(prefix) ?? new Set();
      this.ids.set(prefix, all.add(id));
    }
    for (const [key] of text.matchAll(/ro_test_[0-9A-Za-z]{49}/g))
      if (!this.keys.includes(key)) this.keys.push(key);
  }

  #body(shape: Shape, name: string): unknown {
    const byName: Record<string, unknown> = {
      settlement_account: MULE,
      roles: [...OPERATOR_ROLES],
      email: `mule${++this.#turn}@evil.example`,
      allowed_ips: null,
      website: 'https://evil.example',
      even_last_owner: true,
      merchant_id: [...(this.ids.get('mer') ?? [])][0],
      change_id: [...(this.ids.get('sac') ?? [])].at(-1) ?? 'sac_0000000000000000000000',
      payment_id: [...(this.ids.get('pay') ?? [])][0] ?? 'pay_0000000000000000000000',
      from: undefined,
    };
    if (Object.hasOwn(byName, name)) return byName[name];
    if (shape.const !== undefined) return shape.const;
    if (shape.enum !== undefined) return shape.enum[0];
    if (shape.anyOf !== undefined) return this.#body(shape.anyOf[0] ?? {}, name);
    if (shape.properties !== undefined)
      return Object.fromEntries(
        Object.entries(shape.properties).map(([key, one]) => [key, this.#body(one, key)]),
      );
    if (shape.type === 'array') return [this.#body(shape.items ?? {}, name)];
    if (shape.type === 'integer' || shape.type === 'number') return shape.minimum ?? 1;
    if (shape.type === 'boolean') return true;
    return `Mule ${'abcdefghjkmnpqrstuvwxyz'[++this.#turn % 23]}`;
  }

  /** Returns the paths of a route, with every id of which this person knows. */
  #paths(url: string): string[] {
    if (!url.includes('/:id')) return [url.replace(':date', '2026-03-02').replace('*', 'x')];
    const prefix = /\/(\w+)\/:id/.exec(url)?.[1] ?? '';
    const of: Record<string, string[]> = {
      merchants: ['mer'],
      users: ['usr'],
      operators: ['opr'],
      requests: ['orq'],
      unallocated: ['una'],
      payments: ['pay'],
      customers: ['cus'],
    };
    const ids =
      prefix === 'banks'
        ? ['fakebank']
        : (of[prefix] ?? []).flatMap((p) => [...(this.ids.get(p) ?? [])]);
    const keys = [...(this.ids.get('key') ?? [])].slice(-4);
    return ids.slice(-6).flatMap((id) => {
      const path = url.replace(':id', id);
      return path.includes(':key_id') ? keys.map((key) => path.replace(':key_id', key)) : [path];
    });
  }

  /** Calls every route with every key that they have, and remembers what was answered. */
  async walk(routes: readonly Mounted[]): Promise<void> {
    for (const { method, url } of lastOnesLast(routes))
      for (const path of this.#paths(url))
        for (const key of this.keys.slice(-3)) await this.#call(method, url, path, key);
  }

  async #call(method: string, url: string, path: string, key: string): Promise<void> {
    if (method === 'DELETE' && path.includes(this.#own)) return;
    const shape = this.#shapes.get(`${method} ${url}`);
    const body = url.endsWith('/console/session') ? { key } : this.#body(shape ?? {}, '');
    const hasBody = method !== 'GET' && method !== 'DELETE' && method !== 'OPTIONS';
    const reply = await this.#app.inject({
      method: method as 'GET',
      url: path,
      headers: { authorization: `Bearer ${key}`, 'sec-fetch-site': 'same-origin' },
      ...(hasBody ? { payload: Object(body) } : {}),
    });
    // The pages of the console may not be built: 503.
    const isFault = reply.statusCode >= 500 && !url.startsWith('/console');
    assert.ok(!isFault && reply.statusCode !== 429, `${method} ${path}: ${reply.statusCode}`);
    if (reply.statusCode === 200) this.reached.add(`${method} ${url}`);
    this.#learn(reply.body);
    // A merchant of their own making may have a link for its owner; nobody else's account may.
    if (url !== '/admin/v1/merchants') this.answers.push(reply.body);
  }
}

/** What takes away comes last: whoever removes everybody first has nothing left to try. */
const lastOnesLast = (routes: readonly Mounted[]): Mounted[] =>
  routes.toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));

/** Returns the shapes of bodies, by method and path, from the document that the port itself serves. */
async function shapesOf(app: Port): Promise<Map<string, Shape>> {
  const { paths } = (await app.inject('/admin/v1/openapi.json')).json() as {
    paths: Record<
      string,
      Record<string, { requestBody?: { content: Record<string, { schema: Shape }> } }>
    >;
  };
  const all = new Map<string, Shape>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { requestBody }] of Object.entries(methods)) {
      const shape = requestBody?.content['application/json']?.schema;
      const url = path.replaceAll(/\{(\w+)\}/g, ':$1');
      if (shape !== undefined) all.set(`${method.toUpperCase()} ${url}`, shape);
    }
  return all;
}

/** What must be the same after the walk: who is there, and what they may do. */
async function powers(h: Harness, ownId: string) {
  return h.db.read(async (tx) => ({
    operators: await tx.rows('SELECT operator_id, roles FROM operators ORDER BY operator_id'),
    keys: await tx.rows(
      'SELECT key_id, operator_id FROM operator_keys WHERE operator_id <> $1 ORDER BY key_id',
      [ownId],
    ),
    identities: await tx.rows(
      'SELECT operator_id, email FROM operator_identities WHERE operator_id <> $1',
      [ownId],
    ),
    owners: await tx.rows(
      'SELECT user_id, role FROM members WHERE merchant_id = $1 ORDER BY user_id',
      [h.merchantId],
    ),
    factors: await tx.rows('SELECT id, two_factor_enabled FROM users ORDER BY id LIMIT 2'),
    letIns: await tx.rows('SELECT person_id, by_id FROM let_ins WHERE merchant_id IS NULL'),
    changes: await tx.rows(
      `SELECT change_id FROM settlement_account_changes WHERE status = 'in_force' OR agreed_by IS NOT NULL`,
    ),
  }));
}

const CASES: readonly (readonly [string, readonly OperatorRole[]])[] = [
  ...OPERATOR_ROLES.map((role) => [role, [role]] as const),
  ['every role', OPERATOR_ROLES],
];

for (const [name, roles] of CASES)
  test(`the stolen key of an operator with ${name} moves no pay-out and gives nobody a role or a key in 72 hours`, async () => {
    const h = await openHarness('2026-03-02T09:00:00Z', { rateLimitPerMinute: 1_000_000 });
    const make = (of: string, may: readonly OperatorRole[]): Promise<NewOperatorKey> =>
      h.db.transaction((tx) =>
        createOperator({ platform: h.platform, tx, now: h.clock.at }, of, 'a test', { roles: may }),
      );
    const { app, routes } = await openPort(h);
    try {
      const stolen = await make('Robin Fern', roles);
      await make('Kim Ash', OPERATOR_ROLES);
      await make('Dana Oak', OPERATOR_ROLES);
      const asked = { now: h.clock.at, merchantId: h.merchantId, actorId: 'operator:test' };
      for (const email of ['first@fernhill.example', 'second@fernhill.example'])
        await h.db.transaction((tx) =>
          createUser(h.platform, { tx, ...asked }, { email, name: 'Sam', role: 'owner' }),
        );
      await allDue(h, 2);
      await h.service.engine.drain();
      const known = JSON.stringify(await h.db.read((tx) => tx.rows('SELECT id FROM users')));
      const shapes = await shapesOf(app);
      const thief = new Thief(app, stolen, shapes, [known, h.merchantId]);
      const before = await powers(h, stolen.operator.operatorId);
      assert.ok(routes.length > 50 && shapes.size > 25, 'the routes were found');
      const from = h.clock.at;
      for (const hours of HOURS) {
        await h.runUntil(from.add({ hours }));
        await thief.walk(routes);
      }
      await h.runUntil(from.add({ hours: 72 }));
      assert.ok(thief.reached.size > 20, `the key works: ${[...thief.reached].join(', ')}`);
      const after = await powers(h, stolen.operator.operatorId);
      if (roles.includes('security')) {
        // Taking keys and addresses away is the one thing that one of security does alone.
        assert.ok(after.keys.length <= before.keys.length);
        after.identities = before.identities;
      }
      assert.deepEqual(after, before);
      for (const { kind, destination } of h.issuer.orders.values())
        if (kind === 'payout') assert.deepEqual(destination, FERNHILL.settlementAccount);
      for (const answer of thief.answers)
        assert.doesNotMatch(answer, /\/(new-password|sign-in-link|join)\?token=/);
      const [merchant] = await h.db.read((tx) =>
        tx.rows<{ name: string }>('SELECT name FROM merchants WHERE merchant_id = $1', [
          h.merchantId,
        ]),
      );
      assert.equal(merchant?.name, FERNHILL.name);
    } finally {
      await app.close();
      await h.close();
    }
  });
