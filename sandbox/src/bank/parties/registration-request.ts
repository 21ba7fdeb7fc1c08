import * as jose from 'jose';
import { DIRECTORY_ISSUER, type Directory } from './directory.ts';
import type { RegistrationClaims, StatementClaims } from './registrations.ts';
import { isSameSubject } from './subject.ts';

/** A registration request (Dynamic Client Registration v3.3): two signatures to verify, and the claims to check. */

type ErrorCode =
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'invalid_software_statement'
  | 'unapproved_software_statement';

/** A registration is refused, as section 3.2.2 of RFC 7591 has it. */
export class RegistrationRefused extends Error {
  override readonly name = 'RegistrationRefused';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, description: string, options?: ErrorOptions) {
    super(description, options);
    this.code = code;
  }
}

/** What a request is checked against. */
export interface Expected {
  directory: Directory;
  /** The bank's own id in the directory. */
  bankOrgId: string;
  /** The subject of the certificate that the request came with. */
  subject: string;
  /** Real time, in seconds. */
  now: number;
}

/** A request that passed: its claims, its statement's, and what must not come again. */
export interface CheckedRequest {
  claims: RegistrationClaims;
  statement: StatementClaims;
  jti: string;
  exp: number;
}

/** Two machines' clocks never agree exactly. */
const CLOCK_SKEW_SECONDS = 5;
/** The standard leaves to each bank how old a software statement may be. */
const STATEMENT_MAX_AGE_SECONDS = 30 * 60;
const ALGORITHM = 'PS256';
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
/** Header members that would bring a key along: the standard forbids them. */
const FOREIGN_KEYS = ['jwk', 'jku', 'x5c', 'x5u'];
const GRANT_TYPES = ['client_credentials', 'authorization_code', 'refresh_token'];
const AUTH_METHODS = ['private_key_jwt', 'tls_client_auth'] as const;
const MAX_URI_LENGTH = 256;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

const wrong = (description: string): RegistrationRefused =>
  new RegistrationRefused('invalid_client_metadata', description);

/** Verifies a request and checks its claims. Throws RegistrationRefused with the first defect. */
export async function checkRequest(jws: string, expected: Expected): Promise<CheckedRequest> {
  const asked = decodePayload(jws);
  const statement = await verifyStatement(asked.software_statement, expected);
  await verifyRequest(jws, statement, expected);
  const { jti, exp } = checkEnvelope(asked, statement, expected);
  return { claims: checkMetadata(asked, statement, expected), statement, jti, exp };
}

function decodePayload(jws: string): jose.JWTPayload {
  try {
    return jose.decodeJwt(jws);
  } catch (cause) {
    throw new RegistrationRefused(
      'invalid_client_metadata',
      'the request must be a JWS (application/jwt)',
      { cause },
    );
  }
}

/** Verifies that the sandbox's directory signed the statement lately, and that the directory still approves of the software. */
async function verifyStatement(jws: unknown, { directory }: Expected): Promise<StatementClaims> {
  const refuse = (description: string, cause?: unknown): RegistrationRefused =>
    new RegistrationRefused('invalid_software_statement', description, { cause });
  if (typeof jws !== 'string') throw refuse('software_statement is missing');
  const { n, e, kty } = directory.key.jwk;
  const keys = jose.createLocalJWKSet({
    keys: [{ kty, n, e, kid: directory.key.kid, alg: ALGORITHM } as jose.JWK],
  });
  const { payload } = await jose
    .jwtVerify(jws, keys, {
      algorithms: [ALGORITHM],
      issuer: DIRECTORY_ISSUER,
      requiredClaims: ['iat', 'jti'],
      clockTolerance: CLOCK_SKEW_SECONDS,
      maxTokenAge: STATEMENT_MAX_AGE_SECONDS,
    })
    .catch((cause: Error) => {
      throw refuse(`software_statement does not hold: ${cause.message}`, cause);
    });
  const statement = payload as jose.JWTPayload & StatementClaims;
  const today = directory.software(statement.software_id);
  if (statement.org_status !== 'Active' || today?.org_status !== 'Active')
    throw new RegistrationRefused(
      'unapproved_software_statement',
      'the organisation is not active in the directory',
    );
  return statement;
}

/** Verifies that the software which the statement is about signed the request. */
async function verifyRequest(
  jws: string,
  statement: StatementClaims,
  { directory }: Expected,
): Promise<void> {
  const header = jose.decodeProtectedHeader(jws) as Record<string, unknown>;
  const foreign = FOREIGN_KEYS.find((name) => header[name] !== undefined);
  if (foreign !== undefined) throw wrong(`the request's header must not have ${foreign}`);
  const software = directory.software(statement.software_id);
  const keys = software?.jwks.keys ?? [];
  try {
    const set = jose.createLocalJWKSet({ keys: keys as unknown as jose.JWK[] });
    await jose.compactVerify(jws, set, { algorithms: [ALGORITHM] });
  } catch (cause) {
    throw new RegistrationRefused(
      'invalid_client_metadata',
      `the request is not signed (${ALGORITHM}) with a key of software_jwks_endpoint`,
      { cause },
    );
  }
}

/** Checks who sent the request, to whom, and when. */
function checkEnvelope(
  asked: jose.JWTPayload,
  statement: StatementClaims,
  { bankOrgId, now }: Expected,
): { jti: string; exp: number } {
  const { iss, aud, iat, exp, jti } = asked;
  if (iss !== statement.software_id) throw wrong('iss must be the software_id of the statement');
  if (aud !== bankOrgId) throw wrong(`aud must be ${bankOrgId}`);
  if (!Number.isInteger(iat) || Number(iat) > now + CLOCK_SKEW_SECONDS)
    throw wrong('iat must be a whole number of seconds, and not in the future');
  if (!Number.isInteger(exp) || Number(exp) <= now) throw wrong('exp is missing or has passed');
  if (typeof jti !== 'string' || !UUID_V4.test(jti)) throw wrong('jti must be a UUID of version 4');
  return { jti, exp: Number(exp) };
}

function checkMetadata(
  asked: jose.JWTPayload,
  statement: StatementClaims,
  expected: Expected,
): RegistrationClaims {
  const { software_id: softwareId } = asked;
  if (softwareId !== undefined && softwareId !== statement.software_id)
    throw wrong('software_id must be that of the statement');
  const grantTypes = listOf(asked, 'grant_types', GRANT_TYPES);
  const responseTypes =
    asked.response_types === undefined
      ? ['code id_token']
      : listOf(asked, 'response_types', ['code id_token']);
  return {
    redirect_uris: redirectUris(asked.redirect_uris, statement),
    grant_types: grantTypes,
    response_types: responseTypes,
    software_id: statement.software_id,
    scope: checkScope(asked.scope, statement),
    software_statement: String(asked.software_statement),
    application_type: choice(asked, 'application_type', ['web', 'mobile']),
    id_token_signed_response_alg: choice(asked, 'id_token_signed_response_alg', [ALGORITHM]),
    request_object_signing_alg: choice(asked, 'request_object_signing_alg', [ALGORITHM]),
    ...tokenAuth(asked, expected),
  };
}

function tokenAuth(
  asked: jose.JWTPayload,
  { subject }: Expected,
): Pick<
  RegistrationClaims,
  'token_endpoint_auth_method' | 'token_endpoint_auth_signing_alg' | 'tls_client_auth_subject_dn'
> {
  const method = choice(asked, 'token_endpoint_auth_method', AUTH_METHODS);
  const name = asked.tls_client_auth_subject_dn;
  if (method === 'private_key_jwt') {
    if (name !== undefined) throw wrong('tls_client_auth_subject_dn is for tls_client_auth only');
    const signing = choice(asked, 'token_endpoint_auth_signing_alg', [ALGORITHM]);
    return { token_endpoint_auth_method: method, token_endpoint_auth_signing_alg: signing };
  }
  if (typeof name !== 'string' || name === '' || name.length > 128)
    throw wrong('tls_client_auth_subject_dn is missing, or longer than 128 characters');
  if (!isSameSubject(name, subject))
    throw wrong(`tls_client_auth_subject_dn is not the subject of the certificate: ${subject}`);
  return { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: name };
}

function checkScope(value: unknown, { software_roles: roles }: StatementClaims): string {
  if (typeof value !== 'string' || value === '') throw wrong('scope is missing');
  const scopes = value.split(' ');
  const strange = scopes.find((scope) => scope !== 'openid' && scope !== 'payments');
  if (strange !== undefined) throw wrong(`scope does not take ${strange}`);
  if (scopes.includes('payments') && !roles.includes('PISP'))
    throw wrong('scope payments needs the role PISP in the statement');
  return value;
}

/** Checks the addresses that customers return to: those of the statement, or some of them. */
function redirectUris(value: unknown, statement: StatementClaims): string[] {
  const refuse = (description: string): RegistrationRefused =>
    new RegistrationRefused('invalid_redirect_uri', description);
  const known = statement.software_redirect_uris;
  const uris: unknown[] = value === undefined ? known : Array.isArray(value) ? value : [];
  if (uris.length === 0) throw refuse('redirect_uris must have at least one member');
  return uris.map((uri) => {
    if (typeof uri !== 'string' || uri.length > MAX_URI_LENGTH)
      throw refuse(`redirect_uris has a member that is no address of ${MAX_URI_LENGTH} characters`);
    if (!known.includes(uri))
      throw refuse(`${uri} is not among the statement's redirect addresses`);
    const url = URL.parse(uri);
    const isLocal = LOOPBACK.includes(url?.hostname ?? '');
    if (url === null || url.hash !== '') throw refuse(`${uri} is no address, or has a fragment`);
    // A real bank takes neither. Test software of this sandbox runs on the machine of whoever tries it.
    if (isLocal && statement.software_mode === 'Test') return uri;
    if (url.protocol !== 'https:' || isLocal)
      throw refuse(`${uri} must be https, and not on this machine`);
    return uri;
  });
}

function choice<T extends string>(asked: jose.JWTPayload, name: string, allowed: readonly T[]): T {
  const value = asked[name];
  if (value === undefined) throw wrong(`${name} is missing`);
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw wrong(`${name} must be ${allowed.join(' or ')}`);
  return found;
}

function listOf(asked: jose.JWTPayload, name: string, allowed: readonly string[]): string[] {
  const values = asked[name];
  if (!Array.isArray(values) || values.length === 0)
    throw wrong(`${name} must be a list with at least one member`);
  const strange = values.find((value) => !allowed.includes(String(value)));
  if (strange !== undefined) throw wrong(`${name} does not take ${String(strange)}`);
  return values.map(String);
}
