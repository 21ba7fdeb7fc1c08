// Slow: kills a process at every step of a safeguarding day.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ISSUER } from '../../server/src/laws/reconciliation/reconciliation.ts';
import { firstPage } from '../../server/src/platform/http/lists/page.ts';
import { findRuns, listBreaches } from '../../server/src/safeguarding/store.ts';
import { Doomed } from '../../server/test-support/crash.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

const MAX_STEPS = 60;
const JUST_BEFORE = Temporal.Instant.from('2026-01-09T00:14:00Z');
/** A process has half an hour for a day; then another makes it. */
const AFTERWARDS = JUST_BEFORE.add({ minutes: 45 });
const DAY = Temporal.PlainDate.from('2026-01-09');

let h: Harness;
before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  await h.agreed({ start_date: '2026-01-08T09:00:00Z' });
  const [wallet] = [...h.issuer.wallets.values()];
  const creditor = wallet?.wallet.account.accountNumber ?? '';
  await h.runUntil('2026-01-07T10:00:00Z');
  h.issuer.payIn({ endToEndId: 'a-stranger', amountPence: 700, creditor });
  await h.runUntil(JUST_BEFORE);
});
after(() => h.close());

/** Makes the day with a process that crashes at the step, and with another one afterwards. */
async function dayWithDeath(step: number, afterwards: boolean) {
  const restore = await h.backUp();
  const doomed = new Doomed(step, afterwards);
  await h
    .runUntil(JUST_BEFORE.add({ minutes: 5 }), h.another(doomed.wrap))
    .catch((error: unknown) => assert.ok(doomed.isDead, String(error)));
  await h.runUntil(AFTERWARDS);
  const runs = await h.db.read((tx) => findRuns(tx, ISSUER, DAY, DAY));
  const { data: breaches } = await h.db.read((tx) => listBreaches(tx, ISSUER, firstPage(10)));
  await restore();
  h.clock.at = JUST_BEFORE;
  const figures = runs.map(({ madeAt: _, ...run }) => JSON.stringify(run));
  const told = breaches.map(({ foundAt: _, ...breach }) => JSON.stringify(breach));
  return { died: doomed.isDead, said: { figures, told } };
}

for (const afterwards of [false, true])
  test(`a safeguarding day killed ${afterwards ? 'after' : 'before'} any step is as if it had not been`, async () => {
    const { said: undisturbed } = await dayWithDeath(Number.POSITIVE_INFINITY, afterwards);
    assert.deepEqual([undisturbed.figures.length, undisturbed.told.length], [1, 1]);
    for (let step = 1; step <= MAX_STEPS; step += 1) {
      const { died, said } = await dayWithDeath(step, afterwards);
      assert.deepEqual(said, undisturbed, `killed at step ${step}`);
      if (!died) {
        assert.ok(step > 3, `a day takes more than ${step} steps`);
        return;
      }
    }
    assert.fail(`a day takes more than ${MAX_STEPS} steps`);
  });
