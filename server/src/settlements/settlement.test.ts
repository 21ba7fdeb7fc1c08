import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeIds } from '../platform/ids.ts';
import { askAgainAt, payOutKey, statementReference } from './settlement.ts';

const NOW = Temporal.Instant.from('2026-03-02T10:00:00Z');

test('the reference on the statement is 18 characters, and of one settlement only', () => {
  const ids = makeIds();
  const references = Array.from({ length: 1000 }, () => statementReference(ids.next('set', NOW)));
  for (const reference of references) assert.match(reference, /^[0-9A-Za-z]{18}$/);
  assert.equal(new Set(references).size, 1000);
});

test('each try at a pay-out has a key of its own, the same whenever it is asked for', () => {
  assert.equal(payOutKey('set_a', 1), payOutKey('set_a', 1));
  assert.notEqual(payOutKey('set_a', 1), payOutKey('set_a', 2));
  assert.notEqual(payOutKey('set_a', 1), payOutKey('set_b', 1));
});

test('the issuer is asked ever less often, and never less than every half hour', () => {
  const waits = [0, 1, 2, 3, 4, 5, 6, 1000].map((polls) =>
    askAgainAt(NOW, polls).since(NOW).total('seconds'),
  );
  assert.deepEqual(waits, [5, 5, 15, 60, 300, 1800, 1800, 1800]);
});
