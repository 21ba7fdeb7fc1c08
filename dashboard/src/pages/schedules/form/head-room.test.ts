import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestedLimit } from './head-room.ts';

test('a suggested limit is a round amount with room for a fifth, and no more than a payment takes', () => {
  assert.equal(suggestedLimit(3499), 4500);
  assert.equal(suggestedLimit(4150), 5000);
  assert.equal(suggestedLimit(499), 600);
  assert.equal(suggestedLimit(1), 50);
  assert.equal(suggestedLimit(12_000), 15_000);
  assert.equal(suggestedLimit(99_999_999), 100_000_000);
  for (let pence = 1; pence < 1_000_000; pence += 997)
    assert.ok(suggestedLimit(pence) >= pence * 1.2, String(pence));
});
