import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type Receiver, startReceiver } from '../../test-support/slices/webhook-receiver.ts';
import {
  type Merchant,
  startTestWebhooks,
  type TestWebhooks,
} from '../../test-support/slices/webhooks.ts';
import type { Tx } from '../platform/db/db.ts';
import type { Asked } from '../platform/platform.ts';
import { MAX_HELD_PER_RUN } from './held-store.ts';
import { deleteEndpoint, updateEndpoint } from './service.ts';
import { webhookStages } from './stages.ts';

let world: TestWebhooks;
let receiver: Receiver;
let merchant: Merchant;

before(async () => {
  world = await startTestWebhooks();
  receiver = await startReceiver();
});

beforeEach(async () => {
  merchant = await world.merchant();
  receiver.received.length = 0;
});

after(async () => {
  await receiver.close();
  await world.close();
});

/** Inserts unacknowledged deliveries of an endpoint: events one second old, with due deliveries. */
async function backlog(endpointId: string, count: number): Promise<void> {
  const values = [merchant.id, count, world.platform.clock.at.subtract({ seconds: 1 })];
  await world.platform.db.read(async (tx) => {
    await tx.run(
      `INSERT INTO events (merchant_id, event_id, kind, subject_id, body, created_at)
       SELECT $1, 'evt_' || n, 'collection.success', 'pay_' || n, '{}', $3 FROM generate_series(1, $2::int) n`,
      values,
    );
    await tx.run(
      `INSERT INTO deliveries (merchant_id, delivery_id, event_id, endpoint_id, status, due_at, created_at)
       SELECT $1, 'del_' || n, 'evt_' || n, $4, 'pending', $3, $3 FROM generate_series(1, $2::int) n`,
      [...values, endpointId],
    );
  });
}

/** Returns how many delivery rows the connection has written so far: see `rowsRead`. */
async function written(tx: Tx): Promise<number> {
  const row = await tx.row<{ rows: number }>(
    `SELECT n_tup_upd AS rows FROM pg_stat_xact_user_tables WHERE relname = 'deliveries'`,
  );
  return row?.rows ?? 0;
}

/** Changes an endpoint in one transaction; returns how many delivery rows that wrote. */
async function writtenBy(change: (asked: Asked) => Promise<unknown>): Promise<number> {
  const now = world.platform.clock.at;
  return world.platform.db.forMerchant(merchant.id, async (tx: Tx) => {
    const before = await written(tx);
    await change({ tx, now, merchantId: merchant.id });
    return (await written(tx)) - before;
  });
}

const BACKLOG = 2 * MAX_HELD_PER_RUN + 1;

for (const status of ['disabled', 'deleted'] as const)
  test(`an endpoint that is ${status} with a backlog is locked for a part of it, and sent nothing from then on`, async () => {
    const { id } = await merchant.endpoint(receiver.url);
    await backlog(id, BACKLOG);
    const rows = await writtenBy((asked) =>
      status === 'deleted'
        ? deleteEndpoint(asked, id)
        : updateEndpoint(world.platform, asked, id, { status }),
    );
    assert.equal(rows, MAX_HELD_PER_RUN);
    const now = world.platform.clock.at;
    const deliver = webhookStages(world.platform, world.sender).find(
      (stage) => stage.name === 'webhooks.deliver',
    );
    assert.equal(await deliver?.run(now, 100), 0, 'what is not put aside yet is not sent either');
    const shown = async () =>
      (await merchant.event(`evt_${BACKLOG}`)).deliveries.map((d) => [d.status, d.next_attempt_at]);
    const end = [status === 'deleted' ? 'failed' : 'held', null];
    if (status === 'deleted') assert.deepEqual(await shown(), [end], 'at once');
    await world.engine.drain();
    assert.deepEqual(await shown(), [end]);
    assert.equal(receiver.received.length, 0);
    const left = await world.platform.db.read((tx) =>
      tx.rows(`SELECT FROM deliveries WHERE endpoint_id = $1 AND status <> 'held'`, [id]),
    );
    assert.equal(left.length, 0, 'all of them are put aside in the end');
    assert.equal(await world.engine.nextDue(), null);
  });

test('deleting an endpoint that was disabled, or disabling it again, writes nothing of what it holds', async () => {
  const { id } = await merchant.endpoint(receiver.url);
  await backlog(id, 3);
  const become = (status: 'enabled' | 'disabled') =>
    writtenBy((asked) => updateEndpoint(world.platform, asked, id, { status }));
  assert.equal(await become('disabled'), 3);
  assert.equal(await become('enabled'), 0);
  assert.equal(await become('disabled'), 0);
  world.pass({ seconds: 5 });
  const deletedAt = world.platform.clock.at;
  assert.equal(await writtenBy((asked) => deleteEndpoint(asked, id)), 0);
  world.pass({ seconds: 5 });
  const [delivery] = (await merchant.event('evt_1')).deliveries;
  assert.equal(delivery?.status, 'failed');
  assert.equal(Temporal.Instant.from(delivery?.finished_at ?? '').equals(deletedAt), true);
});

test('what is not put aside yet when an endpoint is enabled again goes on', async () => {
  const { id } = await merchant.endpoint(receiver.url);
  await backlog(id, MAX_HELD_PER_RUN + 3);
  for (const status of ['disabled', 'enabled'] as const)
    await writtenBy((asked) => updateEndpoint(world.platform, asked, id, { status }));
  await world.engine.drain();
  assert.equal(receiver.received.length, 3);
  assert.equal(await world.engine.nextDue(), null);
});

test('an endpoint that is enabled again takes up every retry that waited, in steps, and nothing never tried', async () => {
  const { id } = await merchant.endpoint(receiver.url);
  await backlog(id, BACKLOG + 1);
  await world.platform.db.read((tx) =>
    tx.run(
      `UPDATE deliveries SET attempts = 1, failures = 1 WHERE merchant_id = $1 AND event_id <> 'evt_7'`,
      [merchant.id],
    ),
  );
  const become = (status: 'enabled' | 'disabled') =>
    writtenBy((asked) => updateEndpoint(world.platform, asked, id, { status }));
  await become('disabled');
  await world.engine.drain();
  assert.equal(await become('enabled'), MAX_HELD_PER_RUN, 'the lock is short');
  await writtenBy((asked) => updateEndpoint(world.platform, asked, id, { description: 'changed' }));
  await world.engine.drain();
  const sent = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
  assert.equal(sent.size, BACKLOG);
  assert.equal(sent.has('evt_7'), false);
  assert.equal(await world.engine.nextDue(), null);
});
