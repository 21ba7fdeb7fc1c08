import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openLinks, readLink } from '../../server/src/consents/service.ts';
import { changeLimitsAsked } from '../../server/src/schedules/change/customer-limits.ts';
import { bankConsentOf, consentsOf, paymentsOf } from '../../server/test-support/books.ts';
import { type HttpSide, openHttp } from '../../server/test-support/http-side.ts';
import { oneForAll } from '../../server/test-support/opened.ts';

// What a customer sets before agreeing, beside what the merchant asks for: docs/rules/consents.md#limits-that-the-customer-sets.
const gbp = (value: number) => ({ value, currency: 'GBP' });

let http: HttpSide;
after(() => http.close());
const { h, runFor } = oneForAll(async () => {
  http = await openHttp(h);
});

let phones = 0;
const agreed = (value: number) =>
  h.agreed({ amount: gbp(value), customer: { phone: `+44770090${String(2000 + phones++)}` } });

/** The customer saves limits on the page of the link that waits for them. */
async function save(id: string, perPaymentPence: number, perPeriodPence: number): Promise<void> {
  const asked = { now: h.clock.at, merchantId: h.merchantId };
  const links = await h.db.read((tx) => openLinks(h.platform, { tx, ...asked }, [id]));
  const consent = await readLink(h.platform, links.get(id)?.split('/').at(-1) ?? '');
  assert.ok(consent, 'a link waits');
  const wanted = { perPaymentPence, perPeriodPence };
  const outcome = await h.db.transaction((tx) =>
    changeLimitsAsked(
      { platform: h.platform, tx, now: h.clock.at },
      consent,
      consent.termsVersion,
      wanted,
    ),
  );
  assert.equal(outcome, 'done');
}

/** The limits of the consent in force, as the bank has them. */
async function agreedLimits(id: string): Promise<number[]> {
  const book = h.bank.consents.get(await bankConsentOf(h, id));
  assert.ok(book);
  const { maximumAmountPence, periodicLimits } = book.controlParameters;
  return [maximumAmountPence, ...periodicLimits.map(({ amountPence }) => amountPence)];
}

test('a lower amount needs nobody, whatever limits the customer has set on a link that waits', async () => {
  const { id } = await agreed(2000);
  await h.update(id, { amount: gbp(3000) });
  await save(id, 4000, 4000);
  const preview = await http.call('POST', '/schedule_changes', {
    schedule_ids: [id],
    change: { amount: gbp(1500) },
    preview: true,
  });
  assert.equal(preview.body.within_consent, 1);
  const lowered = await h.update(id, { amount: gbp(1500) });
  assert.equal(lowered.consent_url, undefined);
  assert.deepEqual(lowered.limits.per_payment, gbp(1500));
  await runFor({ hours: 24 * 7 });
  const amounts = (await paymentsOf(h, id)).map((one) => one.amount.value);
  assert.deepEqual(amounts, [1500]);
});

test('limits that the customer has set stay with the link through the merchant’s changes', async () => {
  const { id } = await agreed(2000);
  const { consent_url: url } = await h.update(id, { amount: gbp(3000) });
  await save(id, 4000, 9000);
  const again = await h.update(id, { amount: gbp(3500) });
  assert.equal(again.consent_url, url);
  assert.deepEqual(again.limits.per_payment, gbp(3500), 'what the merchant asks for');
  assert.equal(await h.decide(url), 'granted');
  assert.deepEqual(await agreedLimits(id), [4000, 9000]);
  const { amount, limits } = await h.show(id);
  assert.deepEqual([amount, limits.per_payment, limits.per_period], [3500, 4000, 9000].map(gbp));
});

test('limits that the merchant asks for later take the place of those that the customer has set', async () => {
  const { id } = await agreed(2000);
  const { consent_url: url } = await h.update(id, { amount: gbp(3000) });
  await save(id, 4000, 9000);
  await h.update(id, { limits: { per_payment: gbp(5000), per_period: gbp(6000) } });
  assert.equal(await h.decide(url), 'granted');
  assert.deepEqual(await agreedLimits(id), [5000, 6000]);
});

test('a link for another account keeps its limits, and is for nothing else because of them', async () => {
  const { id } = await agreed(2000);
  const { consent_url: url } = await h.anotherAccount(id);
  await save(id, 4000, 9000);
  assert.equal((await h.show(id)).consent_for, 'another_account');
  const lowered = await h.update(id, { amount: gbp(1500) });
  assert.deepEqual([lowered.consent_url, lowered.consent_for], [url, 'another_account']);
  assert.deepEqual(lowered.consented?.amount, gbp(2000));
  assert.equal(await h.decide(url), 'granted');
  assert.deepEqual((await h.show(id)).consented?.amount, gbp(1500));
  assert.deepEqual(await agreedLimits(id), [4000, 9000]);
});

test('a link for another account takes the limits over that the customer has set on the one before', async () => {
  const { id } = await agreed(2000);
  await h.update(id, { amount: gbp(3000) });
  await save(id, 4000, 4000);
  const { consent_url: url } = await h.anotherAccount(id);
  assert.equal(await h.decide(url), 'granted');
  assert.deepEqual(await agreedLimits(id), [4000, 4000]);
});

test('before the first consent a schedule shows the limits that its customer has set, and keeps them', async () => {
  const customer = { phone: `+44770090${String(2000 + phones++)}` };
  const { id, consent_url: url } = await h.create({ amount: gbp(2000), customer });
  await save(id, 4000, 9000);
  assert.deepEqual((await h.show(id)).limits.per_payment, gbp(4000));
  assert.deepEqual((await h.update(id, { amount: gbp(2500) })).limits.per_period, gbp(9000));
  assert.equal(await h.decide(url), 'granted');
  assert.deepEqual(await agreedLimits(id), [4000, 9000]);
  assert.equal((await consentsOf(h, id)).length, 1);
});
