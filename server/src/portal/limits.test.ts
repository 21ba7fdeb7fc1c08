import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type PortalBench, portalBench } from '../../test-support/portal-fixture.ts';
import {
  type PortalVisitor,
  portalVisitor,
  termsVersionOf,
  textOf,
  type Waiting,
} from '../../test-support/portal-visitor.ts';

let bench: PortalBench;
let customer: PortalVisitor;
before(async () => {
  bench = await portalBench();
  customer = portalVisitor(bench);
});
after(() => bench.close());

const VARIABLE = {
  amount: { value: 5_000, currency: 'GBP' },
  amount_mode: 'per_occurrence',
  limits: { per_payment: { value: 8_000, currency: 'GBP' } },
};

/** Saves limits, as typed, from the page as it is now. */
async function save({ token }: Waiting, perPayment: string, perPeriod: string) {
  const terms_version = termsVersionOf(await customer.get(token));
  const typed = { per_payment: perPayment, per_period: perPeriod, terms_version };
  return customer.post(`${token}/limits`, typed);
}

test('where each payment has its own amount, the page says up to how much', async () => {
  const { token } = await customer.waiting(VARIABLE);
  const text = textOf(await customer.get(token));
  for (const shown of ['Up to £80.00 every month', 'Up to £80.00 per payment.'])
    assert.ok(text.includes(shown), `${shown}\n${text}`);
});

test('a customer sets the limits before agreeing, and the bank is asked for these', async () => {
  const w = await customer.waiting(VARIABLE);
  const saved = await save(w, '£60', '1,120.50');
  assert.equal(saved.statusCode, 303);
  assert.match(saved.headers.location ?? '', /#limits$/);
  const text = textOf(await customer.get(w.token));
  assert.match(text, /Up to £60\.00 per payment\. Up to £1,120\.50 per month, counted from/s);
  await customer.arrive(await customer.depart(w.token));
  assert.equal(await customer.statusOf(w), 'active');
  const agreed = textOf(await customer.get(w.token));
  assert.match(agreed, /What you agreed to Up to £60\.00 per payment\. Up to £1,120\.50 per month/);
});

test('limits below what the schedule needs are refused with what it needs, and so is what is no amount', async () => {
  const w = await customer.waiting(VARIABLE);
  const low = await save(w, '49.99', '50');
  assert.equal(low.statusCode, 400);
  assert.match(low.body, /<details id="limits" open>/);
  assert.match(textOf(low), /Enter £50\.00 or more: these payments need as much\./);
  assert.match(low.body, /value="49\.99"\s+aria-invalid="true"/);
  const none = await save(w, 'fifty', '-1');
  assert.equal(none.statusCode, 400);
  assert.equal(none.body.split('Enter an amount in pounds, for example 50.00.').length, 3);
  const comma = await save(w, '60,50', '1.250,00');
  assert.equal(comma.statusCode, 400, 'a comma stands between thousands alone');
  assert.equal(comma.body.split('Enter an amount in pounds, for example 50.00.').length, 3);
  const period = await save(w, '90', '80');
  assert.match(textOf(period), /Enter £90\.00 or more/);
  assert.match(textOf(await customer.get(w.token)), /Up to £80\.00 per payment/);
});

test('once a first payment was taken, the limits that a later link shows can be saved', async () => {
  const w = await customer.granted({
    amount: { value: 1250, currency: 'GBP' },
    first_payment: { amount: { value: 2900, currency: 'GBP' } },
  });
  const pressed = await customer.post(`${w.token}/another`, { schedule_id: '' });
  const link = { ...w, token: pressed.headers.location?.split('/').at(-1) ?? '' };
  const shown = textOf(await customer.get(link.token));
  assert.match(shown, /Choose the account to pay from\..*Up to £12\.50 per payment/);
  const old = termsVersionOf(await customer.get(link.token));
  assert.equal((await save(link, '12.50', '12.50')).statusCode, 303);
  const raised = await save(link, '20', '40');
  assert.equal(raised.statusCode, 303, textOf(raised));
  assert.match(textOf(await customer.get(link.token)), /Up to £20\.00 per payment/);
  const left = await customer.post(`${link.token}/bank`, { bank_id: 'alder', terms_version: old });
  assert.equal(left.statusCode, 409);
  assert.match(textOf(left), /Before: £12\.50 per payment, £12\.50 per month/, 'as it was shown');
});

test('limits of terms that changed meanwhile are not saved: the page comes again', async () => {
  const w = await customer.waiting(VARIABLE);
  const typed = { per_payment: '70', per_period: '70' };
  const old = { ...typed, terms_version: termsVersionOf(await customer.get(w.token)) };
  assert.equal((await save(w, '60', '60')).statusCode, 303);
  const answer = await customer.post(`${w.token}/limits`, old);
  assert.equal(answer.statusCode, 409);
  assert.match(textOf(answer), /The terms have changed/);
  const unsaid = await customer.post(`${w.token}/limits`, typed);
  assert.equal(unsaid.statusCode, 409);
  assert.match(textOf(await customer.get(w.token)), /Up to £60\.00 per payment/);
});
