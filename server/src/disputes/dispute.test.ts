import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cameBackOf, deadlineOf, disputableSince, owedOf, shownToCustomer } from './dispute.ts';

const at = (text: string): Temporal.Instant => Temporal.Instant.from(text);
const deadline = (...of: Parameters<typeof deadlineOf>): string => deadlineOf(...of).toString();

test('what was not authorised has until the end of the next business day in London, across weekends and holidays', () => {
  assert.equal(deadline('unauthorised', at('2026-03-02T10:00:00Z')), '2026-03-03T23:59:59Z');
  assert.equal(deadline('unauthorised', at('2026-03-06T10:00:00Z')), '2026-03-09T23:59:59Z');
  assert.equal(deadline('after_withdrawal', at('2026-12-24T10:00:00Z')), '2026-12-29T23:59:59Z');
  // In summer the day begins and ends an hour earlier in UTC.
  assert.equal(deadline('unauthorised', at('2026-06-01T23:30:00Z')), '2026-06-03T22:59:59Z');
});

test('every other reason has fifteen business days', () => {
  assert.equal(deadline('wrong_amount', at('2026-03-02T10:00:00Z')), '2026-03-23T23:59:59Z');
  assert.equal(deadline('other', at('2026-03-27T10:00:00Z')), '2026-04-21T22:59:59Z');
});

test('a customer may dispute a payment of the last thirteen months', () => {
  assert.equal(disputableSince(at('2026-02-28T10:00:00Z')).toString(), '2025-01-28T10:00:00Z');
});

test('a customer sees their own dispute, or what the merchant raised for them while it stands', () => {
  const of = (raisedBy: 'customer' | 'merchant', status: 'open' | 'rejected' | 'withdrawn') => ({
    raisedBy,
    status,
  });
  const own = of('customer', 'rejected');
  assert.equal(shownToCustomer([own, of('merchant', 'withdrawn')]), own);
  assert.equal(shownToCustomer([of('merchant', 'rejected'), of('merchant', 'withdrawn')]), null);
  const open = of('merchant', 'open');
  assert.equal(shownToCustomer([own, open]), open);
});

test('a dispute and what came back since are never more than it asks for, nor more than the payment has', () => {
  const pence = fc.integer({ min: 0, max: 100_000 });
  fc.assert(
    fc.property(
      pence,
      pence,
      pence,
      pence,
      pence,
      (amount, before, claimed, refunded, returned) => {
        const returnedBeforePence = Math.min(before, amount);
        const claim = {
          amountPence: Math.min(claimed, amount - returnedBeforePence),
          returnedBeforePence,
        };
        const payment = {
          amountPence: amount,
          refundedPence: Math.min(refunded, amount),
          returnedPence: returned,
        };
        const owed = owedOf(claim, payment);
        const left = amount - payment.refundedPence - returned;
        assert.ok(owed >= 0 && owed <= Math.max(0, left));
        assert.ok(owed + cameBackOf(claim, payment) <= claim.amountPence);
      },
    ),
  );
});

test('a refund made since counts towards it, and one that fails is owed again', () => {
  const claim = { amountPence: 4000, returnedBeforePence: 500 };
  const given = (refundedPence: number) => ({
    amountPence: 4999,
    refundedPence,
    returnedPence: null,
  });
  assert.deepEqual(
    [500, 1500, 4500].map((pence) => owedOf(claim, given(pence))),
    [4000, 3000, 0],
  );
  assert.equal(cameBackOf(claim, given(1500)), 1000);
});
