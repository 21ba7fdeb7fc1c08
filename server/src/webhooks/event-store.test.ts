import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { BE_OWNER } from '../../test-support/owner.ts';
import { rowsRead } from '../../test-support/rows-read.ts';
import { bareMerchant, type OwnPlatform, ownPlatform } from '../../test-support/slices/platform.ts';
import { listEvents } from './event-store.ts';

const EVENTS = 10_000;
const UNACKNOWLEDGED = 20;
const TABLES = ['events', 'deliveries', 'events_without_endpoint'];

let platform: OwnPlatform;

before(async () => {
  platform = await ownPlatform();
});

after(() => platform.drop());

/** Makes a merchant with one endpoint, which has acknowledged all but the newest of its events. */
async function merchantWithEvents(): Promise<string> {
  const merchantId = await bareMerchant(platform);
  await platform.db.transaction(async (tx) => {
    await tx.run(
      `INSERT INTO webhook_endpoints (merchant_id, endpoint_id, url, event_kinds, status, secret, created_at, updated_at)
       VALUES ($1, 'wep_1', 'https://shop.example/hooks', '{collection.success}', 'enabled', 'sealed', now(), now())`,
      [merchantId],
    );
    await tx.run(
      `INSERT INTO events (merchant_id, event_id, kind, subject_id, body, created_at)
       SELECT $1, 'evt_' || n, 'collection.success', 'pay_' || n, '{}', now() - n * interval '1 minute'
       FROM generate_series(1, $2::int) n`,
      [merchantId, EVENTS],
    );
    await tx.run(
      `INSERT INTO deliveries (merchant_id, delivery_id, event_id, endpoint_id, status, attempts, created_at, finished_at)
       SELECT $1, 'del_' || n, 'evt_' || n, 'wep_1', CASE WHEN n > $3 THEN 'delivered' ELSE 'failed' END, 1, now(), now()
       FROM generate_series(1, $2::int) n`,
      [merchantId, EVENTS, UNACKNOWLEDGED],
    );
    await tx.run(BE_OWNER);
    for (const table of TABLES) await tx.run(`ANALYZE ${table}`);
  });
  return merchantId;
}

test('what did not arrive is read off what is on its way, not off all events that ever were', async () => {
  const merchantId = await merchantWithEvents();
  await platform.db.forMerchant(merchantId, async (tx) => {
    const before = await rowsRead(tx, TABLES);
    const page = { limit: 5, offset: 0 };
    const { data: rows, total } = await listEvents(tx, merchantId, { undelivered: true }, page);
    const read = (await rowsRead(tx, TABLES)) - before;
    assert.equal(total, UNACKNOWLEDGED);
    assert.deepEqual(
      rows.map((row) => row.eventId),
      ['evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5'],
    );
    assert.ok(read < 20 * UNACKNOWLEDGED, `${read} rows read`);
  });
});
