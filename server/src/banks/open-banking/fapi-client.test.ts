import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import {
  halfHash,
  type IdTokenFault,
  idToken,
  type Journey,
} from '../../../test-support/id-tokens.ts';
import { startStubBank } from '../../../test-support/stub-bank.ts';
import { makeSigningKey } from '../../sandbox/signing-key.ts';
import { AuthorisationInvalid, BankUnavailable, type Grant } from '../bank.ts';
import { openBankingBank } from './connector.ts';

/**
 * The OpenID Foundation's test cases for clients of FAPI 1.0 Advanced (variant openbanking_uk), run against an authorisation
 * server that misbehaves. Left out: the cases with pushed authorisation requests or encrypted tokens, which we do not use.
 */
const CASE = 'fapi1-advanced-final-client-test';
const WEEK_S = 7 * 24 * 3600;

const stub = await startStubBank();
const bank = await openBankingBank(stub.config);
const stranger = await makeSigningKey();
after(async () => {
  await bank.close();
  await stub.close();
});
beforeEach(() => {
  stub.replies.length = 0;
  stub.tokenReplies.length = 0;
  stub.metadata = {};
});

const journey: Journey = {
  bankConsentId: 'vrp-1',
  state: 'state-1',
  nonce: 'nonce-1',
  redirectUri: 'https://rp.test/cb',
  code: 'code-1',
};

const seconds = () => Math.floor(Date.now() / 1000);

interface Faults {
  /** In the token that the browser brings. */
  front?: IdTokenFault;
  /** In the token from the token endpoint. */
  back?: IdTokenFault;
  /** In the token endpoint's response. */
  answer?: Record<string, unknown>;
}

/** Runs one login: the browser comes back, and the code is exchanged if all checks pass. */
async function login({ front, back, answer }: Faults = {}): Promise<Grant> {
  const fragment = new URLSearchParams({
    code: journey.code,
    state: journey.state,
    id_token: await idToken(stub, journey, front),
  });
  const body = {
    access_token: 'customer-token',
    token_type: 'Bearer',
    expires_in: 300,
    scope: 'openid payments',
    id_token: await idToken(stub, journey, back),
    ...answer,
  };
  stub.tokenReplies.push({ status: 200, body });
  return bank.completeAuthorisation({ ...journey, fragment: fragment.toString() });
}

/** Tests that a login stops before the code is used. */
function stops(name: string, fault: IdTokenFault): void {
  test(`${CASE}-${name}: the login stops before the code is exchanged`, async () => {
    const before = stub.tokens();
    await assert.rejects(login({ front: fault }), AuthorisationInvalid);
    assert.equal(stub.tokens(), before, 'the token endpoint was asked');
  });
  test(`${CASE}-${name}, in the token endpoint’s answer: no grant comes of it`, async () => {
    await assert.rejects(login({ back: fault }), AuthorisationInvalid);
  });
}

/** Tests a fault in a token that only the browser brings. */
function stopsInFront(name: string, fault: IdTokenFault): void {
  test(`${CASE}-${name}: the login stops before the code is exchanged`, async () => {
    const before = stub.tokens();
    await assert.rejects(login({ front: fault }), AuthorisationInvalid);
    assert.equal(stub.tokens(), before, 'the token endpoint was asked');
  });
}

function succeeds(name: string, faults: Faults): void {
  test(`${CASE}${name}: the login succeeds`, async () => {
    const grant = await login(faults);
    assert.equal(grant.accessToken, 'customer-token');
    assert.equal(Temporal.Instant.compare(grant.expiresAt, Temporal.Now.instant()), 1);
  });
}

const ours = stub.config.clientId;

succeeds('', {});
succeeds('-valid-aud-as-array', {
  front: { claims: { aud: [ours] } },
  back: { claims: { aud: [ours] } },
});
succeeds('-missing-athash', { front: { claims: { at_hash: undefined } } });
succeeds('-no-scope-in-token-endpoint-response', {
  answer: { scope: undefined, expires_in: undefined },
});

stops('iat-is-week-in-past', { claims: { iat: seconds() - WEEK_S } });
stops('invalid-alternate-alg', { alg: 'RS256' });
stops('invalid-aud', { claims: { aud: 'another-client' } });
stops('invalid-expired-exp', { claims: { iat: seconds() - 900, exp: seconds() - 360 } });
stops('invalid-iss', { claims: { iss: 'https://another.test' } });
stops('invalid-missing-aud', { claims: { aud: undefined } });
stops('invalid-missing-exp', { claims: { exp: undefined } });
stops('invalid-missing-iss', { claims: { iss: undefined } });
stops('invalid-missing-nonce', { claims: { nonce: undefined } });
stops('invalid-nonce', { claims: { nonce: 'another-nonce' } });
stops('invalid-null-alg', { alg: 'none' });
stops('invalid-openbanking-intent-id', { claims: { openbanking_intent_id: 'vrp-2' } });
stops('invalid-secondary-aud', { claims: { aud: [ours, 'another-client'] } });
stops('invalid-signature', { signingKey: stranger.privateJwk });

stopsInFront('invalid-chash', { claims: { c_hash: halfHash('another-code') } });
stopsInFront('invalid-missing-chash', { claims: { c_hash: undefined } });
stopsInFront('invalid-shash', { claims: { s_hash: halfHash('another-state') } });
stopsInFront('invalid-missing-shash', { claims: { s_hash: undefined } });

// Not covered by the cases: another audience is not trusted even if we are the authorised party.
stops('invalid-secondary-aud with azp', {
  claims: { aud: [ours, 'another-client'], azp: ours },
});
stops('invalid-azp', { claims: { azp: 'another-client' } });

test(`${CASE}-discovery-issuer-mismatch: nobody is sent to the bank, and no code is exchanged`, async () => {
  stub.metadata = { issuer: 'https://another.test' };
  const fresh = await openBankingBank(stub.config);
  const before = stub.tokens();
  await assert.rejects(fresh.authorisationUrl(journey), BankUnavailable);
  const fragment = new URLSearchParams({
    code: journey.code,
    state: journey.state,
    id_token: await idToken(stub, journey),
  });
  const complete = fresh.completeAuthorisation({ ...journey, fragment: fragment.toString() });
  await assert.rejects(complete, BankUnavailable);
  assert.equal(stub.tokens(), before);
  await fresh.close();
});

test(`${CASE}-payment-consent-response-valid-aud-as-array: the consent is made`, async () => {
  const Data = { ConsentId: 'vrp-1', Status: 'AWAU' };
  stub.replies.push({ status: 201, body: { Data, aud: [ours] } });
  const created = await bank.createConsent({
    idempotencyKey: 'con_1',
    creditor: { sortCode: '089999', accountNumber: '66374958', name: 'Wallet' },
    ultimateCreditorName: 'Fernhill Broadband Ltd',
    customerReference: 'cus_1',
    reference: 'SCH7K2M4P9Q',
    currency: 'GBP',
    controlParameters: {
      validFrom: Temporal.Now.instant(),
      validTo: null,
      maximumAmountPence: 4999,
      periodicLimits: [{ periodType: 'Month', alignment: 'Consent', amountPence: 4999 }],
    },
  });
  assert.equal(created.bankConsentId, 'vrp-1');
});

test('a token answer that says another kind of token, or none, gives no grant', async () => {
  for (const token_type of [undefined, 'mac', 7]) {
    await assert.rejects(login({ answer: { token_type } }), AuthorisationInvalid);
  }
  assert.equal((await login({ answer: { token_type: 'BEARER' } })).accessToken, 'customer-token');
});

test('a lifetime that no clock can hold, or with a fraction, still gives a grant', async () => {
  for (const expires_in of [299.5, '300', 1e18]) {
    const grant = await login({ answer: { expires_in } });
    assert.equal(Temporal.Instant.compare(grant.expiresAt, Temporal.Now.instant()), 1);
  }
});

test('a renewed token may come without scope and lifetime, but not as another kind', async () => {
  const grant: Grant = {
    accessToken: 'old',
    refreshToken: 'refresh',
    expiresAt: Temporal.Now.instant(),
    boundTo: null,
  };
  const bare = { access_token: 'renewed', token_type: 'bearer' };
  stub.tokenReplies.push({ status: 200, body: bare });
  const renewed = await bank.refresh(grant);
  assert.deepEqual([renewed.accessToken, renewed.refreshToken], ['renewed', 'refresh']);
  assert.equal(Temporal.Instant.compare(renewed.expiresAt, Temporal.Now.instant()), 1);
  for (const token_type of [undefined, 'mac']) {
    stub.tokenReplies.push({ status: 200, body: { ...bare, token_type } });
    await assert.rejects(bank.refresh(grant), BankUnavailable);
  }
});
