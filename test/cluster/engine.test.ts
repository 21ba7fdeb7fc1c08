import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import type { Db, Tx } from '../../server/src/platform/db/db.ts';
import { merchantsDue } from '../../server/src/platform/engine/due.ts';
import { assertLaws } from '../../server/test-support/books.ts';
import { nodesOf, withClient } from '../../server/test-support/cluster.ts';
import { type Harness, type MerchantSide, openHarness } from '../../server/test-support/harness.ts';

const MERCHANTS = 6;
const EACH = 4;
const DUE = '2026-01-10T09:00:00Z';

let h: Harness;
let merchants: MerchantSide[];

before(async () => {
  h = await openHarness();
  merchants = [h];
  while (merchants.length < MERCHANTS) merchants.push(await h.merchant());
  for (const merchant of merchants)
    await Promise.all(
      Array.from({ length: EACH }, (_, n) =>
        merchant.agreed({ customer: { phone: `+4477009001${String(n).padStart(2, '0')}` } }),
      ),
    );
});

after(() => h.close());

/** Returns the url of each node in the database of the test, the coordinator first. */
async function nodes(): Promise<string[]> {
  const row = await h.db.read((tx) =>
    tx.row<{ name: string }>('SELECT current_database() AS name'),
  );
  const all = (await nodesOf(process.env.RECOLLECT_TEST_POSTGRES ?? '')) ?? [];
  return all.map((node) => new URL(`/${row?.name ?? ''}`, node).href);
}

const MULTI = 'citus.multi_task_query_log_level';
/** What asks whose work is due. */
const ASKS_WHOSE = /^SELECT DISTINCT merchant_id FROM \(SELECT 0 AS stage, t\.merchant_id/;

/** Whether a statement concerns everybody: it asks who has work, or is one of the daily reconciliation. */
const isOfAll = (sql: string): boolean =>
  ASKS_WHOSE.test(sql) || /server\/src\/laws\//.test(new Error().stack ?? '');

/** Has Citus refuse every statement of more than one task that does not concern everybody; notes what it refused. */
function oneTaskEach(db: Db, several: Set<string>): Db {
  const strict = async (tx: Tx): Promise<Tx> => {
    // A plan for any merchant, which PostgreSQL tries and drops, would be one of several tasks.
    await tx.run(`SET LOCAL plan_cache_mode = 'force_custom_plan'`);
    const noting =
      <R>(said: (sql: string, values?: Parameters<Tx['run']>[1]) => Promise<R>) =>
      async (sql: string, values?: Parameters<Tx['run']>[1]): Promise<R> => {
        await tx.run(`SET LOCAL ${MULTI} = '${isOfAll(sql) ? 'off' : 'error'}'`);
        try {
          return await said(sql, values);
        } catch (error) {
          if (/multi-task query/.test(String(error))) several.add(sql);
          throw error;
        }
      };
    const [rows, row] = [noting(tx.rows) as Tx['rows'], noting(tx.row) as Tx['row']];
    return { ...tx, rows, row, run: noting(tx.run), insert: noting(tx.insert) };
  };
  return {
    ...db,
    read: (work) => db.transaction(async (tx) => work(await strict(tx))),
    transaction: (work, options) =>
      options?.isQueuePeek === true
        ? db.transaction(work, options)
        : db.transaction(async (tx) => work(await strict(tx)), options),
  };
}

const counted = () =>
  h.db.read((tx) =>
    tx.rows<{ status: string; payments: number; attempts: number }>(
      'SELECT status, count(*)::int AS payments, sum(attempts)::int AS attempts FROM payments GROUP BY status',
    ),
  );

test('merchants lie on several shards, and what they have to do is found for all of them at once', async () => {
  const due = await h.db.read((tx) =>
    merchantsDue(
      tx,
      {
        nextDue: async () => null,
        queues: [{ table: 'schedule_agenda', moment: 'due_at', where: 'due_at IS NOT NULL' }],
      },
      Temporal.Instant.from(DUE),
    ),
  );
  assert.deepEqual(due.sort(), merchants.map(({ merchantId }) => merchantId).sort());
});

const BREAK_ALL = `SELECT pg_terminate_backend(pid, 100) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;

test('a node whose connections break while collections are due loses none of them, and repeats none', async () => {
  const [, worker = ''] = await nodes();
  h.clock.at = Temporal.Instant.from(DUE);
  await withClient(worker, async (client) => {
    let isBreaking = true;
    const breaking = (async () => {
      while (isBreaking) await client.query(BREAK_ALL);
    })();
    for (let tries = 0; tries < 5; tries++) await h.service.engine.drain().catch(() => undefined);
    isBreaking = false;
    await breaking;
  });
  await h.runUntil(Temporal.Instant.from(DUE).add({ hours: 1 }));
  assert.deepEqual(await counted(), [
    { status: 'success', payments: MERCHANTS * EACH, attempts: MERCHANTS * EACH },
  ]);
  assert.equal(h.bank.payments.size, MERCHANTS * EACH);
  await assertLaws(h);
});

test('a shard moves to another node while its merchants are collected from', async () => {
  const shards = await h.db.read((tx) =>
    tx.rows<{ shard: number; host: string; port: number }>(
      `SELECT shardid AS shard, nodename AS host, nodeport AS port FROM citus_shards
       WHERE table_name = 'payments'::regclass ORDER BY shardid`,
    ),
  );
  const [shard] = shards;
  const other = shards.find(({ port, host }) => port !== shard?.port || host !== shard?.host);
  assert.ok(shard && other);
  const [coordinator = ''] = await nodes();
  h.clock.at = Temporal.Instant.from('2026-02-10T09:00:00Z');
  await withClient(coordinator, async (client) => {
    const moving = client.query(
      `SELECT citus_move_shard_placement($1, $2, $3, $4, $5, 'block_writes')`,
      [shard.shard, shard.host, shard.port, other.host, other.port],
    );
    await Promise.all([moving, h.service.engine.drain().catch(() => undefined)]);
  });
  await h.runUntil('2026-02-10T10:00:00Z');
  assert.deepEqual(await counted(), [
    { status: 'success', payments: 2 * MERCHANTS * EACH, attempts: 2 * MERCHANTS * EACH },
  ]);
  await assertLaws(h);
});

test('every statement of the engine is one task on one node, from the due date to the pay-out', async () => {
  const several = new Set<string>();
  const strict = h.another({ db: (db) => oneTaskEach(db, several) });
  await h.runUntil('2026-03-10T09:30:00Z', strict);
  await h.runUntil('2026-03-11T07:00:00Z', strict);
  assert.deepEqual([...several], []);
  const rows = await h.db.read((tx) =>
    tx.rows<{ status: string; n: number }>(
      `SELECT status, count(*)::int AS n FROM settlements WHERE settle_date = '2026-03-11' GROUP BY status`,
    ),
  );
  assert.deepEqual(rows, [{ status: 'success', n: MERCHANTS }]);
  await assertLaws(h);
});

/** Returns how many shards of the merchants' tables each node holds. */
const shardsPerNode = async (): Promise<number[]> => {
  const rows = await h.db.read((tx) =>
    tx.rows<{ n: number }>(
      `SELECT count(*)::int AS n FROM citus_shards WHERE table_name = 'payments'::regclass
       GROUP BY nodename, nodeport ORDER BY n`,
    ),
  );
  return rows.map(({ n }) => n);
};

/** Collects what is due at a moment while something is done to the cluster, and then what that kept from being collected. */
async function collectDuring(
  at: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const [coordinator = ''] = await nodes();
  h.clock.at = Temporal.Instant.from(at);
  let isOver = false;
  const working = withClient(coordinator, work).finally(() => {
    isOver = true;
  });
  while (!isOver) await h.service.engine.drain().catch(() => undefined);
  await working;
  await h.runUntil(h.clock.at.add({ hours: 1 }));
}

test('a node is emptied and taken out, and added again and filled, while merchants are collected from', async () => {
  const last = new URL((await nodes()).at(-1) ?? '');
  const node = [last.hostname, Number(last.port)];
  await collectDuring('2026-04-10T08:00:00Z', async (client) => {
    await client.query(`SELECT citus_drain_node($1, $2, 'block_writes')`, node);
    await client.query('SELECT citus_remove_node($1, $2)', node);
  });
  assert.deepEqual(await shardsPerNode(), [4]);
  await collectDuring('2026-05-10T08:00:00Z', async (client) => {
    await client.query('SELECT citus_add_node($1, $2)', node);
    await client.query(`SELECT rebalance_table_shards(shard_transfer_mode => 'block_writes')`);
  });
  assert.deepEqual(await shardsPerNode(), [2, 2]);
  assert.deepEqual(await counted(), [
    { status: 'success', payments: 5 * MERCHANTS * EACH, attempts: 5 * MERCHANTS * EACH },
  ]);
  assert.equal(h.bank.payments.size, 5 * MERCHANTS * EACH);
  await assertLaws(h);
});
