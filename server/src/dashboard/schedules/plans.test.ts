import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  explaining,
  insertMany,
  insertPayments,
  openDashboard,
  type TestDashboard,
} from '../../../test-support/slices/dashboard.ts';
import { type CustomerFilter, listCustomers } from '../../customers/store.ts';
import type { Tx } from '../../platform/db/db.ts';
import { firstPage, type Page, pageFrom } from '../../platform/http/lists/page.ts';
import {
  orderOf,
  SCHEDULE_SORTS,
  type ScheduleFilter,
  schedulesStatement,
} from '../../schedules/books/list-store.ts';
import { findSchedulesOf } from '../../schedules/books/match-store.ts';
import { lastPayments } from './store.ts';
import { listChanges, listEventsOf } from './timeline-store.ts';

const MANY = 30_000;

let d: TestDashboard;
before(async () => {
  d = await openDashboard();
  await insertMany(d.h, {
    count: MANY,
    status: `CASE WHEN n % 10000 = 0 THEN 'paused' WHEN n % 3 = 0 THEN 'cancelled' ELSE 'active' END`,
    description: `CASE WHEN n % 2 = 0 THEN 'Membership ' ELSE 'Broadband ' END || n`,
  });
  await insertPayments(d.h, { schedules: 1000, each: 12 });
});
after(() => d.close());

/** Returns the plans of what is read, with the API's role and limited to the merchant. */
async function plansOf(read: (tx: Tx, merchantId: string) => Promise<unknown>): Promise<string> {
  const { h } = d;
  return h.db.forMerchant(h.merchantId, async (plain) => {
    const { tx, plans } = explaining(plain);
    await read(tx, h.merchantId);
    return plans.join('\n');
  });
}

function assertWalks(plan: string, index: string): void {
  assert.match(plan, new RegExp(`using ${index}`), plan);
  assert.doesNotMatch(
    plan,
    /Seq Scan on (schedules|payments|customers|state_changes|events)/,
    plan,
  );
  const inner = plan.slice(plan.lastIndexOf('Limit'));
  assert.doesNotMatch(inner, /Sort/, `rows are read in their order:\n${plan}`);
}

const FIRST = firstPage(25);

/** Returns the page behind a row of the list. */
function behind(filter: ScheduleFilter, row: object): Page {
  const { next_cursor } = pageFrom([row, row], firstPage(1), orderOf(filter));
  return { ...FIRST, after: next_cursor };
}

/** Returns the plan of a page of schedules. */
function planOf(filter: ScheduleFilter, page: Page, driving: string[] | null): Promise<string> {
  return plansOf((tx, id) => {
    const { page: sql, values } = schedulesStatement(id, filter, page, driving);
    return tx.rows(sql, values);
  });
}

test('any status, alone or all of them, is read from an index in each order, from any page on', async () => {
  const createdAt = d.h.clock.at.add({ hours: 5 });
  const row = { createdAt, searchText: 'membership 2', scheduleId: 'sch_1' };
  for (const sort of SCHEDULE_SORTS)
    for (const status of [undefined, 'paused', 'active'] as const)
      for (const page of [FIRST, behind({ sort }, row)]) {
        const plan = await planOf({ status, sort }, page, null);
        const isByText = sort.endsWith('description');
        assertWalks(plan, isByText ? 'schedules_search' : 'schedules_of_status');
        assert.match(plan, /Index Cond: .*status = .*/);
      }
});

test('a few schedules are read by key', async () => {
  const plan = await planOf({ amountFrom: 1200 }, FIRST, ['sch_1', 'sch_2']);
  assert.match(plan, /using schedules_pkey/, plan);
  assert.match(plan, /using schedule_terms_pkey/, plan);
});

test('what hangs on the schedules of a page is found by indexes', async () => {
  const ids = Array.from({ length: 25 }, (_, n) => `sch_${String(n).padStart(22, '0')}`);
  const [id = ''] = ids;
  assertWalks(
    await plansOf((tx, merchantId) => lastPayments(tx, merchantId, ids)),
    'payments_one_per_due_date',
  );
  const ofCustomers = ['cus_7', 'cus_8'];
  assertWalks(
    await plansOf((tx, merchantId) => findSchedulesOf(tx, merchantId, ofCustomers, 26)),
    'schedules_of_customer',
  );
  assertWalks(
    await plansOf((tx, merchantId) => listChanges(tx, merchantId, id, 1000, 26)),
    'state_changes_of_schedule',
  );
  assertWalks(
    await plansOf((tx, merchantId) => listEventsOf(tx, merchantId, id, 1000, 26)),
    'events_one_per_sequence_number',
  );
});

test('customers are read in their order from an index', async () => {
  const row = { createdAt: d.h.clock.at.add({ hours: 1 }), customerId: 'cus_1' };
  for (const sort of ['-created_at', 'created_at'] as const) {
    const by = { created_at: 'instant', customer_id: 'text' } as const;
    const order = { by, isDescending: sort !== 'created_at' };
    const { next_cursor } = pageFrom([row, row], firstPage(1), order);
    for (const page of [FIRST, { ...FIRST, after: next_cursor }]) {
      const filter: CustomerFilter = { sort };
      const plan = await plansOf((tx, id) => listCustomers(tx, id, filter, page));
      assertWalks(plan, 'customers_newest');
    }
  }
});
