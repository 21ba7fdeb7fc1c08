import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test-support/database.ts';
import { asOwner } from '../../../test-support/owner.ts';
import { type Db, openDb } from '../db/db.ts';
import { findPerson, type How, recordLetIn } from './let-in-store.ts';
import { isNewcomer, shellId } from './pair.ts';

let database: TestDatabase;
let db: Db;

before(async () => {
  database = await testDatabase();
  db = openDb(database.url, 4);
});

after(async () => {
  await db.close();
  await database.drop();
});

const AT = Temporal.Instant.from('2026-11-28T12:00:00Z');
const MERCHANT = 'mer_0000000000000000000001';

const letIn = (personId: string, byId: string, more: object = {}): Promise<void> =>
  db.transaction((tx) =>
    recordLetIn(tx, { personId, byId, how: 'invited' as How, merchantId: null, at: AT, ...more }),
  );
const personOf = (id: string, merchantId: string | null = null) =>
  db.read((tx) => findPerson(tx, { id, name: id }, merchantId));

test('a person was let in by everybody above them, also where two let each other in', async () => {
  await letIn('usr_b', 'usr_a');
  await letIn('usr_c', 'usr_b');
  await letIn('usr_a', 'usr_c', { how: 'reset' });
  const { letInBy } = await personOf('usr_c');
  assert.deepEqual([...letInBy], ['usr_a', 'usr_b']);
});

test('somebody is a newcomer for 72 hours from the last way in that another gave them', async () => {
  await letIn('usr_d', 'usr_a');
  await letIn('usr_d', 'usr_a', { how: 'reset', at: AT.add({ hours: 10 }) });
  const person = await personOf('usr_d');
  assert.equal(isNewcomer(person, AT.add({ hours: 81 })), true);
  assert.equal(isNewcomer(person, AT.add({ hours: 82 })), false);
});

test('an invitation makes a newcomer on that team alone, a reset on every one', async () => {
  await letIn('usr_e', 'usr_a', { merchantId: MERCHANT });
  assert.notEqual((await personOf('usr_e', MERCHANT)).newcomerUntil, null);
  assert.equal((await personOf('usr_e', 'mer_0000000000000000000002')).newcomerUntil, null);
  await letIn('usr_e', 'usr_a', { how: 'reset' });
  assert.notEqual((await personOf('usr_e', 'mer_0000000000000000000002')).newcomerUntil, null);
});

test('who is trusted from the start is no newcomer, and was still let in', async () => {
  await letIn('opr_b', shellId('Robin'), { how: 'made', isTrusted: true });
  const { newcomerUntil, letInBy, authenticated } = await personOf('opr_b');
  assert.deepEqual([newcomerUntil, [...letInBy], authenticated], [null, ['shell:Robin'], true]);
  assert.equal((await personOf('shell:Robin')).authenticated, false);
});

test('what people do to their own way in lets nobody in', async () => {
  await letIn('usr_f', 'usr_f', { how: 'password' });
  assert.equal((await personOf('usr_f')).newcomerUntil, null);
});

test('a merchant learns nothing of who is not on its team', async () => {
  const ask = db.forMerchant(MERCHANT, (tx) => findPerson(tx, { id: 'usr_c', name: '' }, MERCHANT));
  await assert.rejects(ask, /may know/);
  const rows = await db.forMerchant(MERCHANT, (tx) => tx.rows('SELECT person_id FROM let_ins'));
  assert.deepEqual(rows, [{ personId: 'usr_e' }]);
});

test('what is recorded of people never moves on a live database', async () => {
  await asOwner(db, (tx) => tx.run(`UPDATE let_ins SET at = at`)); // there is a right to refuse
  await assert.rejects(
    db.transaction((tx) => tx.run('UPDATE let_ins SET at = now()')),
    { code: '42501' },
  );
});
