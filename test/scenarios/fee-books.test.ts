// Slow: settles random books.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { type FeeTerms, feeOf } from '../../server/src/merchants/terms/fees.ts';
import { ApiError } from '../../server/src/platform/values/errors.ts';
import {
  assertLaws,
  onlyPaymentOf,
  paymentsIn,
  refund,
  settlementsOf,
} from '../../server/test-support/books.ts';
import { feesFromTomorrow, feeWalletPence } from '../../server/test-support/fees.ts';
import { type Harness, type MerchantSide, openHarness } from '../../server/test-support/harness.ts';

// Whatever is collected, refunded and recalled under whatever terms: a settlement is its payments less refunds, fees and debts.

/** A collection, and what becomes of it within the hour. */
interface Collection {
  pence: number;
  refundedPence: number | null;
  isRecalled: boolean;
}

/** What happens to a merchant on a day; the terms are those of the next day. */
interface Day {
  terms: FeeTerms | null;
  collections: Collection[];
}

const pence = fc.integer({ min: 1, max: 20_000 });
const day: fc.Arbitrary<Day> = fc.record({
  terms: fc.option(
    fc.record({
      fixedPence: fc.constantFrom(0, 1, 20, 5_000),
      basisPoints: fc.constantFrom(0, 1, 150, 10_000),
    }),
  ),
  collections: fc.array(
    fc.record({
      pence,
      refundedPence: fc.option(pence, { freq: 2 }),
      isRecalled: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
    }),
    { maxLength: 3 },
  ),
});
const MERCHANTS = 5;
const DAYS = 3;
const lives = fc.array(fc.array(day, { minLength: DAYS, maxLength: DAYS }), {
  minLength: MERCHANTS,
  maxLength: MERCHANTS,
});

let h: Harness;
let customers = 0;
/** The fees of all settlements so far. */
let feesPence = 0;

before(async () => {
  h = await openHarness('2026-01-04T12:00:00Z'); // a Sunday
});
after(() => h?.close());

/** A merchant with random books, and the fee that each payment should have. */
class Charged {
  readonly side: MerchantSide;
  readonly days: readonly Day[];
  readonly fees = new Map<string, number>();
  #terms: FeeTerms = { fixedPence: 0, basisPoints: 0 };
  #next = this.#terms;

  constructor(side: MerchantSide, days: readonly Day[]) {
    this.side = side;
    this.days = days;
  }

  /** Creates what is collected in an hour; returns the schedules. */
  async create(n: number): Promise<string[]> {
    this.#terms = this.#next;
    const { collections = [], terms = null } = this.days[n] ?? {};
    if (terms !== null) await feesFromTomorrow(h, terms, this.side);
    this.#next = terms ?? this.#next;
    const ids: string[] = [];
    for (const { pence: value } of collections) {
      customers += 1;
      const made = await this.side.agreed({
        amount: { value, currency: 'GBP' },
        customer: { phone: `+4477005${String(10_000 + customers)}` },
        start_date: h.clock.at.add({ hours: 1 }).toString(),
        frequency: 'yearly',
      });
      ids.push(made.id);
    }
    return ids;
  }

  /** Refunds and recalls what the day says, as far as there is money. */
  async changeMinds(n: number, schedules: readonly string[]): Promise<void> {
    for (const [i, id] of schedules.entries()) {
      const { refundedPence = null, isRecalled = false } = this.days[n]?.collections[i] ?? {};
      const payment = await onlyPaymentOf(h, id, this.side);
      assert.equal(payment.status, 'success');
      this.fees.set(payment.id, feeOf(this.#terms, payment.amount.value));
      if (refundedPence !== null)
        await refund(h, payment.id, { amount: gbp(refundedPence) }, this.side).catch(unlessRefused);
      const payIn = payIns().find(({ endToEndId }) => endToEndId?.startsWith(payment.id) === true);
      if (isRecalled && payIn !== undefined) h.issuer.recall(payIn);
    }
  }

  async assertOneNumber(): Promise<void> {
    for (const one of await settlementsOf(h, this.side)) {
      const payments = await paymentsIn(h, one.id, this.side);
      const sum = (of: (payment: (typeof payments)[number]) => number) =>
        payments.reduce((total, payment) => total + of(payment), 0);
      const { gross, refunds, fees, carried, amount } = one;
      assert.equal(
        gross.value,
        sum((payment) => payment.amount.value),
      );
      assert.equal(
        fees.value,
        sum((payment) => payment.fee?.value ?? Number.NaN),
      );
      assert.equal(
        fees.value,
        sum((payment) => this.fees.get(payment.id) ?? Number.NaN),
      );
      assert.equal(amount.value, gross.value - refunds.value - fees.value - carried.value);
      assert.ok(amount.value > 0);
      feesPence += fees.value;
    }
  }
}

const gbp = (value: number) => ({ value, currency: 'GBP' });

const payIns = () =>
  [...h.issuer.wallets.values()].flatMap((one) => one.movements).filter((m) => m.kind === 'payin');

function unlessRefused(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}

/** Returns the next morning of a business day. */
function nextMorning(): Temporal.Instant {
  const today = h.clock.at.toZonedDateTimeISO('Europe/London');
  const toMonday = 8 - today.dayOfWeek;
  return today
    .add({ days: toMonday > 3 ? 1 : toMonday })
    .withPlainTime('09:00')
    .toInstant();
}

test('a settlement is its payments less refunds, fees and debts, for random books', async () => {
  await fc.assert(
    fc.asyncProperty(lives, async (all) => {
      const merchants: Charged[] = [];
      for (const days of all) merchants.push(new Charged(await h.merchant(), days));
      for (let n = 0; n < DAYS; n++) {
        await h.runUntil(nextMorning());
        const made = new Map<Charged, string[]>();
        for (const one of merchants) made.set(one, await one.create(n));
        await h.runUntil(h.clock.at.add({ minutes: 90 }));
        for (const [one, ids] of made) await one.changeMinds(n, ids);
        await h.runUntil(h.clock.at.add({ hours: 1 }));
      }
      await h.runUntil(nextMorning());
      for (const one of merchants) await one.assertOneNumber();
      assert.equal(feeWalletPence(h) ?? 0, feesPence);
      await assertLaws(h);
    }),
    { numRuns: 3, endOnFailure: true },
  );
});
