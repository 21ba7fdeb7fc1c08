import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { breachOf, type CountedPayment } from '../../sandbox/src/bank/books/control-parameters.ts';
import { londonDate, type PeriodicLimit, periodAt } from '../../sandbox/src/bank/wire/periods.ts';
import { nextRetry } from '../../server/src/payments/payment/retry.ts';
import { parametersAtAgreement } from '../../server/src/schedules/limits/agreement.ts';
import { type ControlParameters, refusalBeside } from '../../server/src/schedules/limits/room.ts';
import {
  firstIndexAfter,
  firstOccurrence,
  occurrence,
  type Series,
} from '../../server/src/schedules/terms/occurrences.ts';

// Slow: lives through 10,000 schedules.
/** The limits that are asked of a bank, held against the sandbox's bank, which counts for itself. */

const AMOUNT = 1_250;
const LONGEST = { daily: 20, weekly: 8, monthly: 12, quarterly: 4, yearly: 3 } as const;

interface Plan {
  series: Series;
  firstPence: number | null;
  now: Temporal.Instant;
  until: Temporal.Instant;
  maxRetries: number;
}

const aSeries = fc
  .constantFrom('daily', 'weekly', 'monthly', 'monthly', 'quarterly', 'yearly')
  .chain((type) =>
    fc.record({
      type: fc.constant(type),
      day:
        type === 'daily'
          ? fc.constant(null)
          : fc.integer({ min: 1, max: type === 'weekly' ? 7 : 31 }),
      interval: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: LONGEST[type] })),
    }),
  );

const aPlan: fc.Arbitrary<Plan> = fc
  .record({
    frequency: aSeries,
    minutes: fc.integer({ min: 0, max: 8 * 365 * 1440 }),
    startsIn: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 70 })),
    linkDays: fc.integer({ min: 0, max: 7 }),
    firstPence: fc.option(fc.integer({ min: 1, max: 5_000 })),
    maxRetries: fc.oneof(fc.constant(3), fc.integer({ min: 0, max: 10 })),
    time: fc.constantFrom('09:00', '00:10', '23:50'),
    zone: fc.constantFrom('Europe/London', 'Europe/London', 'Europe/London', 'America/New_York'),
    nonWorkingDay: fc.constantFrom('same', 'same', 'next', 'previous'),
  })
  .map(({ frequency, minutes, startsIn, linkDays, time, zone, nonWorkingDay, ...rest }) => {
    const now = Temporal.Instant.from('2024-01-01T00:00:00Z').add({ minutes });
    const timeOfDay = Temporal.PlainTime.from(time);
    const start = now.add({ hours: 24 * startsIn });
    const firstAt = firstOccurrence(frequency, start, false, timeOfDay, zone);
    const moves = frequency.type === 'daily' ? 'same' : nonWorkingDay;
    const series = { frequency, firstAt, timeZone: zone, endAt: null, timeOfDay };
    return {
      ...rest,
      series: { ...series, nonWorkingDay: moves, notBefore: start } as Series,
      now,
      until: now.add({ hours: 24 * linkDays }),
    };
  });

function paramsOf({ series, firstPence, now, until, maxRetries }: Plan): ControlParameters {
  const from = occurrence(series, firstIndexAfter(series, now));
  assert.ok(from);
  return parametersAtAgreement({ amountPence: AMOUNT, series, firstPence }, from, {
    now,
    until,
    maxRetries,
  });
}

/** Returns these parameters as the sandbox's bank has them. */
const bankOf = (params: ControlParameters) => ({
  maximumIndividualPence: params.maximumAmountPence,
  validFrom: londonDate(params.validFrom),
  validTo: params.validTo && londonDate(params.validTo),
  periodicLimits: params.periodicLimits.map(
    ({ periodType: type, ...rest }): PeriodicLimit => ({ type, ...rest }),
  ),
});

/** Returns why the sandbox's bank refuses a payment beside those that it counts; null: it accepts it, and counts it. */
function atBank(
  params: ControlParameters,
  counted: CountedPayment[],
  at: Temporal.Instant,
  pence: number,
) {
  const day = londonDate(at);
  const breach = breachOf(bankOf(params), counted, day, pence);
  if (breach === null) counted.push({ day, amountPence: pence });
  return breach?.message ?? null;
}

/** Lives through a consent as the service would: whether an attempt is paid comes from `paid`. Returns the retries left out. */
function live(plan: Plan, agreedAt: Temporal.Instant, paid: () => boolean): string[] {
  const { series, firstPence, maxRetries } = plan;
  const params = paramsOf(plan);
  const terms = { amountPence: AMOUNT, series };
  const counted: CountedPayment[] = [];
  const used: { at: Temporal.Instant; amountPence: number }[] = [];
  const leftOut: string[] = [];
  const collect = (dueAt: Temporal.Instant, amountPence: number): void => {
    const next = occurrence(series, firstIndexAfter(series, dueAt));
    const toCome = next === null ? [] : [{ terms, from: next }];
    const refused = (at: Temporal.Instant) =>
      refusalBeside({ params, used, toCome }, { at, amountPence });
    assert.equal(amountPence === AMOUNT ? null : refused(dueAt), null, 'planned without room');
    let at = dueAt;
    for (let attempt = 1; !paid(); attempt += 1) {
      const decision = nextRetry({
        frequencyType: series.frequency.type,
        failedAttempts: attempt,
        maxRetries,
        failedAt: at,
        nextOccurrence: next,
        errorClass: 'retryable',
        timeZone: series.timeZone,
        refusedByLimits: (retryAt) => refused(retryAt) !== null,
        validTo: params.validTo,
      });
      if ('none' in decision) {
        if (decision.none === 'limits') leftOut.push(at.toString());
        return;
      }
      at = decision.at;
    }
    assert.equal(atBank(params, counted, at, amountPence), null, at.toString());
    used.push({ at, amountPence });
  };
  const begins =
    Temporal.Instant.compare(agreedAt, params.validFrom) < 0 ? params.validFrom : agreedAt;
  if (firstPence !== null) collect(begins, firstPence);
  const first = firstIndexAfter(series, agreedAt);
  for (let n = first; n < first + 10; n += 1) {
    const at = occurrence(series, n);
    assert.ok(at);
    collect(at, AMOUNT);
  }
  return leftOut;
}

/** Whether each of a schedule's occurrences keeps its phase in the periods that its limit is counted in. */
const isLocked = ({ series: { frequency, timeZone, nonWorkingDay } }: Plan): boolean =>
  timeZone === 'Europe/London' &&
  nonWorkingDay === 'same' &&
  frequency.type !== 'daily' &&
  (frequency.type !== 'weekly' || frequency.interval <= 2);

test('the bank never refuses what is planned, whenever the customer agrees, and no retry is lost', () => {
  fc.assert(
    fc.property(
      aPlan,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
      (plan, when, outcomes) => {
        const ms = plan.until.epochMilliseconds - plan.now.epochMilliseconds;
        const agreedAt = plan.now.add({ milliseconds: Math.round(ms * when) });
        let n = 0;
        const leftOut = live(plan, agreedAt, () => outcomes[n++ % outcomes.length] ?? true);
        if (isLocked(plan)) assert.deepEqual(leftOut, []);
      },
    ),
    { numRuns: 10_000 },
  );
});

/** Returns when a payment may be collected: at its moment, and one, three, six and every three more days later. */
function attemptsOf(plan: Plan, dueAt: Temporal.Instant): Temporal.Instant[] {
  const { series, maxRetries } = plan;
  const next = occurrence(series, firstIndexAfter(series, dueAt));
  const local = dueAt.toZonedDateTimeISO(series.timeZone);
  const days = Array.from({ length: maxRetries + 1 }, (_, n) =>
    n < 3 ? [0, 1, 3][n] : 3 * (n - 1),
  );
  return days
    .map((after = 0) => local.add({ days: after }).toInstant())
    .filter((at) => next === null || Temporal.Instant.compare(at, next) < 0);
}

/** Payments in the order in which they are made. */
type Crowd = readonly (readonly [at: Temporal.Instant, pence: number])[];

/** Returns whether the bank refuses one of a crowd's payments; it knows their days alone. */
function refusesAny(params: ControlParameters, crowds: Iterable<CountedPayment[]>): boolean {
  const bank = bankOf(params);
  for (const payments of crowds) {
    const counted: CountedPayment[] = [];
    for (const one of payments) {
      if (breachOf(bank, counted, one.day, one.amountPence) !== null) return true;
      counted.push(one);
    }
  }
  return false;
}

/** Returns what the bank sees of crowds: those that are alike on their days once. */
function seenBy(crowds: Iterable<Crowd>): CountedPayment[][] {
  const days = new Map<number, Temporal.PlainDate>();
  const dayOf = (at: Temporal.Instant): Temporal.PlainDate => {
    const day = days.get(at.epochMilliseconds) ?? londonDate(at);
    days.set(at.epochMilliseconds, day);
    return day;
  };
  const seen = new Map<string, CountedPayment[]>();
  for (const crowd of crowds) {
    const payments = crowd.map(([at, amountPence]) => ({ day: dayOf(at), amountPence }));
    seen.set(payments.map((one) => `${one.day} ${one.amountPence}`).join(), payments);
  }
  return [...seen.values()];
}

/** Returns moments at which the customer may agree: each day, and so that a retry comes a minute before an occurrence. */
function momentsToAgree(
  { series, until, maxRetries }: Plan,
  validFrom: Temporal.Instant,
  dues: readonly Temporal.Instant[],
): Temporal.Instant[] {
  const eachDay = Array.from({ length: 8 }, (_, day) => validFrom.add({ hours: 24 * day }));
  const before = dues.slice(0, 8).flatMap((due) =>
    Array.from({ length: 3 * maxRetries + 1 }, (_, days) =>
      // Retries keep their time of day while the clocks change.
      due
        .subtract({ minutes: 1 })
        .toZonedDateTimeISO(series.timeZone)
        .subtract({ days })
        .toInstant(),
    ),
  );
  const isInTime = (at: Temporal.Instant) =>
    Temporal.Instant.compare(at, validFrom) >= 0 && Temporal.Instant.compare(at, until) <= 0;
  // Who agrees in the last minute of a day pays on the next one.
  return [validFrom, ...[until, ...eachDay, ...before].filter(isInTime)];
}

/** Returns what may be paid, as many payments in one period as there can be, a list for each period and each way to get there. */
function* crowds(plan: Plan, params: ControlParameters): Generator<Crowd> {
  const { series, firstPence } = plan;
  const [limit] = params.periodicLimits;
  assert.ok(limit);
  const known = new Map<number, string>();
  const anchor = londonDate(params.validFrom);
  const periodOf = (at: Temporal.Instant): string => {
    const start =
      known.get(at.epochMilliseconds) ??
      periodAt({ ...limit, type: limit.periodType }, anchor, londonDate(at)).from.toString();
    known.set(at.epochMilliseconds, start);
    return start;
  };
  const first = firstIndexAfter(series, plan.now);
  const dues = Array.from(
    { length: 60 },
    (_, n) => occurrence(series, first + n) as Temporal.Instant,
  );
  const attempts = dues.map((at) => attemptsOf(plan, at));
  for (const period of new Set(dues.map(periodOf))) {
    const isIn = (at: Temporal.Instant) => periodOf(at) === period;
    yield dues.filter(isIn).map((at) => [at, AMOUNT] as const);
    if (firstPence === null) continue;
    yield attempts.flatMap((some) =>
      some
        .filter(isIn)
        .slice(0, 1)
        .map((at) => [at, AMOUNT] as const),
    );
  }
  if (firstPence === null) return;
  yield [[params.validFrom, firstPence] as const];
  for (const agreedAt of momentsToAgree(plan, params.validFrom, dues)) {
    for (const paidAt of attemptsOf(plan, agreedAt)) {
      const coming = dues.filter((due) => Temporal.Instant.compare(due, paidAt) > 0);
      const beside = coming.filter((due) => periodOf(due) === periodOf(paidAt));
      yield [[paidAt, firstPence] as const, ...beside.map((due) => [due, AMOUNT] as const)];
    }
  }
}

test('no room is asked beyond need: with a penny less, something that may be collected is refused', () => {
  fc.assert(
    fc.property(aPlan.filter(isLocked), (plan) => {
      const params = paramsOf(plan);
      const [limit] = params.periodicLimits;
      assert.ok(limit);
      const lowered: ControlParameters[] = [
        { ...params, maximumAmountPence: params.maximumAmountPence - 1 },
        { ...params, periodicLimits: [{ ...limit, amountPence: limit.amountPence - 1 }] },
      ];
      const all = seenBy(crowds(plan, params));
      assert.ok(!refusesAny(params, all), 'something is refused');
      for (const less of lowered)
        assert.ok(
          refusesAny(less, all),
          `${less.maximumAmountPence} and ${less.periodicLimits[0]?.amountPence} are enough`,
        );
    }),
    { numRuns: 2_000 },
  );
});
