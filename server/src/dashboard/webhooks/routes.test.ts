import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { MerchantSide } from '../../../test-support/harness.ts';
import { BE_OWNER } from '../../../test-support/owner.ts';
import { rowsRead } from '../../../test-support/rows-read.ts';
import { openDashboard, type TestDashboard } from '../../../test-support/slices/dashboard.ts';
import type { List } from '../../platform/http/lists/page.ts';
import { firstId } from '../../platform/values/ids.ts';
import { readHealth } from './store.ts';
import type { EndpointActivity, EndpointHealth } from './view.ts';

interface Sent {
  /** How many hours ago its event was made. */
  ago: number;
  endpoint?: string;
  status?: 'delivered' | 'failed' | 'pending';
  attempts?: number;
  /** What the first attempt took; null: it was not acknowledged. */
  ms?: number | null;
}

let d: TestDashboard;
let other: MerchantSide;
let made = 0;
before(async () => {
  d = await openDashboard('2026-03-02T09:30:00Z');
  other = await d.h.merchant();
  for (const id of ['end_a', 'end_b'])
    await insert(
      `INSERT INTO webhook_endpoints (merchant_id, endpoint_id, url, event_kinds, status, secret, created_at, updated_at)
       VALUES ($1, $2, 'https://shop.example/hooks', '{collection.success}', 'enabled', 'sealed', $3, $3)`,
      [id, d.h.clock.at],
    );
});
after(() => d.close());

const insert = (statement: string, values: unknown[]): Promise<unknown> =>
  d.h.db.transaction((tx) => tx.run(statement, [d.h.merchantId, ...values] as never));

async function send({
  ago,
  endpoint = 'end_a',
  status = 'delivered',
  attempts = 1,
  ms = null,
}: Sent) {
  made += 1;
  const at = d.h.clock.at.subtract({ hours: ago });
  const eventId = idOf(at, made);
  await insert(
    `INSERT INTO events (merchant_id, event_id, kind, subject_id, body, created_at)
     VALUES ($1, $2, 'collection.success', 'pay_1', '{}', $3)`,
    [eventId, at],
  );
  await insert(
    `INSERT INTO deliveries (merchant_id, delivery_id, event_id, endpoint_id, status, attempts, failures, due_at,
       created_at, finished_at, first_at, first_response_status, first_response_body, first_duration_ms)
     VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $8, $9, $10, $11, $12, $13)`,
    [
      `del_${made}`,
      eventId,
      endpoint,
      status,
      attempts,
      status === 'pending' ? at : null,
      at,
      status === 'pending' ? null : at,
      ...(ms === null ? [null, null, null, null] : [at, 200, '', ms]),
    ],
  );
  if (ms === null && status !== 'delivered' && attempts > 0)
    await insert(
      `INSERT INTO delivery_attempts (merchant_id, delivery_id, number, manual, response_status, error, duration_ms, at)
       VALUES ($1, $2, $3, false, 500, '500: only 200 acknowledges', 5, $4)`,
      [`del_${made}`, attempts, at],
    );
}

/** Returns the id of the nth event, made at a moment. */
const idOf = (at: Temporal.Instant, n: number): string =>
  firstId('evt', at.add({ milliseconds: n }));

const activity = (id: string, merchantId?: string): Promise<EndpointActivity> =>
  d.get<EndpointActivity>(`/api/webhook_endpoints/${id}/activity`, merchantId);

test('an endpoint that nothing was sent to has no rate', async () => {
  const { health, deliveries } = await activity('end_a');
  const nothing = { attempts: 0, acknowledged: 0, last_acknowledged_at: null, median_ms: null };
  assert.deepEqual([health, deliveries], [nothing, []]);
});

test('the health of an endpoint counts requests and acknowledgements of the last seven days', async () => {
  await send({ ago: 3, ms: 40 });
  await send({ ago: 2, ms: 900 });
  await send({ ago: 1, ms: 60 });
  await send({ ago: 1, status: 'failed', attempts: 6 });
  await send({ ago: 0, status: 'pending', attempts: 1 });
  await send({ ago: 8 * 24, status: 'failed', attempts: 6 });
  await send({ ago: 1, endpoint: 'end_b', attempts: 3 });
  const { health, deliveries } = await activity('end_a');
  assert.deepEqual(health, {
    attempts: 10,
    acknowledged: 3,
    last_acknowledged_at: '2026-03-02T08:30:00.000Z',
    median_ms: 60,
  });
  assert.deepEqual(
    deliveries.map(({ attempts, status, error }) => [attempts, status, error]),
    [
      [1, 'pending', '500: only 200 acknowledges'],
      [6, 'failed', '500: only 200 acknowledges'],
      [1, 'delivered', null],
      [1, 'delivered', null],
      [1, 'delivered', null],
    ],
  );
});

test('the list shows it beside each endpoint, and another merchant sees none of it', async () => {
  const { data } = await d.get<List<{ id: string; shown: EndpointHealth }>>(
    '/api/v1/webhook_endpoints',
  );
  const rates = data.map(({ id, shown }) => [id, shown.acknowledged, shown.attempts]);
  assert.deepEqual(rates.sort(), [
    ['end_a', 3, 10],
    ['end_b', 1, 3],
  ]);
  const path = '/api/webhook_endpoints/end_a/activity';
  assert.equal((await d.refused('GET', path, undefined, other.merchantId)).status, 404);
});

test('it is read from the newest deliveries of each, however many others there were', async () => {
  const made = Array.from({ length: 12_000 }, (_, n) =>
    d.h.clock.at.subtract({ minutes: Math.floor(n / 10) }),
  );
  const ids = made.map((at, n) => idOf(at, 100 + (n % 10)));
  await insert(
    `INSERT INTO events (merchant_id, event_id, kind, subject_id, body, created_at)
     SELECT $1, k.id, 'collection.success', 'pay_1', '{}', k.at FROM unnest($2::text[], $3::timestamptz[]) k (id, at)`,
    [ids, made],
  );
  await insert(
    `INSERT INTO deliveries (merchant_id, delivery_id, event_id, endpoint_id, status, attempts, created_at, finished_at)
     SELECT $1, 'del_' || k.id, k.id, 'end_a', 'delivered', 1, $3, $3 FROM unnest($2::text[]) k (id)`,
    [ids, d.h.clock.at],
  );
  const tables = ['events', 'deliveries'];
  await d.h.db.transaction(async (tx) => {
    await tx.run(BE_OWNER);
    for (const table of tables) await tx.run(`ANALYZE ${table}`);
    const before = await rowsRead(tx, tables);
    const since = d.h.clock.at.subtract({ hours: 7 * 24 });
    const rows = await readHealth(tx, d.h.merchantId, ['end_a', 'end_b'], since);
    const counts = rows.map(({ endpointId, acknowledged }) => [endpointId, acknowledged]).sort();
    assert.deepEqual(counts, [
      ['end_a', 2_000 - 2], // one failed, and one is being sent
      ['end_b', 1],
    ]);
    const read = (await rowsRead(tx, tables)) - before;
    assert.ok(read < 2_500, `${read} rows read`);
  });
});
