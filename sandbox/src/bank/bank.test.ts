import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { request } from 'undici';
import { type Bench, START, startBench } from '../../test-support/bank/bench.ts';
import { consentBody, fundsBody, paymentBody } from '../../test-support/bank/bodies.ts';
import {
  agentOf,
  connect,
  granted,
  pay,
  sign,
  statusOf,
  type Tpp,
} from '../../test-support/bank/tpp.ts';

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
  assert.equal((await statusOf(tpp, paymentId))[0], 'ACCC');
  const repeated = await tpp.call('POST', '/domestic-vrps', { body, token, key: 'pay-1-a1' });
  assert.equal(repeated.status, 201);
  assert.equal(repeated.body.Data.DomesticVRPId, paymentId);
  assert.equal(repeated.body.Data.Status, 'ACCC');
  assert.equal(bench.creditor.received.length, 1);
  assert.deepEqual(bench.creditor.received[0]?.amount, { value: 4999, currency: 'GBP' });

  const other = paymentBody(consentId, 'pay-1-a2', '1.00');
  const clash = await tpp.call('POST', '/domestic-vrps', { body: other, token, key: 'pay-1-a1' });
  assert.equal(clash.body.Errors?.[0]?.ErrorCode, 'U029');
  const over = await tpp.call('POST', '/domestic-vrps', { body: other, token, key: 'pay-1-a2' });
  assert.equal(over.status, 400);
  assert.equal(over.body.Errors?.[0]?.ErrorCode, 'U014');

  await bench.clock('2027-01-01T09:00:00Z');
  const next = paymentBody(consentId, 'pay-2-a1');
  const second = await tpp.call('POST', '/domestic-vrps', { body: next, token, key: 'pay-2-a1' });
  assert.equal(second.status, 201, 'the next month has its own limit');

  const deleted = await tpp.call('DELETE', `/domestic-vrp-consents/${consentId}`);
  assert.equal(deleted.status, 204);
  const gone = await tpp.call('GET', `/domestic-vrp-consents/${consentId}`);
  assert.equal(gone.status, 400);
  assert.equal((await statusOf(tpp, paymentId))[0], 'ACCC');
});

test('A declined consent is rejected for good and the third party learns it', async () => {
  const created = await tpp.call('POST', '/domestic-vrp-consents', {
    body: consentBody(),
    key: 'declined',
  });
  const consentId: string = created.body.Data.ConsentId;
  const { location } = await tpp.authorise(consentId, { decision: 'decline' });
  assert.equal(new URLSearchParams(location.hash.slice(1)).get('error'), 'access_denied');
  const { body } = await tpp.call('GET', `/domestic-vrp-consents/${consentId}`);
  assert.equal(body.Data.Status, 'RJCT');
  assert.equal(body.Data.StatusReason?.[0]?.StatusReasonCode, 'U036');
});

test('A wrong PIN leads nowhere', async () => {
  const created = await tpp.call('POST', '/domestic-vrp-consents', {
    body: consentBody(),
    key: 'wrong-pin',
  });
  const { location, pages } = await tpp.authorise(created.body.Data.ConsentId, { pin: '0000' });
  assert.match(pages[1] ?? '', /PIN do not match/);
  assert.equal(location.port, String(bench.config.pages.port));
});

test('The refresh token goes on working and gives tokens of the same consent', async () => {
  const grant = await granted(tpp, 'alex');
  const { refreshTokenGrant } = await import('openid-client');
  const first = await refreshTokenGrant(tpp.config, grant.tokens.refresh_token ?? '');
  const again = await refreshTokenGrant(tpp.config, grant.tokens.refresh_token ?? '');
  assert.notEqual(first.access_token, again.access_token);
  const body = fundsBody(grant.consentId);
  const path = `/domestic-vrp-consents/${grant.consentId}/funds-confirmation`;
  const funds = await tpp.call('POST', path, { body, token: again.access_token });
  assert.equal(funds.status, 201);
});

test('Tokens serve only their own certificate, kind and consent', async () => {
  const one = await granted(tpp, 'alex');
  const two = await granted(tpp, 'alex');
  const agent = agentOf(bench, bench.certificates.otherCert, bench.certificates.otherKey);
  const path = `/domestic-vrp-consents/${one.consentId}`;
  const token = await tpp.clientToken();
  assert.equal((await tpp.call('GET', path, { token, agent })).status, 401);
  assert.equal((await tpp.call('GET', path, { token: one.token })).status, 403);
  assert.equal((await tpp.call('GET', path, { token: 'no-such-token' })).status, 401);
  const crossed = await pay(tpp, { consentId: one.consentId, token: two.token }, 'crossed');
  assert.equal(crossed.status, 403);
  await agent.close();
});

test('What is said of the merchant is one of the standard’s values, or the consent is refused', async () => {
  const answerTo = async (risk: object) => {
    const body = consentBody({}, risk);
    const key = JSON.stringify(risk).slice(0, 40);
    return tpp.call('POST', '/domestic-vrp-consents', { body, key });
  };
  const said = {
    PaymentContextCode: 'BillingGoodsAndServicesInArrears',
    MerchantCategoryCode: '4899',
    PaymentPurposeCode: 'UBIL',
  };
  const { status, body } = await answerTo(said);
  assert.equal(status, 201);
  assert.deepEqual((body as { Risk?: object }).Risk, { ...said, ContractPresentIndicator: true });
  for (const wrong of [
    { PaymentContextCode: 'BillPayment' },
    { MerchantCategoryCode: 4899 },
    { MerchantCategoryCode: '48' },
    { PaymentPurposeCode: 'utilities' },
  ]) {
    const refused = await answerTo(wrong);
    assert.equal(refused.status, 400);
    const [error] = refused.body.Errors ?? [];
    assert.deepEqual([error?.ErrorCode, error?.Path], ['U002', `Risk.${Object.keys(wrong)[0]}`]);
  }
});

test('Each defect of a message signature has its own code', async () => {
  const body = consentBody();
  const bytes = Buffer.from(JSON.stringify(body));
  const issuer = 'http://openbanking.org.uk/iss';
  const future = Math.floor(Date.now() / 1000) + 600;
  const defects: [string, string | null][] = [
    ['U019', null],
    ['U018', 'not-a-jws'],
    ['U015', await sign(bench, Buffer.from('{}'))],
    ['U016', await sign(bench, bytes, { kid: 'stranger' })],
    ['U016', await sign(bench, bytes, { [issuer]: 'somebody/else' })],
    ['U016', await sign(bench, bytes, { 'http://openbanking.org.uk/iat': future })],
    ['U016', await sign(bench, bytes, { surprise: true })],
    ['U017', await sign(bench, bytes, { kid: undefined })],
  ];
  for (const [code, signature] of defects) {
    const options = { body, key: 'signature', signature };
    const answer = await tpp.call('POST', '/domestic-vrp-consents', options);
    assert.equal(answer.status, 400);
    assert.equal(answer.body.Errors?.[0]?.ErrorCode, code);
  }
});

test('Defective consents are refused with the path of the defect', async () => {
  const month = { PeriodType: 'Month', PeriodAlignment: 'Consent', Amount: '1', Currency: 'GBP' };
  const defects: [string, object][] = [
    ['U003', { ValidFromDateTime: '2020-01-01T00:00:00Z' }],
    ['U003', { ValidToDateTime: '2020-01-01T00:00:00Z' }],
    ['U002', { VRPType: ['UK.OBIE.VRPType.Unheard'] }],
    ['U002', { PeriodicLimits: [{ ...month, PeriodType: 'Quarter' }] }],
    [
      'U002',
      { PeriodicLimits: [{ ...month, PeriodType: 'Fortnight', PeriodAlignment: 'Calendar' }] },
    ],
    ['U002', { PeriodicLimits: [] }],
    ['U002', { MaximumIndividualAmount: { Amount: '0.00', Currency: 'GBP' } }],
    ['U023', { MaximumIndividualAmount: { Amount: '1.00', Currency: 'EUR' } }],
  ];
  for (const [index, [code, parameters]] of defects.entries()) {
    const body = consentBody(parameters);
    const key = `defect-${index}`;
    const answer = await tpp.call('POST', '/domestic-vrp-consents', { body, key });
    assert.equal(answer.body.Errors?.[0]?.ErrorCode, code, JSON.stringify(parameters));
    assert.match(answer.body.Errors?.[0]?.Path ?? '', /^Data\.ControlParameters\./);
  }
});

test('An instruction that comes again under another key is paid again, one under its key is not', async () => {
  const grant = await granted(tpp, 'alex');
  const first = await pay(tpp, grant, 'once');
  const again = await pay(tpp, grant, 'once');
  assert.equal(again.body.Data.DomesticVRPId, first.body.Data.DomesticVRPId);
  const twice = await tpp.call('POST', '/domestic-vrps', {
    body: paymentBody(grant.consentId, 'once', '5'),
    token: grant.token,
    key: 'another-key',
  });
  assert.equal(twice.status, 201, JSON.stringify(twice.body));
  assert.notEqual(twice.body.Data.DomesticVRPId, first.body.Data.DomesticVRPId);
  const { body } = await bench.control('GET', '/sandbox/payments');
  const ids = [first, twice].map((answer) => answer.body.Data.DomesticVRPId);
  const paid = body.payments?.filter((payment) => ids.includes(payment.payment_id));
  assert.deepEqual(
    paid?.map(({ debited, amount_pence }) => [debited, amount_pence]),
    [
      [true, 500],
      [true, 500],
    ],
  );
});

test('A payment that differs from its consent is refused', async () => {
  const grant = await granted(tpp, 'alex');
  const initiation = { RemittanceInformation: { Unstructured: ['something else'] } };
  const differs = await tpp.call('POST', '/domestic-vrps', {
    body: paymentBody(grant.consentId, 'differs', '5', initiation),
    token: grant.token,
    key: 'differs',
  });
  assert.equal(differs.body.Errors?.[0]?.ErrorCode, 'U008');
  assert.equal((await pay(tpp, grant, 'too-much', '50.00')).body.Errors?.[0]?.ErrorCode, 'U014');
});

test('An idempotency key is forgotten after a day of the sandbox clock', async () => {
  await bench.clock('2027-02-01T09:00:00Z');
  const body = consentBody();
  const post = () => tpp.call('POST', '/domestic-vrp-consents', { body, key: 'for-a-day' });
  const first = await post();
  await bench.clock('2027-02-02T08:59:59Z');
  assert.equal((await post()).body.Data.ConsentId, first.body.Data.ConsentId);
  await bench.clock('2027-02-02T09:00:00Z');
  assert.notEqual((await post()).body.Data.ConsentId, first.body.Data.ConsentId);
});

test('A consent expires when its last day is over', async () => {
  await bench.clock('2027-03-01T09:00:00Z');
  const grant = await granted(tpp, 'alex', { ValidToDateTime: '2027-03-10T09:00:00Z' });
  await bench.clock('2027-03-10T23:00:00Z');
  assert.equal((await pay(tpp, grant, 'last-day')).status, 201);
  await bench.clock('2027-03-11T00:00:00Z');
  const late = await pay(tpp, grant, 'too-late');
  assert.equal(late.body.Errors?.[0]?.ErrorCode, 'U009');
  const { body } = await tpp.call('GET', `/domestic-vrp-consents/${grant.consentId}`);
  assert.equal(body.Data.Status, 'EXPD');
});

test('A Faster Payment to an account here is credited once, and only with the secret', async () => {
  const send = async (accountNumber: string, secret = bench.config.faster_payments.secret) => {
    const { statusCode } = await request(`${bench.config.public_pages_url}/faster-payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        payment_id: 'refund-1',
        reference: 'REFUND',
        amount: { value: 1500, currency: 'GBP' },
        creditor: { sort_code: '991001', account_number: accountNumber, name: 'Alex Morgan' },
        debtor: { sort_code: '401276', account_number: '11223344', name: 'Fern Gardens' },
      }),
    });
    return statusCode;
  };
  const balance = async (): Promise<number> => {
    const { body } = await bench.control('GET', '/sandbox/accounts');
    const isHis = (a: { bank: string; account_number: string }): boolean =>
      a.bank === 'northbank' && a.account_number === '10000012';
    return body.accounts?.find(isHis)?.balance_pence ?? 0;
  };
  const before = await balance();
  assert.equal(await send('10000012', 'guessed'), 401);
  assert.equal(await send('10999999'), 404);
  assert.deepEqual([await send('10000012'), await send('10000012')], [200, 200]);
  assert.equal(await balance(), before + 1500);
});

test('Everything survives a restart: keys, tokens, consents and books', async () => {
  const grant = await granted(tpp, 'alex');
  await bench.restart();
  const answer = await pay(tpp, grant, 'after-restart');
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
});
