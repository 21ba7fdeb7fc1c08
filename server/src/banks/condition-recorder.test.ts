import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../test-support/database.ts';
import { until } from '../../test-support/until.ts';
import { type Db, openDb } from '../platform/db/db.ts';
import { machineClock, readClocks } from '../platform/time/clock-skew.ts';
import { listChanges } from './condition-history-store.ts';
import { type ConditionRecorder, recordConditions } from './condition-recorder.ts';
import { readConditions } from './condition-store.ts';

let database: TestDatabase;
let db: Db;
let now: Temporal.Instant;
const clock = { now: () => now };
const reported: string[] = [];
const log = { report: (event: string) => void reported.push(event) };

before(async () => {
  database = await testDatabase();
  db = openDb(database.url, 4);
});
beforeEach(async () => {
  now = Temporal.Instant.from('2026-03-02T10:00:00Z');
  reported.length = 0;
  takenUp.length = 0;
  await db.transaction((tx) => tx.run('DELETE FROM bank_conditions'));
  await db.transaction((tx) => tx.run('DELETE FROM bank_condition_changes'));
});
after(async () => {
  await db.close();
  await database.drop();
});

const takenUp: [bankId: string, isWell: boolean][] = [];
const process = (over: Db = db): ConditionRecorder =>
  recordConditions({ db: over, clock, log }, async (_work, bankId, isWell) => {
    takenUp.push([bankId, isWell]);
  });
const conditionOf = (bankId: string): Promise<string> =>
  db.read(async (tx) => (await readConditions(tx, now))(bankId).condition);

test('what several processes saw is one condition, and processes that store at once lose nothing', async () => {
  const processes = Array.from({ length: 3 }, () => process());
  for (const one of processes)
    for (const bank of ['elm', 'oak']) {
      one.note(bank, 'payment', false);
      one.note(bank, 'read', true);
    }
  await processes[0]?.store(); // the rows are there
  await Promise.all(processes.map((one) => one.store()));
  assert.deepEqual(reported, ['bank.down', 'bank.down'], 'one line for each bank');
  assert.deepEqual([await conditionOf('elm'), await conditionOf('oak')], ['down', 'down']);
  processes[1]?.note('elm', 'payment', true);
  for (const one of processes) await one.close();
  assert.deepEqual(reported.slice(2), ['bank.answers_again']);
});

test('what waited for a bank is taken up when it answers once, and when it is well', async () => {
  const one = process();
  const call = async (...answers: boolean[]): Promise<void> => {
    for (const answered of answers) one.note('elm', 'payment', answered);
    await one.store();
  };
  await call(true, false, false, false);
  assert.deepEqual(takenUp, []);
  await call(true);
  assert.deepEqual(takenUp, [['elm', false]]);
  await call(true, true, true);
  assert.deepEqual(takenUp, [['elm', false]]);
  await call(true);
  await call(true);
  assert.deepEqual(takenUp.slice(1), [['elm', true]]);
});

test('each change of a bank is recorded with the calls that made it, an outage from its first failure on', async () => {
  const one = process();
  const start = now;
  const call = async (afterSeconds: number, ...answers: boolean[]): Promise<void> => {
    now = start.add({ seconds: afterSeconds });
    for (const answered of answers) one.note('elm', 'payment', answered);
    one.note('oak', 'read', true);
    await one.store();
  };
  const recorded = async (sinceSeconds: number) => {
    const since = start.add({ seconds: sinceSeconds });
    const changes = await db.read((tx) => listChanges(tx, ['elm', 'fir'], since));
    assert.deepEqual([...changes.keys()], ['elm'], 'no other bank, and none that never was called');
    return changes.get('elm')?.map(({ at, condition }) => [at.since(start).seconds, condition]);
  };
  await call(0, true);
  await call(10, false);
  await call(20, false);
  assert.deepEqual(await recorded(0), [
    [0, 'operational'],
    [20, 'degraded'],
  ]);
  await call(30, false);
  await call(40, false);
  assert.deepEqual(await recorded(0), [
    [0, 'operational'],
    [10, 'down'],
  ]);
  await call(50, true, true, true, true, true);
  assert.deepEqual(await recorded(30), [
    [10, 'down'],
    [50, 'operational'],
  ]);
  await one.close();
});

test('a failure is stored within a moment, on its own', async () => {
  const one = process();
  for (let count = 0; count < 3; count++) one.note('elm', 'funds', false);
  await until('the bank is down', async () => (await conditionOf('elm')) === 'down');
  await one.close();
});

test('what fails while the clock of this machine is wrong says nothing of the bank', async () => {
  const one = process();
  const fail = async (): Promise<void> => {
    for (let count = 0; count < 3; count++) one.note('elm', 'token', false);
    await one.store();
  };
  const read = readClocks();
  machineClock.note(read, read.wallMs - 60_000, read);
  await fail();
  assert.equal(await conditionOf('elm'), 'operational');
  machineClock.note(read, read.wallMs, read);
  await fail();
  assert.equal(await conditionOf('elm'), 'down');
});

test('without a database the calls are kept, the log hears of it once, and they are stored later', async () => {
  let isAway = true;
  const over: Db = {
    ...db,
    transaction: (work, options) =>
      isAway ? Promise.reject(new Error('away')) : db.transaction(work, options),
  };
  const one = process(over);
  for (let count = 0; count < 3; count++) {
    one.note('elm', 'token', false);
    await one.store();
  }
  assert.deepEqual(reported, ['bank.condition_not_stored']);
  assert.equal(await conditionOf('elm'), 'operational');
  isAway = false;
  await one.close();
  assert.equal(await conditionOf('elm'), 'down');
  assert.deepEqual(reported.slice(1), ['bank.down']);
});
