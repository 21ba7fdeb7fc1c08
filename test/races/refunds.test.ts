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
import { oneForEach } from '../../server/test-support/opened.ts';
import { justDue } from './acts.ts';

const { h, runFor } = oneForEach();

const gbp = (value: number) => ({ value, currency: 'GBP' });

async function collected(): Promise<string> {
  const id = await justDue(h);
  await h.runUntil(h.clock.at);
  return (await onlyPaymentOf(h, id)).id;
}

/** Returns the status of what a call made, or the code with which it was refused. */
const resultOf = async (work: Promise<{ status: string }>): Promise<string> => {
  try {
    return (await work).status;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
};

const payIns = () =>
  [...h.issuer.wallets.values()].flatMap((one) => one.movements).filter((m) => m.kind === 'payin');

const paidOut = (): number =>
  [...h.issuer.orders.values()]
    .filter(({ kind, status }) => kind === 'payout' && status === 'settled')
    .reduce((sum, { amountPence }) => sum + amountPence, 0);

test('of two refunds of the whole at once, one is made', async () => {
  const paymentId = await collected();
  const results = await Promise.all([1, 2].map(() => resultOf(refund(h, paymentId))));
  assert.deepEqual(results.toSorted(), ['pending', 'refund_exceeds_payment']);
  await runFor({ hours: 1 });
  assert.equal(paidOut(), 4999);
  await assertLaws(h);
});

test('parts that are asked for at once never add up to more than the payment', async () => {
  const paymentId = await collected();
  const some = await Promise.all(
    Array.from({ length: 8 }, () => resultOf(refund(h, paymentId, { amount: gbp(1000) }))),
  );
  assert.equal(some.filter((result) => result === 'pending').length, 4);
  await runFor({ hours: 1 });
  assert.equal(paidOut(), 4000);
  assert.deepEqual(
    (await refundsOf(h)).map((one) => one.status),
    Array(4).fill('success'),
  );
  await assertLaws(h);
});

test('a refund and the settlement of its payment never spend the same money', async () => {
  const [one, two] = [await collected(), await collected()];
  await h.runUntil('2026-01-06T05:59:00Z');
  h.clock.at = Temporal.Instant.from('2026-01-06T06:00:00Z');
  const [first, second] = await Promise.all([
    resultOf(refund(h, one)),
    resultOf(refund(h, two)),
    h.service.engine.drain(),
    h.another().engine.drain(),
  ]);
  await runFor({ hours: 2 });
  const made = [first, second].filter((result) => result === 'pending').length;
  assert.ok([first, second].every((r) => r === 'pending' || r === 'insufficient_balance'));
  const settled = (await settlementsOf(h)).reduce((sum, { amount }) => sum + amount.value, 0);
  assert.equal(settled + made * 4999, 2 * 4999);
  await assertLaws(h);
});

test('a refund and a recall of its payment at once leave the books in order', async () => {
  for (let round = 0; round < 5; round++) {
    const paymentId = await collected();
    const payIn = payIns().at(-1);
    assert.ok(payIn);
    h.issuer.recall(payIn);
    const [result] = await Promise.all([
      resultOf(refund(h, paymentId)),
      h.service.engine.drain(),
      h.another().engine.drain(),
    ]);
    // Recalled payments of former rounds are owed, and count in what may be taken.
    const lawful = ['pending', 'refund_exceeds_payment', 'insufficient_balance'];
    assert.ok(lawful.includes(result), result);
    await runFor({ hours: 1 });
    await assertLaws(h);
  }
  await runFor({ hours: 24 * 5 });
  await assertLaws(h);
});

test('a refund is made only once the money of its payment has moved', async () => {
  h.bank.mood.slow = true;
  const id = await justDue(h);
  await h.service.engine.drain();
  const { id: paymentId } = await onlyPaymentOf(h, id);
  h.bank.credit(h.bank.paymentOf(paymentId, 1));
  const [result] = await Promise.all([
    resultOf(refund(h, paymentId)),
    h.service.engine.drain(),
    h.another().engine.drain(),
  ]);
  assert.ok(result === 'pending' || result === 'payment_not_refundable', result);
  await runFor({ hours: 1 });
  await assertLaws(h);
});

test('two processes pay a refund once, also where the answers are lost', async () => {
  const paymentId = await collected();
  h.issuer.losesAnswers = true;
  await refund(h, paymentId);
  await Promise.all([h.service.engine.drain(), h.another().engine.drain()]);
  h.issuer.losesAnswers = false;
  await runFor({ hours: 1 });
  assert.equal(paidOut(), 4999);
  assert.deepEqual(
    (await refundsOf(h)).map((one) => one.status),
    ['success'],
  );
  await assertLaws(h);
});

test('a database that has lost a refund makes it again, and the money goes back once', async () => {
  const paymentId = await collected();
  const restore = await h.backUp();
  const { id } = await refund(h, paymentId, { amount: gbp(1500) });
  await runFor({ minutes: 5 });
  assert.equal(paidOut(), 1500);
  await restore();
  assert.deepEqual(await refundsOf(h), []);
  await runFor({ hours: 30 }); // the issuer may have forgotten the key
  await collected();
  const again = await refund(h, paymentId, { amount: gbp(1500) });
  assert.equal(again.id, id);
  await runFor({ minutes: 5 });
  assert.deepEqual(
    (await refundsOf(h)).map((one) => one.status),
    ['success'],
  );
  const orders = [...h.issuer.orders.values()].filter((m) => m.reference === id.slice(-18));
  assert.equal(orders.length, 1);
});
