import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { listItems } from '../../server/src/payments/books/unallocated-store.ts';
import { endUnallocated } from '../../server/src/payments/operator/decide.ts';
import {
  assertLaws,
  dueInAnHour,
  onlyPaymentOf,
  settleByHand,
  settlementsOf,
} from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

const gbp = (value: number) => ({ value, currency: 'GBP' });

let h: Harness;
afterEach(() => h.close());

test('a recall that a lost database had covered is not covered a second time', async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  const id = await dueInAnHour(h);
  const payment = await onlyPaymentOf(h, id);
  const twice = [1, 2].map(() => h.issuer.payIn(h.bank.paymentOf(payment.id, 1))); // two extra pay-ins, both on the list
  await h.runUntil(h.clock.at.add({ minutes: 5 }));
  const restore = await h.backUp();
  const [first] = twice;
  assert.ok(first);
  h.issuer.recall(first);
  await h.runUntil(h.clock.at.add({ seconds: 30 }));
  assert.equal(h.issuer.wallets.get('recalls')?.wallet.balancePence, 0, 'the issuer is covered');
  await restore(); // the last half minute is lost
  await h.runUntil(h.clock.at.add({ hours: 72 })); // the statement tells of the recall again
  assert.equal(h.issuer.wallets.get('recalls')?.wallet.balancePence, 0, 'it is covered once');
  await assertLaws(h);
});

test('where nothing else is in the next settlement, it is paid by the forgotten pay-out', async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  await dueInAnHour(h);
  h.issuer.payOutError = 'invalid_account';
  await h.runUntil('2026-01-06T12:00:00Z');
  h.issuer.payOutError = null;
  const [failed] = await settlementsOf(h);
  const restore = await h.backUp();
  await settleByHand(h, failed?.id ?? '');
  await h.runUntil(h.clock.at.add({ seconds: 30 }));
  await restore();
  await h.runUntil('2026-01-09T12:00:00Z');
  assert.deepEqual(
    (await settlementsOf(h)).map((s) => s.status),
    ['failed', 'success'],
  );
  const settled = [...h.issuer.orders.values()].filter(
    (m) => m.kind === 'payout' && m.status === 'settled',
  );
  assert.equal(settled.length, 1);
});

test('a pay-out by hand that a lost database has forgotten is not made a second time', async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  await dueInAnHour(h);
  h.issuer.payOutError = 'invalid_account';
  await h.runUntil('2026-01-06T12:00:00Z');
  h.issuer.payOutError = null;
  const [failed] = await settlementsOf(h);
  assert.equal(failed?.status, 'failed');
  await dueInAnHour(h, { customer: { phone: '+447700900322' }, amount: gbp(9000) });
  const restore = await h.backUp();
  await settleByHand(h, failed.id);
  await h.runUntil(h.clock.at.add({ seconds: 30 }));
  assert.equal((await settlementsOf(h))[0]?.status, 'success');
  await restore();
  await h.runUntil('2026-01-09T12:00:00Z');
  const paid = [...h.issuer.orders.values()].filter(
    (m) => m.kind === 'payout' && m.status === 'settled',
  );
  const sum = paid.reduce((all, one) => all + one.amountPence, 0);
  assert.ok(sum <= 4999 + 9000, `the merchant gets what was collected, once, and not ${sum}`);
});

test('a payment whose lost order was paid without a name is not debited again before somebody has decided', async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  const { id } = await h.agreed({ frequency: 'daily', start_date: '2026-01-06T09:00:00Z' });
  await h.runUntil('2026-01-06T08:59:00Z');
  const restore = await h.backUp();
  const tell = h.issuer.onPayIn;
  let notify = (): void => assert.fail('no money has come');
  h.issuer.onPayIn = (wallet, movement) => {
    movement.endToEndId = null;
    notify = () => tell?.(wallet, movement);
  };
  await h.runUntil('2026-01-06T09:00:00Z');
  await restore();
  h.bank.mood.funds = false;
  await h.runUntil('2026-01-06T09:01:00Z');
  h.bank.cheerUp();
  notify();
  await h.runUntil('2026-01-06T20:00:00Z');
  const { id: paymentId } = await onlyPaymentOf(h, id);
  assert.equal(h.bank.payments.size, 1, 'one debit');
  const page = { limit: 10, offset: 0 };
  const {
    data: [item],
  } = await h.db.read((tx) => listItems(tx, { onlyOpen: true }, page));
  await endUnallocated({ platform: h.platform, issuer: h.issuer }, item?.itemId ?? '', {
    end: 'allocated',
    paymentId,
    by: 'Ms Hill',
    byId: 'shell:Ms Hill',
    reason: 'the amount and the day are right',
  });
  await h.runUntil('2026-01-07T08:00:00Z');
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  assert.equal(h.bank.payments.size, 1);
  await assertLaws(h);
});

test('a forgotten pay-out that came back pays no other settlement', async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  await dueInAnHour(h);
  h.issuer.payOutError = 'invalid_account';
  await h.runUntil('2026-01-06T12:00:00Z');
  h.issuer.payOutError = null;
  const [failed] = await settlementsOf(h);
  const restore = await h.backUp();
  await settleByHand(h, failed?.id ?? '');
  await h.runUntil(h.clock.at.add({ seconds: 30 }));
  await restore();
  await h.runUntil('2026-01-07T12:00:00Z');
  const [, second] = await settlementsOf(h);
  assert.equal(second?.status, 'success');
  h.issuer.comeBack(`${failed?.id}-2`);
  await h.runUntil('2026-01-07T13:00:00Z');
  await settleByHand(h, second.id);
  await h.runUntil('2026-01-07T14:00:00Z');
  assert.equal((await settlementsOf(h))[1]?.status, 'success');
  await assertLaws(h); // the merchant has the money, and not the issuer
});
