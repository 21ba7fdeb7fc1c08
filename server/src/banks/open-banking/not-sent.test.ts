import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startStubBank } from '../../../test-support/stub-bank.ts';
import { BankUnavailable, type Grant, type PaymentRequest } from '../bank.ts';
import { openBankingBank } from './connector.ts';

const stub = await startStubBank();
after(() => stub.close());
const now = (): Temporal.Instant => Temporal.Now.instant();

const grant: Grant = {
  accessToken: 'customer-token',
  refreshToken: 'refresh',
  expiresAt: now().add({ hours: 1 }),
  boundTo: null,
};
const request: PaymentRequest = {
  idempotencyKey: 'pay_1-1',
  bankConsentId: 'vrp-1',
  initiation: JSON.stringify({
    vrpType: 'UK.OBIE.VRPType.CVRP1',
    initiation: { CreditorAccount: {}, UltimateCreditor: {}, RemittanceInformation: {} },
    risk: {},
  }),
  instructionId: 'pay_1-1',
  endToEndId: 'pay_1-1',
  amountPence: 4999,
  currency: 'GBP',
};

test('a call that finds nobody, no such name or no proper TLS was not sent; one that is dropped may have been', async () => {
  const gone = await startStubBank();
  await gone.close();
  const ours = stub.config;
  const reached = [
    { ...ours, resourceBase: gone.config.resourceBase, notSent: true },
    { ...ours, resourceBase: 'https://no-such-bank.invalid/pisp', notSent: true },
    { ...ours, tls: { ...ours.tls, ca: gone.config.tls.ca }, notSent: true },
    { ...ours, notSent: false },
  ];
  for (const { notSent, ...config } of reached) {
    stub.replies.push({ status: 503, drop: true });
    const other = await openBankingBank(config, now);
    await assert.rejects(
      other.submitPayment(grant, request),
      (error) => error instanceof BankUnavailable && error.notSent === notSent,
      JSON.stringify(config.resourceBase),
    );
    await other.close();
    stub.replies.length = 0;
  }
});

test('a refusal is no order that never left, though the question about the consent finds nobody', async () => {
  stub.replies.push({ status: 403, body: { Errors: [] } }); // after this, the consent is read in our own name
  stub.tokenReplies.push({ status: 503, body: {} });
  const other = await openBankingBank(stub.config, now);
  await assert.rejects(
    other.submitPayment(grant, request),
    (error) => error instanceof BankUnavailable && !error.notSent,
  );
  await other.close();
  stub.tokenReplies.length = 0;
});
