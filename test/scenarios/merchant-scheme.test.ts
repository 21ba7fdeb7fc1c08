import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeScheme } from '../../server/src/merchants/terms/scheme-service.ts';
import { bankConsentOf } from '../../server/test-support/books.ts';
import { oneForEach } from '../../server/test-support/opened.ts';

const { h } = oneForEach();

const PLAIN = {
  categoryCode: null,
  paymentContext: 'merchant_initiated',
  purposeCode: null,
} as const;
const SAID = {
  categoryCode: '4899',
  paymentContext: 'billing_in_arrears',
  purposeCode: 'UBIL',
} as const;

const change = (fields: Parameters<typeof changeScheme>[1]) =>
  h.db.transaction((tx) =>
    changeScheme({ tx, now: h.clock.at, merchantId: h.merchantId }, fields, 'a test'),
  );

test('a new consent carries what the scheme knows of the merchant by then, and one that exists keeps what it has', async () => {
  const first = await h.agreed({ customer: { phone: '+447700900201' } });
  await change({ ...SAID, useCase: 'utilities' });
  const second = await h.agreed({ customer: { phone: '+447700900202' } });
  await change({ ...PLAIN, useCase: null });
  const told = async (id: string) => h.bank.consents.get(await bankConsentOf(h, id))?.merchant;
  assert.deepEqual(await told(first.id), PLAIN);
  assert.deepEqual(await told(second.id), SAID);
});
