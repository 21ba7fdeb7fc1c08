import assert from 'node:assert/strict';
import { randomUUID, webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as jose from 'jose';
import * as client from 'openid-client';
import { Agent, request, fetch as undiciFetch } from 'undici';
import type { Bench } from './bench.ts';
import { consentBody, paymentBody } from './bodies.ts';

/** A small third party, written only against the standard. */

const CLAIMS = ['iat', 'iss', 'tan'].map((name) => `http://openbanking.org.uk/${name}`);
const CRIT = Object.fromEntries(CLAIMS.map((name) => [name, true]));
const REDIRECT_URI = 'http://localhost:4000/portal/callback';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: AnswerBody;
}

/** The members of all responses; a test reads those of its endpoint. */
interface AnswerBody {
  Data: {
    ConsentId: string;
    DomesticVRPId: string;
    Status: string;
    StatusReason?: { StatusReasonCode: string }[];
    CreationDateTime: string;
    StatusUpdateDateTime: string;
    DebtorAccount: { Identification: string };
    FundsAvailableResult: { FundsAvailable: string };
  };
  Errors?: { ErrorCode: string; Path?: string }[];
}

interface CallOptions {
  body?: object;
  key?: string;
  token?: string;
  /** Replaces the correct signature; null sends none. */
  signature?: string | null;
  agent?: Agent;
}

/** The result of sending a customer to the bank and back. */
export interface Authorisation {
  /** Where the browser ended up, with `code`, `id_token` and `state`, or `error`, in the fragment. */
  location: URL;
  /** Exchanges the code, with all hybrid flow checks. */
  tokens(): Promise<client.TokenEndpointResponse & client.TokenEndpointResponseHelpers>;
  pages: string[];
}

export interface Tpp {
  config: client.Configuration;
  agent: Agent;
  clientToken(): Promise<string>;
  call(method: 'GET' | 'POST' | 'DELETE', path: string, options?: CallOptions): Promise<Answer>;
  authorise(consentId: string, choice?: Choice): Promise<Authorisation>;
  close(): Promise<void>;
}

interface Choice {
  persona?: string;
  pin?: string;
  account?: string;
  decision?: 'approve' | 'decline';
}

/** What a third party needs to know of a sandbox, and of itself there. */
export type Known = Pick<Bench, 'certificates' | 'tppKey'> & {
  config: Pick<Bench['config'], 'back_channel_url' | 'org_id'> & {
    tpp: Pick<Bench['config']['tpp'], 'client_id' | 'org_id' | 'software_id'>;
  };
};

/** Connects to one bank as the third party of the bench: the client known from the start, or one that registered. */
export async function connect(
  bench: Known,
  bankId = 'northbank',
  as: { clientId?: string; byCertificate?: boolean } = {},
): Promise<Tpp> {
  const agent = agentOf(bench, bench.certificates.clientCert, bench.certificates.clientKey);
  const issuer = new URL(`${bench.config.back_channel_url}/${bankId}`);
  const algorithm = { name: 'RSA-PSS', hash: 'SHA-256' };
  const jwk = { ...bench.tppKey } as webcrypto.JsonWebKey;
  const key = await webcrypto.subtle.importKey('jwk', jwk, algorithm, false, ['sign']);
  const signer = { key, kid: String(bench.tppKey.kid) };
  const config = await client.discovery(
    issuer,
    as.clientId ?? bench.config.tpp.client_id,
    { id_token_signed_response_alg: 'PS256', use_mtls_endpoint_aliases: true },
    as.byCertificate ? client.TlsClientAuth() : client.PrivateKeyJwt(signer),
    {
      [client.customFetch]: (url, options) =>
        undiciFetch(url, { ...options, dispatcher: agent } as never) as never,
      execute: [client.useCodeIdTokenResponseType, client.enableDetachedSignatureResponseChecks],
    },
  );
  // Only the pages are plain http: discovery, tokens and resources stay on https.
  client.allowInsecureRequests(config);
  const bankKeys = jose.createLocalJWKSet(await jwksOf(config, agent));
  const clientToken = async () =>
    (await client.clientCredentialsGrant(config, { scope: 'payments' })).access_token;
  const call: Tpp['call'] = async (method, path, options = {}) => {
    const bytes = options.body ? Buffer.from(JSON.stringify(options.body)) : null;
    const { signature = bytes && (await sign(bench, bytes)) } = options;
    const url = `${issuer.href}/open-banking/v4.0/pisp${path}`;
    const answer = await request(url, {
      method,
      dispatcher: options.agent ?? agent,
      headers: {
        authorization: `Bearer ${options.token ?? (await clientToken())}`,
        'x-fapi-interaction-id': randomUUID(),
        ...(bytes && { 'content-type': 'application/json' }),
        ...(signature && { 'x-jws-signature': signature }),
        ...(options.key && { 'x-idempotency-key': options.key }),
      },
      body: bytes,
    });
    const payload = Buffer.from(await answer.body.arrayBuffer());
    if (payload.length > 0)
      await verify(bench, payload, answer.headers['x-jws-signature'], bankKeys);
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: payload.length > 0 ? JSON.parse(payload.toString()) : null,
    };
  };
  return {
    config,
    agent,
    clientToken,
    call,
    authorise: (consentId, choice) => authorise({ config, agent }, signer, consentId, choice),
    close: () => agent.close(),
  };
}

/** Returns an agent with one of the bench's client certificates. */
export function agentOf(bench: Known, cert: string, key: string): Agent {
  const ca = readFileSync(bench.certificates.ca);
  return new Agent({ connect: { ca, cert: readFileSync(cert), key: readFileSync(key) } });
}

/** Creates a consent approved by a persona; returns it with a customer token. */
export async function granted(tpp: Tpp, persona: string, parameters: object = {}) {
  const body = consentBody(parameters);
  const created = await tpp.call('POST', '/domestic-vrp-consents', { body, key: randomUUID() });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const consentId: string = created.body.Data.ConsentId;
  const authorisation = await tpp.authorise(consentId, { persona });
  const tokens = await authorisation.tokens();
  return { consentId, token: tokens.access_token, tokens };
}

/** Requests a payment; the instruction's name is also its idempotency key. */
export function pay(
  tpp: Tpp,
  grant: { consentId: string; token: string },
  id: string,
  amount = '5',
) {
  const body = paymentBody(grant.consentId, id, amount);
  return tpp.call('POST', '/domestic-vrps', { body, token: grant.token, key: id });
}

/** Returns the status of a payment and its reason. */
export async function statusOf(tpp: Tpp, paymentId: string): Promise<[string, string?]> {
  const { body } = await tpp.call('GET', `/domestic-vrps/${paymentId}`);
  const reason = body.Data.StatusReason?.[0]?.StatusReasonCode;
  return reason ? [body.Data.Status, reason] : [body.Data.Status];
}

async function jwksOf(config: client.Configuration, agent: Agent): Promise<jose.JSONWebKeySet> {
  const { body } = await request(String(config.serverMetadata().jwks_uri), { dispatcher: agent });
  return (await body.json()) as jose.JSONWebKeySet;
}

/** Creates a detached signature of the third party; `changes` alters the header. */
export async function sign(
  bench: Known,
  bytes: Uint8Array,
  changes: Record<string, unknown> = {},
): Promise<string> {
  const { org_id, software_id } = bench.config.tpp;
  const [iat = '', iss = '', tan = ''] = CLAIMS;
  const header = {
    alg: 'PS256',
    kid: bench.tppKey.kid,
    [iat]: Math.floor(Date.now() / 1000),
    [iss]: `${org_id}/${software_id}`,
    [tan]: 'openbanking.org.uk',
    crit: CLAIMS,
    ...changes,
  };
  const key = await jose.importJWK(bench.tppKey, 'PS256');
  const jws = await new jose.FlattenedSign(bytes)
    .setProtectedHeader(header as jose.JWSHeaderParameters)
    .sign(key, { crit: CRIT });
  return `${jws.protected}..${jws.signature}`;
}

async function verify(
  { config }: Known,
  payload: Buffer,
  signature: string | string[] | undefined,
  keys: ReturnType<typeof jose.createLocalJWKSet>,
): Promise<void> {
  assert.equal(typeof signature, 'string', 'an answer with a body is signed');
  const [header, , value = ''] = String(signature).split('.');
  const jws = { protected: header, payload: jose.base64url.encode(payload), signature: value };
  const { protectedHeader } = await jose.flattenedVerify(jws as jose.FlattenedJWS, keys, {
    crit: CRIT,
    algorithms: ['PS256'],
  });
  assert.equal(protectedHeader?.['http://openbanking.org.uk/iss'], config.org_id);
}

async function authorise(
  { config, agent }: Pick<Tpp, 'config' | 'agent'>,
  signer: { key: webcrypto.CryptoKey; kid: string },
  consentId: string,
  choice: Choice = {},
): Promise<Authorisation> {
  const state = client.randomState();
  const nonce = client.randomNonce();
  const verifier = client.randomPKCECodeVerifier();
  const acr = { essential: true, values: ['urn:openbanking:psd2:sca'] };
  const intent = { essential: true, value: consentId };
  const url = await client.buildAuthorizationUrlWithJAR(
    config,
    {
      redirect_uri: REDIRECT_URI,
      scope: 'openid payments',
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      claims: JSON.stringify({ id_token: { openbanking_intent_id: intent, acr } }),
    },
    signer,
    {
      [client.modifyAssertion]: (_header, payload) => {
        payload.nbf = Math.floor(Date.now() / 1000);
      },
    },
  );
  const browser = new Browser(agent);
  const opened = await browser.open(url.href);
  const { persona = 'alex', pin = '1234', decision = 'approve' } = choice;
  const review = await browser.submit(`${opened.url}/login`, { persona, pin });
  const account = choice.account ?? /name="account" value="(\d+)"/.exec(review.html)?.[1] ?? '';
  const done = await browser.submit(`${opened.url}/decision`, { account, pin, decision });
  const location = new URL(done.url);
  return {
    location,
    pages: [opened.html, review.html, done.html],
    tokens: () =>
      client.authorizationCodeGrant(config, location, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      }),
  };
}

const MAX_REDIRECTS = 10;

/** Follows redirects and stores cookies by path, like a browser; stops at the third party. */
export class Browser {
  readonly #cookies = new Map<string, { value: string; path: string }>();
  readonly #agent: Agent | undefined;

  /** `agent` is what its calls go through, where the pages' certificate is not one that everybody trusts. */
  constructor(agent?: Agent) {
    this.#agent = agent;
  }

  open(url: string): Promise<{ url: string; html: string; status: number }> {
    return this.#visit('GET', url, null);
  }

  submit(url: string, fields: Record<string, string>) {
    return this.#visit('POST', url, new URLSearchParams(fields).toString());
  }

  async #visit(method: 'GET' | 'POST', start: string, form: string | null) {
    let url = start;
    let body = form;
    for (let step = 0; step < MAX_REDIRECTS; step += 1) {
      if (url.startsWith(REDIRECT_URI)) return { url, html: '', status: 0 };
      const answer = await request(url, {
        method: body === null ? 'GET' : method,
        ...(this.#agent && { dispatcher: this.#agent }),
        headers: {
          cookie: this.#cookiesFor(new URL(url).pathname),
          ...(body !== null && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        body,
      });
      this.#keep(answer.headers['set-cookie']);
      const html = await answer.body.text();
      const { location } = answer.headers;
      if (!location) return { url, html, status: answer.statusCode };
      url = new URL(String(location), url).href;
      body = null;
    }
    throw new Error(`Too many redirects from ${start}`);
  }

  #cookiesFor(path: string): string {
    return [...this.#cookies]
      .filter(([, cookie]) => path.startsWith(cookie.path))
      .map(([name, cookie]) => `${name}=${cookie.value}`)
      .join('; ');
  }

  #keep(headers: string | string[] | undefined): void {
    for (const header of [headers ?? []].flat()) {
      const [pair = '', ...attributes] = header.split('; ');
      const at = pair.indexOf('=');
      const path = attributes.find((one) => one.toLowerCase().startsWith('path='))?.slice(5) ?? '/';
      this.#cookies.set(pair.slice(0, at), { value: pair.slice(at + 1), path });
    }
  }
}
