import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Result, simulate } from '../../simulation/simulate.ts';

// Some days under fire and a calm week after them; `npm run simulate` lives through years.

const run = (seed: string): Promise<Result> =>
  simulate(
    {
      seed,
      days: 4,
      merchants: 2,
      schedules: 8,
      start: Temporal.Instant.from('2028-02-26T00:00:00Z'),
      untilStep: null,
    },
    () => undefined,
  );

test('every law holds under fire, the same seed has the same history, and another seed another', async () => {
  const [first, again, other] = await Promise.all(['spring', 'spring', 'autumn'].map(run));
  assert.ok(first && again && other);
  for (const { broken } of [first, again, other]) assert.equal(broken, null);
  assert.deepEqual(again.lines, first.lines);
  assert.equal(again.sha256, first.sha256);
  assert.notEqual(other.sha256, first.sha256);
  const payments = first.lines.filter((line) => line.startsWith('payment '));
  assert.ok(payments.length > 3, 'money was collected');
});
