import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Frequency } from '../terms/frequency.ts';
import {
  type CollectionTerms,
  type ControlParameters,
  firstRefusal,
  fits,
  headroomNow,
} from './headroom.ts';
import { controlParameters } from './limits.ts';
import { refusalBeside } from './room.ts';

const FIRST_AT = Temporal.Instant.from('2026-01-31T09:00:00Z');

function terms(
  type: Frequency['type'],
  day: number | null,
  interval: number,
  endAt: string | null = null,
  firstAt = FIRST_AT,
): CollectionTerms {
  const frequency = { type, day, interval };
  const end = endAt === null ? null : Temporal.Instant.from(endAt);
  const series = { frequency, firstAt, timeZone: 'Europe/London', endAt: end };
  return { amountPence: 4_999, series };
}

function limitOf(of: CollectionTerms): string {
  const { periodicLimits } = controlParameters(of, of.series.firstAt);
  const [limit] = periodicLimits;
  assert.ok(limit && periodicLimits.length === 1);
  return `${limit.periodType} ${limit.alignment} x${limit.amountPence / of.amountPence}`;
}

function at(text: string): { at: Temporal.Instant; amountPence: number } {
  return { at: Temporal.Instant.from(text), amountPence: 4_999 };
}

test('each frequency gets the period that permits the least beyond it', () => {
  const expected = [
    [terms('daily', null, 1), 'Week Consent x8'],
    [terms('daily', null, 2), 'Fortnight Consent x7'],
    [terms('weekly', 6, 1), 'Week Consent x1'],
    [terms('weekly', 6, 2), 'Fortnight Consent x1'],
    [terms('weekly', 6, 3), 'Half-year Consent x9'],
    [terms('monthly', 31, 1), 'Month Consent x1'],
    [terms('monthly', 31, 2), 'Half-year Consent x3'],
    [terms('monthly', 31, 5), 'Year Consent x3'],
    [terms('monthly', 31, 6), 'Half-year Consent x1'],
    [terms('quarterly', 31, 1), 'Half-year Consent x2'],
    [terms('quarterly', 31, 2), 'Half-year Consent x1'],
    [terms('yearly', 31, 1), 'Year Consent x1'],
    [terms('yearly', 31, 10), 'Year Consent x1'],
  ] as const;
  for (const [of, limit] of expected) {
    assert.equal(limitOf(of), limit, JSON.stringify(of.series.frequency));
  }
});

test('the consent starts on the first occurrence from the asked moment on', () => {
  const monthly = terms('monthly', 31, 1);
  const validFrom = (from: string) =>
    controlParameters(monthly, Temporal.Instant.from(from)).validFrom.toString();
  assert.equal(validFrom('2026-01-01T00:00:00Z'), '2026-01-31T09:00:00Z');
  assert.equal(validFrom('2026-01-31T09:00:00Z'), '2026-01-31T09:00:00Z');
  assert.equal(validFrom('2026-01-31T09:00:01Z'), '2026-02-28T09:00:00Z');
});

test('the consent ends with the day of the end date, and takes an occurrence exactly at it', () => {
  const ending = terms('monthly', 31, 1, '2026-03-31T08:00:00Z');
  const params = controlParameters(ending, FIRST_AT);
  assert.equal(params.validTo?.toString(), '2026-03-31T22:59:59.999Z');
  assert.equal(params.maximumAmountPence, 4_999);
  assert.equal(fits(params, [at('2026-03-31T08:00:20Z')]), null);
  assert.match(fits(params, [at('2026-03-31T23:00:00Z')])?.reason ?? '', /has ended/);
  assert.equal(firstRefusal(params, ending, FIRST_AT), null);
  const afterwards = Temporal.Instant.from('2026-03-31T08:00:01Z');
  assert.throws(() => controlParameters(ending, afterwards), RangeError);
});

test('a collection too early, too large or over the limit of its period is refused', () => {
  const params = controlParameters(terms('monthly', 31, 1), FIRST_AT);
  assert.match(fits(params, [at('2026-01-31T08:59:59Z')])?.reason ?? '', /not valid yet/);
  const large = { ...at('2026-01-31T09:00:00Z'), amountPence: 5_000 };
  assert.equal(fits(params, [large])?.reason, 'more than £49.99, the most for one payment');
  const twice = [
    at('2026-02-28T09:00:00Z'),
    at('2026-02-27T09:00:00Z'),
    at('2026-03-30T09:00:00Z'),
  ];
  const refusal = fits(params, twice);
  assert.equal(refusal?.at.toString(), '2026-03-30T09:00:00Z');
  assert.deepEqual(fits(params, twice.toReversed()), refusal, 'by their time, however they come');
  assert.equal(refusal.reason, 'more than £49.99 from 2026-02-28 to 2026-03-30');
});

test('two collections moved into one calendar month need twice the limit', () => {
  const params = (amountPence: number): ControlParameters => ({
    validFrom: Temporal.Instant.from('2026-05-01T00:00:00Z'),
    validTo: null,
    maximumAmountPence: 5_000,
    periodicLimits: [{ periodType: 'Month', alignment: 'Calendar', amountPence }],
  });
  const moved = ['2026-06-01T09:00:00Z', '2026-06-30T09:00:00Z'].map((moment) => ({
    at: Temporal.Instant.from(moment),
    amountPence: 5_000,
  }));
  assert.equal(fits(params(5_000), moved)?.at.toString(), '2026-06-30T09:00:00Z');
  assert.equal(fits(params(10_000), moved), null);
  const modified = [{ at: Temporal.Instant.from('2026-05-29T09:00:00Z'), amountPence: 5_000 }];
  assert.equal(fits(params(5_000), [...modified, ...moved.slice(1)]), null);
});

test('with calendar alignment the first honest collection is refused', () => {
  const monthly = terms('monthly', 31, 1);
  const params = controlParameters(monthly, FIRST_AT);
  const periodicLimits = params.periodicLimits.map((limit) => ({
    ...limit,
    alignment: 'Calendar' as const,
  }));
  const refusal = firstRefusal({ ...params, periodicLimits }, monthly, FIRST_AT);
  assert.equal(refusal?.at.toString(), FIRST_AT.toString());
});

test('a schedule made more frequent, dearer or longer is refused under its old consent', () => {
  const monthly = terms('monthly', 31, 1, '2026-06-30T08:00:00Z');
  const params = controlParameters(monthly, FIRST_AT);
  assert.equal(firstRefusal(params, monthly, FIRST_AT), null);
  const refusedAt = (changed: CollectionTerms) =>
    firstRefusal(params, changed, FIRST_AT)?.at.toString();
  assert.equal(refusedAt(terms('weekly', 6, 1)), '2026-02-07T09:00:00Z');
  assert.equal(refusedAt({ ...monthly, amountPence: 5_000 }), '2026-01-31T09:00:00Z');
  assert.equal(refusedAt(terms('monthly', 31, 1)), '2026-07-31T08:00:00Z');
  assert.equal(refusedAt({ ...monthly, amountPence: 100 }), undefined);
});

test('a retry fits its own period', () => {
  const monthly = terms('monthly', 31, 1);
  const params = controlParameters(monthly, FIRST_AT);
  const retry = at('2026-02-06T09:00:00Z');
  const toCome = [{ terms: monthly, from: Temporal.Instant.from('2026-02-28T09:00:00Z') }];
  assert.equal(refusalBeside({ params, used: [], toCome }, retry), null);
  const paid = [at('2026-01-31T09:00:00Z')];
  const reason = 'more than the £0.00 left from 2026-01-31 to 2026-02-27';
  assert.equal(refusalBeside({ params, used: paid, toCome }, retry), reason);
});

test('a retry that slips into the next period may not use what its own occurrences need', () => {
  // Every five months, three a year. The year from 31 January 2027 has two, so there is room; if two payments a year were
  // allowed, there would be none.
  const every5 = terms('monthly', 31, 5);
  const params = controlParameters(every5, FIRST_AT);
  const retry = at('2027-02-01T09:00:00Z');
  const toCome = [{ terms: every5, from: retry.at }];
  assert.equal(refusalBeside({ params, used: [], toCome }, retry), null);
  const [limit] = params.periodicLimits;
  assert.ok(limit);
  const tight = { ...params, periodicLimits: [{ ...limit, amountPence: 2 * 4_999 }] };
  assert.equal(
    refusalBeside({ params: tight, used: [], toCome }, retry),
    'more than the £0.00 left from 2027-01-31 to 2028-01-30',
  );
});

test('a retry leaves what every schedule under its consent needs in its period, before it and after it', () => {
  const monthly = terms('monthly', 31, 1);
  const params = controlParameters(monthly, FIRST_AT);
  const retry = { ...at('2026-03-02T09:00:00Z'), amountPence: 2_400 };
  const under = (first: string, amountPence: number) => {
    const firstAt = Temporal.Instant.from(first);
    const { series } = terms('monthly', firstAt.toZonedDateTimeISO('UTC').day, 1, null, firstAt);
    return { terms: { amountPence, series }, from: firstAt };
  };
  const refused = (...toCome: ReturnType<typeof under>[]) =>
    refusalBeside({ params, used: [], toCome }, retry) !== null;
  const [first, last] = ['2026-03-01T09:00:00Z', '2026-03-30T08:00:00Z']; // both in its period
  assert.equal(refused(under(first, 2_599)), false);
  assert.equal(refused(under(first, 2_600)), true);
  assert.equal(refused(under(last, 1_299), under(first, 1_300)), false);
  assert.equal(refused(under(last, 1_300), under(first, 1_300)), true);
  assert.equal(refused(under('2026-03-31T08:00:00Z', 4_999)), false, 'the next period');
});

test('a retry is refused for itself: too large, too late, and not for what another period lacks', () => {
  const params = controlParameters(terms('monthly', 31, 1, '2026-03-31T08:00:00Z'), FIRST_AT);
  const refusal = (amountPence: number, moment: string, ...used: string[]) =>
    refusalBeside({ params, used: used.map(at), toCome: [] }, { ...at(moment), amountPence });
  assert.match(refusal(100, '2026-04-01T09:00:00Z') ?? '', /has ended/);
  const roomy = params.periodicLimits.map((limit) => ({ ...limit, amountPence: 9_999 }));
  const large = { ...at('2026-02-06T09:00:00Z'), amountPence: 5_000 };
  const wide = { ...params, periodicLimits: roomy };
  const reason = refusalBeside({ params: wide, used: [], toCome: [] }, large);
  assert.match(reason ?? '', /the most for one payment/);
  const twice = ['2026-02-01T09:00:00Z', '2026-02-02T09:00:00Z'];
  assert.equal(refusal(4_999, '2026-03-01T09:00:00Z', ...twice), null);
});

test('what is used and left is counted in the period of the moment', () => {
  const quarterly = terms('quarterly', 31, 1);
  const params = controlParameters(quarterly, FIRST_AT);
  const used = [at('2026-01-31T09:00:00Z'), at('2026-04-30T09:00:00Z')];
  const on = (moment: string) => {
    const [now] = headroomNow(params, used, Temporal.Instant.from(moment));
    assert.ok(now);
    return [now.used, now.left, now.periodStart.toString(), now.periodEnd.toString()];
  };
  assert.deepEqual(on('2026-05-01T00:00:00Z'), [9_998, 0, '2026-01-31', '2026-07-30']);
  assert.deepEqual(on('2026-07-31T00:00:00Z'), [0, 9_998, '2026-07-31', '2027-01-30']);
  assert.deepEqual(on('2025-12-01T00:00:00Z'), [9_998, 0, '2026-01-31', '2026-07-30']);
  used.push(at('2026-07-31T09:00:00Z'));
  assert.deepEqual(on('2026-05-01T00:00:00Z'), [9_998, 0, '2026-01-31', '2026-07-30']);
  assert.deepEqual(on('2026-07-31T00:00:00Z'), [4_999, 4_999, '2026-07-31', '2027-01-30']);
});

test('what was collected beyond one limit still takes the room of the others', () => {
  const params: ControlParameters = {
    validFrom: Temporal.Instant.from('2026-01-05T09:00:00Z'),
    validTo: null,
    maximumAmountPence: 4_999,
    periodicLimits: [
      { periodType: 'Week', alignment: 'Consent', amountPence: 4_999 },
      { periodType: 'Month', alignment: 'Consent', amountPence: 9_998 },
    ],
  };
  const used = [at('2026-01-05T09:00:00Z'), at('2026-01-06T09:00:00Z')]; // two in a week, before the customer lowered it
  const third = at('2026-01-12T09:00:00Z');
  const refusal = fits(params, [third], 'Europe/London', used);
  assert.equal(refusal?.reason, 'more than £99.98 from 2026-01-05 to 2026-02-04');
});

test('a payment that its bank may have taken in either of two periods counts in each, and once in one', () => {
  const params: ControlParameters = {
    validFrom: Temporal.Instant.from('2026-01-05T09:00:00Z'),
    validTo: null,
    maximumAmountPence: 4_999,
    periodicLimits: [
      { periodType: 'Week', alignment: 'Consent', amountPence: 9_998 },
      { periodType: 'Month', alignment: 'Consent', amountPence: 14_997 },
    ],
  };
  // Sent at ten to midnight, with no answer, and again after it.
  const lastAt = Temporal.Instant.from('2026-01-12T00:09:00Z');
  const used = [{ ...at('2026-01-11T23:50:00Z'), lastAt }];
  const usedOn = (moment: string) =>
    headroomNow(params, used, Temporal.Instant.from(moment)).map((one) => one.used);
  assert.deepEqual(usedOn('2026-01-11T12:00:00Z'), [4_999, 4_999]);
  assert.deepEqual(usedOn('2026-01-12T12:00:00Z'), [4_999, 4_999]);
  assert.deepEqual(usedOn('2026-01-19T12:00:00Z'), [0, 4_999]);
  const next = ['2026-01-12T09:00:00Z', '2026-01-13T09:00:00Z'].map(at);
  const refusal = fits(params, next, 'Europe/London', used);
  assert.equal(refusal?.reason, 'more than £99.98 from 2026-01-12 to 2026-01-18');
  assert.equal(fits(params, next.slice(1), 'Europe/London', used), null);
});
