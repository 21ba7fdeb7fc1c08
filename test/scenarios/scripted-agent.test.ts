import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulateAgents } from '../../simulation/agents/runs.ts';

// `node simulation/agents/main.ts --runs 10000` makes many more; docs/proof.md has its figures.

test('an agent that forgets, repeats, plans again, doubles its calls and obeys planted text debits nobody twice', async () => {
  const found = await simulateAgents({ runs: 60, seed: 'in the suite', plain: false });
  const { doubled, beyond, unattributed, made } = found;
  assert.deepEqual(doubled, { errands: 0, pence: 0 });
  assert.deepEqual(beyond, { act: 0, day: 0 });
  assert.equal(unattributed, 0);
  assert.ok(made.payments > 30 && made.refunds > 0 && made.waiting > 10, JSON.stringify(made));
});

test('the same script over plain requests shows what that prevents', async () => {
  const { doubled, beyond } = await simulateAgents({
    runs: 20,
    seed: 'in the suite',
    plain: true,
  });
  assert.ok(
    doubled.errands > 5 && beyond.act > 0 && beyond.day > 0,
    JSON.stringify({ doubled, beyond }),
  );
});
