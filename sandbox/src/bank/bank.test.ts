import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Bench, START, startBench } from './test-bench.ts';
import { consentBody, fundsBody, paymentBody } from './test-bodies.ts';
import { connect, type Tpp } from './test-tpp.ts';

let bench: Bench;
let tpp: Tpp;

before(async () => {
  bench = await startBench();
  tpp = await connect(bench);
});

after(async () => {
  await tpp.close();
  await bench.stop();
});

/** A consent that a persona has approved, with a customer token. */
async function granted(persona: string, key: string, parameters: object = {}) {
  const created = await tpp.call('POST', '/domestic-vrp-consents', {
    body: consentBody(parameters),
    key,
  });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const consentId: string = created.body.Data.ConsentId;
  const authorisation = await tpp.authorise(consentId, { persona });
  const tokens = await authorisation.tokens();
  return { consentId, token: tokens.access_token, tokens };
}

async function statusOf(paymentId: string): Promise<string> {
  const { body } = await tpp.call('GET', `/domestic-vrps/${paymentId}`);
  return body.Data.Status;
}

test('A consent is created, authorised, used within its limits and revoked', async () => {
  await bench.clock(START);
  const created = await tpp.call('POST', '/domestic-vrp-consents', {
    body: consentBody(),
    key: 'consent-1',
  });
  assert.equal(created.status, 201);
  assert.equal(created.body.Data.Status, 'AWAU');
  assert.equal(created.body.Data.CreationDateTime, '2026-12-01T09:00:00.000Z');
  const consentId: string = created.body.Data.ConsentId;

  const authorisation = await tpp.authorise(consentId, { persona: 'alex', account: '10000012' });
  assert.match(authorisation.location.hash, /code=.*id_token=|id_token=.*code=/);
  const tokens = await authorisation.tokens();
  assert.equal(tokens.claims()?.openbanking_intent_id, consentId);
  assert.equal(tokens.claims()?.acr, 'urn:openbanking:psd2:sca');
  assert.ok(tokens.refresh_token);
  const consent = await tpp.call('GET', `/domestic-vrp-consents/${consentId}`);
  assert.equal(consent.body.Data.Status, 'AUTH');
  assert.equal(consent.body.Data.DebtorAccount.Identification, '99100110000012');

  const token = tokens.access_token;
  const funds = await tpp.call('POST', `/domestic-vrp-consents/${consentId}/funds-confirmation`, {
    body: fundsBody(consentId),
    token,
  });
  assert.equal(funds.status, 201);
  assert.equal(funds.body.Data.FundsAvailableResult.FundsAvailable, 'Available');

  const body = paymentBody(consentId, 'pay-1-a1');
  const paid = await tpp.call('POST', '/domestic-vrps', { body, token, key: 'pay-1-a1' });
  assert.equal(paid.status, 201, JSON.stringify(paid.body));
  const paymentId: string = paid.body.Data.DomesticVRPId;
  await bench.clock(START);
  assert.equal(await statusOf(paymentId), 'ACCC');
  const repeated = await tpp.call('POST', '/domestic-vrps', { body, token, key: 'pay-1-a1' });
  assert.equal(repeated.status, 201);
  assert.equal(repeated.body.Data.DomesticVRPId, paymentId);
  assert.equal(repeated.body.Data.Status, 'ACCC');
  assert.equal(bench.creditor.received.length, 1);
  assert.deepEqual(bench.creditor.received[0]?.amount, { value: 4999, currency: 'GBP' });

  const other = paymentBody(consentId, 'pay-1-a2', '1.00');
  const clash = await tpp.call('POST', '/domestic-vrps', { body: other, token, key: 'pay-1-a1' });
  assert.equal(clash.body.Errors[0].ErrorCode, 'U029');
  const over = await tpp.call('POST', '/domestic-vrps', { body: other, token, key: 'pay-1-a2' });
  assert.equal(over.status, 400);
  assert.equal(over.body.Errors[0].ErrorCode, 'U014');

  await bench.clock('2027-01-01T09:00:00Z');
  const next = paymentBody(consentId, 'pay-2-a1');
  const second = await tpp.call('POST', '/domestic-vrps', { body: next, token, key: 'pay-2-a1' });
  assert.equal(second.status, 201, 'the next month has its own limit');

  const deleted = await tpp.call('DELETE', `/domestic-vrp-consents/${consentId}`);
  assert.equal(deleted.status, 204);
  const gone = await tpp.call('GET', `/domestic-vrp-consents/${consentId}`);
  assert.equal(gone.status, 400);
  assert.equal(await statusOf(paymentId), 'ACCC');
});
