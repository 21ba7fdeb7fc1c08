import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Harness, type MerchantSide, openHarness } from '../../test-support/harness.ts';
import { asOwner } from '../../test-support/owner.ts';
import { rowsRead } from '../../test-support/rows-read.ts';
import { mapInParallel } from '../platform/concurrency-limits.ts';
import { findShown } from './shown-store.ts';

/** The schedules of the only merchant in the planner's statistics. */
const KNOWN = 20;
/** Enough that reading them all, by any index, costs more than looking one up. */
const NEW = 300;
const WIDTH = 10;
const OF_A_SCHEDULE = ['customers', 'schedule_terms', 'consents'];

let harness: Harness;
/** Another merchant, not yet in the statistics, and its schedules. */
let merchant: MerchantSide;
let scheduleIds: string[];

before(async () => {
  harness = await openHarness();
  await createMany(harness, KNOWN);
  await asOwner(harness.db, (tx) => tx.run('ANALYZE'));
  merchant = await harness.merchant();
  scheduleIds = await createMany(merchant, NEW);
});
after(() => harness.close());

/** Creates this many schedules, each for its own customer. */
async function createMany({ create }: MerchantSide, count: number): Promise<string[]> {
  const numbers = Array.from({ length: count }, (_, i) => `+4477009${String(i).padStart(5, '0')}`);
  const created = await mapInParallel(numbers, WIDTH, (value) =>
    create({ customer: { type: 'phone', value } }),
  );
  return created.map(({ id }) => id);
}

for (const count of [1, 3])
  test(`to show ${count} of a new merchant's schedules, no rows are read of what belongs to the others`, async () => {
    const { merchantId } = merchant;
    const wanted = scheduleIds.slice(-count);
    const read = await harness.db.forMerchant(merchantId, async (tx) => {
      // As on a new connection: a plan for this merchant, not a generic one.
      await tx.run('SET LOCAL plan_cache_mode = force_custom_plan');
      const before = await rowsRead(tx, OF_A_SCHEDULE);
      const shown = await findShown(tx, merchantId, wanted, harness.clock.now());
      assert.deepEqual([...shown.keys()].sort(), wanted.sort());
      return (await rowsRead(tx, OF_A_SCHEDULE)) - before;
    });
    assert.equal(read, 3 * count); // the customer, the terms and the open consent of each
  });
