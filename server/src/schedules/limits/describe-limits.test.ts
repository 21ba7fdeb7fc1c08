import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredControlParameters } from '../../consents/consent.ts';
import { describeLimits } from './describe-limits.ts';

const MONTHLY: StoredControlParameters = {
  validFrom: '2026-03-31T08:00:00Z',
  validTo: null,
  maximumAmountPence: 4999,
  periodicLimits: [{ periodType: 'Month', alignment: 'Consent', amountPence: 9998 }],
};

test('every limit that the bank holds is a sentence', () => {
  assert.deepEqual(describeLimits(MONTHLY), [
    'Up to £49.99 per payment.',
    'Up to £99.98 per month, counted from 31 March 2026.',
    'From 31 March 2026, with no end date, until you stop it.',
  ]);
  const until = { ...MONTHLY, validTo: '2027-03-02T23:59:59.999Z' };
  assert.equal(describeLimits(until).at(-1), 'From 31 March 2026 until 2 March 2027.');
});

test('every kind of period has its words', () => {
  const eachOf = (periodType: string): string | undefined =>
    describeLimits({
      ...MONTHLY,
      periodicLimits: [{ periodType, alignment: 'Calendar', amountPence: 100 }],
    })[1];
  assert.equal(eachOf('Day'), 'Up to £1.00 per calendar day.');
  for (const period of ['Week', 'Fortnight', 'Month', 'Half-year', 'Year'])
    assert.match(
      eachOf(period) ?? '',
      new RegExp(`^Up to £1\\.00 per calendar ${period.toLowerCase()}\\.$`),
    );
});
