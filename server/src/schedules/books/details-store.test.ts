import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Harness, type MerchantSide, openHarness } from '../../../test-support/harness.ts';
import { asOwner } from '../../../test-support/owner.ts';
import { rowsRead } from '../../../test-support/rows-read.ts';
import type { Tx } from '../../platform/db/db.ts';
import { mapInParallel } from '../../platform/network/concurrency-limits.ts';
import { findDetails, findDetailsPage, type ScheduleDetails } from './details-store.ts';

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

/** Returns how many rows a look reads of what belongs to schedules, and the ids that it shows. */
async function reading(
  look: (tx: Tx) => Promise<ScheduleDetails[]>,
): Promise<{ read: number; ids: string[] }> {
  return harness.db.forMerchant(merchant.merchantId, async (tx) => {
    // As on a new connection: a plan for this merchant, not a generic one.
    await tx.run('SET LOCAL plan_cache_mode = force_custom_plan');
    const before = await rowsRead(tx, OF_A_SCHEDULE);
    const ids = (await look(tx)).map(({ schedule }) => schedule.scheduleId);
    return { read: (await rowsRead(tx, OF_A_SCHEDULE)) - before, ids };
  });
}

/** The customer, the terms and the open consent of each. */
const ROWS_EACH = 3;

test("to show one of a new merchant's schedules, no rows are read of what belongs to the others", async () => {
  const [wanted = ''] = scheduleIds.slice(-1);
  const now = harness.clock.now();
  const seen = await reading(async (tx) => {
    const shown = await findDetails(tx, merchant.merchantId, wanted, now);
    return shown === null ? [] : [shown];
  });
  assert.deepEqual(seen, { read: ROWS_EACH, ids: [wanted] });
});

for (const filter of [{}, { status: 'pending_consent' }] as const)
  test(`a page of a new merchant's schedules reads the page and one row more ${JSON.stringify(filter)}`, async () => {
    const { merchantId } = merchant;
    const newest = scheduleIds.toSorted().toReversed();
    for (const offset of [0, 2]) {
      const page = { limit: 3, offset };
      const seen = await reading(
        async (tx) =>
          (await findDetailsPage(tx, merchantId, filter, page, harness.clock.now())).data,
      );
      assert.deepEqual(seen, { read: ROWS_EACH * 4, ids: newest.slice(offset, offset + 3) });
    }
  });

test('one schedule is read by a plan that PostgreSQL keeps', async () => {
  const { merchantId } = merchant;
  const [known = ''] = scheduleIds;
  const plans = await harness.db.forMerchant(merchantId, async (tx) => {
    for (let n = 0; n < 8; n++) await findDetails(tx, merchantId, known, harness.clock.now());
    return tx.rows<{ kept: number }>(
      `SELECT generic_plans AS kept FROM pg_prepared_statements
       WHERE statement LIKE 'SELECT s.%WHERE s.merchant_id = $1 AND s.schedule_id = $2'`,
    );
  });
  assert.equal(plans.length, 1);
  assert.ok((plans[0]?.kept ?? 0) >= 3, JSON.stringify(plans));
});
