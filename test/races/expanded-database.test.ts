import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertLaws } from '../../server/test-support/books.ts';
import { oneForAll } from '../../server/test-support/opened.ts';
import { asOwner } from '../../server/test-support/owner.ts';
import { allDue } from './acts.ts';

const { h } = oneForAll();
const PAYMENTS = 6;

/** What the migrations of the next version might add. */
const NEXT = [
  'ALTER TABLE payments ADD COLUMN next_note text',
  'ALTER TABLE payment_work ADD COLUMN next_count int NOT NULL DEFAULT 0',
  'ALTER TABLE attempts ADD COLUMN next_note text',
  'ALTER TABLE schedules ADD COLUMN next_count int NOT NULL DEFAULT 0',
  'ALTER TABLE schedule_terms ADD COLUMN next_note text',
  'ALTER TABLE consents ADD COLUMN next_note text',
  'ALTER TABLE wallets ADD COLUMN next_note text',
  'CREATE TABLE next_notes (merchant_id text NOT NULL REFERENCES merchants, note text)',
  'CREATE INDEX payments_by_next_note ON payments (merchant_id, next_note) WHERE next_note IS NOT NULL',
];

async function successes(): Promise<number> {
  const rows = await h.db.read((tx) =>
    tx.rows<{ attempts: number }>(`SELECT attempts FROM payments WHERE status = 'success'`),
  );
  assert.ok(rows.every(({ attempts }) => attempts === 1));
  return rows.length;
}

test('a version collects on a database that the next one expands while it runs, with what it had prepared', async () => {
  await allDue(h, PAYMENTS);
  await h.runUntil(h.clock.at);
  assert.equal(await successes(), PAYMENTS);
  await allDue(h, PAYMENTS);
  const working = [h.service.engine, h.another().engine].map((engine) => engine.drain());
  for (const statement of NEXT) await asOwner(h.db, (tx) => tx.run(statement));
  await Promise.all(working);
  await h.runUntil(h.clock.at);
  assert.equal(await successes(), 2 * PAYMENTS);
  await allDue(h, PAYMENTS);
  await h.runUntil(h.clock.at);
  assert.equal(await successes(), 3 * PAYMENTS);
  await assertLaws(h);
});
