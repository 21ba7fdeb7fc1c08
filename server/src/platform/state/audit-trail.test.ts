import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test-support/database.ts';
import { type Db, openDb } from '../db/db.ts';
import { recordChanges, type StateChange } from './audit-trail.ts';

const AT = Temporal.Instant.from('2026-03-02T10:00:00Z');
const CHANGE: StateChange = {
  merchantId: 'mer_a',
  objectId: 'pay_1',
  scheduleId: 'sch_1',
  from: 'pending',
  to: 'processing',
  reason: 'sent to the bank',
};

let database: TestDatabase;
let db: Db;

before(async () => {
  database = await testDatabase();
  db = openDb(database.url, 2);
});

after(async () => {
  await db.close();
  await database.drop();
});

test('changes are written as they were, in their order', async () => {
  const first: StateChange = {
    ...CHANGE,
    objectId: 'set_1',
    scheduleId: null,
    from: null,
    to: 'pending',
  };
  await db.transaction((tx) => recordChanges(tx, AT, [first, CHANGE]));
  const rows = await db.read((tx) =>
    tx.rows(
      `SELECT merchant_id, object_id, schedule_id, from_state, to_state, reason, at
       FROM state_changes ORDER BY change_id`,
    ),
  );
  const common = { merchantId: 'mer_a', reason: 'sent to the bank', at: AT };
  assert.deepEqual(rows, [
    { ...common, objectId: 'set_1', scheduleId: null, fromState: null, toState: 'pending' },
    {
      ...common,
      objectId: 'pay_1',
      scheduleId: 'sch_1',
      fromState: 'pending',
      toState: 'processing',
    },
  ]);
});

test('what was written is never changed nor removed', async () => {
  await db.transaction((tx) => recordChanges(tx, AT, [CHANGE]));
  for (const sql of [`UPDATE state_changes SET reason = 'x'`, 'DELETE FROM state_changes'])
    await assert.rejects(
      db.transaction((tx) => tx.run(sql)),
      { code: '42501' },
    );
});

test('no changes are no statement', async () => {
  const { fail } = assert;
  await recordChanges(
    {
      rows: fail,
      row: fail,
      run: fail,
      insert: fail,
      unawaited: () => fail(),
      afterCommit: () => fail(),
    },
    AT,
    [],
  );
});
