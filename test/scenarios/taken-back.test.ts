import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { compareWithIssuer } from '../../server/src/laws/reconciliation/issuer-comparison.ts';
import type { Movement } from '../../server/src/wallets/issuer.ts';
import {
  assertLaws,
  eventsOf,
  paymentsOf,
  settlementsOf,
} from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

let h: Harness;
let customers = 0;

afterEach(async () => {
  await h.runUntil(h.clock.at.add({ hours: 1 }));
  await assertLaws(h);
  await h.close();
});

/** Collects a payment of this many pence at this time. */
async function collect(at: string, pence: number): Promise<string> {
  customers += 1;
  const { id, consent_url } = await h.create({
    start_date: at,
    frequency: 'yearly',
    amount: { value: pence, currency: 'GBP' },
    customer: { phone: `+4477008${String(10_000 + customers)}` },
  });
  assert.equal(await h.decide(consent_url), 'granted');
  return id;
}

const settled = async (): Promise<string[]> =>
  (await settlementsOf(h)).map(
    (s) =>
      `${s.settlement_date} ${s.gross.value} - ${s.carried.value} = ${s.amount.value} ${s.status}`,
  );

const payOuts = (): string[] =>
  [...h.issuer.orders.values()]
    .filter((m) => m.kind === 'payout')
    .map((m) => m.idempotencyKey ?? '');

test('a pay-out that comes back fails its settlement, which is told, and pay-outs wait for the account', async () => {
  h = await openHarness('2026-01-05T00:00:00Z');
  await collect('2026-01-06T10:00:00Z', 1000);
  await h.runUntil('2026-01-09T12:00:00Z');
  assert.deepEqual(await settled(), ['2026-01-07 1000 - 0 = 1000 success']);
  h.issuer.comeBack(payOuts()[0] ?? '');
  await h.runUntil(h.clock.at);
  const [failed] = await settlementsOf(h);
  assert.equal(failed?.status, 'failed');
  assert.equal(failed?.error?.code, 'payout_returned');
  assert.equal(failed?.completed_at, null);
  const told = (await eventsOf(h)).map((event) => event.kind).filter((kind) => /^settl/.test(kind));
  assert.deepEqual(told, ['settlement.success', 'settlement.failed']);
  await collect('2026-01-12T10:00:00Z', 500);
  await h.runUntil('2026-01-16T12:00:00Z');
  assert.equal(payOuts().length, 1, 'nothing is sent to an account that is in doubt');
});

test('the money of a pay-out that came back goes with the next settlement once the account was changed', async () => {
  h = await openHarness('2026-01-05T00:00:00Z');
  await collect('2026-01-06T10:00:00Z', 1000);
  await h.runUntil('2026-01-09T12:00:00Z');
  h.issuer.comeBack(payOuts()[0] ?? '');
  await collect('2026-01-12T10:00:00Z', 500);
  await h.runUntil('2026-01-14T12:00:00Z');
  const { settlements } = h.service;
  const { destinationOf } = settlements;
  settlements.destinationOf = async (tx, merchantId) => ({
    ...(await destinationOf(tx, merchantId)),
    accountNumber: '11112222',
  });
  await h.runUntil('2026-01-16T12:00:00Z');
  assert.deepEqual(await settled(), [
    '2026-01-07 1000 - 0 = 1000 failed',
    '2026-01-15 1500 - 0 = 1500 success',
  ]);
});

test('a recalled pay-in is shown on its payment, told, owed, and netted from the next settlements', async () => {
  h = await openHarness('2026-01-05T00:00:00Z');
  const id = await collect('2026-01-06T10:00:00Z', 1000);
  await h.runUntil('2026-01-08T12:00:00Z');
  const payIn = [...h.issuer.wallets.values()]
    .flatMap((one) => one.movements)
    .find((m) => m.kind === 'payin');
  assert.ok(payIn);
  const back = h.issuer.recall(payIn);
  h.issuer.onTakenBack?.(
    h.issuer.wallets.get(payIn.toIssuerWalletId ?? '')?.wallet as never,
    'recalled',
    {
      ...back,
    },
  );
  await h.runUntil(h.clock.at);
  const [payment] = await paymentsOf(h, id);
  assert.equal(payment?.status, 'success');
  assert.deepEqual(payment?.returned?.amount, { value: 1000, currency: 'GBP' });
  const told = (await eventsOf(h)).filter((event) => event.kind === 'collection.returned');
  assert.equal(told.length, 1);
  await collect('2026-01-12T10:00:00Z', 1000);
  await h.runUntil('2026-01-13T12:00:00Z');
  assert.equal((await settled()).length, 1, 'nothing is paid out at or below zero');
  await collect('2026-01-13T15:00:00Z', 30);
  await h.runUntil('2026-01-16T12:00:00Z');
  assert.deepEqual(await settled(), [
    '2026-01-07 1000 - 0 = 1000 success',
    '2026-01-14 1030 - 1000 = 30 success',
  ]);
  assert.equal(h.issuer.wallets.get('recalls')?.wallet.balancePence, 0, 'the issuer is covered');
});

test('a recall whose notice is on its way is no difference, a penny beside it is, and so is a lost one', async () => {
  h = await openHarness('2026-01-05T00:00:00Z');
  await collect('2026-01-06T10:00:00Z', 1000);
  await h.runUntil('2026-01-08T12:00:00Z');
  const payIn = [...h.issuer.wallets.values()]
    .flatMap((one) => one.movements)
    .find((m) => m.kind === 'payin');
  assert.ok(payIn);
  let notify = (): void => assert.fail('nothing was recalled');
  const tell = h.issuer.onTakenBack;
  h.issuer.onTakenBack = (...about) => {
    notify = () => tell?.(...about);
  };
  h.issuer.recall(payIn);
  const recalls = h.issuer.wallets.get('recalls')?.wallet;
  assert.ok(recalls);
  const differences = async () => (await compareWithIssuer(h.platform, h.issuer)).broken;
  assert.deepEqual(await differences(), []);
  recalls.balancePence -= 1;
  assert.deepEqual(await differences(), ['recalled pay-ins: ledger 0, issuer -1001']);
  recalls.balancePence += 1;
  h.clock.at = h.clock.at.add({ hours: 3 });
  assert.deepEqual(await differences(), ['recalled pay-ins: ledger 0, issuer -1000']);
  notify();
  await h.runUntil(h.clock.at);
  assert.deepEqual(await differences(), []);
});

test('what was netted once is netted again with what a pay-out that came back held', async () => {
  h = await openHarness('2026-01-05T00:00:00Z');
  await collect('2026-01-06T10:00:00Z', 1000);
  await h.runUntil('2026-01-08T12:00:00Z');
  const payIn = [...h.issuer.wallets.values()]
    .flatMap((one) => one.movements)
    .find((m) => m.kind === 'payin');
  assert.ok(payIn);
  h.issuer.recall(payIn);
  await collect('2026-01-12T10:00:00Z', 1500);
  await h.runUntil('2026-01-14T12:00:00Z');
  h.issuer.comeBack(payOuts()[1] ?? '');
  await h.runUntil('2026-01-14T13:00:00Z');
  await h.db.transaction((tx) => tx.run('UPDATE settlements SET account_doubted_at = NULL'));
  await collect('2026-01-14T15:00:00Z', 100);
  await h.runUntil('2026-01-16T12:00:00Z');
  assert.deepEqual(await settled(), [
    '2026-01-07 1000 - 0 = 1000 success',
    '2026-01-13 1500 - 1000 = 500 failed',
    '2026-01-15 1600 - 1000 = 600 success',
  ]);
});

const payInOf = (): Movement => {
  const payIn = [...h.issuer.wallets.values()]
    .flatMap((one) => one.movements)
    .find((m) => m.kind === 'payin');
  assert.ok(payIn);
  return payIn;
};

test('a pay-in that is recalled in two parts is shown as returned with the sum of both', async () => {
  h = await openHarness('2026-01-05T00:00:00Z');
  const id = await collect('2026-01-06T10:00:00Z', 1000);
  await h.runUntil('2026-01-06T12:00:00Z');
  h.issuer.recall(payInOf(), 400);
  await h.runUntil(h.clock.at);
  h.issuer.recall(payInOf(), 600);
  await h.runUntil(h.clock.at);
  const [payment] = await paymentsOf(h, id);
  assert.equal(payment?.returned?.amount.value, 1000);
});

test('a second recall of money that was recalled already charges the merchant no more than was collected', async () => {
  h = await openHarness('2026-01-05T00:00:00Z');
  const id = await collect('2026-01-06T10:00:00Z', 1000);
  await collect('2026-01-06T10:00:00Z', 5000);
  await h.runUntil('2026-01-06T12:00:00Z');
  h.issuer.recall(payInOf());
  await h.runUntil(h.clock.at);
  h.issuer.recall(payInOf());
  await h.runUntil('2026-01-07T12:00:00Z');
  const [payment] = await paymentsOf(h, id);
  assert.equal(payment?.returned?.amount.value, 1000);
  assert.deepEqual(await settled(), ['2026-01-07 6000 - 1000 = 5000 success']);
  const recalls = h.issuer.wallets.get('recalls');
  assert.equal(recalls?.wallet.balancePence, -1000, 'a person has to look into the second one');
  const second = recalls?.movements.at(-1);
  recalls?.movements.splice(recalls.movements.indexOf(second as Movement), 1);
  if (recalls !== undefined) recalls.wallet.balancePence = 0; // the issuer takes it back
});
