import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test-support/database.ts';
import { type Db, openDb } from '../db/db.ts';
import type { Log } from '../log/log.ts';
import { keyChecks } from '../vault/deployment.ts';
import { forgetKey, writeStamp } from '../vault/deployment-store.ts';
import { makeVault } from '../vault/vault.ts';
import { makeSealKeeper, type SealKeeper } from './seal-keeper.ts';
import { listSeals } from './store.ts';

const INDEX = Buffer.alloc(32, 3);
const RING = new Map([
  ['k1', Buffer.alloc(32, 1)],
  ['k2', Buffer.alloc(32, 2)],
]);
const STAMPED = keyChecks({ encryption: RING, blindIndex: INDEX, signing: new Map() });

let database: TestDatabase;
let db: Db;
let other: Db;

before(async () => {
  database = await testDatabase();
  db = openDb(database.url, 2);
  other = openDb(database.url, 2);
  await db.transaction((tx) => writeStamp(tx, 'sandbox', STAMPED));
});
after(async () => {
  await other.close();
  await db.close();
  await database.drop();
});

/** A process: a vault of its own that seals as often as it is told, and what it reports. */
function processOn(over: Db, first: 'k1' | 'k2') {
  const ring = first === 'k1' ? RING : new Map([...RING].reverse());
  const vault = makeVault(ring, INDEX);
  const reported: string[] = [];
  const report: Log['report'] = (code) => void reported.push(code);
  const keeper: SealKeeper = makeSealKeeper({ db: over, vault, log: { report } });
  const seal = (times: number): void => {
    for (let n = 0; n < times; n++) vault.seal(`${n}`, 'c');
  };
  return { keeper, seal, reported };
}

const stored = async (): Promise<Record<string, number>> =>
  Object.fromEntries((await db.read(listSeals)).map(({ keyId, seals }) => [keyId, seals]));

test('what two processes seal adds up for each key, also where they store it at once', async () => {
  assert.deepEqual(await stored(), { k1: 0, k2: 0 }, 'a key that sealed nothing is known');
  const one = processOn(db, 'k1');
  const two = processOn(other, 'k1');
  const rotated = processOn(other, 'k2');
  for (let round = 0; round < 5; round++) {
    one.seal(3);
    two.seal(4);
    rotated.seal(1);
    await Promise.all([one.keeper.store(), two.keeper.store(), rotated.keeper.store()]);
  }
  await one.keeper.store();
  assert.deepEqual(await stored(), { k1: 35, k2: 5 }, 'and nothing is stored twice');
});

test('what could not be stored is stored later, and an outage is reported once', async () => {
  const from = (await stored()).k1 ?? 0;
  let isAway = true;
  const away: Db = {
    ...db,
    transaction: (work, options) =>
      isAway ? Promise.reject(new Error('away')) : db.transaction(work, options),
  };
  const { keeper, seal, reported } = processOn(away, 'k1');
  seal(2);
  await keeper.store();
  seal(1);
  await keeper.store();
  assert.deepEqual(reported, ['vault.seals_not_stored']);
  isAway = false;
  await keeper.store();
  assert.equal((await stored()).k1, from + 3);
  isAway = true;
  seal(1);
  await keeper.store();
  assert.equal(reported.length, 2, 'another outage is another line');
});

test('a process that stops stores what it sealed last', async () => {
  const from = (await stored()).k1 ?? 0;
  const { keeper, seal } = processOn(db, 'k1');
  keeper.start();
  seal(6);
  await keeper.close();
  assert.equal((await stored()).k1, from + 6);
});

test('a retired key is counted on where it comes back, and is not listed meanwhile', async () => {
  const { k2 } = await stored();
  await db.transaction((tx) => forgetKey(tx, 'k2'));
  assert.deepEqual(Object.keys(await stored()), ['k1']);
  await db.transaction((tx) => writeStamp(tx, 'sandbox', STAMPED));
  assert.equal((await stored()).k2, k2);
});
