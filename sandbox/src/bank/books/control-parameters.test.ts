import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { breachOf, type ControlParameters, type CountedPayment } from './control-parameters.ts';

const day = (text: string) => Temporal.PlainDate.from(text);

const MONTHLY: ControlParameters = {
  maximumIndividualPence: 5000,
  periodicLimits: [{ type: 'Month', alignment: 'Consent', amountPence: 5000 }],
  validFrom: day('2026-05-31'),
  validTo: day('2027-05-30'),
};

const paid = (text: string, amountPence: number): CountedPayment => ({
  day: day(text),
  amountPence,
});

test('A payment may use the whole individual limit and not a penny more', () => {
  assert.equal(breachOf(MONTHLY, [], day('2026-06-01'), 5000), null);
  assert.match(breachOf(MONTHLY, [], day('2026-06-01'), 5001)?.message ?? '', /individual/);
});

test('A period is used up by the payments in it, and the next one is whole again', () => {
  const counted = [paid('2026-05-31', 5000)];
  assert.match(breachOf(MONTHLY, counted, day('2026-06-29'), 1)?.message ?? '', /0\.00 left/);
  assert.equal(breachOf(MONTHLY, counted, day('2026-06-30'), 5000), null);
});

test('Two collections in one calendar month need a limit of both', () => {
  const calendar = (amountPence: number): ControlParameters => ({
    ...MONTHLY,
    periodicLimits: [{ type: 'Month', alignment: 'Calendar', amountPence }],
  });
  const counted = [paid('2026-06-01', 5000)];
  assert.ok(breachOf(calendar(5000), counted, day('2026-06-30'), 5000));
  assert.equal(breachOf(calendar(10_000), counted, day('2026-06-30'), 5000), null);
});

test('The first and the last day are allowed, the days outside are not', () => {
  assert.equal(breachOf(MONTHLY, [], day('2026-05-31'), 100), null);
  assert.equal(breachOf(MONTHLY, [], day('2027-05-30'), 100), null);
  assert.match(breachOf(MONTHLY, [], day('2026-05-30'), 100)?.path ?? '', /ValidFrom/);
  assert.match(breachOf(MONTHLY, [], day('2027-05-31'), 100)?.path ?? '', /ValidTo/);
});

test('Whatever is tried, no window ever holds more than its limit', () => {
  const tries = fc.array(
    fc.record({ days: fc.integer({ min: 0, max: 364 }), pence: fc.integer({ min: 1, max: 6000 }) }),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(tries, (all) => {
      const counted: CountedPayment[] = [];
      for (const { days, pence } of all.toSorted((a, b) => a.days - b.days)) {
        const at = MONTHLY.validFrom.add({ days });
        if (!breachOf(MONTHLY, counted, at, pence)) counted.push({ day: at, amountPence: pence });
      }
      for (let month = 0; month < 12; month += 1) {
        const from = MONTHLY.validFrom.add({ months: month });
        const to = MONTHLY.validFrom.add({ months: month + 1 });
        const sum = counted
          .filter((one) => Temporal.PlainDate.compare(one.day, from) >= 0)
          .filter((one) => Temporal.PlainDate.compare(one.day, to) < 0)
          .reduce((total, one) => total + one.amountPence, 0);
        assert.ok(sum <= 5000);
      }
    }),
    { numRuns: 100 },
  );
});
