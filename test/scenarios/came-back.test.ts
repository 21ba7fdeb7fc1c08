import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endUnallocated, OperatorRefusal } from '../../server/src/payments/operator/decide.ts';
import type { Decision } from '../../server/src/payments/payment/unallocated-item.ts';
import { confirmDoubtedAccount } from '../../server/src/settlements/account-trust.ts';
import {
  asked,
  assertLaws,
  dueInAnHour,
  onlyPaymentOf,
  refund,
  refundsOf,
  settlementsOf,
} from '../../server/test-support/books.ts';
import { oneForEach } from '../../server/test-support/opened.ts';

const { h, runFor } = oneForEach('2026-01-05T09:30:00Z'); // a Monday

interface Item {
  itemId: string;
  status: string;
  reason: string;
  amountPence: number;
  cameBackOf: string | null;
  paymentId: string | null;
}

const items = (): Promise<Item[]> =>
  h.db.read((tx) => tx.rows<Item>('SELECT * FROM unallocated_items ORDER BY item_id'));

const decide = (itemId: string, decision: Partial<Decision> & Pick<Decision, 'end'>) =>
  endUnallocated({ platform: h.platform, issuer: h.issuer }, itemId, {
    paymentId: null,
    by: 'Ms Hill',
    byId: 'shell:Ms Hill',
    reason: 'the issuer says so',
    ...decision,
  });

const walletOf = (accountNumber: string): string => {
  const found = [...h.issuer.wallets.values()].find(
    ({ wallet }) => wallet.account.accountNumber === accountNumber,
  );
  assert.ok(found);
  return found.wallet.issuerWalletId;
};

/** Money that nobody awaits came, was sent back by hand, and the item has ended. Returns the key of that pay-out. */
async function sentBack(): Promise<{ key: string; item: Item }> {
  const id = await dueInAnHour(h, { frequency: 'yearly' });
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const paid = h.bank.paymentOf(paymentId, 1);
  h.issuer.payIn({ ...paid, endToEndId: 'NOTPROVIDED' });
  await runFor({ minutes: 1 });
  const [item] = await items();
  assert.ok(item);
  const key = h.issuer.payOutByHand(walletOf(paid.creditor), 4999);
  await decide(item.itemId, { end: 'returned' });
  await assertLaws(h);
  return { key, item };
}

test('money sent back by hand that comes back is an item of its wallet again, and can be sent back again', async () => {
  const { key, item } = await sentBack();
  h.issuer.comeBack(key); // the payer's account is closed
  await runFor({ hours: 96 });
  const [, back] = await items();
  assert.deepEqual(
    [back?.reason, back?.status, back?.amountPence, back?.cameBackOf, back?.paymentId],
    ['came_back', 'open', 4999, item.itemId, item.paymentId],
  );
  await assertLaws(h);
  const again = h.issuer.payOutByHand(walletOf(await creditorOf()), 4999);
  await decide(back?.itemId ?? '', { end: 'returned' });
  assert.ok(again);
  await assertLaws(h);
});

test('money that comes back less a charge has a place too', async () => {
  const { key } = await sentBack();
  h.issuer.comeBack(key, 4899);
  await runFor({ hours: 1 });
  const [, back] = await items();
  assert.deepEqual([back?.reason, back?.amountPence], ['came_back', 4899]);
});

test('a notice of the same return that comes again adds nothing', async () => {
  const { key } = await sentBack();
  const back = h.issuer.comeBack(key);
  await runFor({ minutes: 1 });
  const { wallet } = [...h.issuer.wallets.values()].find(
    (one) => one.wallet.issuerWalletId === back.toIssuerWalletId,
  ) ?? { wallet: null };
  assert.ok(wallet);
  h.issuer.onTakenBack?.(wallet, 'returned', back);
  await runFor({ minutes: 1 });
  assert.equal((await items()).length, 2);
});

const creditorOf = async (): Promise<string> => {
  const [payment] = [...h.bank.payments.values()];
  assert.ok(payment);
  return payment.creditor;
};

/** Collects and settles a payment; returns the key of its pay-out. */
async function settled(): Promise<string> {
  await dueInAnHour(h, { frequency: 'yearly' });
  await h.runUntil('2026-01-06T09:00:00Z');
  const [settlement] = await settlementsOf(h);
  assert.equal(settlement?.status, 'success');
  return `${settlement?.id}-1`;
}

test('a settlement that comes back less a charge stays paid; an operator gives the rest to the merchant, once', async () => {
  const key = await settled();
  h.issuer.comeBack(key, 4899);
  await runFor({ hours: 1 });
  const [settlement] = await settlementsOf(h);
  assert.equal(settlement?.status, 'success');
  const [item] = await items();
  assert.deepEqual([item?.reason, item?.cameBackOf], ['came_back', settlement?.id]);
  await decide(item?.itemId ?? '', { end: 'credited' });
  await assertLaws(h);
  await runFor({ hours: 48 });
  assert.equal((await settlementsOf(h)).length, 1, 'the account is in doubt');
  await h.db.transaction((tx) => confirmDoubtedAccount(asked(h, tx), 'the merchant says so'));
  await runFor({ hours: 48 });
  const [, second, ...others] = await settlementsOf(h);
  assert.deepEqual([second?.amount.value, second?.status, others.length], [4899, 'success', 0]);
  await runFor({ hours: 168 });
  assert.equal((await settlementsOf(h)).length, 2);
});

test('what was credited goes out again when the settlement that carried it fails', async () => {
  const key = await settled();
  h.issuer.comeBack(key, 4899);
  await runFor({ hours: 1 });
  const [item] = await items();
  await h.db.transaction((tx) => confirmDoubtedAccount(asked(h, tx), 'the merchant says so'));
  h.issuer.payOutError = 'invalid_account';
  await decide(item?.itemId ?? '', { end: 'credited' });
  await runFor({ hours: 24 });
  await assertLaws(h);
  h.issuer.payOutError = null;
  await runFor({ hours: 72 });
  const paid = (await settlementsOf(h)).filter(({ status }) => status === 'success');
  assert.deepEqual(
    paid.map(({ amount }) => amount.value),
    [4999, 4899],
  );
});

test('a refund that comes back less a charge stays paid, and the rest is an item', async () => {
  const id = await dueInAnHour(h, { frequency: 'yearly' });
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const { id: refundId } = await refund(h, paymentId);
  await runFor({ minutes: 5 });
  h.issuer.comeBack(refundId, 4000);
  await runFor({ minutes: 5 });
  assert.equal((await refundsOf(h))[0]?.status, 'success');
  const [item] = await items();
  assert.deepEqual(
    [item?.reason, item?.amountPence, item?.cameBackOf],
    ['came_back', 4000, refundId],
  );
});

test("money in a customer's wallet is not given to the merchant's balance", async () => {
  const { key } = await sentBack();
  h.issuer.comeBack(key);
  await runFor({ minutes: 1 });
  const [, back] = await items();
  await assert.rejects(decide(back?.itemId ?? '', { end: 'credited' }), OperatorRefusal);
});

test('a return that is told before we know its pay-out waits for it, with the reason of the issuer', async () => {
  await dueInAnHour(h, { frequency: 'yearly' });
  h.issuer.losesAnswers = true;
  h.issuer.slowPayOuts = false;
  const { findByReference } = h.issuer;
  h.issuer.findByReference = async () => {
    throw new Error('not now');
  };
  await h.runUntil('2026-01-06T06:00:30Z');
  const [key] = [...h.issuer.orders.keys()].filter((one) => one.startsWith('set_'));
  assert.ok(key);
  h.issuer.comeBack(key);
  await runFor({ minutes: 5 });
  assert.deepEqual(await items(), []);
  h.issuer.losesAnswers = false;
  h.issuer.findByReference = findByReference;
  await runFor({ hours: 2 });
  const [settlement] = await settlementsOf(h);
  assert.deepEqual(
    [settlement?.status, settlement?.error],
    ['failed', { code: 'payout_returned', message: 'Taken back' }],
  );
  assert.deepEqual(await items(), []);
});
