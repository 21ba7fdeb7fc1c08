import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { describeFrequency } from '../../../../server/src/schedules/describe.ts';
import { frequencyWords } from './frequency-words.ts';

test('the dashboard and the customer read the same words for every frequency', () => {
  const type = fc.constantFrom('daily', 'weekly', 'monthly', 'quarterly', 'yearly');
  const day = fc.integer({ min: 1, max: 31 });
  const interval = fc.integer({ min: 1, max: 365 });
  fc.assert(
    fc.property(type, day, interval, (type, anyDay, interval) => {
      const day = type === 'daily' ? null : type === 'weekly' ? ((anyDay - 1) % 7) + 1 : anyDay;
      const shown = day === null ? { type, interval } : { type, day, interval };
      assert.equal(frequencyWords(shown), describeFrequency({ type, day, interval }));
    }),
  );
});
