import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import { openTrueLayerBench } from '../../../test-support/truelayer/bench.ts';
import { assertConform, noTrueLayerFacts } from '../../../test-support/truelayer/document.ts';
import {
  BankDefect,
  BankRefused,
  BankUnavailable,
  NO_TOKENS,
  SignatureRefused,
  TokenRefused,
} from '../bank.ts';
import { bankContract } from '../bank-contract.ts';
import { agreed, final, paymentOf, termsFor } from '../bank-journey.ts';
import type { TrueLayerConfig } from './config.ts';
import { openTrueLayer, TRUELAYER_TRAITS } from './connector.ts';
import { signMessage } from './signature.ts';

const now = Temporal.Now.instant;
const bench = await openTrueLayerBench(now);
const { fake, config, connection, driver } = bench;
const { vrp } = fake;
vrp.executesAfter = { milliseconds: 150 };
const bank = connection.bank('ob-rowan', 'Rowan Bank');
after(() => bench.close());
beforeEach(() => {
  fake.isDown = () => false;
  fake.losesAnswer = () => false;
});

bankContract(
  'the TrueLayer connector',
  TRUELAYER_TRAITS,
  async () => bank,
  async () => driver,
);

const isRefusedAs = (code: string, kind: string) => (error: unknown) =>
  error instanceof BankRefused && error.error.code === code && error.error.kind === kind;
const isUnknown = (error: unknown): boolean => error instanceof BankUnavailable && !error.notSent;
const made = (bankConsentId: string) =>
  [...vrp.payments.values()].filter(({ mandate }) => mandate.id === bankConsentId);

test('the list has the banks that can be chosen and those that cannot, by name', async () => {
  const list = await connection.list();
  assert.deepEqual(
    list.map(({ id, isOpen }) => `${id} ${isOpen}`),
    [
      'ob-alder true',
      'ob-beta false',
      'ob-charity false',
      'ob-ill false',
      'ob-rowan true',
      'ob-single false',
    ],
  );
  const beta = openTrueLayer({ ...config, releaseChannel: 'private_beta' }, now);
  const open = (await beta.list()).filter(({ isOpen }) => isOpen);
  assert.deepEqual(
    open.map(({ name }) => name),
    ['Alder Bank', 'Beta Bank', 'Rowan Bank'],
  );
  await beta.close();
});

test('without a licence of ours the customer is named, and no reference; with one the reverse', async () => {
  const terms = termsFor(driver);
  const { bankConsentId } = await bank.createConsent({ ...terms, reference: 'Café (July) ^1' });
  const { mandate, user } = vrp.mandateOf(bankConsentId).asked;
  assert.deepEqual([user.name, user.email, user.phone], ['Ada Moss', 'ada@example.com', undefined]);
  assert.equal(mandate.reference, undefined);
  assert.equal(mandate.beneficiary.account_holder_name, 'Fernhill Broadband Ltd');
  const licensed = openTrueLayer({ ...config, hasOwnLicence: true }, now);
  vrp.hasOwnLicence = true;
  const own = licensed.bank('ob-rowan', 'Rowan Bank');
  assert.equal(own.traits.needsContact, false);
  const other = { ...termsFor(driver), reference: 'Café (July) ^1' };
  const asked = vrp.mandateOf((await own.createConsent(other)).bankConsentId).asked;
  assert.deepEqual(Object.keys(asked.user), ['id']);
  assert.equal(asked.user.id, user.id, 'the same customer');
  assert.equal(asked.mandate.reference, 'Cafe July 1');
  vrp.hasOwnLicence = false;
  await licensed.close();
});

test('the account that pays is asked for, and read from an IBAN', async () => {
  const debtor = { sortCode: '040004', accountNumber: '70872490', name: 'Customer' };
  const { bankConsentId } = await bank.createConsent({ ...termsFor(driver), debtor });
  const { provider_selection } = vrp.mandateOf(bankConsentId).asked.mandate;
  assert.deepEqual(provider_selection.remitter?.account_identifier, {
    type: 'sort_code_account_number',
    sort_code: '040004',
    account_number: '70872490',
  });
  const allowed = await agreed(bank, driver, 'ordinary');
  assert.deepEqual((await bank.readConsent(allowed.bankConsentId)).debtor, {
    sortCode: '040662',
    accountNumber: '00002723',
    name: 'Ada Moss',
  });
});

test('what TrueLayer could not do with a request is not sent', async () => {
  const { contact: _unknown, ...terms } = termsFor(driver);
  const { controlParameters } = terms;
  const limit = { periodType: 'Month', alignment: 'Consent', amountPence: 1 } as const;
  const wrong = [
    terms,
    { ...termsFor(driver), reference: '()' },
    { ...termsFor(driver), controlParameters: { ...controlParameters, periodicLimits: [] } },
  ];
  const before = fake.exchanges.length;
  for (const request of wrong) await assert.rejects(bank.createConsent(request), BankDefect);
  const twice = { ...controlParameters, periodicLimits: [limit, limit] };
  const doubled = { ...termsFor(driver), controlParameters: twice };
  await assert.rejects(bank.createConsent(doubled), RangeError);
  assert.equal(fake.exchanges.length, before);
});

test('a customer whose page TrueLayer does not name is not sent anywhere', async () => {
  const { bankConsentId } = await bank.createConsent(termsFor(driver));
  const page = { bankConsentId, state: 's', nonce: 'n', redirectUri: 'https://elsewhere.example/' };
  await assert.rejects(bank.authorisationUrl({ ...page, state: 'r' }), BankDefect);
  const { redirectUri } = driver;
  const first = await bank.authorisationUrl({ ...page, redirectUri });
  // The same question under its key has the same answer; another one finds the flow begun.
  assert.equal(await bank.authorisationUrl({ ...page, redirectUri }), first);
  const again = bank.authorisationUrl({ ...page, redirectUri, state: 't' });
  await assert.rejects(again, isRefusedAs('rejected', 'retryable'));
});

test('a bank that wants another step first, or to be waited for, has no page yet', async () => {
  const begin = async (step: string) => {
    vrp.nextStep = step;
    const { bankConsentId } = await bank.createConsent(termsFor(driver));
    const { redirectUri } = driver;
    return bank.authorisationUrl({ bankConsentId, state: 's', nonce: 'n', redirectUri });
  };
  await assert.rejects(begin('wait'), isUnknown);
  await assert.rejects(begin('provider_selection'), BankDefect);
  vrp.nextStep = 'redirect';
});

test('an order whose answer was lost is found by a repeat under its key: one payment', async () => {
  const allowed = await agreed(bank, driver, 'ordinary');
  const order = paymentOf(allowed, 1000);
  fake.losesAnswer = (call) => call === 'POST /payments';
  await assert.rejects(bank.submitPayment(allowed.grant, order), isUnknown);
  fake.losesAnswer = () => false;
  const found = await bank.submitPayment(allowed.grant, order);
  assert.deepEqual(
    made(allowed.bankConsentId).map(({ id }) => id),
    [found.bankPaymentId],
  );
  const read = await bank.readPayment(found.bankPaymentId);
  assert.equal(read.instructionId, order.instructionId);
  assert.equal(read.bankConsentId, allowed.bankConsentId);
});

test('a key that was used for another order proves nothing of that order', async () => {
  const allowed = await agreed(bank, driver, 'ordinary');
  const order = paymentOf(allowed, 1000);
  await bank.submitPayment(allowed.grant, order);
  const other = bank.submitPayment(allowed.grant, { ...order, amountPence: 999 });
  await assert.rejects(other, isUnknown);
  assert.equal(made(allowed.bankConsentId).length, 1);
});

test('a payment that is made and fails at once is a known failure', async () => {
  const allowed = await agreed(bank, driver, 'ordinary');
  await bank.submitPayment(allowed.grant, paymentOf(allowed, 2000));
  vrp.failsBeyondLimits = true;
  const beyond = await bank.submitPayment(allowed.grant, paymentOf(allowed, 1));
  vrp.failsBeyondLimits = false;
  assert.ok(beyond.outcome === 'failed');
  assert.deepEqual([beyond.error.code, beyond.error.kind], ['rejected', 'retryable']);
});

test('a status that nobody knows leaves a payment open, and proves nothing of a mandate', async () => {
  const allowed = await agreed(bank, driver, 'ordinary');
  const sent = await bank.submitPayment(allowed.grant, paymentOf(allowed, 1000));
  const paid = await final(bank, sent);
  assert.deepEqual([paid.outcome, paid.bankStatus], ['pending', 'ACSC']);
  const payment = vrp.payments.get(sent.bankPaymentId);
  assert.ok(payment);
  payment.status = 'reversed';
  assert.equal((await bank.readPayment(sent.bankPaymentId)).outcome, 'pending');
  payment.status = 'settled';
  assert.equal((await bank.readPayment(sent.bankPaymentId)).outcome, 'credited');
  vrp.mandateOf(allowed.bankConsentId).status = 'paused';
  await assert.rejects(bank.readConsent(allowed.bankConsentId), isUnknown);
});

test('a mandate whose end has passed is expired, whichever word TrueLayer has for it', async () => {
  const allowed = await agreed(bank, driver, 'ordinary');
  const mandate = vrp.mandateOf(allowed.bankConsentId);
  mandate.asked.constraints.valid_to = '2026-01-01T00:00:00Z';
  for (const status of ['authorized', 'failed', 'revoked']) {
    mandate.status = status;
    assert.equal((await bank.readConsent(allowed.bankConsentId)).status, 'EXPD');
  }
});

test('a mandate that nobody agreed to yet is not revoked, and is tried again', async () => {
  const { bankConsentId } = await bank.createConsent(termsFor(driver));
  await assert.rejects(bank.deleteConsent(bankConsentId), isRefusedAs('rejected', 'retryable'));
  vrp.mandateOf(bankConsentId).status = 'failed';
  await bank.deleteConsent(bankConsentId);
  await bank.deleteConsent('0c2a0d4c-6a4e-4a39-8c0e-7e1d53a3f3b0');
});

test('a refusal stays one where the mandate that explains it cannot be read', async () => {
  const allowed = await agreed(bank, driver, 'ordinary');
  fake.isDown = (call) => call.startsWith('GET /mandates/');
  const tooMuch = bank.submitPayment(allowed.grant, paymentOf(allowed, 2001));
  await assert.rejects(tooMuch, isRefusedAs('rejected', 'retryable'));
});

test('a request that TrueLayer finds wrong is our fault, whatever became of the mandate', async () => {
  const allowed = await agreed(bank, driver, 'ordinary');
  await bank.deleteConsent(allowed.bankConsentId);
  const before = fake.exchanges.length;
  const wrong = bank.submitPayment(allowed.grant, {
    ...paymentOf(allowed, 1000),
    currency: 'X' as 'GBP',
  });
  await assert.rejects(wrong, BankDefect);
  assert.equal(fake.exchanges.length, before + 1, 'the mandate is not read');
});

test('one token serves all calls, however many need it at once, and another comes when it is taken back', async () => {
  const fresh = openTrueLayer(config, now);
  const before = fake.tokensGiven;
  await Promise.all([fresh.list(), fresh.list(), fresh.list()]);
  assert.equal(fake.tokensGiven, before + 1);
  fake.dropTokens();
  const allowed = await agreed(fresh.bank('ob-rowan', ''), driver, 'ordinary');
  assert.equal(fake.tokensGiven, before + 2);
  fake.dropTokens();
  await bank.submitPayment(allowed.grant, paymentOf(allowed, 1000));
  assert.equal(made(allowed.bankConsentId).length, 1);
  await fresh.close();
});

test('without a token nothing is sent, and no payment fails for it', async () => {
  const allowed = await agreed(bank, driver, 'ordinary');
  const stranger = openTrueLayer({ ...config, clientSecret: 'another' }, now);
  const other = stranger.bank('ob-rowan', '');
  await assert.rejects(stranger.list(), TokenRefused);
  const order = other.submitPayment(NO_TOKENS, paymentOf(allowed, 1000));
  await assert.rejects(order, (error) => error instanceof BankUnavailable && error.notSent);
  fake.isDown = (call) => call === 'POST /connect/token';
  const silent = other.submitPayment(NO_TOKENS, paymentOf(allowed, 1000));
  await assert.rejects(silent, (error) => error instanceof BankUnavailable && error.notSent);
  await stranger.close();
});

test('a signature that TrueLayer does not take is told apart: it has read nothing', async () => {
  const allowed = await agreed(bank, driver, 'ordinary');
  const unknown = openTrueLayer({ ...config, signingKid: 'another' }, now);
  const order = unknown.bank('ob-rowan', '').submitPayment(NO_TOKENS, paymentOf(allowed, 1000));
  await assert.rejects(order, SignatureRefused);
  assert.equal(made(allowed.bankConsentId).length, 0);
  await unknown.close();
});

test('where funds are not confirmed, nothing is asked', async () => {
  const silent = openTrueLayer({ ...config, confirmsFunds: false }, now);
  const before = fake.exchanges.length;
  const quiet = silent.bank('ob-rowan', '');
  assert.equal(await quiet.confirmFunds(NO_TOKENS, 'mandate', 1), 'not_offered');
  assert.equal(fake.exchanges.length, before);
  await silent.close();
});

test('a wrong address or key is refused at the start', () => {
  const open = (changes: Partial<TrueLayerConfig>) => () =>
    openTrueLayer({ ...config, ...changes }, now);
  assert.throws(open({ sandbox: false }), /hosts.api must be an https address/);
  assert.throws(open({ signingKey: 'no key' }), /truelayer: the signing key cannot be used/);
});

test('the fake takes no order that is not signed over its body', async () => {
  const { api, token } = config.hosts;
  const { clientId: client_id, clientSecret: client_secret } = config;
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const answer = await fetch(token, { method: 'POST', body: form });
  const { access_token } = (await answer.json()) as { access_token: string };
  const key = { kid: config.signingKid, key: createPrivateKey(config.signingKey) };
  const signed = {
    method: 'POST',
    path: '/v3/mandates',
    headers: [['Idempotency-Key', 'k']] as const,
  };
  const signature = signMessage(key, { ...signed, body: '{}' });
  const headers = { authorization: `Bearer ${access_token}`, 'idempotency-key': 'k' };
  const send = (body: string) =>
    fetch(`${api}/mandates`, {
      method: 'POST',
      headers: { ...headers, 'tl-signature': signature },
      body,
    });
  assert.equal((await send('{ }')).status, 401);
  assert.equal((await send('{}')).status, 400);
});

const skip = noTrueLayerFacts;

test('all that was sent to TrueLayer, and its answers, conform to the facts', { skip }, () =>
  assertConform(fake.exchanges),
);
