import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import * as jose from 'jose';
import { request } from 'undici';
import { type Bench, startBench } from '../../test-support/bank/bench.ts';
import { consentBody, paymentBody } from '../../test-support/bank/bodies.ts';
import { agentOf, connect, type Tpp } from '../../test-support/bank/tpp.ts';

const BANK = 'northbank';
const REDIRECT = 'http://localhost:4000/portal/callback';

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

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: Record<string, unknown> | null;
}

const endpoint = (): string => `${bench.config.back_channel_url}/${BANK}/register`;

async function send(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  options: { jws?: string; token?: string; type?: string } = {},
): Promise<Answer> {
  const answer = await request(url, {
    method,
    dispatcher: tpp.agent,
    headers: {
      ...(options.jws && { 'content-type': options.type ?? 'application/jwt' }),
      ...(options.token && { authorization: `Bearer ${options.token}` }),
    },
    body: options.jws ?? null,
  });
  const text = await answer.body.text();
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: text === '' ? null : JSON.parse(text),
  };
}

/** Returns a software statement of the directory for the third party, as its people would download it. */
async function statementOf(org = 'tpporg', software = 'tppsoftware'): Promise<string> {
  const path = `/directory/organisation/tpp/${org}/software-statement/${software}`;
  const answer = await request(
    `${bench.config.back_channel_url}${path}/software-statement-assertion`,
    { dispatcher: tpp.agent },
  );
  assert.match(String(answer.headers['content-type']), /^application\/jws\+json/);
  return answer.body.text();
}

const seconds = (): number => Math.floor(Date.now() / 1000);

async function claimsOf(changes: Record<string, unknown> = {}) {
  return {
    iss: 'tppsoftware',
    aud: 'bankorg',
    iat: seconds(),
    exp: seconds() + 300,
    jti: randomUUID(),
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: 'tls_client_auth',
    tls_client_auth_subject_dn: 'CN=client',
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    response_types: ['code id_token'],
    software_id: 'tppsoftware',
    scope: 'openid payments',
    software_statement: await statementOf(),
    application_type: 'web',
    id_token_signed_response_alg: 'PS256',
    request_object_signing_alg: 'PS256',
    ...changes,
  };
}

async function signed(
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
  jwk: jose.JWK = bench.tppKey,
): Promise<string> {
  return new jose.SignJWT(claims)
    .setProtectedHeader({ alg: 'PS256', kid: 'tpp-1', typ: 'JWT', ...header })
    .sign(await jose.importJWK(jwk, 'PS256'));
}

async function register(changes: Record<string, unknown> = {}): Promise<Answer> {
  return send('POST', endpoint(), { jws: await signed(await claimsOf(changes)) });
}

/** Returns a client-credentials token of a client that authenticates by its certificate. */
async function tokenOf(clientId: string, agent = tpp.agent): Promise<string> {
  const answer = await request(`${bench.config.back_channel_url}/${BANK}/token`, {
    method: 'POST',
    dispatcher: agent,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      scope: 'payments',
    }).toString(),
  });
  const body = (await answer.body.json()) as { access_token?: string; error?: string };
  return body.access_token ?? `${answer.statusCode} ${body.error}`;
}

async function refusal(changes: Record<string, unknown>): Promise<string> {
  const { status, body } = await register(changes);
  assert.equal(status, 400, JSON.stringify(body));
  return `${body?.error}: ${body?.error_description}`;
}

test('A bank names its registration endpoint in its discovery document', async () => {
  const metadata = tpp.config.serverMetadata();
  assert.equal(metadata.registration_endpoint, endpoint());
});

test('A client that registered goes from consent to payment, also after a restart', async () => {
  const { status, body, headers } = await register();
  assert.equal(status, 201, JSON.stringify(body));
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(body?.org_id, 'tpporg');
  assert.equal(body?.iss, undefined);
  await bench.restart();
  const client = await connect(bench, BANK, {
    clientId: String(body?.client_id),
    byCertificate: true,
  });
  const created = await client.call('POST', '/domestic-vrp-consents', {
    body: consentBody(),
    key: 'registered',
  });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const consentId = created.body.Data.ConsentId;
  const tokens = await (await client.authorise(consentId)).tokens();
  const paid = await client.call('POST', '/domestic-vrps', {
    body: paymentBody(consentId, 'reg-1', '5'),
    token: tokens.access_token,
    key: 'reg-1',
  });
  assert.equal(paid.status, 201, JSON.stringify(paid.body));
  const seenByOther = await tpp.call('GET', `/domestic-vrp-consents/${consentId}`);
  assert.equal(seenByOther.status, 403, 'a consent belongs to the client that made it');
  await client.close();
});

test('A client may sign for its tokens instead', async () => {
  const { status, body } = await register({
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: 'PS256',
    tls_client_auth_subject_dn: undefined,
  });
  assert.equal(status, 201, JSON.stringify(body));
  const client = await connect(bench, BANK, { clientId: String(body?.client_id) });
  assert.ok(await client.clientToken());
  await client.close();
});

test('Each wrong claim of a request is refused with the code of the standard', async () => {
  const metadata: [Record<string, unknown>, RegExp][] = [
    [{ iss: 'somebody' }, /^invalid_client_metadata: iss/],
    [{ aud: 'anotherbank' }, /^invalid_client_metadata: aud/],
    [{ exp: seconds() - 1 }, /^invalid_client_metadata: exp/],
    [{ exp: undefined }, /^invalid_client_metadata: exp/],
    [{ iat: seconds() + 60 }, /^invalid_client_metadata: iat/],
    [{ jti: 'one' }, /^invalid_client_metadata: jti/],
    [{ software_id: 'other' }, /^invalid_client_metadata: software_id/],
    [{ grant_types: [] }, /^invalid_client_metadata: grant_types/],
    [{ grant_types: ['password'] }, /^invalid_client_metadata: grant_types/],
    [{ response_types: ['code'] }, /^invalid_client_metadata: response_types/],
    [{ scope: 'openid accounts' }, /^invalid_client_metadata: scope/],
    [{ scope: undefined }, /^invalid_client_metadata: scope/],
    [{ application_type: 'native' }, /^invalid_client_metadata: application_type/],
    [{ id_token_signed_response_alg: 'RS256' }, /^invalid_client_metadata: id_token/],
    [{ request_object_signing_alg: 'none' }, /^invalid_client_metadata: request_object/],
    [{ token_endpoint_auth_method: 'client_secret_post' }, /^invalid_client_metadata: token_/],
    [{ tls_client_auth_subject_dn: undefined }, /^invalid_client_metadata: tls_client/],
    [{ tls_client_auth_subject_dn: 'CN=other' }, /^invalid_client_metadata: tls_client/],
    [{ token_endpoint_auth_method: 'private_key_jwt' }, /^invalid_client_metadata: tls_client/],
    [
      { token_endpoint_auth_method: 'private_key_jwt', tls_client_auth_subject_dn: undefined },
      /^invalid_client_metadata: token_endpoint_auth_signing_alg/,
    ],
    [{ redirect_uris: ['https://evil.example/cb'] }, /^invalid_redirect_uri:/],
    [{ redirect_uris: [] }, /^invalid_redirect_uri:/],
    [{ redirect_uris: 'https://evil.example' }, /^invalid_redirect_uri:/],
    [{ software_statement: undefined }, /^invalid_software_statement:/],
    [{ software_statement: 'a.b.c' }, /^invalid_software_statement:/],
  ];
  for (const [changes, says] of metadata) assert.match(await refusal(changes), says);
});

test('A request holds only once, and only with a key that the directory publishes', async () => {
  const jws = await signed(await claimsOf());
  assert.equal((await send('POST', endpoint(), { jws })).status, 201);
  const again = await send('POST', endpoint(), { jws });
  assert.match(String(again.body?.error_description), /jti/);
  const { privateKey } = await jose.generateKeyPair('PS256', { extractable: true });
  const other = await jose.exportJWK(privateKey);
  const forged = await send('POST', endpoint(), { jws: await signed(await claimsOf(), {}, other) });
  assert.match(String(forged.body?.error_description), /not signed/);
  const { n, e } = other;
  const brought = await signed(await claimsOf(), { jwk: { kty: 'RSA', n, e } }, other);
  const bringsKey = await send('POST', endpoint(), { jws: brought });
  assert.match(String(bringsKey.body?.error_description), /must not have jwk/);
  const [header, payload] = (await signed(await claimsOf())).split('.');
  const unsigned = await send('POST', endpoint(), { jws: `${header}.${payload}.` });
  assert.equal(unsigned.body?.error, 'invalid_client_metadata');
  const json = await send('POST', endpoint(), { jws: '{}', type: 'application/json' });
  assert.equal(json.status, 400);
  assert.equal(json.body?.error, 'invalid_client_metadata');
});

test('A statement holds only if the directory signed it, lately, and still approves', async () => {
  const own = await signed({ ...jose.decodeJwt(await statementOf()) });
  assert.match(await refusal({ software_statement: own }), /^invalid_software_statement:/);
  await bench.control('PUT', '/sandbox/directory/tppsoftware', { org_status: 'Revoked' });
  assert.match(await refusal({}), /^unapproved_software_statement:/);
  await bench.control('PUT', '/sandbox/directory/tppsoftware', { org_status: 'Active' });
  await bench.control('PUT', '/sandbox/directory/tppsoftware', { mode: 'Live' });
  assert.match(await refusal({}), /^invalid_redirect_uri: .* must be https/);
  await bench.control('PUT', '/sandbox/directory/tppsoftware', { mode: 'Test', roles: ['AISP'] });
  assert.match(await refusal({}), /^invalid_client_metadata: scope payments needs/);
  await bench.control('PUT', '/sandbox/directory/tppsoftware', { roles: ['PISP'] });
  assert.equal((await register()).status, 201);
});

test('A registration is read, changed and deleted with a token of its own client', async () => {
  const { body } = await register();
  const clientId = String(body?.client_id);
  const token = await tokenOf(clientId);
  const address = `${endpoint()}/${clientId}`;
  const read = await send('GET', address, { token });
  assert.equal(read.status, 200);
  assert.equal(read.body?.client_id, clientId);
  assert.deepEqual(read.body?.redirect_uris, [REDIRECT]);

  const both = [REDIRECT, 'http://127.0.0.1:4000/callback'];
  const jws = await signed(await claimsOf({ redirect_uris: both }));
  const changed = await send('PUT', address, { token, jws });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.deepEqual(changed.body?.redirect_uris, both);
  assert.equal((await send('GET', address, { token })).status, 200, 'its token stays in force');

  assert.equal((await send('GET', address)).status, 401);
  assert.equal((await send('GET', `${endpoint()}/tpp-client`, { token })).status, 403);
  const ownToken = await tpp.clientToken();
  assert.equal((await send('DELETE', address, { token: ownToken })).status, 403);
  const agent = agentOf(bench, bench.certificates.otherCert, bench.certificates.otherKey);
  assert.equal(await tokenOf(clientId, agent), '401 invalid_client');
  await agent.close();

  assert.equal((await send('DELETE', address, { token })).status, 204);
  const gone = await send('GET', address, { token });
  assert.equal(gone.status, 401);
  assert.match(String(gone.headers['www-authenticate']), /^Bearer /);
  assert.equal(await tokenOf(clientId), '401 invalid_client');
});

test('A token that asks for an unknown registration is revoked', async () => {
  const { body } = await register();
  const token = await tokenOf(String(body?.client_id));
  assert.equal((await send('GET', `${endpoint()}/nobody`, { token })).status, 401);
  const after = await send('GET', `${endpoint()}/${body?.client_id}`, { token });
  assert.equal(after.status, 401);
});

test('The directory publishes keys and who takes part in commercial VRP', async () => {
  const get = async (path: string): Promise<Record<string, unknown>> => {
    const url = `${bench.config.back_channel_url}/directory${path}`;
    const { body } = await request(url, { dispatcher: tpp.agent });
    return (await body.json()) as Record<string, unknown>;
  };
  const keys = await get('/keys');
  assert.ok(!JSON.stringify(keys).includes('"d"'), 'no private key is published');
  const statement = await statementOf();
  await jose.jwtVerify(statement, jose.createLocalJWKSet(keys as unknown as jose.JSONWebKeySet));
  const { software_jwks_endpoint: address } = jose.decodeJwt(statement);
  const own = await request(String(address), { dispatcher: tpp.agent });
  assert.deepEqual(await own.body.json(), bench.config.tpp.jwks);
  const { Data } = (await get('/v2.1/organisation/mlastatus')) as { Data: object[] };
  assert.equal((Data[0] as { MLAStatus: string }).MLAStatus, 'Active');
});
