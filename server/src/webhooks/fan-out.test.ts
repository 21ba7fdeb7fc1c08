import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Gate } from '../../test-support/gate.ts';
import {
  type Merchant,
  startTestWebhooks,
  type TestWebhooks,
} from '../../test-support/slices/webhooks.ts';
import type { Tx } from '../platform/db/db.ts';
import { appendEvents } from '../platform/state/events.ts';
import { deleteEndpoint, type EndpointChange, rotateSecret, updateEndpoint } from './service.ts';
import { webhookStages } from './stages.ts';

const URL = 'https://127.0.0.1/hooks';

let world: TestWebhooks;
let merchant: Merchant;

before(async () => {
  world = await startTestWebhooks();
});

beforeEach(async () => {
  merchant = await world.merchant();
});

after(() => world.close());

const append = (tx: Tx, merchantId = merchant.id): Promise<string[]> =>
  appendEvents({ platform: world.platform, tx, now: world.platform.clock.at }, [
    { merchantId, kind: 'collection.success', scheduleId: null, subjectId: 'pay_1', data: {} },
  ]);

const statuses = () =>
  world.platform.db.read((tx) =>
    tx.rows<{ status: string; due: boolean }>(
      'SELECT status, due_at IS NOT NULL AS due FROM deliveries WHERE merchant_id = $1',
      [merchant.id],
    ),
  );

const toNobody = async (): Promise<number> =>
  (
    await world.platform.db.read((tx) =>
      tx.rows('SELECT FROM events_without_endpoint WHERE merchant_id = $1', [merchant.id]),
    )
  ).length;

const asked = (tx: Tx) => ({ tx, now: world.platform.clock.at, merchantId: merchant.id });

const change = (tx: Tx, endpointId: string, to: EndpointChange): Promise<unknown> =>
  updateEndpoint(world.platform, asked(tx), endpointId, to);

test('an event and its deliveries are written together or not at all', async () => {
  await merchant.endpoint(URL);
  const { db } = world.platform;
  await assert.rejects(
    db.forMerchant(merchant.id, async (tx) => {
      await append(tx);
      throw new Error('the state was not changed after all');
    }),
  );
  assert.deepEqual(await statuses(), []);
  await db.forMerchant(merchant.id, (tx) => append(tx));
  assert.deepEqual(await statuses(), [{ status: 'pending', due: true }]);
  assert.equal(await toNobody(), 0);
});

test('an event that no endpoint wants is on the list of those, and reaches one that is added later by hand', async () => {
  await merchant.endpoint(URL, { event_kinds: ['settlement.success'] });
  const [id = ''] = await world.platform.db.transaction((tx) => append(tx));
  assert.deepEqual(await statuses(), []);
  assert.equal(await toNobody(), 1);
  const endpoint = await merchant.endpoint(URL);
  await merchant.call('POST', `/events/${id}/resend`, { endpoint_id: endpoint.id });
  assert.deepEqual(await statuses(), [{ status: 'pending', due: true }]);
});

for (const status of ['disabled', 'deleted'] as const)
  test(`an endpoint that is ${status} while an event is appended is left nothing to send`, async () => {
    const { id } = await merchant.endpoint(URL);
    const { db } = world.platform;
    const appended = new Gate();
    const appending = db.transaction(async (tx) => {
      await append(tx);
      await appended.pass();
    });
    await appended.reached;
    const changing = db.forMerchant(merchant.id, (tx) =>
      status === 'deleted' ? deleteEndpoint(asked(tx), id) : change(tx, id, { status }),
    );
    appended.open();
    await Promise.all([appending, changing]);
    assert.deepEqual(await statuses(), [{ status: 'held', due: false }]);
  });

for (const [what, to, deliveries, nobody] of [
  ['disabled', { status: 'disabled' }, [{ status: 'held', due: false }], 0],
  ['changed to other kinds', { eventKinds: ['settlement.failed'] }, [], 1],
] as const)
  test(`an event that is appended while its endpoint is ${what} waits, and goes by the change`, async () => {
    const { id } = await merchant.endpoint(URL);
    const { db } = world.platform;
    const changed = new Gate();
    const changing = db.forMerchant(merchant.id, async (tx) => {
      await change(tx, id, to);
      await changed.pass();
    });
    await changed.reached;
    const appending = db.transaction((tx) => append(tx));
    await new Promise((done) => setTimeout(done, 50)); // it waits for the endpoint
    changed.open();
    await Promise.all([changing, appending]);
    assert.deepEqual(await statuses(), deliveries);
    assert.equal(await toNobody(), nobody);
  });

test('new secrets are activated without waiting for transactions that append events', async () => {
  const [first, second] = [merchant, await world.merchant()];
  const { db } = world.platform;
  for (const each of [first, second]) {
    const { id } = await each.endpoint(URL);
    const now = world.platform.clock.at;
    await db.forMerchant(each.id, (tx) =>
      rotateSecret(world.platform, { tx, now, merchantId: each.id }, id),
    );
  }
  world.pass({ hours: 25 });
  const rotate = webhookStages(world.platform, world.sender).find(
    (stage) => stage.name === 'webhooks.rotate',
  );
  assert.ok(rotate);
  const run = () => rotate.run(world.platform.clock.at, 100);
  let tries = 0;
  await db.transaction(async (tx) => {
    tries++;
    await append(tx, second.id);
    assert.equal(await run(), 1, 'only the endpoint that nobody has locked');
    await append(tx, first.id);
  });
  assert.equal(tries, 1, 'no deadlock');
  assert.equal(await run(), 1);
});
