import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statesRule } from './states.ts';

/** Returns how many violations the rule finds in this file with this text. */
const breaks = (path: string, text: string): number =>
  statesRule.check([{ path: `server/src/${path}`, text }]).length;

test('a status is written nowhere but by its mover', () => {
  for (const sql of [
    "UPDATE payments SET status = 'failed' WHERE payment_id = $1",
    "UPDATE payments p SET due_at = $1,\n stage = 'track'\n FROM x",
    'UPDATE attempts a SET finished_at = $1, status = $2 FROM unnest($3) AS n',
    "INSERT INTO deliveries (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET status = 'pending'",
    "INSERT INTO wallets (status) VALUES ('open')",
  ])
    assert.ok(breaks('laws/law-store.ts', `tx.run(\`${sql}\`)`) > 0, sql);
  assert.ok(
    breaks(
      'payments/stages/submit.ts',
      `claim(tx, { set: \`status = 'processing', polls = 1\` })`,
    ) > 0,
  );
  assert.ok(breaks('payments/books/payment-store.ts', "`UPDATE payments SET stage = 'track'`") > 0);
});

test('rows are moved along a table of edges by one file for each noun', () => {
  const text =
    "import { along } from '../platform/state-machine.ts';\nalong(PAYMENTS, ['failed'], 'pending');";
  assert.equal(breaks('payments/service.ts', text), 1);
  assert.equal(breaks('payments/books/payment-store.ts', text), 0);
  assert.equal(
    breaks('laws/invariants/laws.ts', "import { moveRows } from '../platform/move-rows.ts';"),
    1,
  );
});

test('conditions on a status, and other columns, are left alone', () => {
  for (const sql of [
    "UPDATE payments SET due_at = $1 WHERE status = 'pending' AND stage = 'submit'",
    "UPDATE payments p SET polls = CASE WHEN p.stage = 'track' THEN 1 ELSE 0 END FROM x",
    'UPDATE attempts SET bank_status = $1, response_status = $2 WHERE number = 1',
    "SELECT status = 'open' AS is_open FROM wallets",
    'INSERT INTO delivery_attempts SELECT * FROM changed',
  ])
    assert.equal(breaks('payments/books/queue-store.ts', `tx.run(\`${sql}\`)`), 0, sql);
});
