import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  assertConform,
  documentedEnum,
  noModulrDocument,
} from '../../../test-support/modulr/document.ts';
import { FAKE_KEY, FakeModulr } from '../../../test-support/modulr/fake-modulr.ts';
import { type Bank, BankDefect, BankRefused, BankUnavailable, NO_TOKENS } from '../bank.ts';
import { bankContract } from '../bank-contract.ts';
import { agreed, type BankDriver, paymentOf, termsFor } from '../bank-journey.ts';
import type { ModulrConfig } from './config.ts';
import { MODULR_TRAITS, openModulr } from './connector.ts';
import { CONSENT_STATUSES, PAYMENT_STATUSES } from './statuses.ts';

const now = Temporal.Now.instant;
const fake = new FakeModulr(now);
fake.books.vrp.settlesAfter = { milliseconds: 150 };
const { vrp } = fake.books;

const config: ModulrConfig = {
  ...FAKE_KEY,
  bankId: 'modulr',
  baseUrl: await fake.start(),
  vrpType: 'UK.OBIE.VRPType.CVRP1',
  merchantCategoryCode: '4899',
  confirmsFunds: true,
  requests: 8000,
  sandbox: true,
};
const connection = openModulr(config, now);
const bank: Bank = connection.bank('H210000043', 'Sandbox Bank');
after(async () => {
  await connection.close();
  await fake.close();
});

const driver: BankDriver = {
  redirectUri: 'https://recollect.example/consent/callback',
  creditor: { sortCode: '040392', accountNumber: '20000001', name: 'Fernhill collections' },
  agree: async (url, customer) => {
    vrp.decide(url, customer, true);
    return '';
  },
  disagree: async (url, customer) => {
    vrp.decide(url, customer, false);
    return '';
  },
  withdraw: async (_customer, consentId) => vrp.withdraw(consentId),
  notifications: () => [],
};

bankContract(
  'the Modulr connector',
  MODULR_TRAITS,
  async () => bank,
  async () => driver,
);

test('the list has the banks that can be chosen and those that cannot, by name', async () => {
  assert.deepEqual(await connection.list(), [
    { id: 'H210000044', name: 'Alder Bank', isOpen: true },
    { id: 'H210000045', name: 'Closed Bank', isOpen: false },
    { id: 'H210000043', name: 'Sandbox Bank', isOpen: true },
    { id: 'H210000046', name: 'Single Bank', isOpen: false },
  ]);
});

test('a bank that is not open for consents refuses one, and nothing is made', async () => {
  const before = vrp.consents.size;
  const closed = connection.bank('H210000045', 'Closed Bank');
  await assert.rejects(closed.createConsent(termsFor(driver)), /rejected/);
  assert.equal(vrp.consents.size, before);
});

test('a consent has the category code of its merchant, or else that of the connection', async () => {
  const { merchant, ...unsaid } = termsFor(driver);
  assert.ok(merchant);
  const before = fake.exchanges.length;
  await bank.createConsent(unsaid);
  await bank.createConsent({ ...unsaid, merchant: { ...merchant, categoryCode: null } });
  await bank.createConsent({ ...unsaid, merchant: { ...merchant, categoryCode: '6300' } });
  const codes = fake.exchanges.slice(before).flatMap(({ body }) => {
    const { risk } = (body ?? {}) as { risk?: { merchantCategoryCode: string } };
    return risk === undefined ? [] : [risk.merchantCategoryCode];
  });
  assert.deepEqual(codes, ['4899', '4899', '6300']);
});

test('what Modulr could not do with a request is not sent', async () => {
  const terms = termsFor(driver);
  const wrong = [
    { ...terms, reference: 'SHORT' },
    { ...terms, debtor: driver.creditor },
    { ...terms, controlParameters: { ...terms.controlParameters, periodicLimits: [] } },
  ];
  const before = fake.exchanges.length;
  for (const request of wrong) await assert.rejects(bank.createConsent(request), BankDefect);
  assert.equal(fake.exchanges.length, before);
});

test('an order whose answer was lost is found by a repeat under its key: one payment', async () => {
  const allowed = await agreed(bank, driver, 'ordinary');
  const order = paymentOf(allowed, 1000);
  fake.losesAnswer = (call) => call === 'POST /vrp';
  await assert.rejects(bank.submitPayment(allowed.grant, order), BankUnavailable);
  fake.losesAnswer = () => false;
  const found = await bank.submitPayment(allowed.grant, order);
  const made = [...vrp.payments.values()].filter(
    ({ consent }) => consent.id === allowed.bankConsentId,
  );
  assert.deepEqual(
    made.map(({ id }) => id),
    [found.bankPaymentId],
  );
});

test('a consent whose end has passed is expired, although Modulr has no such status', async () => {
  const allowed = await agreed(bank, driver, 'ordinary');
  const consent = vrp.consents.get(allowed.bankConsentId);
  assert.ok(consent);
  consent.asked.validToDate = '2026-01-01T00:00:00Z';
  assert.equal((await bank.readConsent(allowed.bankConsentId)).status, 'EXPD');
});

test('an error of Modulr’s own proves nothing of a consent or a payment', async () => {
  const allowed = await agreed(bank, driver, 'ordinary');
  const sent = await bank.submitPayment(allowed.grant, paymentOf(allowed, 1000));
  const payment = vrp.payments.get(sent.bankPaymentId);
  const consent = vrp.consents.get(allowed.bankConsentId);
  assert.ok(payment && consent);
  for (const status of ['ER_GENERAL', 'ER_EXTSYS'] as const) {
    payment.status = status;
    payment.made = now().add({ hours: 1 });
    assert.equal((await bank.readPayment(sent.bankPaymentId)).outcome, 'pending');
    consent.status = status as never;
    await assert.rejects(bank.readConsent(allowed.bankConsentId), BankUnavailable);
  }
});

test('a refusal stays one where the consent that explains it cannot be read', async () => {
  const allowed = await agreed(bank, driver, 'ordinary');
  fake.isDown = (call) => call.startsWith('GET /vrp-consents/');
  const tooMuch = bank.submitPayment(allowed.grant, paymentOf(allowed, 2001));
  await assert.rejects(
    tooMuch,
    (error) => error instanceof BankRefused && error.error.kind === 'retryable',
  );
  fake.isDown = () => false;
});

test('an amount above the limit of a period is refused for good', async () => {
  const allowed = await agreed(bank, driver, 'ordinary');
  const asked = vrp.consents.get(allowed.bankConsentId)?.asked as {
    paymentConstraints: { periodicLimits: { amount: number }[] };
  };
  for (const limit of asked.paymentConstraints.periodicLimits) limit.amount = 10;
  const tooMuch = bank.submitPayment(allowed.grant, paymentOf(allowed, 1001));
  await assert.rejects(
    tooMuch,
    (error) => error instanceof BankRefused && error.error.code === 'limit_exceeded',
  );
});

test('where funds are not confirmed, nothing is asked', async () => {
  const silent = openModulr({ ...config, confirmsFunds: false }, now);
  const before = fake.exchanges.length;
  const quiet = silent.bank('H210000043', 'Sandbox Bank');
  assert.equal(await quiet.confirmFunds(NO_TOKENS, 'E210000001', 1), 'not_offered');
  assert.equal(fake.exchanges.length, before);
  await silent.close();
});

test('an address of Modulr without TLS is refused', () => {
  const live = { ...config, sandbox: false };
  assert.throws(() => openModulr(live, now), /base_url must be an https address/);
});

const skip = noModulrDocument;

test('the tables have every status of Modulr’s document', { skip }, () => {
  const statuses = (schema: string): string[] =>
    documentedEnum(`pispgateway.${schema}`, 'status').toSorted();
  assert.deepEqual(Object.keys(PAYMENT_STATUSES).sort(), statuses('VrpPaymentResponse'));
  assert.deepEqual(Object.keys(PAYMENT_STATUSES).sort(), statuses('VrpPaymentDetailsResponse'));
  assert.deepEqual(Object.keys(CONSENT_STATUSES).sort(), statuses('VrpConsentResponse'));
});

test('all that was sent to Modulr, and its answers, conform to its document', { skip }, () =>
  assertConform(fake.exchanges),
);
