// Slow: covers months of simulated trouble.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayCommand } from '../../simulation/settings.ts';
import { type Result, simulate } from '../../simulation/simulate.ts';
import { variedSettings } from '../../simulation/varied.ts';

// Some days with faults and a calm week after them; `npm run simulate` runs years.

const STEPS = 60;

const run = (seed: string, untilStep: number | null = null): Promise<Result> =>
  simulate(
    {
      seed,
      days: 4,
      merchants: 2,
      schedules: 8,
      start: Temporal.Instant.from('2028-02-26T00:00:00Z'),
      untilStep,
      every: 1,
    },
    () => undefined,
  );

test('every law holds under fire, the same seed has the same history, and another seed another', async () => {
  const [first, again, other, part] = await Promise.all([
    run('spring'),
    run('spring'),
    run('autumn'),
    run('spring', STEPS),
  ]);
  for (const { broken } of [first, again, other, part]) assert.equal(broken, null);
  assert.deepEqual(again.lines, first.lines);
  assert.equal(again.sha256, first.sha256);
  assert.notEqual(other.sha256, first.sha256);
  const payments = first.lines.filter((line) => line.startsWith('payment '));
  assert.ok(payments.length > 3, 'money was collected');
  // Up to a step it is the same run, cut short.
  assert.deepEqual([part.steps, part.sha256], [STEPS, null]);
  const all = new Set(first.lines);
  assert.ok(part.lines.length > 0 && part.lines.every((line) => all.has(line)));
});

/** New ones each day; a failing one is lived through again by the command that is printed. */
const SEEDS_A_DAY = 3;

test('every law holds in the seeds of today, which nobody has lived through before', async (t) => {
  const today = Temporal.Now.plainDateISO('UTC');
  for (let n = 1; n <= SEEDS_A_DAY; n++) {
    const { settings, around } = variedSettings(`${today}-${n}`);
    const command = replayCommand(settings, null);
    t.diagnostic(`around ${around}: ${command}`);
    const { broken } = await simulate(settings, () => undefined);
    assert.equal(broken, null, `${command}\n${broken?.lines.join('\n')}`);
  }
});
