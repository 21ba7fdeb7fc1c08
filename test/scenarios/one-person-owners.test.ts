// Slow: calls every route again and again for three days.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownRoutes } from '../../server/src/app/wiring/dashboard.ts';
import { DashboardVisitor } from '../../server/test-support/dashboard-visitor.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import {
  memberWith,
  PASSWORD,
  setUpFactor,
  type TeamMember,
  teamMember,
} from '../../server/test-support/team-member.ts';

/** What was stolen is used at these hours after the theft. */
const HOURS = [0, 25, 50, 71] as const;
const OWN = '66374958';
const MULE = { name: 'Mule', sort_code: '11-22-33', account_number: '44332211' };

interface Operation {
  operationId: string;
  method: string;
  path: string;
  body?: unknown;
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

/** They ask for the proof in their bodies, so they are not in the list of routes (`permissions.test.ts` compares). */
const PROVED: readonly Operation[] = [
  ['POST', '/api/settlement_account/changes'],
  ['POST', '/api/settlement_account/changes/:id/confirm'],
  ['POST', '/api/settlement_account/changes/:id/release'],
  ['PUT', '/api/team/access'],
  ['PUT', '/api/team/sso'],
  ['POST', '/api/team/sso/remove'],
].map(([method = '', path = '']) => ({ operationId: path, method, path }));

/** Every route of the dashboard and of the public API: those that are mounted, so that a new one is walked too. */
function operationsOf({ running }: TestService): Operation[] {
  const { platform, service } = running;
  const banks = service.authorisation.banks;
  return [...service.routes, ...ownRoutes({ platform, service, banks }), ...PROVED];
}

/** One person alone: a browser, perhaps password and codes, and everything that an answer ever told them. */
class Thief {
  readonly #owner: TeamMember;
  readonly #service: TestService;
  readonly #hasProof: boolean;
  readonly #ids = new Map<string, Set<string>>();
  readonly #links = new Set<string>();
  readonly keys = new Set<string>();
  /** The accounts that they have made and can open. */
  readonly puppets: TeamMember[] = [];
  readonly reached = new Set<string>();
  readonly #proved = new Set<TeamMember>();
  #turn = 0;
  /** How many codes they may spend on requests that want one each. */
  #codes = 8;

  constructor(service: TestService, owner: TeamMember, hasProof: boolean) {
    this.#service = service;
    this.#owner = owner;
    this.#hasProof = hasProof;
  }

  #learn(text: string): void {
    for (const [id, prefix = ''] of text.matchAll(/\b([a-z]{3})_[0-9A-Za-z]{22}\b/g))
      this.#ids.set(prefix, (this.#ids.get(prefix) ?? new Set()).add(id));
    for (const [link] of text.matchAll(/https?:[^"\s]+\/(?:join|new-password)\?token=[\w-]+/g))
      this.#links.add(link);
    for (const [key] of text.matchAll(/rk_test_[0-9A-Za-z]+/g)) this.keys.add(key);
  }

  #body(shape: Shape, name: string): unknown {
    const byName: Record<string, unknown> = {
      settlement_account: undefined,
      role: 'owner',
      email: `mule${++this.#turn}@evil.example`,
      return_url: 'https://evil.example/back',
      website: 'https://evil.example',
      allowed_ips: null,
      scopes: undefined,
      customer: { type: 'phone', value: '+447700900777' },
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
    return shape.type === 'boolean' ? true : `Mule ${this.#turn}`;
  }

  #paths(path: string): string[] {
    const [, noun = ''] = /\/(\w+)\/:\w+/.exec(path) ?? [];
    const prefixes: Record<string, string> = {
      ...{ members: 'usr', invitations: 'inv', changes: 'sac', api_keys: 'key' },
      ...{ schedules: 'sch', payments: 'pay', settlements: 'set', customers: 'cus' },
      ...{ webhook_endpoints: 'whe', events: 'evt', refunds: 'ref' },
    };
    if (noun === '') return [path];
    const ids = [...(this.#ids.get(prefixes[noun] ?? '') ?? [])].slice(-4);
    return ids
      .filter((id) => id !== this.#owner.userId)
      .map((id) => path.replace(/:\w+/, id).replaceAll(/:\w+/g, '2026-03-02'));
  }

  /** Calls every route as the owner and as every puppet; then uses the links that answers held. */
  async walk(): Promise<void> {
    const inOrder = operationsOf(this.#service).toSorted(
      (a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'),
    );
    for (const member of [this.#owner, ...this.puppets.slice(-2)]) {
      const mayProve = this.#hasProof || member !== this.#owner;
      // A proof lasts for five minutes of real time, longer than all walks.
      if (mayProve && !this.#proved.has(member)) await member.prove();
      this.#proved.add(member);
      for (const operation of inOrder)
        for (const path of this.#paths(operation.path))
          await this.#call(member, operation, path, mayProve);
    }
    for (const link of this.#links) await this.#open(link);
    this.#links.clear();
  }

  async #call(
    member: TeamMember,
    { method, path: url, body: shape }: Operation,
    path: string,
    mayProve: boolean,
  ): Promise<void> {
    const asksInBody = PROVED.some((one) => one.path === url);
    const proof = asksInBody && mayProve && this.#codes-- > 0 ? member.proof() : {};
    const made = url.includes('settlement_account') ? MULE : this.#body(Object(shape), '');
    const sent = url.startsWith('/api/settlement_account')
      ? { ...(url.endsWith('/changes') ? MULE : {}), password: 'a guess', ...proof }
      : { ...Object(made), ...proof };
    const takesBody = method === 'POST' || method === 'PUT';
    const { status, body } = await member.visitor.call(
      method as 'GET',
      path,
      takesBody ? sent : undefined,
    );
    // Every proof is a try of the session, and tries are counted.
    assert.ok(status < 500 && (status !== 429 || asksInBody), `${method} ${path}: ${status}`);
    if (status === 200) this.reached.add(`${method} ${url}`);
    this.#learn(JSON.stringify(body));
  }

  /** Joins, or sets a password, with a link that an answer held, and sets up an authenticator there. */
  async #open(link: string): Promise<void> {
    const visitor = new DashboardVisitor(this.#service.baseUrl);
    const opened = link.includes('/join')
      ? await visitor.join(link, { name: 'Mule', password: PASSWORD })
      : await visitor.setPassword(link, PASSWORD);
    if (opened.status !== 200 || opened.body.two_factor === true) return;
    const email = String(opened.body.email);
    const codes = await setUpFactor(visitor);
    const { body } = await visitor.call('GET', '/api/me');
    const userId = String(Object(body.user).id);
    this.puppets.push(memberWith(visitor, { email, userId }, codes));
  }
}

/** Lets a merchant collect each day, so that there is money to pay out. */
async function collectDaily(service: TestService): Promise<void> {
  const created = await service.api<{ id: string }>('POST', '/api/v1/schedules', {
    customer: { type: 'phone', value: '+447700900555' },
    amount: { value: 4999, currency: 'GBP' },
    frequency: 'daily',
    description: 'Membership',
  });
  assert.equal(created.status, 200, JSON.stringify(created.body));
  await service.grant(created.body.id);
  await service.advance('P4D');
}

interface Settlement {
  status: string;
  destination_account: { account_number: string };
}

/** Read with the session: the walk revokes the API keys. */
async function settlements({ visitor }: TeamMember): Promise<Settlement[]> {
  const { body } = await visitor.call('GET', '/api/v1/settlements?limit=50');
  assert.ok(Array.isArray(body.data), JSON.stringify(body));
  return body.data as Settlement[];
}

const paid = (all: readonly Settlement[]): string[] =>
  all
    .filter(({ status }) => status !== 'pending')
    .map(({ destination_account }) => destination_account.account_number);

const CASES = [
  ['an owner’s session alone', false],
  ['an owner’s session, password and codes', true],
] as const;

for (const [what, hasProof] of CASES)
  test(`with ${what} one person moves no pay-out to another account within 72 hours`, async (t) => {
    const service = await startTestService({
      env: { TRUST_PROXY: '127.0.0.1', RATE_LIMIT_PER_MINUTE: '1000000' },
    });
    t.after(() => service.close());
    const owner = await teamMember(service);
    const other = await teamMember(service);
    await collectDaily(service);
    assert.ok(paid(await settlements(owner)).length > 0, 'there are pay-outs');
    const thief = new Thief(service, owner, hasProof);
    let passed = 0;
    for (const hours of HOURS) {
      const by = `PT${hours - passed + 1}H`;
      const moved = await owner.visitor.call('POST', '/sandbox/clock/advance', { by });
      assert.equal(moved.status, 200, JSON.stringify(moved.body));
      passed = hours + 1;
      await thief.walk();
      for (const account of paid(await settlements(owner))) assert.equal(account, OWN);
      const { body } = await owner.visitor.call('GET', '/api/v1/merchant');
      const present = Object(body.settlement_account).account_number as string;
      // With password and code a lone owner may change it after a day, and nothing is paid to it before three have passed.
      if (!hasProof) assert.equal(present, OWN);
      else if (present !== OWN) assert.notEqual(body.pay_outs_held_since, null);
    }
    assert.ok(thief.reached.size > 30, `it was a session: ${[...thief.reached].join(', ')}`);
    if (hasProof) return;
    assert.equal(thief.puppets.length, 0, 'a session lets nobody in');
    assert.equal((await other.visitor.call('GET', '/api/team')).status, 200, 'others are there');
  });
