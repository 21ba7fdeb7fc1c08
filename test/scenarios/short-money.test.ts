import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { giveUpPayment } from '../../server/src/payments/operator/give-up.ts';
import {
  assertLaws,
  dueInAnHour,
  onlyPaymentOf,
  retryByHand,
} from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

let h: Harness;
afterEach(async () => {
  await assertLaws(h);
  await h.close();
});

const WORD = { by: 'Ms Hill', reason: 'a penny is missing', evidence: 'the statement' };

test('a payment whose money came a penny short is not debited a second time while that money is on the list', async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  h.bank.mood.slow = true;
  const id = await dueInAnHour(h, { frequency: 'daily' });
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const sent = h.bank.paymentOf(paymentId, 1);
  sent.status = 'debited';
  h.issuer.payIn({ ...sent, amountPence: 4998 });
  await h.runUntil(h.clock.at.add({ hours: 1 }));
  const given = giveUpPayment(h.service.authorisation, paymentId, WORD);
  await assert.rejects(given, /its money lies unallocated/);
  h.bank.cheerUp();
  await retryByHand(h, paymentId).catch((error: unknown) => error);
  await h.runUntil(h.clock.at.add({ hours: 1 }));
  const debits = [...h.bank.payments.values()].filter(
    (p) => p.endToEndId.startsWith(paymentId) && p.status !== 'failed',
  );
  assert.equal(debits.length, 1, 'the customer has paid 4998 of 4999 already');
});
