import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeIds } from '../platform/values/ids.ts';
import { nextPollAt } from '../wallets/orders.ts';
import { payOutKey, statementReference } from './settlement.ts';

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

test('the issuer is asked ever less often, and never much less than every half hour', () => {
  for (const [polls, seconds] of [5, 5, 15, 60, 300, 1800, 1800].entries()) {
    const wait = nextPollAt(NOW, polls, 'set_a').since(NOW).total('seconds');
    assert.ok(wait >= seconds && wait <= seconds * 1.25, `${polls}: ${wait}`);
  }
});

test('pay-outs that one outage stopped are not all asked about at the same moment', () => {
  const waits = Array.from({ length: 50 }, (_, n) =>
    nextPollAt(NOW, 5, `set_${n}`).since(NOW).total('milliseconds'),
  );
  assert.ok(new Set(waits).size > 25, `${new Set(waits).size} moments`);
});
