import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Answer } from '../../platform/network/partner-channel.ts';
import { BankUnavailable } from '../bank.ts';
import type { BackChannel } from './back-channel.ts';
import type { TokenAuth } from './config.ts';
import { type SigningKey, signJwt } from './signer.ts';

/** Dynamic Client Registration v3.3: our side of it. */

/** What a bank says about itself, as far as registration and `bank check` use it. */
const Discovery = Type.Object({
  issuer: Type.String(),
  jwks_uri: Type.String(),
  token_endpoint: Type.String(),
  authorization_endpoint: Type.String(),
  registration_endpoint: Type.Optional(Type.String()),
  response_types_supported: Type.Optional(Type.Array(Type.String())),
  token_endpoint_auth_methods_supported: Type.Optional(Type.Array(Type.String())),
  request_object_signing_alg_values_supported: Type.Optional(Type.Array(Type.String())),
  id_token_signing_alg_values_supported: Type.Optional(Type.Array(Type.String())),
});
export type Discovery = Static<typeof Discovery>;

const Statement = Type.Object({
  software_id: Type.String({ minLength: 1 }),
  org_id: Type.String({ minLength: 1 }),
  software_redirect_uris: Type.Array(Type.String()),
});
/** The claims of a software statement that we use. */
export type Statement = Static<typeof Statement>;

const Registered = Type.Object({
  client_id: Type.String({ minLength: 1 }),
  token_endpoint_auth_method: Type.Optional(Type.String()),
  redirect_uris: Type.Optional(Type.Array(Type.String())),
  scope: Type.Optional(Type.String()),
  request_object_signing_alg: Type.Optional(Type.String()),
});
/** What the bank registered: it may have changed what we asked for. */
export type Registered = Static<typeof Registered>;

/** The bank refused a registration, or does not offer what was asked of it. */
export class RegistrationFailed extends Error {
  override readonly name = 'RegistrationFailed';
  /** The standard's error code, or the HTTP status. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const WELL_KNOWN = '/.well-known/openid-configuration';
const REQUEST_LIFETIME_S = 300;
/** Banks refuse a request from the future; clocks differ. */
const DATED_BACK_S = 1;
const LONGEST_SUBJECT = 128;

/** Reads a bank's discovery document; `address` is its issuer, or the document's own address. */
export async function readDiscovery(channel: BackChannel, address: string): Promise<Discovery> {
  const base = address.replace(/\/+$/, '');
  const url = base.endsWith(WELL_KNOWN) ? base : base + WELL_KNOWN;
  const answer = await channel.send({
    method: 'GET',
    url,
    headers: { accept: 'application/json' },
  });
  const content = parse(answer.body);
  if (answer.status !== 200 || !Value.Check(Discovery, content))
    throw new RegistrationFailed(String(answer.status), `${url} is no discovery document`);
  if (`${content.issuer.replace(/\/+$/, '')}${WELL_KNOWN}` !== url)
    throw new RegistrationFailed('issuer', `${url} is the document of another: ${content.issuer}`);
  return content;
}

/** Reads the claims of a software statement. The bank verifies its signature. Throws RegistrationFailed if it is none. */
export function readStatement(jws: string): Statement {
  try {
    const claims: unknown = decodeJwt(jws);
    if (Value.Check(Statement, claims)) return claims;
  } catch {
    // Refused below, like one whose claims are missing.
  }
  throw new RegistrationFailed(
    'invalid_software_statement',
    'the software statement must be a JWS with software_id, org_id and software_redirect_uris',
  );
}

/** What we ask to be registered with. */
export interface RegistrationRequest {
  statement: string;
  bankOrgId: string;
  redirectUris: readonly string[];
  tokenAuth: TokenAuth;
  /** The subject of our transport certificate. */
  subject: string;
  now: Temporal.Instant;
}

/** Returns the signed registration request. */
export function registrationRequest(key: SigningKey, wanted: RegistrationRequest): Promise<string> {
  const { software_id: softwareId } = readStatement(wanted.statement);
  const now = Math.floor(wanted.now.epochMilliseconds / 1000) - DATED_BACK_S;
  if (wanted.tokenAuth === 'tls_client_auth' && wanted.subject.length > LONGEST_SUBJECT)
    throw new RegistrationFailed(
      'subject',
      `the certificate's subject is too long: ${wanted.subject}`,
    );
  return signJwt(
    key,
    { typ: 'JWT' },
    {
      iss: softwareId,
      aud: wanted.bankOrgId,
      iat: now,
      exp: now + REQUEST_LIFETIME_S,
      jti: randomUUID(),
      redirect_uris: wanted.redirectUris,
      token_endpoint_auth_method: wanted.tokenAuth,
      ...(wanted.tokenAuth === 'tls_client_auth'
        ? { tls_client_auth_subject_dn: wanted.subject }
        : { token_endpoint_auth_signing_alg: 'PS256' }),
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      response_types: ['code id_token'],
      software_id: softwareId,
      scope: 'openid payments',
      software_statement: wanted.statement,
      application_type: 'web',
      id_token_signed_response_alg: 'PS256',
      request_object_signing_alg: 'PS256',
    },
  );
}

/** A registration that exists: its address, and a token of its client. */
export interface Existing {
  clientId: string;
  token: string;
}

/**
 * Sends a registration request: a new one, or, with `existing`, a change. Throws RegistrationFailed if the bank refuses, and
 * `BankUnavailable` if it did not answer: then nobody knows whether it registered us.
 */
export async function register(
  channel: BackChannel,
  endpoint: string,
  jws: string,
  existing: Existing | null,
): Promise<Registered> {
  const answer = await channel.send({
    method: existing === null ? 'POST' : 'PUT',
    url: existing === null ? endpoint : addressOf(endpoint, existing.clientId),
    headers: {
      'content-type': 'application/jwt',
      accept: 'application/json',
      ...(existing && { authorization: `Bearer ${existing.token}` }),
    },
    body: jws,
  });
  if (answer.status !== 200 && answer.status !== 201) throw refusal(answer);
  const content = parse(answer.body);
  if (!Value.Check(Registered, content))
    throw new BankUnavailable('the bank registered us, but its answer names no client_id');
  return content;
}

/** Deletes our registration. Throws RegistrationFailed if the bank does not do that, and `BankUnavailable`. */
export async function unregister(
  channel: BackChannel,
  endpoint: string,
  { clientId, token }: Existing,
): Promise<void> {
  const answer = await channel.send({
    method: 'DELETE',
    url: addressOf(endpoint, clientId),
    headers: { authorization: `Bearer ${token}` },
  });
  if (answer.status !== 204) throw refusal(answer);
}

/** Says in what a registration differs from what we need of it; empty if in nothing. */
export function differences(wanted: RegistrationRequest, got: Registered): string[] {
  const missing = wanted.redirectUris.filter((uri) => got.redirect_uris?.includes(uri) === false);
  const { token_endpoint_auth_method: method, request_object_signing_alg: alg, scope } = got;
  return [
    ...missing.map((uri) => `the bank left out the redirect address ${uri}`),
    ...(method === undefined || method === wanted.tokenAuth
      ? []
      : [`the bank registered ${method} instead of ${wanted.tokenAuth}`]),
    ...(alg === undefined || alg === 'PS256'
      ? []
      : [`the bank expects requests signed with ${alg}`]),
    ...(scope === undefined || scope.split(' ').includes('payments')
      ? []
      : [`the bank left out the scope payments: ${scope}`]),
  ];
}

const addressOf = (endpoint: string, clientId: string): string =>
  `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(clientId)}`;

function refusal({ status, body }: Answer): Error {
  if (status >= 500 || status === 429) return new BankUnavailable(`the bank answered ${status}`);
  const { error, error_description: why } = (parse(body) ?? {}) as Record<string, unknown>;
  if (typeof error === 'string')
    return new RegistrationFailed(
      error,
      `the bank refused: ${error}: ${String(why ?? 'no reason given')}`,
    );
  return new RegistrationFailed(
    String(status),
    `the bank refused with ${status} and gave no reason`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
