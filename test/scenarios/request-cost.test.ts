import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Tx } from '../../server/src/platform/db/db.ts';
import { firstPage } from '../../server/src/platform/http/lists/page.ts';
import type { Asked } from '../../server/src/platform/platform.ts';
import {
  createSchedule,
  showSchedule,
  showSchedules,
} from '../../server/src/schedules/change/service.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

let harness: Harness;

before(async () => {
  harness = await openHarness();
});
after(() => harness.close());

const COUNT = `SELECT coalesce(sum(generic_plans + custom_plans), 0) AS n FROM pg_prepared_statements
  WHERE statement NOT LIKE '%pg_prepared_statements%'`;

/** Returns how many statements this connection has executed. */
async function executed(tx: Tx): Promise<number> {
  return Number((await tx.row<{ n: string }>(COUNT))?.n);
}

/** Returns how many statements PostgreSQL executes for a request. */
function costOf(request: (asked: Asked) => Promise<unknown>): Promise<number> {
  const { merchantId, clock, db } = harness;
  return db.forMerchant(merchantId, async (tx) => {
    const before = await executed(tx);
    await request({ tx, now: clock.now(), merchantId });
    return (await executed(tx)) - before;
  });
}

const create = (value: string) => (asked: Asked) =>
  createSchedule(harness.service.schedules, asked, {
    amount: { value: 4999, currency: 'GBP' },
    frequency: { type: 'monthly', day: 1 },
    customer: { type: 'phone', value },
    description: 'Broadband',
    metadata: { order: '7' },
  });

test('a schedule is created in three statements: its customer, what the merchant wants, and all its rows', async () => {
  assert.equal(await costOf(create('+447700900001')), 3);
});

test('of a known customer, in one more: they are looked up', async () => {
  await costOf(create('+447700900002'));
  assert.equal(await costOf(create('+447700900002')), 4);
});

test('a schedule is read in one statement, a page of them in one, and one more counts them', async () => {
  const { id } = await harness.create();
  const { schedules } = harness.service;
  assert.equal(await costOf((asked) => showSchedule(schedules, asked, id)), 1);
  for (const [page, statements] of [
    [firstPage(10), 1], // by cursor
    [{ limit: 10, offset: 0 }, 2], // with how many there are
  ] as const)
    assert.equal(await costOf((asked) => showSchedules(schedules, asked, {}, page)), statements);
});
