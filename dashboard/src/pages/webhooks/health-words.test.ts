import assert from 'node:assert/strict';
import { test } from 'node:test';
import { healthTone, rateText } from './health-words.ts';

test('the share of acknowledged requests is 100% only where none was refused', () => {
  for (const [acknowledged, attempts, text, tone] of [
    [3, 3, '100%', 'success'],
    [2, 3, '66.7%', 'danger'],
    [0, 5, '0%', 'danger'],
    [19_999, 20_000, '99.9%', 'warning'],
    [9, 10, '90.0%', 'warning'],
  ] as const) {
    assert.equal(rateText({ attempts, acknowledged }), text);
    assert.equal(healthTone({ attempts, acknowledged }), tone);
  }
});
