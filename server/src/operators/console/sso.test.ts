import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import {
  type IdentityProvider,
  startIdentityProvider,
  throughProvider,
} from '../../../test-support/identity-provider.ts';
import { type OwnPlatform, ownPlatform } from '../../../test-support/slices/platform.ts';
import { addNotFound } from '../../platform/http/calls/not-found.ts';
import { makeBareServer } from '../../platform/http/server.ts';
import type { Platform } from '../../platform/platform.ts';
import { onHost } from '../access/acting.ts';
import { type NewOperatorKey, revokeOperatorKey } from '../access/keys.ts';
import { accessRoutes } from '../access/routes.ts';
import { createOperator, removeEmail, removeOperator, storeEmail } from '../access/service.ts';
import { addAdmin } from '../admin/mount.ts';
import { addConsole } from './routes.ts';
import { makeConsoleSession } from './session.ts';

const CONSOLE = 'https://ops.fern.example/console';
const EMAIL = 'robin@fern.example';

let own: OwnPlatform;
let platform: Platform;
let provider: IdentityProvider;
let app: FastifyInstance;
let robin: NewOperatorKey;
let operators = 0;

before(async () => {
  own = await ownPlatform();
  platform = own;
  for (const name of ['Kim Ash', 'Dana Oak']) await made(name); // two are left when one is removed
});
after(() => own.drop());

beforeEach(async () => {
  provider = await startIdentityProvider([`${CONSOLE}/sso/return`]);
  app = await serve({});
  robin = await made(`Robin Fern ${++operators}`, EMAIL);
});
afterEach(async () => {
  const { operatorId } = robin.operator;
  await change((work) => removeEmail(work, operatorId));
  await app.close();
  await provider.close();
});

/** Serves console and API with single sign-on through the provider. */
async function serve(change: Partial<Platform['config']['consoleSignIn']>) {
  const { client_id: clientId, client_secret: clientSecret } = provider.client;
  const sso = { issuer: provider.issuer, clientId, clientSecret, consoleUrl: CONSOLE };
  const consoleSignIn = { sso, byKey: true, sessionMinutes: 60, ...change };
  platform = { ...own, config: { ...own.config, consoleSignIn } };
  const server = makeBareServer(platform, { connections: 10 });
  addNotFound(server);
  const session = makeConsoleSession(platform);
  await addAdmin(server, platform, accessRoutes(platform), { lendKey: session.lendKey });
  await addConsole(server, platform, session);
  await server.ready();
  return server;
}

const change = <T>(work: (work: { platform: Platform; tx: never; now: never }) => Promise<T>) =>
  own.db.transaction((tx) => work({ platform, tx, now: own.clock.now() } as never));
const made = (name: string, email?: string) =>
  change((work) => createOperator(work, name, 'a test', { email }));
const account = (name: string, email: string, sub = `sub-of-${name}`, email_verified = true) =>
  provider.accounts.set(name, { sub, email, email_verified });

/** A browser on the console: its cookies. */
class Visitor {
  readonly cookies = new Map<string, string>();
  lines: string[] = [];

  async send(method: 'GET' | 'POST' | 'DELETE', url: string, body?: object, site = 'same-origin') {
    const reply = await app.inject({
      method,
      url,
      headers: {
        'sec-fetch-site': site,
        cookie: [...this.cookies].map((pair) => pair.join('=')).join('; '),
      },
      ...(body === undefined ? {} : { payload: body }),
    });
    for (const line of [reply.headers['set-cookie'] ?? []].flat()) {
      this.lines.push(line);
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split('=');
      this.cookies.set(name, value);
    }
    return reply;
  }

  /** Returns where an address of the console leads. */
  async follow(path: string, site?: string): Promise<string> {
    const reply = await this.send('GET', `/console${path}`, undefined, site);
    assert.equal(reply.statusCode, 303, reply.body);
    return String(reply.headers.location).replace(CONSOLE, '');
  }

  /** Goes through the provider as one of its accounts; returns the page of the console at which the browser arrives. */
  async enter(as: string, next = ''): Promise<string> {
    const back = await throughProvider(provider, await this.follow(`/sso${next}`), as);
    return back.startsWith(CONSOLE) ? this.follow(back.slice(CONSOLE.length)) : back;
  }

  /** Returns whose name the API knows this browser by; null: nobody's. */
  async who(): Promise<string | null> {
    const reply = await this.send('GET', '/admin/v1/me');
    return reply.statusCode === 200 ? reply.json().name : null;
  }
}

test('an operator comes in by their verified address, as the named operator, to the page they wanted', async () => {
  account('robin', EMAIL.toUpperCase());
  const visitor = new Visitor();
  assert.equal(await visitor.enter('robin', '?next=%2Fmerchants'), '/merchants');
  assert.equal(await visitor.who(), robin.operator.name);
  const keys = `/admin/v1/operators/${robin.operator.operatorId}/keys`;
  const posted = await visitor.send('POST', keys, { name: 'laptop' });
  assert.equal(posted.json().operator.name, robin.operator.name);
  const session = visitor.lines.find((line) => line.startsWith('recollect.operator='));
  assert.match(session ?? '', /Max-Age=3600; HttpOnly; SameSite=Strict/);
});

test('once linked the account alone counts, and no other account with the address comes in', async () => {
  account('robin', EMAIL);
  await new Visitor().enter('robin');
  account('robin', 'married@fern.example');
  const again = new Visitor();
  assert.equal(await again.enter('robin'), '/');
  account('thief', EMAIL, 'another-sub');
  const thief = new Visitor();
  assert.equal(await thief.enter('thief'), '/sign-in?problem=other_account');
  assert.equal(await thief.who(), null);
  await change((work) => storeEmail(work, robin.operator.operatorId, EMAIL));
  assert.equal(await again.who(), null, 'a new link ends the sessions of the old one');
  assert.equal(await thief.enter('thief'), '/');
});

test('an unverified address, a stranger’s, and a removed operator’s open nothing', async () => {
  account('loose', EMAIL, 'sub', false);
  account('stranger', 'stranger@fern.example');
  account('robin', EMAIL);
  const visitor = new Visitor();
  assert.equal(await visitor.enter('loose'), '/sign-in?problem=unverified');
  assert.equal(await visitor.enter('stranger'), '/sign-in?problem=stranger');
  assert.equal(await visitor.enter('decline'), '/sign-in?problem=declined');
  assert.equal(await visitor.who(), null);
  await visitor.enter('robin');
  await change((work) => removeOperator(work, robin.operator.operatorId, onHost('a test')));
  assert.equal(await visitor.who(), null);
  assert.equal(await visitor.enter('robin'), '/sign-in?problem=stranger');
});

test('two operators never share an address, and what is no address is refused', async () => {
  await assert.rejects(made('Kim Oak', EMAIL), { code: 'invalid_request' });
  await assert.rejects(made('Kim Oak', 'kim'), { code: 'invalid_request' });
});

test('an answer of the provider is worth nothing in another browser, and another site cannot start it', async () => {
  account('robin', EMAIL);
  const victim = new Visitor();
  const back = await throughProvider(provider, await victim.follow('/sso'), 'robin');
  const path = back.slice(CONSOLE.length);
  assert.equal(await new Visitor().follow(path), '/sign-in?problem=late');
  const other = new Visitor();
  await other.follow('/sso');
  assert.equal(await other.follow(path), '/sign-in?problem=failed');
  assert.equal(await victim.follow(path), '/');
  assert.equal(await new Visitor().follow('/sso', 'cross-site'), '/sign-in');
});

test('sign-in by key can be switched off: no key opens the console, open sessions of keys end, and the API goes on', async () => {
  const visitor = new Visitor();
  const enter = () => visitor.send('POST', '/console/session', { key: robin.secret });
  assert.equal((await enter()).statusCode, 200);
  await app.close();
  app = await serve({ byKey: false });
  assert.equal(await visitor.who(), null);
  assert.equal((await enter()).statusCode, 403);
  const said = await visitor.send('GET', '/console/session');
  assert.deepEqual(said.json(), { sso: true, key: false });
  const called = await app.inject({
    url: '/admin/v1/me',
    headers: { authorization: `Bearer ${robin.secret}` },
  });
  assert.equal(called.statusCode, 200);
  account('robin', EMAIL);
  assert.equal(await visitor.enter('robin'), '/');
  assert.equal(await visitor.who(), robin.operator.name);
});

test('a session ends with its time, with signing out, and with the provider', async () => {
  account('robin', EMAIL);
  const visitor = new Visitor();
  await visitor.enter('robin');
  await visitor.send('DELETE', '/console/session');
  assert.equal(await visitor.who(), null);
  await visitor.enter('robin');
  await app.close();
  app = await serve({ sso: null });
  assert.equal(await visitor.who(), null);
  await app.close();
  app = await serve({ sessionMinutes: 0 });
  await visitor.enter('robin');
  assert.equal(await visitor.who(), null);
});

/** Returns the same browser's cookies in another one. */
function copied(visitor: Visitor): Visitor {
  const copy = new Visitor();
  for (const [name, value] of visitor.cookies) copy.cookies.set(name, value);
  return copy;
}

const withKey = async (): Promise<Visitor> => {
  const visitor = new Visitor();
  await visitor.send('POST', '/console/session', { key: robin.secret });
  return visitor;
};

test('a copied cookie is worth nothing once its owner has signed out, whichever way they came in', async () => {
  account('robin', EMAIL);
  const byAccount = new Visitor();
  await byAccount.enter('robin');
  for (const visitor of [byAccount, await withKey()]) {
    const copy = copied(visitor);
    assert.equal(await copy.who(), robin.operator.name);
    await visitor.send('DELETE', '/console/session');
    assert.equal(await copy.who(), null);
  }
});

test('a session ends when its key is revoked, and the sessions of other keys go on', async () => {
  const first = await withKey();
  const { operatorId } = robin.operator;
  const keys = `/admin/v1/operators/${operatorId}/keys`;
  const { secret } = (await first.send('POST', keys, { name: 'second' })).json();
  const second = new Visitor();
  await second.send('POST', '/console/session', { key: secret });
  await change((work) => revokeOperatorKey(work, onHost('a test'), operatorId, robin.key.keyId));
  assert.equal(await first.who(), null);
  assert.equal(await second.who(), robin.operator.name);
});

test('signing in again ends the session before, and what has expired is swept', async () => {
  const visitor = await withKey();
  const copy = copied(visitor);
  await visitor.send('POST', '/console/session', { key: robin.secret });
  assert.equal(await copy.who(), null);
  await own.db.transaction((tx) =>
    tx.run(`UPDATE operator_sessions SET expires_at = begun_at - interval '1 second'`),
  );
  assert.equal(await visitor.who(), null);
  await withKey();
  const rows = await own.db.read((tx) => tx.rows('SELECT FROM operator_sessions'));
  assert.equal(rows.length, 1);
});

test('the database has the hash of a session and not its secret', async () => {
  const visitor = await withKey();
  const rows = await own.db.read((tx) =>
    tx.rows<{ row: string }>('SELECT s::text AS row FROM operator_sessions s'),
  );
  const secret = visitor.cookies.get('recollect.operator') ?? '';
  assert.match(secret, /^[\w-]{43}$/);
  for (const { row } of rows) assert.ok(!row.includes(secret.slice(4, 30)));
});
