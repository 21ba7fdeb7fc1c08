import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { assertLaws, consentsOf, notifyOf, paymentsOf } from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

const gbp = (value: number) => ({ value, currency: 'GBP' });

let h: Harness;
afterEach(() => h.close());

test('a waiting retry outlives the cancellation of the schedule that inherited its consent', async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  const m = await h.merchant({ reuseConsent: true });
  const customer = { phone: '+447700900321' };
  const first = h.clock.at.round('second').add({ hours: 24 });
  const body = { customer, start_date: first.toString() };
  const owner = await m.agreed(body);
  await m.update(owner.id, { amount: gbp(2000) });
  const other = await m.create({ ...body, amount: gbp(2000) });
  assert.equal(other.status, 'active', 'they share the consent');
  await h.runUntil(first.subtract({ minutes: 1 }));
  h.bank.mood.funds = false;
  await h.runUntil(first.add({ minutes: 1 }));
  h.bank.cheerUp();
  const { consent_url } = await m.update(owner.id, { amount: gbp(6000) });
  assert.equal(await h.decide(consent_url), 'granted');
  await h.runUntil(first.add({ minutes: 10 }));
  const [waiting] = await paymentsOf(h, owner.id, m);
  assert.equal(waiting?.status, 'pending', 'it waits for its retry under the old terms');
  await m.update(other.id, { status: 'cancelled' });
  await h.runUntil(first.add({ hours: 30 }));
  const [payment] = await paymentsOf(h, owner.id, m);
  assert.equal(payment?.error?.code ?? null, null, 'nobody has revoked anything');
  assert.equal(payment?.status, 'success');
  await assertLaws(h);
});

test('a consent kept for one waiting payment is deleted at the bank when that payment is stopped', async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  const m = await h.merchant({ reuseConsent: true });
  const customer = { phone: '+447700900321' };
  const first = h.clock.at.round('second').add({ hours: 24 });
  const body = { customer, start_date: first.toString() };
  const owner = await m.agreed(body);
  const [consent] = await consentsOf(h, owner.id);
  await m.update(owner.id, { amount: gbp(2000) });
  const other = await m.create({ ...body, amount: gbp(2000) });
  await h.runUntil(first.subtract({ minutes: 1 }));
  h.bank.mood.funds = false;
  await h.runUntil(first.add({ minutes: 1 }));
  h.bank.cheerUp();
  const { consent_url } = await m.update(owner.id, { amount: gbp(6000) });
  assert.equal(await h.decide(consent_url), 'granted');
  await m.update(other.id, { status: 'cancelled' });
  await h.runUntil(first.add({ minutes: 20 }));
  const bankConsentId = consent?.bankConsentId ?? '';
  assert.ok(h.bank.consents.has(bankConsentId), 'a payment waits under it');
  await m.update(owner.id, { status: 'cancelled' });
  await h.runUntil(h.clock.at.add({ minutes: 10 }));
  assert.ok(!h.bank.consents.has(bankConsentId), 'nothing needs it any more');
  await assertLaws(h);
});

test('a consent that the bank no longer has is not kept for a waiting payment of another schedule', async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  const m = await h.merchant({ reuseConsent: true });
  const customer = { phone: '+447700900321' };
  const first = h.clock.at.round('second').add({ hours: 24 });
  const body = { customer, start_date: first.toString() };
  const owner = await m.agreed(body);
  const [consent] = await consentsOf(h, owner.id);
  const bankConsentId = consent?.bankConsentId ?? '';
  await m.update(owner.id, { amount: gbp(2000) });
  const other = await m.create({ ...body, amount: gbp(2000) });
  await h.runUntil(first.subtract({ minutes: 1 }));
  h.bank.mood.funds = false;
  await h.runUntil(first.add({ minutes: 1 }));
  h.bank.cheerUp();
  const { consent_url } = await m.update(owner.id, { amount: gbp(6000) });
  assert.equal(await h.decide(consent_url), 'granted');
  await h.runUntil(first.add({ hours: 23, minutes: 40 }));
  h.bank.consents.delete(bankConsentId); // the customer withdrew it at the bank
  await notifyOf(h, 'consent', bankConsentId);
  await h.runUntil(h.clock.at.add({ minutes: 1 }));
  const [payment] = await paymentsOf(h, owner.id, m);
  await m.update(other.id, { status: 'cancelled' });
  await h.runUntil(first.add({ hours: 30 }));
  assert.ok(!h.bank.submitted.some((key) => key.startsWith(payment?.id ?? '')), 'nothing is sent');
  const [ended] = await paymentsOf(h, owner.id, m);
  assert.deepEqual([ended?.status, ended?.error?.code], ['failed', 'consent_revoked']);
  await assertLaws(h);
});
