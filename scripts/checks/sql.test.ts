import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sqlRule } from './sql.ts';

const breaks = (path: string, text: string): number => sqlRule.check([{ path, text }]).length;

test('the SQL of a slice stands in its stores', () => {
  const sql = "tx.run('UPDATE payments SET due_at = $1')";
  for (const file of [
    'payments/service.ts',
    'payments/stages/track.ts',
    'wallets/ledger.ts',
    'restore.ts',
  ])
    assert.equal(breaks(`server/src/${file}`, sql), 1, file);
  for (const file of [
    'payments/store.ts',
    'payments/books/evidence-store.ts',
    'wallets/ledger-store.ts',
  ])
    assert.equal(breaks(`server/src/${file}`, sql), 0, file);
});

test('the platform speaks SQL for all slices, and a law is a query', () => {
  const sql = "tx.rows('SELECT payment_id FROM payments')";
  assert.equal(breaks('server/src/platform/engine/claim.ts', sql), 0);
  assert.equal(breaks('server/src/laws/invariants/laws.ts', sql), 0);
});
