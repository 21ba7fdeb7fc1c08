import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import {
  openDispute,
  refundDispute,
  rejectDispute,
  showDispute,
  showDisputes,
  withdrawDispute,
} from '../../server/src/disputes/service.ts';
import type { DisputeView } from '../../server/src/disputes/view.ts';
import { ApiError } from '../../server/src/platform/values/errors.ts';
import {
  asked,
  assertLaws,
  dueInAnHour,
  eventsOf,
  onlyPaymentOf,
  refund,
  refundsOf,
  settlementsOf,
} from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

// The merchant was paid out, and its setting `refunds_wait` is off: docs/rules/disputes.md#while-its-refund-waits.

let h: Harness;
let paymentId: string;

beforeEach(async () => {
  h = await openHarness('2026-01-05T09:30:00Z'); // a Monday
  paymentId = await collected();
  await h.runUntil('2026-01-06T12:00:00Z');
  assert.deepEqual(
    (await settlementsOf(h)).map(({ status }) => status),
    ['success'],
  );
});
afterEach(async () => {
  await h.runUntil(h.clock.at.add({ hours: 3 }));
  await assertLaws(h);
  await h.close();
});

const gbp = (value: number) => ({ value, currency: 'GBP' });

/** Collects a payment of 49.99 now; returns its id. */
const collected = async (): Promise<string> =>
  (await onlyPaymentOf(h, await dueInAnHour(h, { frequency: 'yearly' }))).id;

type Deps = Parameters<typeof refundDispute>[0];
type Act = (deps: Deps, call: ReturnType<typeof asked>) => Promise<DisputeView>;

const act = (work: Act): Promise<DisputeView> =>
  h.db.forMerchant(h.merchantId, (tx) =>
    work({ platform: h.platform, refunds: h.service.refunds }, asked(h, tx)),
  );
const dispute = (amount?: number) =>
  act((deps, call) =>
    openDispute(deps, call, paymentId, {
      reason: 'unauthorised',
      raisedBy: 'customer',
      ...(amount === undefined ? {} : { amount: gbp(amount) }),
    }),
  );
const giveBack = (id: string, amount?: number) =>
  act((deps, call) =>
    refundDispute(deps, call, id, amount === undefined ? {} : { amount: gbp(amount) }),
  );
const withdraw = (id: string) => act((deps, call) => withdrawDispute(deps, call, id, 'customer'));
const read = (id: string) => act(({ platform }, call) => showDispute(platform, call, id));
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: unknown) => {
      assert.ok(error instanceof ApiError, String(error));
      return error.code;
    },
  );
const refunds = async () =>
  (await refundsOf(h))
    .map(({ amount, status, error }) => `${amount.value} ${status} ${error?.code ?? ''}`.trimEnd())
    .sort();
const disputeEvents = async () =>
  (await eventsOf(h)).map(({ kind }) => kind).filter((kind) => kind.startsWith('dispute.'));

test('a dispute whose merchant was paid out stays open and counted late until the money of its refund is there', async () => {
  const { id, deadline } = await dispute();
  const waiting = await giveBack(id);
  const [only] = await refundsOf(h);
  assert.deepEqual(
    [waiting.status, waiting.refund_id, waiting.left, waiting.returned, waiting.ended_at],
    ['open', only?.id, gbp(0), gbp(0), null],
  );
  await h.runUntil('2026-01-08T09:00:00Z');
  assert.ok(Temporal.Instant.compare(Temporal.Instant.from(deadline), h.clock.at) < 0);
  assert.equal((await read(id)).status, 'open');
  assert.deepEqual(await disputeEvents(), ['dispute.opened']);
  await collected();
  await h.runUntil('2026-01-08T13:00:00Z');
  const ended = await read(id);
  assert.deepEqual(
    [ended.status, ended.refund_id, ended.returned],
    ['refunded', only?.id, gbp(4999)],
  );
  assert.deepEqual(await refunds(), ['4999 success']);
  assert.deepEqual(await disputeEvents(), ['dispute.opened', 'dispute.closed']);
});

test('while a refund waits, the dispute is not refunded or raised again', async () => {
  const { id } = await dispute(3000);
  await giveBack(id, 2000);
  assert.equal(await codeOf(giveBack(id)), 'dispute_refund_waits');
  assert.equal(await codeOf(giveBack(id, 1000)), 'dispute_refund_waits');
  assert.equal(await codeOf(dispute(1000)), 'payment_disputed');
  assert.equal(await codeOf(refund(h, paymentId, { amount: gbp(3000) })), 'refund_exceeds_payment');
  await collected();
  await h.runUntil(h.clock.at.add({ hours: 2 }));
  const ended = await read(id);
  assert.deepEqual([ended.status, ended.returned], ['refunded', gbp(2000)]);
  assert.deepEqual(await refunds(), ['2000 success']);
});

test('a dispute that is withdrawn or rejected while its refund waits stops the refund', async () => {
  const first = await dispute();
  await giveBack(first.id);
  const withdrawn = await withdraw(first.id);
  assert.deepEqual(
    [withdrawn.status, withdrawn.refund_id, withdrawn.returned],
    ['withdrawn', null, gbp(0)],
  );
  assert.deepEqual(await refunds(), ['4999 failed dispute_closed']);
  const second = await dispute();
  assert.deepEqual(second.left, gbp(4999));
  await giveBack(second.id, 1000);
  const rejected = await act((deps, call) => rejectDispute(deps, call, second.id, 'You agreed.'));
  assert.deepEqual([rejected.status, rejected.refund_id], ['rejected', null]);
  await collected();
  await h.runUntil(h.clock.at.add({ hours: 2 }));
  assert.deepEqual(await refunds(), ['1000 failed dispute_closed', '4999 failed dispute_closed']);
  assert.deepEqual(await disputeEvents(), [
    'dispute.opened',
    'dispute.closed',
    'dispute.opened',
    'dispute.closed',
  ]);
});

test('a dispute is withdrawn only by whoever raised it', async () => {
  const { id } = await dispute();
  const asMerchant: Act = (deps, call) => withdrawDispute(deps, call, id, 'merchant');
  assert.equal(await codeOf(act(asMerchant)), 'dispute_not_yours');
  assert.equal((await read(id)).status, 'open');
  await withdraw(id);
  const own = await act((deps, call) =>
    openDispute(deps, call, paymentId, { reason: 'duplicate', raisedBy: 'merchant' }),
  );
  assert.equal(await codeOf(withdraw(own.id)), 'dispute_not_yours');
});

test('a refund that waits in vain leaves its dispute open, to be refunded again', async () => {
  const { id } = await dispute();
  await giveBack(id);
  await h.runUntil('2026-02-06T12:00:00Z');
  assert.deepEqual(await refunds(), ['4999 failed insufficient_balance']);
  const open = await read(id);
  assert.deepEqual([open.status, open.refund_id, open.left], ['open', null, gbp(4999)]);
  await collected();
  assert.equal((await giveBack(id)).status, 'refunded');
});

test('a payment that its bank takes back while the refund waits ends the dispute as returned', async () => {
  const { id } = await dispute();
  await giveBack(id);
  const [payIn] = [...h.issuer.wallets.values()]
    .flatMap(({ movements }) => movements)
    .filter(({ kind }) => kind === 'payin');
  assert.ok(payIn);
  h.issuer.recall(payIn);
  await h.runUntil(h.clock.at.add({ minutes: 5 }));
  const ended = await read(id);
  assert.deepEqual([ended.status, ended.refund_id, ended.returned], ['returned', null, gbp(4999)]);
  assert.deepEqual(await refunds(), ['4999 failed payment_returned']);
  assert.deepEqual(await disputeEvents(), ['dispute.opened', 'dispute.closed']);
});

test('a refund beside the dispute is no part of it: it ends by its own', async () => {
  await h.db.transaction((tx) =>
    tx.run('UPDATE merchants SET refunds_wait = true WHERE merchant_id = $1', [h.merchantId]),
  );
  const { id } = await dispute();
  await refund(h, paymentId, { amount: gbp(999) });
  await giveBack(id);
  await withdraw(id);
  assert.deepEqual(await refunds(), ['4000 failed dispute_closed', '999 pending']);
  const page = { limit: 10, offset: 0 };
  const { data } = await h.db.read((tx) =>
    showDisputes(h.platform, asked(h, tx), { status: 'open' }, page),
  );
  assert.deepEqual(data, []);
});
