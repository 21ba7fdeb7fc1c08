import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publicReason } from './unknown-reason.ts';

test('a reason names no merchant', () => {
  const reason = publicReason('mer_a wal_1: it changes; mer_b wal_2: it changes; mer_b x');
  assert.equal(reason, 'a wallet of a merchant');
});

test('what concerns everybody is shown as it is', () => {
  const why = 'the issuer does not answer';
  assert.equal(publicReason(why), why);
  assert.equal(publicReason(`mer_a wal_1: it changes; ${why}`), `a wallet of a merchant; ${why}`);
  assert.equal(publicReason(''), 'not known');
});
