import { createHash } from 'node:crypto';
import { importJWK, type JWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import type { StubBank } from './stub-bank.ts';

/** One customer's journey to the bank and back. */
export interface Journey {
  bankConsentId: string;
  state: string;
  nonce: string;
  redirectUri: string;
  code: string;
}

/** How an ID token differs from the correct one: an undefined member is omitted. */
export interface IdTokenFault {
  claims?: Record<string, unknown>;
  alg?: string;
  /** Signs instead of the bank's key, under its name. */
  signingKey?: JWK;
}

const HALF_BYTES = 16;

/** Returns the left half of the hash, as in `c_hash`, `s_hash` and `at_hash` for PS256. */
export function halfHash(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, HALF_BYTES).toString('base64url');
}

/** Returns an ID token of the stub bank that is correct for this journey except for its fault. */
export async function idToken(
  stub: StubBank,
  journey: Journey,
  fault: IdTokenFault = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const claims: JWTPayload = withoutUndefined({
    iss: stub.config.issuer,
    sub: 'customer-1',
    aud: stub.config.clientId,
    iat: now,
    exp: now + 300,
    nonce: journey.nonce,
    c_hash: halfHash(journey.code),
    s_hash: halfHash(journey.state),
    acr: 'urn:openbanking:psd2:sca',
    openbanking_intent_id: journey.bankConsentId,
    ...fault.claims,
  });
  const { alg = 'PS256', signingKey = stub.key.privateJwk } = fault;
  if (alg === 'none') return new UnsecuredJWT(claims).encode();
  const { alg: _alg, ...jwk } = signingKey;
  return new SignJWT(claims)
    .setProtectedHeader({ alg, kid: stub.key.publicJwk.kid ?? '' })
    .sign(await importJWK(jwk, alg));
}

function withoutUndefined(claims: Record<string, unknown>): JWTPayload {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
}
