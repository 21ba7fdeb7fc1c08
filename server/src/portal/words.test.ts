import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOT_SENT_REASONS, type NotSentReason } from '../payments/payment/not-sent.ts';
import {
  describeDate,
  describeDay,
  describeEnd,
  describeNotSent,
  describePayment,
  describePeriod,
  describeRetries,
  describeUncertainty,
} from './words.ts';

const LONDON = 'Europe/London';
const at = (text: string): Temporal.Instant => Temporal.Instant.from(text);

test('a day is named in the calendar of the merchant', () => {
  assert.equal(describeDay(at('2026-03-05T09:00:00Z'), LONDON), 'Thursday 5 March 2026');
  assert.equal(describeDate(at('2026-06-30T23:30:00Z'), LONDON), '1 July 2026');
  assert.equal(describeDate(at('2026-06-30T23:30:00Z'), 'UTC'), '30 June 2026');
});

test('the period of a limit is one date where it is one day', () => {
  const day = Temporal.PlainDate.from('2026-03-31');
  const room = {
    limit: { periodType: 'Day', alignment: 'Consent', amountPence: 1 },
    used: 0,
    left: 1,
  } as const;
  assert.equal(describePeriod({ ...room, periodStart: day, periodEnd: day }), '31 March 2026');
  const end = Temporal.PlainDate.from('2026-04-29');
  assert.equal(
    describePeriod({ ...room, periodStart: day, periodEnd: end }),
    '31 March 2026 to 29 April 2026',
  );
});

test('an end and retries are told as they are', () => {
  assert.equal(describeEnd(null, LONDON), 'No end date');
  assert.equal(describeEnd(at('2027-03-02T10:00:00Z'), LONDON), 'Last payment by 2 March 2027');
  assert.match(describeRetries({ each: 0, last: null }), /will not try again\.$/);
  assert.match(describeRetries({ each: 1, last: null }), /try once more/);
  assert.match(
    describeRetries({ each: 3, last: 3 }),
    /up to 3 more times over the following days, [^.]*\.$/,
  );
  assert.match(
    describeRetries({ each: 3, last: 0 }),
    /up to 3 .* last payment .* not try again\.$/,
  );
});

test('a payment is told in words for its customer, and a reason that is not for them is left out', () => {
  assert.deepEqual(describePayment('success', null, null), {
    tone: 'good',
    label: 'Paid',
    note: null,
  });
  assert.equal(describePayment('processing', null, null).label, 'On its way');
  assert.equal(describePayment('pending', null, null).label, 'Due');
  assert.deepEqual(describePayment('pending', 'insufficient_funds', 'Sunday 3 May 2026'), {
    tone: 'quiet',
    label: 'Will be retried',
    note: 'There was not enough money in the account. Next attempt: Sunday 3 May 2026.',
  });
  assert.equal(
    describePayment('failed', 'creditor_account_unavailable', null).note,
    'The payment did not go through.',
  );
});

test('a payment that is not sent yet says why, and when we try again, in the time of the business', () => {
  const until = Temporal.Instant.from('2026-06-02T09:40:00Z');
  const said = (reason: NotSentReason, at: Temporal.Instant | null = until) =>
    describeNotSent({ reason, until: at, bankName: 'Northbank' }, 'Europe/London');
  assert.deepEqual(said('bank_down'), {
    tone: 'quiet',
    label: 'Not sent yet',
    note: 'Northbank is not responding. We will try again at 10:40.',
  });
  assert.equal(said('bank_down', null).note, 'Northbank is not responding.');
  assert.equal(said('retrying').note, 'We will try again at 10:40.');
  for (const reason of NOT_SENT_REASONS) {
    const { label, note } = said(reason);
    assert.doesNotMatch(`${label} ${note}`, /on its way|paid|with your bank|outcome/i, reason);
  }
});

test('a payment that waits for a person, and money that was not expected, are said in plain words', () => {
  const said = (waitsForPerson: boolean, unexpectedPence: number): string | null =>
    describeUncertainty({ waitsForPerson, unexpectedPence });
  assert.equal(said(false, 0), null);
  assert.match(said(true, 0) ?? '', /checking the outcome of this payment with your bank/);
  assert.match(said(false, 4999) ?? '', /^We received £49\.99 .* not expect.*return it to you\.$/);
  assert.match(said(true, 4998) ?? '', /^We received £49\.98/);
});
