import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { type Harness, openHarness } from '../../../test-support/harness.ts';
import { insertTerms } from '../../schedules/books/terms-store.ts';
import { AS_NEEDED } from '../../schedules/limits/limits.ts';
import type { Frequency } from '../../schedules/terms/frequency.ts';
import {
  firstIndexAfter,
  firstOccurrence,
  occurrence,
  type Series,
  upcoming,
} from '../../schedules/terms/occurrences.ts';
import { NON_WORKING_DAYS } from '../../schedules/terms/working-day.ts';
import { groupComing } from './coming-store.ts';
import { type ComingGroup, type DaySum, sumComing } from './upcoming.ts';

const DAYS = 30;
const SEED = 20_260_301;
const date = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);

const aFrequency: fc.Arbitrary<Frequency> = fc
  .constantFrom('daily', 'weekly', 'monthly', 'quarterly', 'yearly')
  .chain((type) =>
    fc.record({
      type: fc.constant(type),
      day: type === 'daily' ? fc.constant(null) : fc.integer({ min: 1, max: lastDay(type) }),
      interval: fc.integer({ min: 1, max: 4 }),
    }),
  );

function lastDay(type: Frequency['type']): number {
  return type === 'weekly' ? 7 : 31;
}

interface Sample {
  series: Series;
  amountPence: number;
}

/** Schedules that began within two years before `now`; some of them end soon. */
const samples = (now: Temporal.Instant): fc.Arbitrary<Sample> =>
  fc
    .record({
      frequency: aFrequency,
      begun: fc.integer({ min: 0, max: 2 * 365 * 1_440 }),
      minutes: fc.oneof(fc.constant(540), fc.integer({ min: 0, max: 1_439 })),
      timeZone: fc.constantFrom('Europe/London', 'America/New_York', 'Pacific/Auckland'),
      ends: fc.option(fc.integer({ min: 1, max: 60 * 1_440 })),
      amountPence: fc.integer({ min: 1, max: 100_000 }),
      policy: fc.constantFrom(...NON_WORKING_DAYS),
    })
    .map(({ frequency, begun, minutes, timeZone, ends, amountPence, policy }) => {
      const timeOfDay = Temporal.PlainTime.from('00:00').add({ minutes });
      const from = now.subtract({ minutes: begun });
      const firstAt = firstOccurrence(frequency, from, true, timeOfDay, timeZone);
      const endAt = ends === null ? null : now.add({ minutes: ends });
      const nonWorkingDay = frequency.type === 'daily' ? 'same' : policy;
      return {
        series: { frequency, firstAt, timeZone, endAt, timeOfDay, nonWorkingDay },
        amountPence,
      };
    });

/** Sums every schedule separately, as its page shows it. */
function oneByOne(
  all: readonly Sample[],
  now: Temporal.Instant,
  today: Temporal.PlainDate,
): DaySum[] {
  const sums = new Map(
    Array.from({ length: DAYS }, (_, i) => {
      const day = today.add({ days: i }).toString();
      return [day, { date: day, value: 0, count: 0 }];
    }),
  );
  for (const { series, amountPence } of all)
    for (const { dueDate } of upcoming(series, { after: now, index: 0 }, DAYS + 3)) {
      const due = dueDate.toZonedDateTimeISO(series.timeZone).toPlainDate();
      const isEarly = Temporal.PlainDate.compare(due, today) < 0;
      const sum = sums.get((isEarly ? today : due).toString());
      if (sum === undefined) continue;
      sum.value += amountPence;
      sum.count += 1;
    }
  return [...sums.values()];
}

let h: Harness;
before(async () => {
  h = await openHarness();
});
after(() => h.close());

async function insertActive(merchantId: string, customerId: string, all: Sample[]): Promise<void> {
  const { platform, clock } = h;
  await h.db.transaction(async (tx) => {
    for (const { series, amountPence } of all) {
      const scheduleId = platform.ids.next('sch', clock.at);
      const dueAt = occurrence(series, firstIndexAfter(series, clock.at));
      await tx.run(
        `WITH schedule AS (
           INSERT INTO schedules (merchant_id, schedule_id, customer_id, customer_type, status, description, max_retries,
             terms_version, live_version, consent_id, created_at, updated_at)
           VALUES ($1, $2, $3, 'phone', 'active', 'x', 3, 1, 1, 'con_0', $5, $5)
         )
         INSERT INTO schedule_agenda (merchant_id, schedule_id, due_at) VALUES ($1, $2, $4)`,
        [merchantId, scheduleId, customerId, dueAt, clock.at],
      );
      const asked = { version: 1, amountPence, currency: 'GBP', startDate: null };
      const terms = { ...asked, series, limits: AS_NEEDED, amountMode: 'fixed' as const };
      await insertTerms(tx, merchantId, [{ scheduleId, terms }], clock.at);
    }
  });
}

test('schedules grouped and expanded come to the same as each schedule separately, on every day', async () => {
  const sides = [await h.merchant(), await h.merchant(), await h.merchant()];
  for (const now of ['2026-03-15T10:00:00Z', '2026-10-10T23:30:00Z', '2028-02-20T00:30:00Z']) {
    h.clock.at = Temporal.Instant.from(now);
    const side = sides.shift() ?? h;
    const { customer } = await side.create({ start_date: null });
    const all = fc.sample(samples(h.clock.at), { numRuns: 400, seed: SEED });
    await insertActive(side.merchantId, customer.id, all);
    const today = h.clock.at.toZonedDateTimeISO('Europe/London').toPlainDate();
    const until = today.add({ days: DAYS + 2 }).toZonedDateTime('Europe/London');
    const groups = await h.db.forMerchant(side.merchantId, (tx) =>
      groupComing(tx, side.merchantId, until.toInstant()),
    );
    assert.deepEqual(sumComing(groups, [], today, DAYS), oneByOne(all, h.clock.at, today), now);
  }
});

const monthly: ComingGroup = {
  frequency: { type: 'monthly', day: 31, interval: 1 },
  nonWorkingDay: 'same',
  anchor: date('2026-01-31'),
  notBefore: null,
  from: date('2026-01-31'),
  last: null,
  value: 500,
  count: 2,
};

const collecting = (group: Partial<ComingGroup>, today: string, days = DAYS): string[] =>
  sumComing([{ ...monthly, ...group }], [], date(today), days)
    .filter((sum) => sum.count > 0)
    .map((sum) => `${sum.date} ${sum.value} ${sum.count}`);

test('every day of the window is there, and a group collects together', () => {
  assert.equal(sumComing([], [], date('2026-01-20'), DAYS).length, DAYS);
  assert.deepEqual(collecting({}, '2026-01-20', 60), ['2026-01-31 500 2', '2026-02-28 500 2']);
});

test('the window ends before its last day is over, and terms end on their last date', () => {
  assert.deepEqual(collecting({}, '2026-01-20', 11), []);
  assert.deepEqual(collecting({}, '2026-01-20', 12), ['2026-01-31 500 2']);
  assert.deepEqual(collecting({ last: date('2026-02-27') }, '2026-01-20', 60), [
    '2026-01-31 500 2',
  ]);
});

test('what should have been collected before today counts to today', () => {
  const daily = { frequency: { type: 'daily', day: null, interval: 1 } as const };
  assert.deepEqual(collecting({ ...daily, last: date('2026-02-03') }, '2026-02-02'), [
    '2026-02-02 1500 6',
    '2026-02-03 500 2',
  ]);
});

test('the first date is the next one even where it is not the nominal day of its frequency', () => {
  const moved = { anchor: date('2026-01-25'), from: date('2026-01-25'), last: date('2026-02-10') };
  assert.deepEqual(collecting(moved, '2026-01-20'), ['2026-01-25 500 2']);
});
