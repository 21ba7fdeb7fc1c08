import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { dueInAnHour } from '../../test-support/books.ts';
import { readAs } from '../../test-support/dashboard-call.ts';
import { type Harness, openHarness } from '../../test-support/harness.ts';
import { testServer } from '../../test-support/slices/platform.ts';
import { storeFindings } from '../laws/findings/store.ts';
import { createKey } from '../merchants/keys/key-service.ts';
import { logRequests } from '../platform/http/request-log/request-log.ts';
import { pulseRoutes } from './pulse.ts';
import type { PulseView } from './pulse-view.ts';

let h: Harness;
let app: FastifyInstance;

before(async () => {
  h = await openHarness();
  app = await testServer(h.platform, { routes: pulseRoutes() });
});
after(async () => {
  await app.close();
  await h.close();
});

const pulse = (): Promise<PulseView> => readAs(app, h.merchantId, '/api/pulse');

/** Whether the version changes after an action; asserts that it does not change without one. */
async function changes(happen: () => Promise<unknown>): Promise<boolean> {
  const before = await pulse();
  assert.equal((await pulse()).version, before.version);
  await happen();
  return (await pulse()).version !== before.version;
}

test('the version is another one whenever something happened that a page shows, and only then', async () => {
  const { merchantId, db, platform } = h;
  let keyId = '';
  let scheduleId = '';
  const sql = (text: string) => () => db.transaction((tx) => tx.run(text, [merchantId]));
  const steps: Record<string, () => Promise<unknown>> = {
    'a schedule is created': async () => {
      scheduleId = (await h.create()).id;
    },
    'its description changes': () => h.update(scheduleId, { description: 'Fibre' }),
    'it is collected from': async () => void (await dueInAnHour(h)),
    'a key is made': async () => {
      const make = db.transaction((tx) =>
        createKey(platform, { tx, now: h.clock.at, merchantId }, 'ci', ''),
      );
      keyId = (await make).key.keyId;
    },
    'a setting of the merchant changes': sql(
      `UPDATE merchants SET terms = 'x' WHERE merchant_id = $1`,
    ),
    'the laws were looked at': () =>
      db.transaction((tx) =>
        storeFindings(tx, h.clock.at, [{ law: 'l', sentence: 's', broken: [] }]),
      ),
    'an endpoint is added': sql(
      `INSERT INTO webhook_endpoints (merchant_id, endpoint_id, url, event_kinds, status, secret, created_at, updated_at)
       VALUES ($1, 'end_1', 'https://x', '{}', 'enabled', '', now(), now())`,
    ),
    'an event is handed to its endpoint': sql(
      `INSERT INTO deliveries (merchant_id, delivery_id, event_id, endpoint_id, status, created_at)
       SELECT $1, 'del_1', event_id, 'end_1', 'held', now() FROM events WHERE merchant_id = $1
       ORDER BY created_at DESC, event_id DESC LIMIT 1`,
    ),
    'an older event is delivered at the first attempt': sql(
      `INSERT INTO deliveries (merchant_id, delivery_id, event_id, endpoint_id, status, attempts, created_at, finished_at,
         first_at, first_response_status, first_response_body, first_duration_ms)
       SELECT $1, 'del_0', event_id, 'end_1', 'delivered', 1, now(), now(), '2026-01-05T12:00:00Z', 200, '', 1
       FROM events WHERE merchant_id = $1 ORDER BY created_at, event_id LIMIT 1`,
    ),
    'the newest is delivered at the same moment': sql(
      `INSERT INTO delivery_attempts (merchant_id, delivery_id, number, manual, duration_ms, at)
       VALUES ($1, 'del_1', 1, false, 1, '2026-01-05T12:00:00Z')`,
    ),
    'and again': sql(
      `INSERT INTO delivery_attempts (merchant_id, delivery_id, number, manual, duration_ms, at)
       VALUES ($1, 'del_1', 2, true, 1, '2026-01-05T12:00:00Z')`,
    ),
  };
  for (const [what, happen] of Object.entries(steps)) assert.ok(await changes(happen), what);
  assert.ok(await changes(() => revoke(keyId)), 'a key is revoked');
  const elsewhere = await h.merchant();
  assert.ok(!(await changes(() => elsewhere.create())), 'another merchant does something');
});

const revoke = (keyId: string) =>
  h.db.transaction((tx) =>
    tx.run('UPDATE api_keys SET revoked_at = now() WHERE merchant_id = $1 AND key_id = $2', [
      h.merchantId,
      keyId,
    ]),
  );

test('a call of the API that is logged changes the version of the request log alone', async () => {
  const log = logRequests(h.platform);
  const api = await testServer(h.platform, {
    routes: [],
    plain: async (scope) => {
      log.hooks(scope);
      scope.post('/x', async (request) => {
        request.caller = { merchantId: h.merchantId, actorId: 'key_1' };
        return 'x';
      });
    },
  });
  const before = await pulse();
  await api.inject({ method: 'POST', url: '/x' });
  await log.idle();
  const now = await pulse();
  assert.equal(now.version, before.version);
  assert.notEqual(now.requests_version, before.requests_version);
  await api.close();
});

test('it tells the time, and when something is collected next, retries included', async () => {
  const next = h.clock.at.add({ hours: 48 }).round('hour');
  await h.agreed({ start_date: next.toString(), frequency: 'yearly' });
  const soon = h.clock.at.add({ hours: 1 }).round('second');
  h.bank.mood.refuses = 'retryable';
  await h.agreed({
    start_date: soon.toString(),
    frequency: 'yearly',
    customer: { type: 'phone', value: '+447700900321' },
  });
  assert.equal((await pulse()).next_collection_at, `${soon.toString().slice(0, -1)}.000Z`);
  await h.runUntil(soon);
  const { now, next_collection_at } = await pulse();
  assert.equal(now, h.clock.at.toString({ fractionalSecondDigits: 3 }));
  assert.equal(next_collection_at, soon.add({ hours: 24 }).toString({ fractionalSecondDigits: 3 }));
});
