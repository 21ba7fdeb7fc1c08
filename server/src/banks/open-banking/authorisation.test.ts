import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import { decodeJwt } from 'jose';
import { type Reply, startStubBank } from '../../../test-support/stub-bank.ts';
import {
  AuthorisationDenied,
  AuthorisationInvalid,
  BankDefect,
  BankRefused,
  BankUnavailable,
  type Grant,
} from '../bank.ts';
import { openBankingBank } from './connector.ts';

const stub = await startStubBank();
let clock = Temporal.Now.instant();
const bank = await openBankingBank(stub.config, () => clock);
after(async () => {
  await bank.close();
  await stub.close();
});
beforeEach(() => {
  stub.replies.length = 0;
  stub.tokenReplies.length = 0;
  clock = Temporal.Now.instant();
});

const grant: Grant = {
  accessToken: 'customer-token',
  refreshToken: 'refresh',
  expiresAt: clock.add({ hours: 1 }),
  boundTo: new X509Certificate(stub.config.tls.cert).fingerprint256,
};
const live: Reply = { status: 200, body: { Data: { ConsentId: 'vrp-1', Status: 'AUTH' } } };

test('our own token is shared, renewed before it ends, and once more after a 401', async () => {
  stub.replies.push(...Array.from({ length: 5 }, () => live));
  await bank.readConsent('vrp-1');
  const before = stub.tokens();
  await Promise.all([1, 2, 3].map(() => bank.readConsent('vrp-1')));
  assert.equal(stub.tokens(), before);
  clock = clock.add({ seconds: 290 });
  await bank.readConsent('vrp-1');
  assert.equal(stub.tokens(), before + 1);
  stub.replies.push({ status: 401, signed: false }, live);
  assert.equal((await bank.readConsent('vrp-1')).status, 'AUTH');
  assert.equal(stub.tokens(), before + 2);
});

test('a grant is renewed only when it is about to end', async () => {
  assert.equal(await bank.refresh(grant), grant);
  clock = grant.expiresAt.subtract({ seconds: 10 });
  const renewed = await bank.refresh(grant);
  assert.equal(renewed.refreshToken, 'refresh');
  assert.equal(Temporal.Instant.compare(renewed.expiresAt, clock), 1);
  stub.tokenReplies.push({ status: 400, body: { error: 'invalid_grant' } });
  await assert.rejects(
    bank.refresh(grant),
    (error) => error instanceof BankRefused && error.error.code === 'reauthentication_required',
  );
  stub.tokenReplies.push({ status: 503, body: {} });
  await assert.rejects(bank.refresh(grant), BankUnavailable);
  stub.tokenReplies.push({ status: 401, body: { error: 'invalid_client' } });
  await assert.rejects(bank.refresh(grant), BankDefect);
});

const returned = {
  bankConsentId: 'vrp-1',
  state: 's1',
  nonce: 'n1',
  redirectUri: 'https://rp.test/cb',
};

test('the customer is sent with a request object signed for this bank, this consent and a short time', async () => {
  const url = new URL(await bank.authorisationUrl(returned));
  const claims = decodeJwt(url.searchParams.get('request') ?? '');
  assert.equal(url.searchParams.get('client_id'), 'client-1');
  assert.equal(claims.response_type, 'code id_token');
  assert.equal(claims.aud, stub.config.issuer);
  assert.equal(claims.nonce, 'n1');
  assert.ok(claims.nbf !== undefined && Number(claims.exp) - claims.nbf <= 3600);
  assert.equal(
    JSON.stringify(claims.claims).includes('"openbanking_intent_id":{"value":"vrp-1"'),
    true,
  );
});

test('a denial counts only with the right state; anything else that does not hold is invalid', async () => {
  const back = (fragment: string): Promise<Grant> =>
    bank.completeAuthorisation({ ...returned, fragment });
  await assert.rejects(back('error=access_denied&state=s1'), AuthorisationDenied);
  await assert.rejects(back('error=access_denied&state=other'), AuthorisationInvalid);
  await assert.rejects(back('error=server_error&state=s1'), BankUnavailable);
  await assert.rejects(back('error=invalid_request_object&state=s1'), AuthorisationInvalid);
  for (const fragment of ['', 'code=c&state=s1', 'code=c&state=s1&id_token=a.b.c', '%%%']) {
    await assert.rejects(back(fragment), AuthorisationInvalid, fragment);
  }
});

test('a bank that is not there at all is unavailable, and is asked again when it is back', async () => {
  const config = { ...stub.config, issuer: 'https://localhost:9', timeoutMs: 200 };
  const away = await openBankingBank(config);
  await assert.rejects(away.readConsent('vrp-1'), BankUnavailable);
  await assert.rejects(away.authorisationUrl(returned), BankUnavailable);
  await away.close();
});
