import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../server/src/platform/values/errors.ts';
import {
  assertLaws,
  onlyPaymentOf,
  refund,
  refundsOf,
  settlementsOf,
} from '../../server/test-support/books.ts';
import { feesFromTomorrow, feeWalletPence } from '../../server/test-support/fees.ts';
import { oneForEach } from '../../server/test-support/opened.ts';
import { justDue } from './acts.ts';

const { h, runFor } = oneForEach();

/** Collects one payment now; returns its id. */
async function collected(): Promise<string> {
  const id = await justDue(h);
  await h.runUntil(h.clock.at);
  return (await onlyPaymentOf(h, id)).id;
}

/** Lets something happen once, after the issuer has made a transfer and before we read its answer. */
function duringTransfer(happen: () => Promise<void>): void {
  const transfer = h.issuer.transfer.bind(h.issuer);
  h.issuer.transfer = async (orders) => {
    h.issuer.transfer = transfer;
    const made = await transfer(orders);
    await happen();
    return made;
  };
}

const midnight = Temporal.Instant.from('2026-01-06T00:00:00Z');

test('terms that begin while the issuer makes the transfer are those of the success', async () => {
  await feesFromTomorrow(h, { fixedPence: 20 });
  await h.runUntil('2026-01-05T22:50:00Z');
  const id = await justDue(h);
  duringTransfer(async () => {
    h.clock.at = midnight;
  });
  await runFor({ minutes: 30 });
  assert.equal((await onlyPaymentOf(h, id)).fee?.value, 20);
  await assertLaws(h);
});

test('terms that are set and begin while the issuer makes the transfer are those of the success', async () => {
  await h.runUntil('2026-01-05T21:50:00Z');
  const id = await justDue(h);
  duringTransfer(async () => {
    await feesFromTomorrow(h, { fixedPence: 20 });
    h.clock.at = midnight;
  });
  await runFor({ minutes: 30 });
  assert.equal((await onlyPaymentOf(h, id)).fee?.value, 20);
  await assertLaws(h);
});

test('a success at the moment of the settlement has its fee netted once, there or in the next', async () => {
  await feesFromTomorrow(h, { fixedPence: 20, basisPoints: 100 });
  await h.runUntil('2026-01-06T09:30:00Z');
  await collected();
  await h.runUntil('2026-01-07T04:50:00Z');
  h.bank.mood.slow = true;
  const id = await justDue(h);
  await h.service.engine.drain();
  const { id: late } = await onlyPaymentOf(h, id);
  h.clock.at = Temporal.Instant.from('2026-01-07T06:00:00Z');
  h.bank.credit(h.bank.paymentOf(late, 1));
  await Promise.all([h.service.engine.drain(), h.another().engine.drain()]);
  h.bank.cheerUp();
  await runFor({ hours: 48 });
  const settlements = await settlementsOf(h);
  const sum = (of: 'gross' | 'fees' | 'amount') =>
    settlements.reduce((total, one) => total + one[of].value, 0);
  assert.deepEqual([sum('gross'), sum('fees'), sum('amount')], [2 * 4999, 140, 2 * 4999 - 140]);
  assert.equal(feeWalletPence(h), 140);
  await assertLaws(h);
});

test('a refund, a settlement and its fees never spend the same money', async () => {
  await feesFromTomorrow(h, { fixedPence: 20 });
  await h.runUntil('2026-01-06T09:30:00Z');
  const [one, two] = [await collected(), await collected()];
  await h.runUntil('2026-01-07T05:59:00Z');
  h.clock.at = Temporal.Instant.from('2026-01-07T06:00:00Z');
  const refused: string[] = [];
  const refundOf = (id: string) =>
    refund(h, id).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      refused.push(error.code);
    });
  await Promise.all([
    refundOf(one),
    refundOf(two),
    h.service.engine.drain(),
    h.another().engine.drain(),
  ]);
  await collected();
  await runFor({ hours: 24 * 2 });
  // Of 2 x 4999 less 40 there is enough for one refund at most.
  assert.ok(refused.length >= 1 && refused.every((code) => code === 'insufficient_balance'));
  const refunds = (await refundsOf(h)).length;
  const settled = (await settlementsOf(h)).reduce((sum, { amount }) => sum + amount.value, 0);
  assert.equal(settled, (3 - refunds) * 4999 - 60);
  assert.equal(feeWalletPence(h), 60);
  await assertLaws(h);
});
