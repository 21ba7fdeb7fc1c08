// Slow: sends every wrong input to every route.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { request } from 'undici';
import { startTestService, type TestService } from '../../../test-support/service.ts';
import { createUser } from '../../merchants/team/users.ts';
import { createOperator } from '../../operators/access/service.ts';
import { adminRoutes } from '../../operators/routes.ts';
import { inputsOf, refuseUnstorable } from '../../platform/http/calls/inputs.ts';
import type { Route } from '../../platform/http/calls/route.ts';
import { ApiError } from '../../platform/values/errors.ts';

const PASSWORD = 'correct horse battery';
/** Beyond what the library of schemas counts. */
const MANY = 300;

let service: TestService;
let cookie: string;
let operatorKey: string;
let people = 0;

before(async () => {
  service = await startTestService({ env: { TRUST_PROXY: '127.0.0.1' } });
  const { platform } = service.running;
  const { merchantId } = service;
  const asked = { now: platform.clock.now(), merchantId, actorId: 'operator:Ms Hill' };
  const { url } = await platform.db.transaction((tx) =>
    createUser(
      platform,
      { tx, ...asked },
      { email: 'kim@fernhill.example', name: 'Kim', role: 'owner' },
    ),
  );
  const token = new URL(url).searchParams.get('token') ?? '';
  const { headers } = await send('POST', `${service.baseUrl}/dashboard/auth/password`, {
    headers: { ...ours(), 'content-type': 'application/json' },
    body: JSON.stringify({ token, password: PASSWORD }),
  });
  const set = [headers['set-cookie'] ?? []].flat();
  // The session alone: a known browser has a limit of its own, whatever its address.
  cookie = set.find((line) => line.includes('session_token'))?.split(';')[0] ?? '';
  operatorKey = await platform.db.transaction(async (tx) => {
    const made = await createOperator({ platform, tx, now: asked.now }, 'Robin', 'a test');
    return made.secret;
  });
});
after(() => service.close());

/** Headers of our own pages, from a new address each time. */
const ours = (): Record<string, string> => ({
  'sec-fetch-site': 'same-origin',
  origin: service.baseUrl,
  'x-forwarded-for': `198.51.${++people >> 8}.${people % 256}`,
});

async function send(
  method: string,
  url: string,
  more: { headers?: Record<string, string>; body?: string | Buffer } = {},
) {
  const answer = await request(url, { method: method as 'GET', headersTimeout: 120_000, ...more });
  const text = await answer.body.text();
  return { status: answer.statusCode, text, headers: answer.headers };
}

/** The headers with which a path takes somebody for one who may call it. */
function entering(path: string): Record<string, string> {
  if (path.startsWith('/dashboard'))
    return { ...ours(), cookie, 'x-recollect-merchant': service.merchantId };
  if (path.startsWith('/admin') || path.startsWith('/console'))
    return { ...ours(), authorization: `Bearer ${operatorKey}` };
  if (path.startsWith('/consent')) return ours();
  return { ...ours(), authorization: `Bearer ${service.apiKey}` };
}

/** Every route of both ports that a caller may send something to, at an address that leads to nothing. */
function everyRoute(): { method: string; path: string; url: string }[] {
  const { http, operatorUrl, operatorRoutes } = service.running;
  const at = (base: string) => (route: { method: string; url: string }) => ({
    method: route.method,
    path: route.url,
    url: base + route.url.replaceAll(/:\w+/g, 'northbank').replace('*', 'x'),
  });
  return [...http.served.map(at(service.baseUrl)), ...operatorRoutes.map(at(operatorUrl))].filter(
    ({ method }) => method !== 'HEAD' && method !== 'OPTIONS',
  );
}

const unknownFields = JSON.stringify(
  Object.fromEntries(Array.from({ length: MANY }, (_, i) => [`unknown_${i}`, i])),
);
/** None of these has the fields of any request. */
const NO_BODIES: readonly (readonly [string, string | Buffer])[] = [
  ['more unknown fields than are counted', unknownFields],
  ['null', 'null'],
  ['an array', '[1,2,3]'],
  ['text', '"text"'],
  ['a number', '7'],
  ['nested without end', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`],
  ['no JSON', '{'],
  ['no UTF-8', Buffer.from('{"name":"caf\xe9"}', 'latin1')],
  ['a name twice', '{"name":"a","name":"b"}'],
  ['a number that changes', '{"name":9007199254740993}'],
];

/** Signed notices are refused by their signature; forms are no JSON. */
const NO_JSON = /^\/(notifications|consent)\b|^\/dashboard\/auth\/sign-in-link/;

/** The web apps, which a checkout may not have built. */
const PAGE = /^\/(dashboard|console)(\/\*)?$/;
const DOCUMENT = /\/(openapi|postman)\.json$|logo/;

test('no route takes a body that is not its own, and none fails on one', async () => {
  const wrong: string[] = [];
  for (const { method, path, url } of everyRoute()) {
    if (method === 'GET') continue;
    const type = NO_JSON.test(path) ? 'application/x-www-form-urlencoded' : 'application/json';
    for (const [what, body] of NO_BODIES) {
      const headers = { ...entering(path), 'content-type': type };
      const { status, text } = await send(method, url, { headers, body });
      const isRight = NO_JSON.test(path) ? status < 500 : status === 400;
      if (!isRight && status !== 403) wrong.push(`${method} ${path}, ${what}: ${status} ${text}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('no route takes unknown parameters beyond what is counted, or fails on strange ones', async () => {
  const many = new URLSearchParams(Array.from({ length: MANY }, (_, i) => [`f${i}`, '1']));
  const queries = [
    ['many', many.toString()],
    ['no UTF-8', 'q=caf%E9'],
    ['twice', 'limit=1&limit=2&q=a&q=b&id=a&id=b&token=a&token=b&state=a&state=b'],
    ['NUL', 'q=%00&limit=%00&token=%00'],
    ['numbers', 'limit=1e400&offset=9007199254740993'],
    ['names', '__proto__=1&constructor=2&toString=3'],
  ] as const;
  const wrong: string[] = [];
  for (const { method, path, url } of everyRoute())
    for (const [what, query] of queries) {
      const headers = { ...entering(path), 'content-type': 'application/json' };
      const body = method === 'GET' ? {} : { body: '{}' };
      const { status, text } = await send(method, `${url}?${query}`, { headers, ...body });
      const isApi = /^\/(api\/v1|admin\/v1|dashboard\/api)\//.test(path);
      const mustRefuse = isApi && what === 'many' && method === 'GET' && !DOCUMENT.test(path);
      if (PAGE.test(path)) continue;
      if (status >= 500 || (mustRefuse && status === 200))
        wrong.push(`${method} ${path}, ${what}: ${status} ${text.slice(0, 200)}`);
    }
  assert.deepEqual(wrong, []);
});

/** The endpoints of the API, the dashboard and the operators, with their schemas. */
function schemaRoutes(): Route[] {
  const { platform, service: parts } = service.running;
  const admin = adminRoutes({
    platform,
    banks: new Map(),
    issuer: parts.authorisation.issuer,
    distrustKey: () => undefined,
  } as unknown as Parameters<typeof adminRoutes>[0]);
  return [...parts.routes, ...admin];
}

/** Values that clients send by mistake, and worse. */
const strange = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(null, [], {}, '', -1, 1e21, '\u0000', '\ud800', [[]], { type: null }),
  fc.constant(JSON.parse(unknownFields)),
);

test('what a schema refuses never reaches a handler, and no check of a body throws anything else', () => {
  const now = Temporal.Instant.from('2026-03-02T10:00:00Z');
  for (const route of schemaRoutes()) {
    const read = inputsOf(route);
    const closed = Type.Object(Object(route.body).properties ?? {}, {
      additionalProperties: false,
    });
    const schema = Compile(Object(route.body).type === 'object' ? closed : (route.body ?? closed));
    const names = Object.keys(Object(route.body).properties ?? {});
    const bodies = fc.oneof(
      strange,
      fc.dictionary(names.length === 0 ? fc.string() : fc.constantFrom(...names), strange),
    );
    fc.assert(
      fc.property(bodies, (body) => {
        let passed: unknown;
        try {
          refuseUnstorable({ params: {}, query: {}, body });
          const params = Object.fromEntries(
            Object.keys(Object(route.params).properties ?? {}).map((name) => [name, 'x']),
          );
          passed = read({ params, query: {}, body }, now);
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          assert.ok(error.status < 500);
          assert.ok(Object.keys(error.details ?? {}).length > 0, route.operationId);
          return;
        }
        assert.ok(passed !== undefined && schema.Check(body), route.operationId);
      }),
      { numRuns: 60 },
    );
  }
});
