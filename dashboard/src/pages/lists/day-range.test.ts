import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instantsOf } from './day-range.ts';

test('two days of the merchant’s calendar are taken whole, through a change of the clocks', () => {
  assert.deepEqual(instantsOf({ from: '2026-03-29', to: '2026-03-29' }, 'Europe/London'), {
    from: '2026-03-29T00:00:00.000Z',
    to: '2026-03-29T23:00:00.000Z',
  });
});

test('what is no day bounds nothing', () => {
  assert.deepEqual(instantsOf({ from: '', to: 'soon' }, 'Europe/London'), {});
  assert.deepEqual(instantsOf({ from: '', to: '2026-01-31' }, 'UTC'), {
    to: '2026-02-01T00:00:00.000Z',
  });
});
