import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate } from '../../simulation/simulate.ts';

test('every law holds under fire on a cluster', async () => {
  const settings = {
    seed: 'summer',
    days: 4,
    merchants: 5, // on more than one shard
    schedules: 12,
    start: Temporal.Instant.from('2028-02-26T00:00:00Z'),
    untilStep: null,
    every: 1,
  };
  const { broken, lines } = await simulate(settings, () => undefined);
  assert.equal(broken, null);
  assert.ok(lines.filter((line) => line.startsWith('payment ')).length > 3, 'money was collected');
});
