import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test-support/database.ts';
import {
  type Family,
  readPrometheusText,
  sampleOf,
} from '../../../test-support/prometheus-text.ts';
import { readConfig } from '../../platform/config/config.ts';
import { type Db, openDb } from '../../platform/db/db.ts';
import type { Stage } from '../../platform/engine/stage.ts';
import { WorkQueue } from '../../platform/http/admission/work-queue.ts';
import { addSeals } from '../../platform/seals/store.ts';
import { realNow } from '../../platform/time/clock.ts';
import type { DatabaseState } from '../health/database-problem.ts';
import { makeMetrics } from './metrics.ts';
import { makeScrape, type Scrape } from './scrape.ts';

const NOW = Temporal.Instant.from('2026-03-02T10:00:00Z');
const IN_TEN_DAYS = realNow().add({ hours: 240 });
const PARTS = [
  ...['stages', 'payments', 'pay_outs', 'webhooks', 'unallocated', 'invariants'],
  'reconciliation',
  'holds',
  'banks',
  'operators',
  'vault',
];

let database: TestDatabase;
let db: Db;

before(async () => {
  database = await testDatabase();
  db = openDb(database.url, 3);
});
after(async () => {
  await db.close();
  await database.drop();
});

const stage = (name: string, sql: string): Stage => ({
  name,
  batch: 1,
  run: async () => 0,
  nextDue: async () => null,
  dueSql: sql,
});
/** One whose work is two minutes old, one whose work is yet to come, and one without work in its rows. */
const STAGES: Stage[] = [
  stage('late', "'2026-03-02T09:58:00Z'::timestamptz"),
  stage('early', "'2026-03-02T11:00:00Z'::timestamptz"),
  stage('idle', 'NULL::timestamptz'),
];

const WRITES: DatabaseState = { milliseconds: 1, refusal: null };

const scrapeOf = (
  over: Db,
  stages = STAGES,
  pools = { api: over, engine: over },
  state = WRITES,
): Scrape =>
  makeScrape({
    clockAheadMs: () => 1_500,
    database: async () => state,
    metrics: makeMetrics(),
    config: readConfig({}),
    books: { platform: { db: over, clock: { now: () => NOW } }, stages, banks: ['fernbank'] },
    certificates: () => [{ bank: 'fernbank', certificate: 'tls.cert', validTo: IN_TEN_DAYS }],
    pools,
    queue: new WorkQueue(8),
  });

/** Returns what is shown when everything was read, however slow the machine is. */
async function read(scrape: Scrape): Promise<Map<string, Family>> {
  await scrape.show();
  await scrape.idle();
  return readPrometheusText(await scrape.show());
}

const errors = (shown: ReadonlyMap<string, Family>): (number | null)[] =>
  PARTS.map((part) => sampleOf(shown, 'recollect_scrape_error', { part }));

/** Counts the transactions of a database, each of which `before` may delay. */
function counting(wait: () => Promise<unknown> = async () => undefined) {
  const counted = { transactions: 0 };
  const over: Db = {
    ...db,
    transaction: async (work, options) => {
      counted.transactions += 1;
      await wait();
      return db.transaction(work, options);
    },
  };
  return { over, counted };
}

test('a scrape shows how long the oldest work of each stage has been due', async () => {
  const shown = await read(scrapeOf(db));
  const age = (name: string): number | null =>
    sampleOf(shown, 'recollect_stage_oldest_due_age_seconds', { stage: name });
  assert.deepEqual([age('late'), age('early'), age('idle')], [120, 0, 0]);
  assert.deepEqual(errors(shown), Array(PARTS.length).fill(0));
});

test('work that was handed on in memory is not taken for work that is overdue', async () => {
  const handed = { isEmpty: false, hasConsumer: true, merchantIds: () => [] };
  const shown = await read(scrapeOf(db, [{ ...stage('fed', 'NULL::timestamptz'), handed }]));
  assert.equal(sampleOf(shown, 'recollect_stage_oldest_due_age_seconds', { stage: 'fed' }), 0);
});

test('an empty database has nothing unknown, nothing unallocated, and no report', async () => {
  const shown = await read(scrapeOf(db));
  for (const name of [
    'recollect_payments_outcome_unknown',
    'recollect_payments_outcome_unknown_oldest_age_seconds',
    'recollect_unallocated_items',
    'recollect_unallocated_pence',
    'recollect_unallocated_oldest_age_seconds',
    'recollect_reconciliation_open_items',
    'recollect_reconciliation_oldest_open_age_seconds',
  ])
    assert.equal(sampleOf(shown, name), 0, name);
  for (const name of [
    'recollect_reconciliation_last_report_timestamp_seconds',
    'recollect_reconciliation_last_report_complete',
  ])
    assert.equal(sampleOf(shown, name), null, name);
});

test('an encryption key shows how often it has sealed, also beyond what fits in 32 bits', async () => {
  await db.transaction(async (tx) => {
    await tx.run(
      `INSERT INTO deployment_keys (purpose, key_id, check_value)
       VALUES ('encryption', 'k1', ''), ('encryption', 'k2', ''), ('blind_index', '', '')`,
    );
    await addSeals(tx, new Map([['k1', 2 ** 31]]));
    await addSeals(tx, new Map([['k1', 2 ** 32]]));
  });
  const shown = await read(scrapeOf(db));
  const samples = shown.get('recollect_vault_seals')?.samples ?? [];
  assert.deepEqual(
    samples.map(({ labels, value }) => [labels.key, value]),
    [
      ['k1', 2 ** 31 + 2 ** 32],
      ['k2', 0],
    ],
  );
});

test('certificates, connections of both pools, the queue and the version are shown', async () => {
  const busy = { ...db, connections: () => ({ inUse: 2, idle: 1, waiting: 4 }) };
  const shown = await read(scrapeOf(db, STAGES, { api: busy, engine: db }));
  const connections = 'recollect_database_connections';
  const pool = 'api';
  assert.equal(sampleOf(shown, connections, { pool, state: 'in_use' }), 2);
  assert.equal(sampleOf(shown, connections, { pool, state: 'idle' }), 1);
  assert.equal(sampleOf(shown, `${connections}_waiting`, { pool }), 4);
  assert.equal(sampleOf(shown, `${connections}_waiting`, { pool: 'engine' }), 0);
  assert.equal(sampleOf(shown, `${connections}_max`, { pool }), 10);
  assert.equal(sampleOf(shown, 'recollect_http_work', { work: 'reads', state: 'waiting' }), 0);
  assert.equal(sampleOf(shown, 'recollect_build_info', { mode: 'sandbox' }), 1);
  const left = sampleOf(shown, 'recollect_certificate_remaining_seconds', { bank: 'fernbank' });
  assert.ok(left !== null && left > 863_000 && left <= 864_000, String(left));
});

test('a database that does not answer, or cannot be written, is down for this process', async () => {
  for (const [state, isUp] of [
    [WRITES, 1],
    [{ milliseconds: null, refusal: null }, 0],
    [{ milliseconds: 1, refusal: '53100' }, 0],
  ] as const) {
    const shown = readPrometheusText(await scrapeOf(db, STAGES, undefined, state).show());
    assert.equal(sampleOf(shown, 'recollect_database_up'), isUp);
  }
});

test('many scrapers read the books once in five seconds', async () => {
  const { over, counted } = counting();
  const scrape = scrapeOf(over);
  await Promise.all(Array.from({ length: 20 }, () => scrape.show()));
  await scrape.show();
  assert.equal(counted.transactions, PARTS.length);
});

test('a database that is gone fails no scrape: the rest is shown, and the books are absent', async (t) => {
  const gone = openDb('postgres://nobody@127.0.0.1:1/nothing', 1);
  t.after(() => gone.close());
  const shown = await read(scrapeOf(gone));
  assert.deepEqual(errors(shown), Array(PARTS.length).fill(1));
  assert.equal(sampleOf(shown, 'recollect_unallocated_items'), null);
  assert.equal(sampleOf(shown, 'recollect_stage_oldest_due_age_seconds', { stage: 'late' }), null);
  assert.equal(sampleOf(shown, 'recollect_build_info'), 1);
});

test('a scrape waits three seconds for a database that hangs, and what it says then is shown later', async () => {
  const hanging = Promise.withResolvers<void>();
  const { over } = counting(() => hanging.promise);
  const scrape = scrapeOf(over);
  const started = performance.now();
  assert.deepEqual(errors(readPrometheusText(await scrape.show())), Array(PARTS.length).fill(1));
  const took = performance.now() - started;
  assert.ok(took >= 2_990 && took < 8_000, `${took} ms`);
  hanging.resolve();
  await scrape.idle();
  assert.deepEqual(errors(await read(scrape)), Array(PARTS.length).fill(0));
});

test('a part that cannot be read is absent, and the others are shown', async () => {
  const shown = await read(scrapeOf(db, [stage('broken', '1 / 0 = 1')]));
  assert.deepEqual(errors(shown), [1, ...Array(PARTS.length - 1).fill(0)]);
  assert.equal(sampleOf(shown, 'recollect_stage_oldest_due_age_seconds'), null);
  assert.equal(sampleOf(shown, 'recollect_unallocated_items'), 0);
});

test('no statement of a scrape takes longer than two seconds', async () => {
  const slow = stage('slow', '(SELECT now() FROM pg_sleep(60))');
  const started = performance.now();
  const shown = await read(scrapeOf(db, [slow]));
  assert.equal(errors(shown)[0], 1);
  assert.ok(performance.now() - started < 20_000);
});
