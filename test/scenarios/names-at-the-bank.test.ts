import assert from 'node:assert/strict';
import { test } from 'node:test';
import { updateMerchant } from '../../server/src/merchants/service.ts';
import { IssuerUnavailable } from '../../server/src/wallets/issuer.ts';
import { bankConsentOf } from '../../server/test-support/books.ts';
import { oneForEach } from '../../server/test-support/opened.ts';

const { h, runFor } = oneForEach();
const ADA = { phone: '+447700900301', name: 'Zoë Łukasz-O’Hara' };

const rename = (name: string) =>
  h.db.transaction((tx) => updateMerchant(h.platform, tx, h.merchantId, { name }));
const holders = (): string[] =>
  [...h.issuer.wallets.values()].map(({ wallet }) => wallet.account?.name ?? '');

test('the bank shows the merchant as the one who is paid, and the wallet is held by the customer', async () => {
  await rename('Marks & Spencer');
  const { id } = await h.agreed({ customer: ADA });
  assert.equal(h.bank.consents.get(await bankConsentOf(h, id))?.payee, 'Marks & Spencer');
  assert.ok(holders().includes(ADA.name));
  const { id: other } = await h.agreed({ customer: { phone: '+447700900302' } });
  assert.ok(holders().includes('Marks & Spencer customer'), 'a customer without a name');
  for (const one of [id, other]) assert.equal((await h.show(one)).status, 'active');
});

test('a customer whose name changes while the issuer is silent gets one wallet, and can agree', async () => {
  const { id, consent_url } = await h.create({ customer: ADA });
  const reserve = h.issuer.reserveWallet.bind(h.issuer);
  h.issuer.reserveWallet = async (reservation) => {
    await reserve(reservation); // made, and the answer lost
    throw new IssuerUnavailable('no answer');
  };
  await assert.rejects(h.begin(consent_url), IssuerUnavailable);
  h.issuer.reserveWallet = reserve;
  const before = h.issuer.wallets.size;
  await rename('Fernhill Fibre');
  await h.create({ customer: { phone: ADA.phone, name: 'Zoë Hara' } });
  assert.equal(await h.decide(consent_url), 'granted');
  assert.equal(h.issuer.wallets.size, before);
  await runFor({ minutes: 5 });
  assert.equal((await h.show(id)).status, 'active');
});
