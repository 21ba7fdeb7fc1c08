import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { wireInstant } from '../../bench/stand/instant-partners.ts';
import type { Service } from '../../server/src/app/wiring/service.ts';
import { createMerchant } from '../../server/src/merchants/service.ts';
import { showPayments } from '../../server/src/payments/api/service.ts';
import type { SqlValue, Tx } from '../../server/src/platform/db/db.ts';
import type { Asked } from '../../server/src/platform/platform.ts';
import {
  createSchedule,
  showSchedule,
  showSchedules,
} from '../../server/src/schedules/change/service.ts';
import { updateSchedule } from '../../server/src/schedules/change/update.ts';
import type { CreateBody } from '../../server/src/schedules/request/request.ts';
import { showSettlements } from '../../server/src/settlements/service.ts';
import { planMerchantWallet } from '../../server/src/wallets/service.ts';
import { makeFanOut } from '../../server/src/webhooks/fan-out.ts';
import { type TestDatabase, testDatabase } from '../../server/test-support/database.ts';
import { FERNHILL } from '../../server/test-support/merchant.ts';
import { type TestPlatform, testPlatform } from '../../server/test-support/slices/platform.ts';

const PAGE = { limit: 10, offset: 0 };
const BODY: CreateBody = {
  amount: { value: 4999, currency: 'GBP' },
  frequency: 'monthly',
  customer: { type: 'phone', value: '+447700900123' },
  description: 'Broadband',
};

let database: TestDatabase;
let platform: TestPlatform;
let service: Service;
let merchantId: string;

before(async () => {
  database = await testDatabase();
  const plain = testPlatform(database.url);
  platform = Object.assign(plain, { fanOut: makeFanOut(plain.ids) });
  service = wireInstant(platform);
  const made = await createMerchant(platform, FERNHILL, (tx, id) =>
    planMerchantWallet(platform, { tx, now: platform.clock.now(), merchantId: id }),
  );
  merchantId = made.merchantId;
});

after(async () => {
  await platform.db.close();
  await database.drop();
});

/** Citus explains an INSERT of selected rows only after it has run the selection. */
const NOT_EXPLAINED = /^\s*(WITH|INSERT INTO[^`]*\bSELECT)\b/;
/** Explains each statement just before it runs; adds those that need several tasks, and the work that nobody awaits. */
function explaining(tx: Tx, found: string[], unawaited: Promise<unknown>[]): Tx {
  const first =
    <R>(done: (sql: string, values?: readonly SqlValue[]) => Promise<R>) =>
    async (sql: string, values: readonly SqlValue[] = []): Promise<R> => {
      if (NOT_EXPLAINED.test(sql)) return done(sql, values);
      const plan = JSON.stringify(await tx.rows(`EXPLAIN (FORMAT JSON) ${sql}`, values));
      const tasks = [...plan.matchAll(/"Task Count":(\d+)/g)].map(([, count]) => count);
      if (tasks.some((count) => count !== '1')) found.push(sql);
      return done(sql, values);
    };
  return {
    rows: first(tx.rows) as Tx['rows'],
    row: first(tx.row) as Tx['row'],
    run: first(tx.run),
    insert: first(tx.insert),
    unawaited: (work) => {
      unawaited.push(work);
      tx.unawaited(work);
    },
    afterCommit: tx.afterCommit,
  };
}

/** Makes a request of the merchant; adds its statements that need several tasks. */
async function explained<T>(found: string[], request: (asked: Asked) => Promise<T>): Promise<T> {
  const now = platform.clock.now();
  return platform.db.forMerchant(merchantId, async (tx) => {
    // A statement is said only when it is explained: its transaction has to wait for it.
    const unawaited: Promise<unknown>[] = [];
    const answer = await request({ tx: explaining(tx, found, unawaited), now, merchantId });
    await Promise.all(unawaited);
    return answer;
  });
}

test('every statement of the hot routes is one task on one node', async () => {
  const { schedules, settlements } = service;
  const found: string[] = [];
  const { id } = await explained(found, (asked) => createSchedule(schedules, asked, BODY));
  await explained(found, (asked) => showSchedule(schedules, asked, id));
  await explained(found, (asked) => showSchedules(schedules, asked, {}, PAGE));
  await explained(found, (asked) => showPayments(asked, { scheduleId: id }, PAGE));
  await explained(found, (asked) => showPayments(asked, {}, PAGE));
  await explained(found, (asked) => showSettlements(settlements, asked, {}, PAGE));
  await explained(found, (asked) => updateSchedule(schedules, asked, id, { description: 'Fibre' }));
  await explained(found, (asked) => updateSchedule(schedules, asked, id, { status: 'cancelled' }));
  assert.deepEqual(found, []);
});
