import assert from 'node:assert/strict';
import { test } from 'node:test';
import { feeWords } from './fee-words.ts';

test('fee terms are a share, a fixed part, both, or nothing', () => {
  const words = (basis_points: number, fixed_pence: number) =>
    feeWords({ basis_points, fixed_pence });
  assert.equal(words(150, 20), '1.5% + £0.20');
  assert.equal(words(1, 0), '0.01%');
  assert.equal(words(0, 1250), '£12.50');
  assert.equal(words(0, 0), 'No fee');
});
