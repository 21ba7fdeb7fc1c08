import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { asOwner } from '../../test-support/owner.ts';
import { type Receiver, startReceiver } from '../../test-support/slices/webhook-receiver.ts';
import {
  type EndpointBody,
  type EventBody,
  type Merchant,
  startTestWebhooks,
  type TestWebhooks,
} from '../../test-support/slices/webhooks.ts';
import { DEFAULT_EVENT_KINDS, EVENT_KINDS } from './endpoint.ts';
import { MAX_REPLAYED } from './resend.ts';

interface Refusal {
  error: { code: string; details?: Record<string, string> };
}
interface List<T> {
  data: T[];
  total: number;
}

let world: TestWebhooks;
let merchant: Merchant;
let receiver: Receiver;

before(async () => {
  world = await startTestWebhooks();
  receiver = await startReceiver();
});

beforeEach(async () => {
  merchant = await world.merchant();
  receiver.received.length = 0;
  receiver.reply = () => ({ status: 200 });
});

afterEach(async () => {
  await world.engine.drain();
});

after(async () => {
  await receiver.close();
  await world.close();
});

const idsReceived = () => receiver.received.map((webhook) => String(webhook.headers['webhook-id']));
const undelivered = async (): Promise<string[]> => {
  const list = await merchant.call<List<EventBody>>(
    'GET',
    '/events?delivery=undelivered&limit=100',
  );
  assert.equal(list.total, list.data.length);
  return list.data.map((event) => event.id).reverse();
};
const statusOf = async (id: string) => (await merchant.event(id)).deliveries.map((d) => d.status);
const put = (endpoint: EndpointBody, change: object) =>
  merchant.call<EndpointBody>('PUT', `/webhook_endpoints/${endpoint.id}`, change);
const range = () => ({ from: '2026-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' });
const replay = (endpoint: EndpointBody, more: object = {}) =>
  merchant.call<{ replayed: number; next_from: string | null }>('POST', '/events/replay', {
    ...range(),
    endpoint_id: endpoint.id,
    ...more,
  });

test('an endpoint is made, read, listed, changed and deleted; its secret is shown once', async () => {
  const made = await merchant.endpoint(receiver.url, { description: 'Shop' });
  assert.match(made.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.deepEqual(made.event_kinds, DEFAULT_EVENT_KINDS);
  const path = `/webhook_endpoints/${made.id}`;
  const { secret: _, ...shown } = made;
  assert.deepEqual(await merchant.call('GET', path), shown);
  assert.deepEqual(await merchant.call('GET', '/webhook_endpoints'), { data: [shown], total: 1 });
  const changed = await put(made, { event_kinds: EVENT_KINDS, url: `${receiver.url}/two` });
  assert.deepEqual(changed.event_kinds, EVENT_KINDS);
  assert.equal(changed.url, `${receiver.url}/two`);
  await merchant.call('DELETE', path);
  await merchant.call('GET', path, undefined, 404);
  assert.deepEqual(await merchant.call('GET', '/webhook_endpoints'), { data: [], total: 0 });
});

test('a body that is wrong is refused naming every wrong field', async () => {
  const refusal = await merchant.call<Refusal>(
    'POST',
    '/webhook_endpoints',
    { url: 'http://10.0.0.1/', event_kinds: ['endpoint.test'], colour: 1 },
    400,
  );
  assert.deepEqual(Object.keys(refusal.error.details ?? {}).sort(), [
    'colour',
    'event_kinds.0',
    'url',
  ]);
  const bodies = [{}, { url: 7 }, { url: receiver.url, event_kinds: [] }, { url: 'x' }];
  for (const body of bodies) await merchant.call('POST', '/webhook_endpoints', body, 400);
  const wrong = { ...range(), from: '2026-01-01T00:00:00', endpoint_id: 'end_x' };
  const { error } = await merchant.call<Refusal>('POST', '/events/replay', wrong, 400);
  assert.deepEqual(Object.keys(error.details ?? {}), ['from']);
  const backwards = { from: range().to, to: range().from, endpoint_id: 'end_x' };
  await merchant.call('POST', '/events/replay', backwards, 400);
  await merchant.call('GET', '/events?from=yesterday', undefined, 400);
});

test("somebody else's endpoints and events are not found", async () => {
  const endpoint = await merchant.endpoint(receiver.url);
  const [id] = await merchant.occur(1);
  const stranger = await world.merchant();
  const path = `/webhook_endpoints/${endpoint.id}`;
  await stranger.call('GET', path, undefined, 404);
  await stranger.call('PUT', path, { status: 'disabled' }, 404);
  await stranger.call('DELETE', path, undefined, 404);
  for (const act of ['rotate', 'activate', 'test'])
    await stranger.call('POST', `${path}/${act}`, undefined, 404);
  await stranger.call('GET', `/events/${id}`, undefined, 404);
  await stranger.call('POST', `/events/${id}/resend`, {}, 404);
  await stranger.call('POST', '/events/replay', { ...range(), endpoint_id: endpoint.id }, 404);
  assert.deepEqual(await stranger.call('GET', '/events'), { data: [], total: 0 });
});

test('what occurs while an endpoint is disabled is held, and sent when it is replayed', async () => {
  const endpoint = await merchant.endpoint(receiver.url);
  await put(endpoint, { status: 'disabled' });
  const ids = await merchant.occur(5);
  await world.engine.drain();
  assert.deepEqual(await statusOf(ids[0] ?? ''), ['held']);
  assert.deepEqual(await undelivered(), ids);
  await merchant.call('POST', `/webhook_endpoints/${endpoint.id}/test`, undefined, 409);
  const enabled = await put(endpoint, { status: 'enabled' });
  assert.equal(enabled.held, 5);
  await world.engine.drain();
  assert.equal(receiver.received.length, 0, 'enabling sends nothing automatically');
  assert.deepEqual(await replay(endpoint), {
    endpoint_id: endpoint.id,
    replayed: 5,
    next_from: null,
    archived_before: null,
  });
  await world.engine.drain();
  assert.deepEqual(idsReceived().sort(), ids);
  assert.deepEqual(await undelivered(), []);
  assert.equal((await put(endpoint, {})).held, 0);
});

test('disabling holds back what is waiting for a retry; deleting lets it fail', async () => {
  const endpoint = await merchant.endpoint(receiver.url);
  receiver.reply = () => ({ status: 500 });
  const [id = ''] = await merchant.occur(1);
  assert.equal((await put(endpoint, {})).undelivered, 0, 'nothing has failed yet');
  await world.engine.drain();
  assert.deepEqual(await statusOf(id), ['pending']);
  assert.equal((await put(endpoint, {})).undelivered, 1);
  await put(endpoint, { status: 'disabled' });
  assert.deepEqual(await statusOf(id), ['held']);
  world.pass({ hours: 2 });
  await world.engine.drain();
  assert.equal(receiver.received.length, 1);
  await merchant.call('DELETE', `/webhook_endpoints/${endpoint.id}`);
  assert.deepEqual(await statusOf(id), ['failed']);
  assert.deepEqual(await undelivered(), [id], 'the event did not arrive anywhere');
  const next = await merchant.endpoint(receiver.url);
  receiver.reply = () => ({ status: 200 });
  await replay(next);
  await world.engine.drain();
  assert.deepEqual(await undelivered(), []);
});

test('what occurred before there was an endpoint can be replayed to it', async () => {
  const ids = await merchant.occur(3);
  await merchant.occur(1, 'consent.revoked');
  await world.engine.drain();
  assert.equal((await undelivered()).length, 4);
  const endpoint = await merchant.endpoint(receiver.url);
  assert.deepEqual(await undelivered(), ids, 'nobody asks for consent.revoked');
  assert.equal((await replay(endpoint)).replayed, 3);
  assert.equal((await replay(endpoint)).replayed, 0, 'they are on their way already');
  await world.engine.drain();
  assert.deepEqual(idsReceived().sort(), ids);
  assert.equal((await replay(endpoint)).replayed, 0);
  assert.equal((await replay(endpoint, { only_undelivered: false })).replayed, 3);
  await world.engine.drain();
  assert.equal(receiver.received.length, 6);
});

test('a range includes its beginning and not its end', async () => {
  const endpoint = await merchant.endpoint(receiver.url);
  await put(endpoint, { status: 'disabled' });
  const at: string[] = [];
  for (let i = 0; i < 3; i++) {
    at.push(world.platform.clock.at.toString());
    await merchant.occur(1);
    world.pass({ minutes: 1 });
  }
  await world.engine.drain();
  await put(endpoint, { status: 'enabled' });
  const [from, , to] = at;
  assert.equal((await replay(endpoint, { from, to })).replayed, 2);
  const listed = await merchant.call<List<EventBody>>('GET', `/events?from=${from}&to=${to}`);
  assert.equal(listed.total, 2);
  await world.engine.drain();
});

test('a replay takes ten thousand at once and says where to go on', async () => {
  const endpoint = await merchant.endpoint(receiver.url);
  await put(endpoint, { status: 'disabled' });
  await merchant.occur(MAX_REPLAYED, 'collection.success', null);
  world.pass({ seconds: 1 });
  const next = world.platform.clock.at.toString({ fractionalSecondDigits: 3 });
  await merchant.occur(5, 'collection.success', null);
  await asOwner(world.platform.db, (tx) => tx.run('ANALYZE')); // as autovacuum does
  await put(endpoint, { status: 'enabled' });
  const first = await replay(endpoint);
  assert.deepEqual([first.replayed, first.next_from], [MAX_REPLAYED, next]);
  const second = await replay(endpoint, { from: first.next_from });
  assert.deepEqual([second.replayed, second.next_from], [5, null]);
  await merchant.call('DELETE', `/webhook_endpoints/${endpoint.id}`);
  await world.engine.drain();
});

test('an event can be sent again, and again: each time a new attempt of the same event', async () => {
  const endpoint = await merchant.endpoint(receiver.url);
  const [id = ''] = await merchant.occur(1);
  await world.engine.drain();
  for (const body of [{}, { endpoint_id: endpoint.id }]) {
    await merchant.call('POST', `/events/${id}/resend`, body);
    await world.engine.drain();
  }
  assert.deepEqual(idsReceived(), [id, id, id]);
  const [delivery] = (await merchant.event(id)).deliveries;
  assert.deepEqual(
    delivery?.attempts.map((a) => [a.number, a.manual]),
    [
      [1, false],
      [2, true],
      [3, true],
    ],
  );
  assert.equal(delivery?.status, 'delivered');
});

test('a failed delivery that is sent again starts a new ladder', async () => {
  await merchant.endpoint(receiver.url);
  receiver.reply = () => ({ status: 500 });
  const [id = ''] = await merchant.occur(1);
  for (const minutes of [0, 1, 5, 15, 30, 60]) {
    world.pass({ minutes });
    await world.engine.drain();
  }
  assert.deepEqual(await statusOf(id), ['failed']);
  assert.deepEqual(await undelivered(), [id]);
  await merchant.call('POST', `/events/${id}/resend`, {});
  await world.engine.drain();
  assert.deepEqual(await statusOf(id), ['pending']);
  receiver.reply = () => ({ status: 200 });
  world.pass({ minutes: 1 });
  await world.engine.drain();
  const [delivery] = (await merchant.event(id)).deliveries;
  assert.equal(delivery?.status, 'delivered');
  assert.deepEqual(
    delivery?.attempts.map((a) => a.manual),
    [false, false, false, false, false, false, true, false],
  );
});

test('nothing is sent again to an endpoint that is disabled', async () => {
  const endpoint = await merchant.endpoint(receiver.url);
  const [id] = await merchant.occur(1);
  await world.engine.drain();
  await put(endpoint, { status: 'disabled' });
  const bodies = [{}, { endpoint_id: endpoint.id }];
  for (const body of bodies) {
    const refusal = await merchant.call<Refusal>('POST', `/events/${id}/resend`, body, 409);
    assert.equal(refusal.error.code, 'endpoint_not_enabled');
  }
  const body = { ...range(), endpoint_id: endpoint.id };
  await merchant.call('POST', '/events/replay', body, 409);
});

test('a test event goes to the one endpoint, whatever that subscribes to', async () => {
  await merchant.endpoint(`${receiver.url}/other`);
  const endpoint = await merchant.endpoint(`${receiver.url}/tested`, {
    event_kinds: ['settlement.failed'],
  });
  const { event_id: id } = await merchant.call<{ event_id: string }>(
    'POST',
    `/webhook_endpoints/${endpoint.id}/test`,
  );
  await world.engine.drain();
  assert.deepEqual(
    receiver.received.map((w) => [w.path, w.headers['webhook-id'], JSON.parse(w.body).event]),
    [['/tested', id, 'endpoint.test']],
  );
  assert.deepEqual(await statusOf(id), ['delivered']);
});

test('the old secret signs until the merchant activates the new one', async () => {
  const endpoint = await merchant.endpoint(receiver.url);
  const path = `/webhook_endpoints/${endpoint.id}`;
  const early = await merchant.call<Refusal>('POST', `${path}/activate`, undefined, 409);
  assert.equal(early.error.code, 'no_pending_secret');
  const rotated = await merchant.call<EndpointBody>('POST', `${path}/rotate`);
  assert.equal(
    rotated.next_secret_activates_at,
    world.platform.clock.at.add({ hours: 24 }).toString({ fractionalSecondDigits: 3 }),
  );
  const verifying = async (): Promise<boolean[]> => {
    await merchant.occur(1);
    await world.engine.drain();
    const webhook = receiver.received.at(-1);
    assert.ok(webhook);
    const headers = Object.fromEntries(
      Object.entries(webhook.headers).map(([name, value]) => [name, String(value)]),
    );
    return [endpoint.secret, rotated.secret].map((secret) => {
      try {
        new Webhook(secret).verify(webhook.body, headers);
        return true;
      } catch {
        return false;
      }
    });
  };
  assert.deepEqual(await verifying(), [true, true]);
  await merchant.call('POST', `${path}/activate`);
  assert.deepEqual(await verifying(), [false, true]);
  await merchant.call('POST', `${path}/activate`, undefined, 409);
});

test('events are listed newest first and found by kind and schedule', async () => {
  await merchant.occur(2, 'collection.success', 'sch_x');
  await merchant.occur(1, 'collection.failed', 'sch_x');
  await merchant.occur(1, 'settlement.success', null);
  const list = (query: string) => merchant.call<List<EventBody>>('GET', `/events?${query}`);
  const all = await list('limit=3');
  assert.equal(all.total, 4);
  assert.deepEqual(
    all.data.map((e) => [e.kind, e.sequence]),
    [
      ['settlement.success', null],
      ['collection.failed', 3],
      ['collection.success', 2],
    ],
  );
  assert.equal((await list('kind=collection.failed')).total, 1);
  assert.equal((await list('schedule_id=sch_x')).total, 3);
  assert.equal((await list('limit=3&offset=3')).data.length, 1);
  await merchant.call('GET', '/events?kind=nonsense', undefined, 400);
  await merchant.call('GET', '/events?limit=101', undefined, 400);
});
