import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { createLocalJWKSet } from 'jose';
import { type Reply, startStubBank } from '../../../test-support/stub-bank.ts';
import {
  type BankConsentStatus,
  BankDefect,
  BankRefused,
  BankUnavailable,
  type ConsentRequest,
  type Grant,
  type PaymentRequest,
  SignatureRefused,
} from '../bank.ts';
import { openBankingBank } from './connector.ts';
import { verifyMessage } from './message-signature.ts';

const stub = await startStubBank();
let clock = Temporal.Now.instant();
const bank = await openBankingBank(stub.config, () => clock);
after(async () => {
  await bank.close();
  await stub.close();
});
beforeEach(() => {
  stub.received.length = 0;
  stub.replies.length = 0;
  stub.tokenReplies.length = 0;
  clock = Temporal.Now.instant();
});

const grant: Grant = {
  accessToken: 'customer-token',
  refreshToken: 'refresh',
  expiresAt: clock.add({ hours: 1 }),
  boundTo: null,
};
const terms: ConsentRequest = {
  idempotencyKey: 'con_1',
  creditor: { sortCode: '089999', accountNumber: '66374958', name: 'Wallet' },
  ultimateCreditorName: 'Fernhill Broadband Ltd',
  customerReference: 'cus_1',
  reference: 'SCH7K2M4P9Q',
  currency: 'GBP',
  controlParameters: {
    validFrom: Temporal.Instant.from('2027-01-01T09:00:00.123Z'),
    validTo: null,
    maximumAmountPence: 4999,
    periodicLimits: [{ periodType: 'Month', alignment: 'Consent', amountPence: 4999 }],
  },
};

const consentReply = (Status: BankConsentStatus, code?: string, status = 200): Reply => ({
  status,
  body: {
    Data: {
      ConsentId: 'vrp-1',
      Status,
      ...(code && { StatusReason: [{ StatusReasonCode: code }] }),
      DebtorAccount: {
        SchemeName: 'UK.OBIE.SortCodeAccountNumber',
        Identification: '10799988837491',
        Name: 'A CUSTOMER',
      },
    },
  },
});
const paymentReply = (Status: string, code?: string, status = 201): Reply => ({
  status,
  body: {
    Data: {
      DomesticVRPId: 'dvrp-1',
      ConsentId: 'vrp-1',
      Status,
      ...(code && { StatusReason: [{ StatusReasonCode: code }] }),
      Instruction: { InstructionIdentification: 'pay_1-1' },
    },
  },
});
const problem = (status: number, ...codes: string[]): Reply => ({
  status,
  body: { Errors: codes.map((ErrorCode) => ({ ErrorCode })) },
});

async function paymentRequest(): Promise<PaymentRequest> {
  stub.replies.push(consentReply('AWAU', undefined, 201));
  const { initiation } = await bank.createConsent(terms);
  return {
    idempotencyKey: 'pay_1-1',
    bankConsentId: 'vrp-1',
    initiation,
    instructionId: 'pay_1-1',
    endToEndId: 'pay_1-1',
    amountPence: 4999,
    currency: 'GBP',
  };
}

const refusal = (code: string, kind: string) => (error: unknown) =>
  error instanceof BankRefused && error.error.code === code && error.error.kind === kind;

test('a consent is asked for in the standard’s words, signed by us over the very bytes', async () => {
  stub.replies.push(consentReply('AWAU', undefined, 201));
  const consent = await bank.createConsent({ ...terms, customerIp: '192.0.2.1' });
  assert.equal(consent.bankConsentId, 'vrp-1');
  assert.deepEqual(consent.debtor, {
    sortCode: '107999',
    accountNumber: '88837491',
    name: 'A CUSTOMER',
  });
  const [call] = stub.received;
  assert.ok(call);
  assert.equal(`${call.method} ${call.path}`, 'POST /pisp/domestic-vrp-consents');
  assert.equal(call.headers['x-idempotency-key'], 'con_1');
  assert.equal(call.headers['x-fapi-customer-ip-address'], '192.0.2.1');
  assert.match(String(call.headers['x-fapi-interaction-id']), /^[0-9a-f-]{36}$/);
  const { kty, n, e, kid } = stub.config.signingJwk;
  const keys = createLocalJWKSet({ keys: [{ kty, n, e, kid } as never] });
  const expected = { keys, issuer: 'org-tpp/software-1' };
  await verifyMessage(call.body, String(call.headers['x-jws-signature']), expected, clock);
  const { Data } = JSON.parse(call.body);
  assert.deepEqual(Data.ControlParameters, {
    VRPType: ['UK.OBIE.VRPType.CVRP1'],
    PSUAuthenticationMethods: ['UK.OBIE.SCANotRequired'],
    PSUInteractionTypes: ['OffSession'],
    ValidFromDateTime: '2027-01-01T09:00:00Z',
    MaximumIndividualAmount: { Amount: '49.99', Currency: 'GBP' },
    PeriodicLimits: [
      { PeriodType: 'Month', PeriodAlignment: 'Consent', Amount: '49.99', Currency: 'GBP' },
    ],
  });
});

test('a payment brings back initiation and risk of the consent byte for byte', async () => {
  const request = await paymentRequest();
  stub.replies.push(paymentReply('RCVD'), paymentReply('RCVD'));
  await bank.submitPayment(grant, request);
  await bank.submitPayment(grant, request);
  const [consent, first, second] = stub.received;
  const part = (body: string | undefined, name: string): string =>
    JSON.stringify(JSON.parse(body ?? '{}').Data[name]);
  assert.equal(part(first?.body, 'Initiation'), part(consent?.body, 'Initiation'));
  assert.ok(consent?.body.includes(part(first?.body, 'Initiation')));
  assert.equal(first?.body, second?.body);
  assert.equal(first?.headers.authorization, 'Bearer customer-token');
  assert.equal('x-fapi-customer-ip-address' in (first?.headers ?? {}), false);
});

test('the answers that leave the outcome open are BankUnavailable, never a failure', async () => {
  const request = await paymentRequest();
  const open: Reply[] = [
    { status: 0, drop: true },
    { status: 0, hang: true },
    problem(500, 'U000'),
    { status: 503, signed: false },
    problem(409, 'U029'),
    { ...paymentReply('RCVD'), signed: false },
    { ...paymentReply('RCVD'), signed: 'forged' },
    { ...problem(400, 'U014'), signed: 'forged' },
    { status: 201, body: { Data: {} } },
    { status: 302, headers: { location: '/elsewhere' } },
    // A gateway's response, and a code that is in no standard.
    ...[400, 401, 403, 404, 405].map((status) => ({ status, signed: false })),
    problem(400, 'ZZZZ'),
  ];
  for (const reply of open) {
    stub.replies.push(reply);
    await assert.rejects(
      bank.submitPayment(grant, request),
      BankUnavailable,
      JSON.stringify(reply),
    );
  }
});

test('an answer about another payment is not taken for ours', async () => {
  const request = { ...(await paymentRequest()), instructionId: 'pay_2-1' };
  stub.replies.push(paymentReply('ACCC'));
  await assert.rejects(bank.submitPayment(grant, request), BankUnavailable);
});

test('too many requests carries the wait that the bank asks for', async () => {
  const request = await paymentRequest();
  stub.replies.push({ status: 429, headers: { 'retry-after': '17' }, signed: false });
  await assert.rejects(
    bank.submitPayment(grant, request),
    (error) => error instanceof BankUnavailable && error.retryAfterSeconds === 17,
  );
});

test('a known no is a refusal with its reason', async () => {
  const request = await paymentRequest();
  const cases: [Reply[], string, string][] = [
    [[problem(400, 'U014')], 'limit_exceeded', 'final'],
    [[problem(403, 'U028')], 'reauthentication_required', 'retryable'],
    [[problem(401, 'TKXP')], 'consent_expired', 'consent_gone'],
    [[problem(400, 'U009'), consentReply('EXPD')], 'consent_expired', 'consent_gone'],
    [[problem(400, 'U009'), consentReply('CANC')], 'consent_revoked', 'consent_gone'],
    [[problem(400, 'U011'), problem(400, 'U011')], 'consent_revoked', 'consent_gone'],
    [
      [problem(401, 'U009'), consentReply('CANC', 'TKSP')],
      'reauthentication_required',
      'retryable',
    ],
    [[problem(400, 'U009'), consentReply('AUTH')], 'technical', 'retryable'],
  ];
  for (const [replies, code, kind] of cases) {
    stub.replies.push(...replies);
    await assert.rejects(bank.submitPayment(grant, request), refusal(code, kind), code);
  }
});

test('a refusal that cannot be explained just now stays open', async () => {
  const request = await paymentRequest();
  stub.replies.push(problem(400, 'U009'), { status: 503, signed: false });
  await assert.rejects(bank.submitPayment(grant, request), BankUnavailable);
});

test('our own mistakes are defects', async () => {
  const request = await paymentRequest();
  stub.replies.push(problem(400, 'U008'), problem(400, 'U016'));
  const wrong = { name: 'BankDefect', bankCode: 'U008' };
  await assert.rejects(bank.submitPayment(grant, request), wrong);
  await assert.rejects(bank.submitPayment(grant, request), SignatureRefused);
  await assert.rejects(
    bank.submitPayment(grant, { ...request, endToEndId: 'e'.repeat(32) }),
    BankDefect,
  );
  await assert.rejects(bank.createConsent({ ...terms, reference: '()' }), BankDefect);
});

test('the statuses of a payment become outcomes', async () => {
  stub.replies.push(paymentReply('ACSC', undefined, 200), paymentReply('RJCT', 'AM04', 200));
  assert.equal((await bank.readPayment('dvrp-1')).outcome, 'pending');
  const failed = await bank.readPayment('dvrp-1');
  assert.equal(failed.outcome === 'failed' && failed.error.code, 'insufficient_funds');
});

test('a payment that the bank does not find is not thereby unpaid', async () => {
  stub.replies.push(problem(400, 'U011'));
  await assert.rejects(bank.readPayment('dvrp-1'), BankUnavailable);
});

test('a consent that the bank no longer knows is GONE, and deleting it is success', async () => {
  stub.replies.push(problem(400, 'U011'), problem(400, 'U011'), { status: 204 });
  assert.equal((await bank.readConsent('vrp/1')).status, 'GONE');
  assert.equal(stub.received[0]?.path, '/pisp/domestic-vrp-consents/vrp%2F1');
  await bank.deleteConsent('vrp-1');
  await bank.deleteConsent('vrp-1');
  // Signed, it is the bank's own response, as the standard requires for a deleted consent.
  stub.replies.push({ status: 400, body: {} }, { status: 404, body: {} });
  assert.equal((await bank.readConsent('vrp-1')).status, 'GONE');
  await bank.deleteConsent('vrp-1');
});

const bare: Reply[] = [
  ...[400, 401, 401, 403, 404, 410, 502].map((status) => ({ status, signed: false }) as const),
  { status: 400, body: { message: 'bad request' }, signed: false },
  { status: 404, body: 'no such route', signed: false },
  { ...problem(400, 'U011'), signed: 'forged' },
];

test('a bare HTTP error on reading a consent proves nothing', async () => {
  for (const reply of bare) {
    stub.replies.push(reply, ...(reply.status === 401 ? [reply] : []));
    await assert.rejects(bank.readConsent('vrp-1'), BankUnavailable, JSON.stringify(reply));
  }
});

test('a consent is deleted by 204 alone, or where the bank says that it is not there', async () => {
  for (const reply of [...bare, { status: 200, signed: false } as const]) {
    stub.replies.push(reply, ...(reply.status === 401 ? [reply] : []));
    await assert.rejects(bank.deleteConsent('vrp-1'), BankUnavailable, JSON.stringify(reply));
  }
  stub.replies.push(problem(400, 'U009'), consentReply('AUTH'));
  await assert.rejects(bank.deleteConsent('vrp-1'), BankRefused);
  stub.replies.push(problem(400, 'U009'), consentReply('CANC'));
  await bank.deleteConsent('vrp-1');
});

test('a bare HTTP error on the funds check is technical, and the payment may be tried again', async () => {
  for (const status of [400, 403, 404]) {
    stub.replies.push({ status, signed: false });
    await assert.rejects(
      bank.confirmFunds(grant, 'vrp-1', 4999),
      refusal('technical', 'retryable'),
    );
  }
  stub.replies.push({ status: 401 }, consentReply('AUTH'));
  await assert.rejects(bank.confirmFunds(grant, 'vrp-1', 4999), refusal('technical', 'retryable'));
  stub.replies.push({ status: 401 }, consentReply('CANC'));
  await assert.rejects(
    bank.confirmFunds(grant, 'vrp-1', 4999),
    refusal('consent_revoked', 'consent_gone'),
  );
});

test('a token that the bank does not take leaves a payment open and asks for the consent', async () => {
  const request = await paymentRequest();
  stub.replies.push({ status: 401 });
  await assert.rejects(
    bank.submitPayment(grant, request),
    (error) => error instanceof BankUnavailable && error.asksForConsent,
  );
});

test('a bare HTTP error on asking for a consent does not refuse it for good', async () => {
  for (const status of [400, 403, 404]) {
    stub.replies.push({ status, signed: false });
    await assert.rejects(bank.createConsent(terms), BankUnavailable);
  }
});

test('the limits that the bank reports are read, in any subset', async () => {
  const reply = (ControlParameters: object): Reply => ({
    status: 200,
    body: { Data: { ConsentId: 'vrp-1', Status: 'AUTH', ControlParameters } },
  });
  const amount = (Amount: string): object => ({ Amount, Currency: 'GBP' });
  const limit = { PeriodType: 'Month', PeriodAlignment: 'Consent', ...amount('60.00') };
  stub.replies.push(
    reply({
      ValidFromDateTime: '2027-01-01T09:00:00Z',
      ValidToDateTime: '2027-06-30T22:59:59+00:00',
      MaximumIndividualAmount: amount('20.5'),
      PeriodicLimits: [limit],
    }),
    reply({}),
    reply({ MaximumIndividualAmount: amount('many') }),
  );
  assert.deepEqual((await bank.readConsent('vrp-1')).limits, {
    validFrom: Temporal.Instant.from('2027-01-01T09:00:00Z'),
    validTo: Temporal.Instant.from('2027-06-30T22:59:59Z'),
    maximumAmountPence: 2050,
    periodicLimits: [{ periodType: 'Month', alignment: 'Consent', amountPence: 6000 }],
  });
  assert.deepEqual((await bank.readConsent('vrp-1')).limits, {});
  await assert.rejects(bank.readConsent('vrp-1'), BankUnavailable);
});

test('a configuration that would speak plain http is refused at start', async () => {
  for (const key of ['issuer', 'resourceBase', 'bankJwksUri']) {
    await assert.rejects(
      openBankingBank({ ...stub.config, [key]: 'http://localhost:1' }),
      BankDefect,
    );
  }
});
