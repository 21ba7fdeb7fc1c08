import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bankConsentOf, kindsOf } from '../../server/test-support/books.ts';
import type { MerchantSide } from '../../server/test-support/harness.ts';
import { oneForAll } from '../../server/test-support/opened.ts';

// A customer whom the merchant names by the account that pays: docs/rules/consents.md#the-account-that-pays.
const gbp = (value: number) => ({ value, currency: 'GBP' });

const { h } = oneForAll();

let customers = 0;
/** Another customer, who is named by an account; also as the bank has it. */
const named = (accountNumber = String(10_000_000 + customers++)) => ({
  customer: { type: 'bank_account' as const, sort_code: '040004', account_number: accountNumber },
  asked: { sortCode: '040004', accountNumber, name: 'Customer' },
});
const OTHER = { sortCode: '040099', accountNumber: '87654321', name: 'Kim Fern' };

/** Has the customer of a schedule agree with this account, to new terms or from another account. */
async function agrees(
  link: Promise<{ consent_url?: string }>,
  account: typeof OTHER | null,
): Promise<string> {
  h.bank.agreesWith = account;
  return h.decide((await link).consent_url);
}

/** The account that the bank was asked for with the consent in force; null: the customer chose one. */
const requestedPayerOf = async (id: string) =>
  h.bank.consents.get(await bankConsentOf(h, id))?.asked ?? null;

const raise = (id: string, value: number, by: MerchantSide = h) =>
  by.update(id, { amount: gbp(value) });

test('a customer whose account was named pays from another one where the merchant asks for it', async () => {
  const { customer, asked } = named();
  h.bank.agreesWith = null;
  const { id } = await h.agreed({ customer });
  assert.deepEqual(await requestedPayerOf(id), asked);
  const ending = `****${asked.accountNumber.slice(-4)}`;
  assert.equal((await h.show(id)).paying_account?.account_number, ending);
  assert.equal(await agrees(h.anotherAccount(id), OTHER), 'granted');
  assert.equal((await h.show(id)).paying_account?.account_number, '****4321');
});

test('new terms are asked for at the account that was named, and another one is refused', async () => {
  const { customer, asked } = named();
  h.bank.agreesWith = null;
  const { id } = await h.agreed({ customer });
  assert.equal(await agrees(raise(id, 5999), OTHER), 'rejected');
  assert.equal(await agrees(raise(id, 6999), null), 'granted');
  assert.deepEqual(await requestedPayerOf(id), asked);
});

test('who has left the account that was named is asked for new terms at the one that pays now', async () => {
  const { customer, asked } = named();
  h.bank.agreesWith = null;
  const { id } = await h.agreed({ customer });
  assert.equal(await agrees(h.anotherAccount(id), OTHER), 'granted');
  assert.equal(await requestedPayerOf(id), null, 'they chose it');
  for (const price of [5999, 6999]) {
    assert.equal(await agrees(raise(id, price), OTHER), 'granted');
    assert.deepEqual(await requestedPayerOf(id), OTHER);
  }
  assert.equal(await agrees(raise(id, 7999), asked), 'rejected', 'nothing comes from there again');
  assert.ok((await kindsOf(h, id)).includes('schedule.setup_failed'));
  assert.equal((await h.show(id)).amount.value, 6999);
});

test('who has left the account that was named for one that the bank does not name chooses it again', async () => {
  h.bank.agreesWith = null;
  const { id } = await h.agreed({ customer: named().customer });
  assert.equal(await agrees(h.anotherAccount(id), null), 'granted');
  for (const price of [5999, 6999]) {
    assert.equal(await agrees(raise(id, price), null), 'granted');
    assert.equal(await requestedPayerOf(id), null);
  }
  assert.equal((await h.show(id)).paying_account, null);
});

test('new terms of a schedule under a shared consent are asked for at the account that pays there', async () => {
  const side = await h.merchant({ reuseConsent: true });
  const { customer } = named();
  h.bank.agreesWith = null;
  const limits = { per_payment: gbp(5000), per_period: gbp(20_000) };
  const first = await side.agreed({ customer, amount: gbp(1000), limits });
  assert.equal(await agrees(side.anotherAccount(first.id), OTHER), 'granted');
  const second = await side.create({ customer, amount: gbp(1000) });
  assert.equal(second.status, 'active', 'the consent covers both');
  assert.equal(await agrees(raise(second.id, 6000, side), OTHER), 'granted');
  assert.deepEqual(await requestedPayerOf(second.id), OTHER);
});

test('a name that no bank takes is not sent with the account that pays now', async () => {
  h.bank.agreesWith = null;
  const { id } = await h.agreed({ customer: named().customer });
  assert.equal(await agrees(h.anotherAccount(id), { ...OTHER, name: '' }), 'granted');
  assert.equal(await agrees(raise(id, 5999), OTHER), 'granted');
  assert.deepEqual(await requestedPayerOf(id), { ...OTHER, name: 'Customer' });
});
