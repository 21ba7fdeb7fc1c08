import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import {
  assertLaws,
  bankConsentOf,
  consentsOf,
  onlyPaymentOf,
} from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

const gbp = (value: number) => ({ value, currency: 'GBP' });

let h: Harness;
before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
});
afterEach(() => assertLaws(h));
after(() => h.close());

/** Returns the limits that the bank has for a schedule's consent. */
async function limitsAtBank(scheduleId: string): Promise<(number | undefined)[]> {
  const atBank = h.bank.consents.get(await bankConsentOf(h, scheduleId))?.controlParameters;
  return [atBank?.maximumAmountPence, atBank?.periodicLimits[0]?.amountPence];
}

test('without limits of its own, a schedule shows those that its terms need', async () => {
  const { limits } = await h.create({ amount: gbp(2_000), frequency: 'quarterly' });
  assert.deepEqual(limits, {
    per_payment: gbp(2_000),
    per_period: gbp(4_000),
    period: 'half_year',
  });
});

test('an amount within the consented limits needs no new consent, and is collected', async () => {
  const { id, limits } = await h.agreed({
    amount: gbp(2_000),
    limits: { per_payment: gbp(5_000), per_period: gbp(6_000) },
    start_date: h.clock.at.add({ hours: 48 }).toString(),
  });
  assert.deepEqual(limits, { per_payment: gbp(5_000), per_period: gbp(6_000), period: 'month' });
  assert.deepEqual(await limitsAtBank(id), [5_000, 6_000]);
  const raised = await h.update(id, { amount: gbp(4_500) });
  assert.equal(raised.consent_url, undefined);
  assert.deepEqual([raised.amount, raised.consented?.amount], [gbp(4_500), gbp(2_000)]);
  await h.runUntil(h.clock.at.add({ hours: 72 }));
  const payment = await onlyPaymentOf(h, id);
  assert.deepEqual([payment.status, payment.amount], ['success', gbp(4_500)]);
  assert.equal((await consentsOf(h, id)).length, 1);
});

test('higher limits ask for a new consent, lower ones do not, and what was read changes nothing', async () => {
  const { id, limits } = await h.agreed({ limits: { per_payment: gbp(8_000) } });
  assert.deepEqual(await limitsAtBank(id), [8_000, 8_000]);
  assert.equal((await h.update(id, { limits })).consent_url, undefined);
  const lower = await h.update(id, { limits: { per_payment: gbp(6_000) } });
  assert.deepEqual([lower.consent_url, lower.limits.per_period], [undefined, gbp(6_000)]);
  assert.equal((await h.update(id, { limits: null })).limits.per_payment.value, 4_999);
  const higher = await h.update(id, { limits: { per_period: gbp(8_001) } });
  assert.ok(higher.consent_url, 'more a month than was agreed');
  assert.equal(await h.decide(higher.consent_url), 'granted');
  assert.deepEqual(await limitsAtBank(id), [4_999, 8_001]);
});

test('an amount beyond the limits raises them, and asks for a new consent', async () => {
  const { id } = await h.agreed({ limits: { per_payment: gbp(6_000) } });
  const raised = await h.update(id, { amount: gbp(7_000) });
  assert.ok(raised.consent_url);
  assert.deepEqual(raised.limits, {
    per_payment: gbp(7_000),
    per_period: gbp(7_000),
    period: 'month',
  });
});

test('limits below what the terms need are refused, on create and on an update', async () => {
  const refusal = (error: { details?: Record<string, string> }): boolean => {
    assert.match(error.details?.['limits.per_payment.value'] ?? '', /must be at least 4999/);
    return true;
  };
  await assert.rejects(h.create({ limits: { per_payment: gbp(4_998) } }), refusal);
  const { id } = await h.create();
  await assert.rejects(h.update(id, { limits: { per_payment: gbp(4_998) } }), refusal);
});
