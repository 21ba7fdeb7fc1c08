import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { ApiError } from '../../server/src/platform/values/errors.ts';
import { balanceOf } from '../../server/src/wallets/ledger-store.ts';
import { findMerchantWallet } from '../../server/src/wallets/store.ts';
import {
  assertLaws,
  dueInAnHour,
  eventsOf,
  onlyPaymentOf,
  refund,
  refundsOf,
  settleByHand,
  settlementsOf,
} from '../../server/test-support/books.ts';
import { type Harness, type MerchantSide, openHarness } from '../../server/test-support/harness.ts';

let h: Harness;

beforeEach(async () => {
  h = await openHarness('2026-01-05T09:30:00Z'); // a Monday
});
afterEach(async () => {
  h.bank.cheerUp();
  h.issuer.payOutError = null;
  await h.runUntil(h.clock.at.add({ hours: 3 }));
  await assertLaws(h);
  await h.close();
});

const gbp = (value: number) => ({ value, currency: 'GBP' });

/** Collects a payment of 49.99 now; returns its id. */
async function collected(): Promise<string> {
  const id = await dueInAnHour(h, { frequency: 'yearly' });
  return (await onlyPaymentOf(h, id)).id;
}

async function walletPence(by: MerchantSide = h): Promise<number> {
  return h.db.read(async (tx) => {
    const wallet = await findMerchantWallet(tx, by.merchantId);
    return balanceOf(tx, by.merchantId, wallet?.walletId ?? '');
  });
}

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return 'none';
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return error.code;
  }
};

const shown = async () => (await refundsOf(h)).map((r) => `${r.amount.value} ${r.status}`);

test('a part and then the rest go back to the account that paid, and no penny more', async () => {
  const paymentId = await collected();
  const first = await refund(h, paymentId, { amount: gbp(1000), reason: 'late delivery' });
  assert.match(first.id, /^ref_[0-9A-Za-z]{22}$/);
  assert.deepEqual(
    [first.payment_id, first.amount, first.status, first.reason, first.error],
    [paymentId, gbp(1000), 'pending', 'late delivery', null],
  );
  assert.equal(await codeOf(refund(h, paymentId, { amount: gbp(4000) })), 'refund_exceeds_payment');
  await h.runUntil(h.clock.at.add({ minutes: 5 }));
  assert.deepEqual(await shown(), ['1000 success']);
  assert.deepEqual(h.issuer.orders.get(first.id)?.destination, h.issuer.payerOf('10000001'));
  const rest = await refund(h, paymentId);
  assert.deepEqual(rest.amount, gbp(3999));
  await h.runUntil(h.clock.at.add({ minutes: 5 }));
  assert.deepEqual(await shown(), ['1000 success', '3999 success']);
  assert.equal(await codeOf(refund(h, paymentId)), 'refund_exceeds_payment');
  assert.equal(await walletPence(), 0);
  const told = (await eventsOf(h)).filter(({ kind }) => kind.startsWith('refund.'));
  assert.deepEqual(
    told.map(({ kind, data }) => [kind, data.refund_id, data.payment_id]),
    [
      ['refund.success', first.id, paymentId],
      ['refund.success', rest.id, paymentId],
    ],
  );
  await h.runUntil('2026-01-07T12:00:00Z');
  assert.deepEqual(await settlementsOf(h), [], 'nothing is left to pay out');
});

test('only a payment that succeeded can be refunded, in its own currency, by its own merchant', async () => {
  h.bank.mood.slow = true;
  const id = await dueInAnHour(h);
  const { id: paymentId } = await onlyPaymentOf(h, id);
  assert.equal(await codeOf(refund(h, paymentId)), 'payment_not_refundable');
  h.bank.credit(h.bank.paymentOf(paymentId, 1));
  await h.runUntil(h.clock.at.add({ minutes: 1 }));
  const euros = { amount: { value: 1, currency: 'EUR' } };
  assert.equal(await codeOf(refund(h, paymentId, euros)), 'invalid_request');
  const other = await h.merchant();
  assert.equal(await codeOf(refund(h, paymentId, {}, other)), 'not_found');
});

test('a refund before the settlement reduces it, one after it is netted from the next', async () => {
  const [early, late] = [await collected(), await collected()];
  await refund(h, early, { amount: gbp(999) });
  await h.runUntil('2026-01-06T12:00:00Z');
  const [tuesday] = await settlementsOf(h);
  assert.deepEqual(
    [tuesday?.gross, tuesday?.refunds, tuesday?.fees, tuesday?.carried, tuesday?.amount],
    [gbp(9998), gbp(999), gbp(0), gbp(0), gbp(8999)],
  );
  assert.equal(await codeOf(refund(h, late)), 'insufficient_balance', 'all of it is paid out');
  await collected();
  await refund(h, late, { amount: gbp(4000) });
  await h.runUntil('2026-01-07T12:00:00Z');
  const [, wednesday] = await settlementsOf(h);
  assert.deepEqual(
    [wednesday?.gross, wednesday?.refunds, wednesday?.amount, wednesday?.status],
    [gbp(4999), gbp(4000), gbp(999), 'success'],
  );
});

test('where refunds take everything, nothing is paid out until there is more', async () => {
  const first = await collected();
  await h.runUntil('2026-01-06T12:00:00Z');
  await collected();
  await refund(h, first);
  await h.runUntil('2026-01-07T12:00:00Z');
  assert.equal((await settlementsOf(h)).length, 1);
  await collected();
  await h.runUntil('2026-01-08T12:00:00Z');
  const last = (await settlementsOf(h)).at(-1);
  assert.deepEqual([last?.gross, last?.refunds, last?.amount], [gbp(9998), gbp(4999), gbp(4999)]);
});

test('a refund that waits is paid from the next collections', async () => {
  await h.db.transaction((tx) =>
    tx.run('UPDATE merchants SET refunds_wait = true WHERE merchant_id = $1', [h.merchantId]),
  );
  const paymentId = await collected();
  await h.runUntil('2026-01-06T12:00:00Z');
  const waiting = await refund(h, paymentId);
  await h.runUntil('2026-01-06T18:00:00Z');
  assert.deepEqual(await shown(), ['4999 pending']);
  assert.equal(h.issuer.orders.has(waiting.id), false);
  await collected();
  await h.runUntil('2026-01-07T12:00:00Z');
  assert.deepEqual(await shown(), ['4999 success']);
  assert.equal((await settlementsOf(h)).length, 1, 'it took the whole of the second');
});

test('a refund that waits for thirty days in vain fails, and can be made again', async () => {
  await h.db.transaction((tx) =>
    tx.run('UPDATE merchants SET refunds_wait = true WHERE merchant_id = $1', [h.merchantId]),
  );
  const paymentId = await collected();
  await h.runUntil('2026-01-06T12:00:00Z');
  await refund(h, paymentId);
  await h.runUntil('2026-02-06T12:00:00Z');
  const [failed] = await refundsOf(h);
  assert.deepEqual([failed?.status, failed?.error?.code], ['failed', 'insufficient_balance']);
  assert.equal((await refund(h, paymentId)).status, 'pending');
});

test('a refused pay-out fails the refund; the money is back and goes out with the next settlement', async () => {
  const paymentId = await collected();
  h.issuer.payOutError = 'account_closed';
  await refund(h, paymentId, { amount: gbp(2000) });
  await h.runUntil(h.clock.at.add({ minutes: 5 }));
  const [failed] = await refundsOf(h);
  assert.deepEqual([failed?.status, failed?.error?.code], ['failed', 'account_closed']);
  assert.equal(await walletPence(), 4999);
  h.issuer.payOutError = null;
  await h.runUntil('2026-01-06T12:00:00Z');
  const [settlement] = await settlementsOf(h);
  assert.deepEqual([settlement?.refunds, settlement?.amount], [gbp(0), gbp(4999)]);
  const [told] = (await eventsOf(h)).filter(({ kind }) => kind === 'refund.failed');
  assert.equal(told?.data.refund_id, failed?.id);
});

test('a refund that comes back after it was netted is paid out, though nothing else was collected', async () => {
  const paymentId = await collected();
  const { id } = await refund(h, paymentId, { amount: gbp(2000) });
  await h.runUntil('2026-01-06T12:00:00Z');
  assert.deepEqual(
    (await settlementsOf(h)).map((s) => s.amount.value),
    [2999],
  );
  h.issuer.comeBack(id);
  await h.runUntil(h.clock.at.add({ minutes: 5 }));
  const [back] = await refundsOf(h);
  assert.deepEqual([back?.status, back?.error?.code], ['failed', 'refund_returned']);
  assert.equal(await walletPence(), 2000);
  await h.runUntil('2026-01-08T12:00:00Z');
  const last = (await settlementsOf(h)).at(-1);
  assert.deepEqual([last?.gross, last?.refunds, last?.amount], [gbp(0), gbp(-2000), gbp(2000)]);
  assert.equal(
    (await refund(h, paymentId).catch((e: ApiError) => e.code)) as unknown,
    'insufficient_balance',
  );
});

test('a lost answer is asked for again, and pays once', async () => {
  const paymentId = await collected();
  h.issuer.losesAnswers = true;
  const { id } = await refund(h, paymentId);
  await h.runUntil(h.clock.at.add({ minutes: 2 }));
  assert.deepEqual(await shown(), ['4999 success'], 'found by its reference');
  h.issuer.losesAnswers = false;
  assert.equal(
    [...h.issuer.orders.values()].filter((m) => m.reference === id.slice(-18)).length,
    1,
  );
});

test('the issuer being down is no failure', async () => {
  const paymentId = await collected();
  h.issuer.down = true;
  await refund(h, paymentId);
  await h.runUntil(h.clock.at.add({ hours: 2 }));
  assert.deepEqual(await shown(), ['4999 pending']);
  h.issuer.down = false;
  await h.runUntil(h.clock.at.add({ hours: 1 }));
  assert.deepEqual(await shown(), ['4999 success']);
});

test('of several customers each gets their money back on the account that paid', async () => {
  const one = await collected();
  const other = await dueInAnHour(h, {
    frequency: 'yearly',
    customer: { type: 'phone', value: '+447700900124' },
  });
  const payments = [one, (await onlyPaymentOf(h, other)).id];
  const refunds = [];
  for (const id of payments) refunds.push((await refund(h, id)).id);
  await h.runUntil(h.clock.at.add({ minutes: 5 }));
  const paid = refunds.map((id) => h.issuer.orders.get(id)?.destination);
  assert.deepEqual(paid, [h.issuer.payerOf('10000001'), h.issuer.payerOf('10000002')]);
  assert.notDeepEqual(paid[0], paid[1]);
});

test('without a payer known the refund fails and says so', async () => {
  h.issuer.hidesPayers = true;
  const paymentId = await collected();
  await refund(h, paymentId);
  await h.runUntil(h.clock.at.add({ minutes: 5 }));
  const [made] = await refundsOf(h);
  assert.deepEqual([made?.status, made?.error?.code], ['failed', 'payer_unknown']);
  assert.equal(await walletPence(), 4999);
});

test('a recalled payment is not refunded too: what was not ordered yet is stopped', async () => {
  const paymentId = await collected();
  h.issuer.down = true;
  await refund(h, paymentId, { amount: gbp(1000) });
  await h.runUntil(h.clock.at.add({ minutes: 1 }));
  const [payIn] = [...h.issuer.wallets.values()]
    .flatMap((one) => one.movements)
    .filter((movement) => movement.kind === 'payin');
  assert.ok(payIn);
  h.issuer.recall(payIn);
  await h.runUntil(h.clock.at.add({ minutes: 1 }));
  h.issuer.down = false;
  await h.runUntil(h.clock.at.add({ hours: 1 }));
  const [stopped] = await refundsOf(h);
  assert.deepEqual([stopped?.status, stopped?.error?.code], ['failed', 'payment_returned']);
  assert.equal(await codeOf(refund(h, paymentId)), 'refund_exceeds_payment');
});

test('a failed settlement whose money a refund took is not retried by hand, and goes out with the next', async () => {
  const paymentId = await collected();
  h.issuer.payOutError = 'invalid_account';
  await h.runUntil('2026-01-06T12:00:00Z');
  h.issuer.payOutError = null;
  const [failed] = await settlementsOf(h);
  assert.equal(failed?.status, 'failed');
  await refund(h, paymentId, { amount: gbp(1999) });
  assert.equal(await codeOf(settleByHand(h, failed?.id ?? '')), 'settlement_not_retryable');
  await h.runUntil('2026-01-07T12:00:00Z');
  const last = (await settlementsOf(h)).at(-1);
  assert.deepEqual([last?.gross, last?.refunds, last?.amount], [gbp(4999), gbp(1999), gbp(3000)]);
});
