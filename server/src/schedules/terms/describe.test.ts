import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeAmount, describeFrequency } from './describe.ts';

const ON_15_MARCH = Temporal.PlainDate.from('2026-03-15');

test('a frequency reads as a person would say it', () => {
  const words = [
    [{ type: 'daily', day: null, interval: 1 }, 'every day'],
    [{ type: 'daily', day: null, interval: 45 }, 'every 45th day'],
    [{ type: 'weekly', day: 1, interval: 1 }, 'every week on Monday'],
    [{ type: 'weekly', day: 5, interval: 2 }, 'every second week on Friday'],
    [{ type: 'monthly', day: 1, interval: 1 }, 'every month on the 1st'],
    [{ type: 'monthly', day: 12, interval: 11 }, 'every 11th month on the 12th'],
    [{ type: 'quarterly', day: 22, interval: 1 }, 'every quarter on the 22nd'],
    [{ type: 'yearly', day: 3, interval: 3 }, 'every third year on 3 March'],
  ] as const;
  for (const [frequency, expected] of words)
    assert.equal(describeFrequency(frequency, ON_15_MARCH), expected);
});

test('a day that some months lack is said to fall on their last day', () => {
  const shorter = '(or the last day of shorter months)';
  for (const [day, word] of [
    [29, '29th'],
    [30, '30th'],
    [31, '31st'],
  ] as const) {
    const words = describeFrequency({ type: 'monthly', day, interval: 1 }, ON_15_MARCH);
    assert.equal(words, `every month on the ${word} ${shorter}`);
  }
  assert.equal(
    describeFrequency({ type: 'monthly', day: 28, interval: 1 }, ON_15_MARCH),
    'every month on the 28th',
  );
});

test('a yearly frequency names its month when it is known', () => {
  const yearly = (day: number, firstOn: string) =>
    describeFrequency({ type: 'yearly', day, interval: 1 }, Temporal.PlainDate.from(firstOn));
  assert.equal(yearly(15, '2026-03-15'), 'every year on 15 March');
  assert.equal(yearly(31, '2026-04-30'), 'every year on 30 April');
  assert.equal(
    yearly(29, '2028-02-29'),
    'every year on 29 February (28 February where it is no leap year)',
  );
});

test('an amount has its sign, its thousands and its pence', () => {
  assert.equal(describeAmount(4999), '£49.99');
  assert.equal(describeAmount(5), '£0.05');
  assert.equal(describeAmount(100_000_000), '£1,000,000.00');
  assert.equal(describeAmount(Number.MAX_SAFE_INTEGER), '£90,071,992,547,409.91');
});

test('the 28th is a day of every month, the 13th and the 113th are no thirds', () => {
  const monthly = (day: number, interval = 1): string =>
    describeFrequency({ type: 'monthly', day, interval }, ON_15_MARCH);
  assert.equal(monthly(28), 'every month on the 28th');
  assert.equal(monthly(13), 'every month on the 13th');
  assert.equal(
    describeFrequency({ type: 'daily', day: null, interval: 113 }, ON_15_MARCH),
    'every 113th day',
  );
  assert.equal(
    describeFrequency({ type: 'monthly', day: 15, interval: 1 }, ON_15_MARCH),
    'every month on the 15th',
  );
});
