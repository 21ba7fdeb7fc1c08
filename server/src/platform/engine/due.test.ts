import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test-support/database.ts';
import { asOwner } from '../../../test-support/owner.ts';
import { Shards } from '../cluster/shards.ts';
import { type Db, openDb, type Tx } from '../db/db.ts';
import { dueBy, type HasWork, isByMerchant, merchantsDue, stagesDue } from './due.ts';

let database: TestDatabase;
let db: Db;

before(async () => {
  database = await testDatabase();
  db = openDb(database.url, 2);
  await asOwner(db, async (tx) => {
    await tx.run(
      `CREATE TABLE jobs (merchant_id text, lane text, due_at timestamptz, made_at timestamptz)`,
    );
    await tx.run('GRANT ALL ON jobs TO recollect_engine');
    await tx.run(
      `INSERT INTO jobs VALUES ('a', 'x', '2026-03-02T10:00Z', '2026-03-01T00:00Z'),
       ('a', 'y', '2026-03-02T09:00Z', NULL), ('b', 'x', '2026-03-02T11:00Z', '2026-02-20T00:00Z'), ('c', 'x', NULL, NULL)`,
    );
  });
});

after(async () => {
  await db.close();
  await database.drop();
});

const at = (text: string): Temporal.Instant => Temporal.Instant.from(text);
const DUE = { table: 'jobs', moment: 'due_at', where: 'due_at IS NOT NULL' };
const MADE = { table: 'jobs', moment: 'made_at', where: 'made_at IS NOT NULL' };
const STAGES: HasWork[] = [
  dueBy(DUE),
  dueBy({ ...DUE, moment: 't.due_at', lane: 'lane' }),
  dueBy({ ...MADE, after: '10 days' }),
  dueBy(DUE, { ...MADE, after: '1 hour' }),
  dueBy({ ...MADE, after: '1 day', clock: 'real' }),
  dueBy({ ...MADE, after: '100 years', clock: 'real' }),
];

const shown = (due: Map<HasWork, Temporal.Instant>): (string | null)[] =>
  STAGES.map((stage) => due.get(stage)?.toString() ?? null);

test('a stage has work at the earliest moment of its queues, later by what each waits, and by the clock of each', async () => {
  const { due } = await db.read((tx) => stagesDue(tx, STAGES, null));
  assert.deepEqual(shown(due), [
    '2026-03-02T09:00:00Z',
    '2026-03-02T09:00:00Z',
    '2026-03-02T00:00:00Z',
    '2026-02-20T01:00:00Z',
    '1970-01-01T00:00:00Z',
    null,
  ]);
});

/** A transaction of a cluster, as far as asking what is due goes. */
const onCluster = (tx: Tx): Tx => ({ ...tx, shards: new Shards() });

test('a cluster is asked the same of every table, without its lanes', async () => {
  const alone = await db.read((tx) => stagesDue(tx, STAGES, null));
  const together = await db.read((tx) => stagesDue(onCluster(tx), STAGES, null));
  assert.deepEqual(shown(together.due), shown(alone.due));
});

test('whose work is due until a moment is found in all queues of a stage', async () => {
  const of = (stage: number, now: string) =>
    db.read(async (tx) => (await merchantsDue(tx, STAGES[stage] as HasWork, at(now))).sort());
  assert.deepEqual(await of(0, '2026-03-02T08:59Z'), []);
  assert.deepEqual(await of(0, '2026-03-02T10:30Z'), ['a']);
  assert.deepEqual(await of(0, '2026-03-02T11:00Z'), ['a', 'b']);
  assert.deepEqual(await of(2, '2026-03-02T00:00Z'), ['b']);
  assert.deepEqual(await of(3, '2026-02-20T01:00Z'), ['b']);
  assert.deepEqual(await of(4, '2026-01-01T00:00Z'), ['a', 'b']);
  assert.deepEqual(await of(5, '2026-01-01T00:00Z'), []);
});

test('a stage is done by merchant if all of its tables belong to merchants', () => {
  const of = (table: string): HasWork['queues'] => dueBy({ ...DUE, table }).queues;
  const isBy = (...tables: string[]): boolean =>
    isByMerchant({ nextDue: async () => null, queues: tables.flatMap((table) => of(table) ?? []) });
  assert.ok(isBy('payments') && isBy('settlements', 'to_settle'));
  assert.ok(!isBy('inbox') && !isBy('payments', 'inbox') && !isBy());
});
