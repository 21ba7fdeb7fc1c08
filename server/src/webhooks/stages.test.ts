import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, afterEach, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { type Receiver, startReceiver } from '../../test-support/slices/webhook-receiver.ts';
import {
  type Merchant,
  startTestWebhooks,
  type TestWebhooks,
  TIMEOUT_MS,
} from '../../test-support/slices/webhooks.ts';
import type { Db } from '../platform/db/db.ts';

const MINUTE_MS = 60_000;

let world: TestWebhooks;
let merchant: Merchant;
let receiver: Receiver;
const more: Receiver[] = [];

before(async () => {
  world = await startTestWebhooks();
});

const fresh = async (): Promise<void> => {
  merchant = await world.merchant();
  receiver = await another();
};

async function another(): Promise<Receiver> {
  const started = await startReceiver();
  more.push(started);
  return started;
}

afterEach(async () => {
  await world.engine.drain();
  for (const each of more.splice(0)) await each.close();
});

after(() => world.close());

const idsOf = (by: Receiver) => by.received.map((webhook) => String(webhook.headers['webhook-id']));

test('an event reaches its endpoint with the body that was written and every header that was promised', async () => {
  await fresh();
  const { secret } = await merchant.endpoint(receiver.url);
  const [id] = await merchant.occur(1, 'collection.success', 'sch_a');
  await world.engine.drain();
  const [webhook, ...rest] = receiver.received;
  assert.equal(rest.length, 0);
  assert.ok(webhook);
  assert.equal(webhook.body, '{"event":"collection.success","data":{"number":1}}');
  assert.equal(webhook.headers['content-type'], 'application/json');
  assert.match(String(webhook.headers['user-agent']), /^Recollect\/\d+\.\d+\.\d+$/);
  assert.equal(webhook.headers['x-service-sequence'], '1');
  assert.equal(webhook.headers['webhook-id'], id);
  assert.equal(webhook.headers['x-sandbox-time'], '2026-03-02T10:00:00.000Z');
  assert.match(String(webhook.headers['x-service-signature']), /^t=\d{10},v1=[0-9a-f]{64}$/);
  // The library checks the time against the real clock, not against the sandbox's.
  const headers = Object.fromEntries(
    Object.entries(webhook.headers).map(([name, value]) => [name, String(value)]),
  );
  new Webhook(secret).verify(webhook.body, headers);
  const event = await merchant.event(id ?? '');
  assert.equal(event.deliveries[0]?.status, 'delivered');
  assert.deepEqual(
    event.deliveries[0]?.attempts.map((a) => [a.number, a.response_status, a.error]),
    [[1, 200, null]],
  );
});

test('an endpoint gets the event kinds that it asked for, by default six', async () => {
  await fresh();
  const all = await another();
  await merchant.endpoint(receiver.url);
  await merchant.endpoint(all.url, { event_kinds: ['consent.revoked', 'schedule.paused'] });
  await merchant.occur(1, 'settlement.failed', null);
  await merchant.occur(1, 'consent.revoked');
  await merchant.occur(1, 'schedule.paused');
  await world.engine.drain();
  const kinds = (by: Receiver) => by.received.map((w) => JSON.parse(w.body).event);
  assert.deepEqual(kinds(receiver), ['settlement.failed']);
  assert.equal(receiver.received[0]?.headers['x-service-sequence'], undefined);
  assert.deepEqual(kinds(all).sort(), ['consent.revoked', 'schedule.paused']);
});

test('a failing delivery climbs every rung, signed afresh under one id, and fails after the fifth retry', async () => {
  await fresh();
  await merchant.endpoint(receiver.url);
  receiver.reply = () => ({ status: 204 });
  const [id = ''] = await merchant.occur(1);
  await world.engine.drain();
  for (const [retries, minutes] of [1, 5, 15, 30, 60].entries()) {
    const due = (await merchant.event(id)).deliveries[0]?.next_attempt_at;
    assert.equal(
      due,
      world.platform.clock.at.add({ minutes }).toString({ fractionalSecondDigits: 3 }),
    );
    world.pass({ seconds: minutes * 60 - 1 });
    await world.engine.drain();
    assert.equal(receiver.received.length, retries + 1, 'not a second too early');
    world.pass({ seconds: 1 });
    await world.engine.drain();
    assert.equal(receiver.received.length, retries + 2);
  }
  world.pass({ hours: 240 });
  await world.engine.drain();
  assert.deepEqual(idsOf(receiver), Array(6).fill(id));
  const [delivery] = (await merchant.event(id)).deliveries;
  assert.equal(delivery?.status, 'failed');
  assert.deepEqual(
    delivery?.attempts.map((a) => a.error),
    Array(6).fill('204: only 200 acknowledges'),
  );
});

test('a retry that works ends the ladder', async () => {
  await fresh();
  await merchant.endpoint(receiver.url);
  receiver.reply = () => ({ status: receiver.received.length < 3 ? 500 : 200, body: 'oh' });
  const [id = ''] = await merchant.occur(1);
  for (const minutes of [0, 1, 5, 15]) {
    world.pass({ minutes });
    await world.engine.drain();
  }
  const [delivery] = (await merchant.event(id)).deliveries;
  assert.equal(delivery?.status, 'delivered');
  assert.deepEqual(
    delivery?.attempts.map((a) => [a.number, a.response_status, a.response_body, a.manual]),
    [
      [1, 500, 'oh', false],
      [2, 500, 'oh', false],
      [3, 200, 'oh', false],
    ],
  );
});

test('an attempt that is acknowledged at once takes no row of its own, unless its response is long', async () => {
  await fresh();
  const { id: endpointId } = await merchant.endpoint(receiver.url);
  const ids: string[] = [];
  for (const body of ['', 'a'.repeat(256), 'a'.repeat(257)]) {
    receiver.reply = () => ({ status: 200, body });
    ids.push(...(await merchant.occur(1)));
    await world.engine.drain();
  }
  receiver.reply = () => ({ status: 200, body: 'again' });
  await merchant.call('POST', `/events/${ids[0]}/resend`, { endpoint_id: endpointId });
  await world.engine.drain();
  const events = await Promise.all(ids.map((id) => merchant.event(id)));
  assert.deepEqual(
    events.map(({ deliveries: [delivery] }) => [
      delivery?.attempt_count,
      delivery?.attempts.map((a) => [
        a.number,
        a.manual,
        a.response_status,
        a.response_body?.length,
        a.error,
      ]),
    ]),
    [
      [
        2,
        [
          [1, false, 200, 0, null],
          [2, true, 200, 5, null],
        ],
      ],
      [1, [[1, false, 200, 256, null]]],
      [1, [[1, false, 200, 257, null]]],
    ],
  );
  const rows = await world.platform.db.read((tx) =>
    tx.rows<{ eventId: string; number: number }>(
      `SELECT event_id, number FROM delivery_attempts JOIN deliveries USING (merchant_id, delivery_id)
       WHERE merchant_id = $1 ORDER BY event_id`,
      [merchant.id],
    ),
  );
  assert.deepEqual(rows, [
    { eventId: ids[0], number: 2 },
    { eventId: ids[2], number: 1 },
  ]);
});

test('events of one endpoint are started in the order in which they occurred', async (t) => {
  const { send } = world.sender;
  const started: (string | undefined)[] = [];
  t.mock.method(world.sender, 'send', (outgoing: Parameters<typeof send>[0]) => {
    started.push(outgoing.headers['webhook-id']);
    return send(outgoing);
  });
  await fresh();
  await merchant.endpoint(receiver.url);
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) {
    ids.push(...(await merchant.occur(10)));
    world.pass({ seconds: 1 });
  }
  await world.engine.drain();
  assert.deepEqual(started, ids);
  assert.deepEqual(idsOf(receiver).toSorted(), ids); // ten are in progress at once, so neighbours may overtake each other
});

test('one dead and one hanging endpoint hold up neither the rest nor another merchant', async (t) => {
  const patient = await startTestWebhooks(MINUTE_MS); // so that a hanging request hangs until the end
  t.after(() => patient.close());
  const [mine, theirs] = [await patient.merchant(), await patient.merchant()];
  const [hanging, closed] = [await another(), await another()];
  const healthy = [await another(), await another()] as const;
  hanging.reply = () => 'hang';
  await closed.close();
  for (const { url } of [healthy[0], hanging, closed]) await mine.endpoint(url);
  await theirs.endpoint(healthy[1].url);
  await mine.occur(100);
  await theirs.occur(100);
  const started = performance.now();
  patient.engine.start();
  while (healthy.some(({ received }) => received.length < 100)) {
    assert.ok(performance.now() - started < MINUTE_MS / 2, 'the healthy wait for the hanging one');
    await sleep(10);
  }
  assert.ok(hanging.received.length > 0);
  await hanging.close();
  await patient.engine.stop();
});

test('two engines at once deliver each event once', async () => {
  await fresh();
  await merchant.endpoint(receiver.url);
  const ids = await merchant.occur(300);
  const other = world.anotherEngine();
  await Promise.all([world.engine.drain(), other.drain()]);
  await world.engine.drain();
  assert.deepEqual(idsOf(receiver).sort(), ids);
});

test('killed between sending and recording, an event is delivered again under the same id', async () => {
  await fresh();
  await merchant.endpoint(receiver.url);
  const [id = ''] = await merchant.occur(1);
  const { db } = world.platform;
  const dying: Db = {
    ...db,
    transaction: (work, options) =>
      receiver.received.length > 0 && options?.isQueuePeek !== true
        ? Promise.reject(new Error('killed'))
        : db.transaction(work, options),
  };
  await world.anotherEngine({ db: dying }).drain();
  assert.deepEqual(idsOf(receiver), [id]);
  await world.engine.drain();
  assert.equal(receiver.received.length, 1, 'the lease still holds');
  world.pass({ milliseconds: TIMEOUT_MS + 60_000 });
  await world.engine.drain();
  assert.deepEqual(idsOf(receiver), [id, id]);
  const [delivery] = (await merchant.event(id)).deliveries;
  assert.equal(delivery?.status, 'delivered');
  assert.deepEqual(
    delivery?.attempts.map((a) => [a.number, a.manual]),
    [[1, false]],
  );
});

test('an answer that comes after somebody asked to send again does not undo the asking', async () => {
  await fresh();
  const endpoint = await merchant.endpoint(receiver.url);
  const [id = ''] = await merchant.occur(1);
  let asked: Promise<unknown> | undefined;
  const slow: Db['transaction'] = async (work) => {
    if (receiver.received.length === 1) {
      asked ??= merchant.call('POST', `/events/${id}/resend`, { endpoint_id: endpoint.id });
      await asked;
    }
    return world.platform.db.transaction(work);
  };
  world.pass({ seconds: 1 });
  await world.anotherEngine({ db: { ...world.platform.db, transaction: slow } }).drain();
  assert.deepEqual(idsOf(receiver), [id, id]);
  const [delivery] = (await merchant.event(id)).deliveries;
  assert.deepEqual([delivery?.status, delivery?.attempt_count], ['delivered', 2]);
});

test('a new secret signs automatically 24 hours after it was made', async () => {
  await fresh();
  const endpoint = await merchant.endpoint(receiver.url);
  const { secret } = await merchant.call<{ secret: string }>(
    'POST',
    `/webhook_endpoints/${endpoint.id}/rotate`,
  );
  assert.notEqual(secret, endpoint.secret);
  const verifiedBy = async (key: string): Promise<boolean> => {
    receiver.received.length = 0;
    await merchant.occur(1);
    await world.engine.drain();
    const [webhook] = receiver.received;
    assert.ok(webhook);
    const hex = createHmac('sha256', key).update(webhook.body).digest('hex');
    return String(webhook.headers['x-service-signature']).endsWith(`,v1=${hex}`);
  };
  world.pass({ hours: 23, minutes: 59, seconds: 59 });
  assert.ok(await verifiedBy(endpoint.secret));
  world.pass({ seconds: 1 });
  assert.ok(await verifiedBy(secret));
  const after = await merchant.call<{ next_secret_activates_at: string | null }>(
    'GET',
    `/webhook_endpoints/${endpoint.id}`,
  );
  assert.equal(after.next_secret_activates_at, null);
});
