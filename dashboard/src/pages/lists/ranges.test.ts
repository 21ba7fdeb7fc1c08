import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rangesOf } from './ranges.ts';

const NONE = { from: '', to: '', amount_from: '', amount_to: '' };

test('days become instants and pounds pence; what is neither bounds nothing', () => {
  assert.deepEqual(rangesOf(NONE, 'Europe/London'), {});
  assert.deepEqual(rangesOf({ ...NONE, amount_from: 'lots', to: 'soon' }, 'Europe/London'), {});
  const all = { from: '2026-06-01', to: '2026-06-01', amount_from: '0.50', amount_to: '1,000' };
  assert.deepEqual(rangesOf(all, 'Europe/London'), {
    from: '2026-05-31T23:00:00.000Z',
    to: '2026-06-01T23:00:00.000Z',
    amount_from: 50,
    amount_to: 100_000,
  });
});
