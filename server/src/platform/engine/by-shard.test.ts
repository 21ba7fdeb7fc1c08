import assert from 'node:assert/strict';
import { test } from 'node:test';
import { db, NOW, pile } from '../../../test-support/slices/stages.ts';
import { byShard, forGroup, groupInWork, inGroups, Shards } from '../cluster/shards.ts';
import { coalesce } from '../db/coalesce.ts';
import type { Db, Tx } from '../db/db.ts';
import { runByShard } from './by-shard.ts';
import { dueBy } from './due.ts';

/** A cluster whose merchants lie on the shard of their first letter; it says which of them have work. */
function cluster(due: string[]): Db {
  const tx = {
    shards: new Shards(),
    rows: async (sql: string, [ids]: [string[]]) =>
      sql.includes('get_shard_id')
        ? ids.map((id) => ({ id, shard: id.slice(0, 1) }))
        : due.map((merchantId) => ({ merchantId })),
  } as unknown as Tx;
  return { ...db, isOnCluster: async () => true, read: (work) => work(tx) };
}

const QUEUE = dueBy({ table: 'payments', moment: 'due_at', where: 'true' });

test('on a single PostgreSQL a stage runs once, for everybody, and nobody is asked whose work it is', async () => {
  const stage = pile(7, QUEUE);
  assert.equal(await runByShard(db, stage, NOW), 7);
  assert.equal(stage.runs, 1);
});

test('on a cluster a stage runs for the merchants of each shard that have work, or were handed some', async () => {
  const groups: (readonly string[] | undefined)[] = [];
  const stage = pile(0, {
    ...QUEUE,
    handed: { isEmpty: false, hasConsumer: true, merchantIds: () => ['b1', 'c1'] },
    run: async () => groups.push(groupInWork()),
  });
  assert.equal(await runByShard(cluster(['a1', 'b1', 'a2']), stage, NOW), 1 + 2 + 3);
  assert.deepEqual(groups, [['a1', 'a2'], ['b1'], ['c1']]);
});

test('a shard whose node is away holds up its own merchants only, and the error is not lost', async () => {
  const groups: (readonly string[] | undefined)[] = [];
  const stage = pile(0, {
    ...QUEUE,
    run: async () => {
      if (groupInWork()?.includes('a1')) throw new Error('the node is away');
      return groups.push(groupInWork());
    },
  });
  const run = runByShard(cluster(['a1', 'b1']), stage, NOW);
  await assert.rejects(run, { message: 'the node is away' });
  assert.deepEqual(groups, [['b1']]);
});

test('a stage over tables of the deployment runs once on a cluster, too', async () => {
  const inbox = dueBy({ table: 'inbox', moment: 'due_at', where: 'true' });
  assert.equal(await runByShard(cluster(['a1', 'b1']), pile(3, inbox), NOW), 3);
});

test('rows of several merchants are split by shard; what belongs to nobody is a part of its own', async () => {
  const parts = await cluster([]).read((tx) =>
    byShard(tx, ['a1', 'b1', '', 'a2'], (id) => (id === '' ? null : id)),
  );
  assert.deepEqual(parts, [['a1', 'a2'], ['b1'], ['']]);
});

test('work that finds its rows by something else is done for each group of the merchants whose they may be', async () => {
  const merchantsOf = async () => ['a1', 'b1', 'a2'];
  const work = async () => [groupInWork()];
  const found = await cluster([]).read((tx) => inGroups(tx, merchantsOf, work));
  assert.deepEqual(found, [['a1', 'a2'], ['b1']]);
  const within = await forGroup(['c1'], () =>
    cluster([]).read((tx) => inGroups(tx, merchantsOf, work)),
  );
  assert.deepEqual(within, [['c1']]);
});

test('what is done for different groups is not recorded together', async () => {
  const batches: number[][] = [];
  const record = coalesce<number>(9, String, async (items) => void batches.push([...items]));
  const both = [1, 2].map((n) => record(n));
  const group = forGroup(['a1'], async () => Promise.all([3, 4].map((n) => record(n))));
  await Promise.all([...both, group]);
  assert.deepEqual(
    batches.map((batch) => batch.join()),
    ['1,2', '3,4'],
  );
});
