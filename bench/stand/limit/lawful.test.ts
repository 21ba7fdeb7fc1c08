import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { openDb } from '../../../server/src/platform/db.ts';
import { testDatabase } from '../../../server/test-support/database.ts';
import { asOwner } from '../../../server/test-support/owner.ts';
import { BATCH, pgbench } from '../pgbench.ts';
import { AMOUNT_PENCE } from '../seed.ts';
import { createLawfulTables, LAWFUL, seedLawful } from './lawful.ts';

/** Comes with PostgreSQL's own packages; where it is not installed, there is nothing to test. */
const hasPgbench = spawnSync('pgbench', ['--version']).status === 0;

async function collects(): Promise<void> {
  const database = await testDatabase();
  const db = openDb(database.url, 1);
  try {
    const count = 2 * BATCH;
    await createLawfulTables({ db });
    await seedLawful({ db }, count);
    await pgbench(database, LAWFUL, { clients: 1, runs: 2 });
    const row = await asOwner(db, (tx) =>
      tx.row(
        `SELECT (SELECT count(*) FROM lawful.payments WHERE status = 'success') AS payments,
           (SELECT count(*) FROM lawful.attempts WHERE status = 'success' AND sent_at IS NOT NULL) AS attempts,
           (SELECT count(*) FROM lawful.work) AS work,
           (SELECT count(*) FROM lawful.to_settle) AS to_settle,
           (SELECT count(*) FROM lawful.transfers) AS transfers,
           (SELECT count(*) FROM lawful.state_changes) AS changes,
           (SELECT count(*) FROM lawful.events WHERE sequence = 1) AS events,
           (SELECT count(*) FROM lawful.agenda WHERE due_at > now() AND next_occurrence = 1) AS moved_on,
           (SELECT sum(balance_pence)::bigint FROM lawful.accounts) AS all_pence,
           (SELECT balance_pence FROM lawful.accounts JOIN lawful.merchants ON account_id = wallet_id) AS merchant_pence`,
      ),
    );
    assert.deepEqual(row, {
      payments: count,
      attempts: count,
      work: 0,
      to_settle: count,
      transfers: 2 * count,
      changes: 3 * count,
      events: count,
      moved_on: count,
      all_pence: 0,
      merchant_pence: count * AMOUNT_PENCE,
    });
  } finally {
    await db.close();
    await database.drop();
  }
}

if (hasPgbench) test('the ideal that keeps the laws makes whole collections', collects);
