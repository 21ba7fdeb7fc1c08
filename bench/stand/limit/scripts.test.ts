import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { type Db, openDb } from '../../../server/src/platform/db/db.ts';
import { testDatabase } from '../../../server/test-support/database.ts';
import { asOwner } from '../../../server/test-support/owner.ts';
import { platformOver } from '../instant-service.ts';
import { BATCH, pgbench } from '../pgbench.ts';
import { AMOUNT_PENCE, seedMerchant, seedSchedules } from '../seed.ts';
import { CONSTRAINED_STATEMENTS, createConstrainedTables, seedConstrained } from './lawful.ts';
import { SAME_ROWS_STATEMENTS } from './same.ts';

/** Comes with PostgreSQL's own packages; where it is not installed, there is nothing to test. */
const hasPgbench = spawnSync('pgbench', ['--version']).status === 0;

const COUNT = 2 * BATCH;

/** What the collections of a script leave: SQL that counts each. */
async function collected(
  prepare: (db: Db) => Promise<void>,
  script: readonly string[],
  counts: Readonly<Record<string, string>>,
): Promise<object | null> {
  const database = await testDatabase();
  const db = openDb(database.url, 1);
  try {
    await prepare(db);
    await pgbench(database, script, { clients: 1, runs: COUNT / BATCH });
    const list = Object.entries(counts).map(([what, from]) => `(SELECT ${from}) AS ${what}`);
    return await asOwner(db, (tx) => tx.row(`SELECT ${list.join()}`));
  } finally {
    await db.close();
    await database.drop();
  }
}

const WHOLE = {
  payments: COUNT,
  attempts: COUNT,
  work: 0,
  toSettle: COUNT,
  transfers: 2 * COUNT,
  changes: 3 * COUNT,
  events: COUNT,
  untold: COUNT,
  movedOn: COUNT,
  allPence: 0,
  merchantPence: COUNT * AMOUNT_PENCE,
};

async function lawful(): Promise<void> {
  const prepare = async (db: Db): Promise<void> => {
    await createConstrainedTables({ db });
    await seedConstrained({ db }, COUNT);
  };
  const left = await collected(prepare, CONSTRAINED_STATEMENTS, {
    payments: "count(*) FROM lawful.payments WHERE status = 'success'",
    attempts: "count(*) FROM lawful.attempts WHERE status = 'success' AND sent_at IS NOT NULL",
    work: 'count(*) FROM lawful.work',
    to_settle: 'count(*) FROM lawful.to_settle',
    transfers: 'count(*) FROM lawful.transfers',
    changes: 'count(*) FROM lawful.state_changes',
    events: 'count(*) FROM lawful.events WHERE sequence = 1',
    untold: 'count(*) FROM lawful.events_without_endpoint',
    moved_on: 'count(*) FROM lawful.agenda WHERE due_at > now() AND next_occurrence = 1',
    all_pence: 'sum(balance_pence)::bigint FROM lawful.accounts',
    merchant_pence:
      'balance_pence FROM lawful.accounts JOIN lawful.merchants ON account_id = wallet_id',
  });
  assert.deepEqual(left, WHOLE);
}

async function same(): Promise<void> {
  const prepare = async (db: Db): Promise<void> => {
    await asOwner(db, (tx) => tx.run('CREATE SEQUENCE bench_ids'));
    const platform = platformOver(db);
    await seedSchedules(platform, await seedMerchant(platform), COUNT, platform.clock.now());
  };
  const left = await collected(prepare, SAME_ROWS_STATEMENTS, {
    payments: "count(*) FROM payments WHERE status = 'success'",
    attempts: "count(*) FROM attempts WHERE status = 'success' AND sent_at IS NOT NULL",
    work: 'count(*) FROM payment_work',
    to_settle: 'count(*) FROM to_settle',
    transfers: 'count(*) FROM transfers',
    changes: "count(*) FROM state_changes WHERE object_id LIKE 'pay%'",
    events: 'count(*) FROM events WHERE sequence = 1',
    untold: 'count(*) FROM events_without_endpoint',
    moved_on: 'count(*) FROM schedule_agenda WHERE due_at > now() AND next_occurrence = 1',
    all_pence: 'sum(balance_pence)::bigint FROM accounts',
    merchant_pence:
      'balance_pence FROM accounts JOIN wallets ON account_id = wallet_id AND customer_id IS NULL',
  });
  assert.deepEqual(left, WHOLE);
}

if (hasPgbench) {
  test('the ideal that keeps the laws makes whole collections', lawful);
  test('the same transitions by pgbench make whole collections', same);
}
