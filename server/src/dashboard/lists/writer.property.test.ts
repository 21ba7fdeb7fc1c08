import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import {
  bareMerchant,
  type OwnPlatform,
  ownPlatform,
} from '../../../test-support/slices/platform.ts';
import { PAYMENT_SORTS, readPayments } from '../../payments/books/list-store.ts';
import { firstPage } from '../../platform/http/lists/page.ts';

/** Some payments are due at the same moment. */
const MINUTES = 30;
const BEGAN = Temporal.Instant.from('2026-01-01T00:00:00Z');

let platform: OwnPlatform;
let count = 0;
before(async () => {
  platform = await ownPlatform();
});
after(() => platform.drop());

/** Returns a new merchant with one customer, who has one schedule. */
async function merchantWithSchedule(): Promise<string> {
  const merchantId = await bareMerchant(platform);
  await platform.db.transaction(async (tx) => {
    await tx.run(
      `INSERT INTO customers (merchant_id, customer_id, phone, phone_index, created_at)
       VALUES ($1, 'cus_1', 'sealed', '1', $2)`,
      [merchantId, BEGAN],
    );
    await tx.run(
      `INSERT INTO schedules (merchant_id, schedule_id, customer_id, customer_type, status, description, max_retries,
         terms_version, created_at, updated_at)
       VALUES ($1, 'sch_1', 'cus_1', 'phone', 'active', 'Gym', 3, 1, $2, $2)`,
      [merchantId, BEGAN],
    );
  });
  return merchantId;
}

/** Inserts payments that are due so many minutes after the beginning; returns their ids. */
async function insert(merchantId: string, minutes: readonly number[]): Promise<string[]> {
  const made = minutes.map((minute) => {
    const made = BEGAN.add({ seconds: ++count });
    return { id: platform.ids.next('pay', made), due: BEGAN.add({ minutes: minute }), made };
  });
  await platform.db.transaction((tx) =>
    tx.run(
      `INSERT INTO payments (merchant_id, payment_id, schedule_id, customer_id, consent_id, wallet_id, bank_id, amount_pence,
         currency, due_date, status, created_at, completed_at, ad_hoc)
       SELECT $1, p.id, 'sch_1', 'cus_1', 'con', 'wal', 'bank', 4999, 'GBP', p.due, 'success', p.made, p.due, p.id
       FROM unnest($2::text[], $3::timestamptz[], $4::timestamptz[]) AS p (id, due, made)`,
      [merchantId, made.map((one) => one.id), made.map((one) => one.due), made.map((o) => o.made)],
    ),
  );
  return made.map((one) => one.id);
}

const someMinutes = fc.array(fc.nat(MINUTES), { minLength: 1, maxLength: 12 });
const aReading = fc.record({
  sort: fc.constantFrom(...PAYMENT_SORTS),
  limit: fc.integer({ min: 1, max: 5 }),
  there: someMinutes,
  added: fc.array(someMinutes, { maxLength: 6 }),
});

test('by cursor every payment that was there comes once, in its order, whatever is inserted meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(aReading, async ({ sort, limit, there, added }) => {
      const merchantId = await merchantWithSchedule();
      const ids = await insert(merchantId, there);
      const write = async (): Promise<void> => {
        for (const minutes of added) await insert(merchantId, minutes);
      };
      const writing = write();
      const read: { paymentId: string; dueDate: Temporal.Instant }[] = [];
      for (let page = firstPage(limit), isLast = false; !isLast; ) {
        const found = await platform.db.forMerchant(merchantId, (tx) =>
          readPayments(tx, merchantId, { sort }, page, null),
        );
        read.push(...found.data);
        isLast = found.next_cursor === undefined;
        page = { ...page, after: found.next_cursor };
      }
      await writing;
      const seen = read.map((row) => row.paymentId);
      assert.equal(new Set(seen).size, seen.length);
      assert.deepEqual(new Set(seen).intersection(new Set(ids)), new Set(ids));
      const places = read.map(({ paymentId, dueDate }) =>
        sort.endsWith('due_date') ? `${dueDate} ${paymentId}` : paymentId,
      );
      const sorted = places.toSorted();
      assert.deepEqual(places, sort.startsWith('-') ? sorted.toReversed() : sorted);
    }),
    { numRuns: 60 },
  );
});
