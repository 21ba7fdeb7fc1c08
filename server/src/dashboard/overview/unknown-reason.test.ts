import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unknownReason } from './unknown-reason.ts';

test('a reason names nobody else', () => {
  const detail =
    'something is broken\nunknown: mer_a wal_1: it changes; mer_b wal_2: it changes; mer_b x';
  assert.equal(
    unknownReason(detail, 'mer_a'),
    'mer_a wal_1: it changes; a wallet of another merchant',
  );
});

test('what concerns everybody is said as it is', () => {
  const why = 'the issuer does not answer';
  assert.equal(unknownReason(`unknown: ${why}`, 'mer_a'), why);
  assert.equal(unknownReason(null, 'mer_a'), 'not known');
});
