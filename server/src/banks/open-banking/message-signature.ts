import { constants, KeyObject, verify } from 'node:crypto';
import { exportJWK, type JWK, type JWSHeaderParameters } from 'jose';
import { BankUnavailable } from '../bank.ts';
import type { FindKey } from '../bank-keys.ts';
import type { SigningKey } from './signer.ts';

/**
 * The detached signature `x-jws-signature` over the exact bytes of a body, in either direction (PS256, compact form without the
 * middle part; "Message signing" in the read/write API). The standard lays down every member of the header, so each is checked
 * here, and only the cryptography is left to Node: docs/decisions/0021-where-our-own-cpu-goes.md.
 */
const IAT = 'http://openbanking.org.uk/iat';
const ISS = 'http://openbanking.org.uk/iss';
const TAN = 'http://openbanking.org.uk/tan';
const TRUST_ANCHOR = 'openbanking.org.uk';
const CRITICAL = [IAT, ISS, TAN];
const MEMBERS = new Set(['alg', 'kid', 'typ', 'cty', 'crit', ...CRITICAL]);
const CLOCK_TOLERANCE_S = 60;
/** PS256: RSASSA-PSS with SHA-256 and a salt as long as the hash. */
const PSS = {
  padding: constants.RSA_PKCS1_PSS_PADDING,
  saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
} as const;
const HASH = 'sha256';
const SHORTEST_KEY_BITS = 2048;
const BASE64URL = /^[\w-]+$/;

export interface MessageSigner extends SigningKey {
  /** `{organisation id}/{software id}` for us, `{organisation id}` for a bank. */
  issuer: string;
}

/** The message was not signed by the expected party, or was changed in transit. */
export class SignatureInvalid extends Error {
  override readonly name = 'SignatureInvalid';
}

/** Signs `body` as it will be sent. Dated one second back, because a date in the future is refused. */
export async function signMessage(
  body: string,
  signer: MessageSigner,
  now: Temporal.Instant,
): Promise<string> {
  const header = {
    alg: 'PS256',
    kid: signer.kid,
    typ: 'JOSE',
    cty: 'application/json',
    [IAT]: epochSeconds(now) - 1,
    [ISS]: signer.issuer,
    [TAN]: TRUST_ANCHOR,
    crit: CRITICAL,
  };
  const protectedHeader = base64url(JSON.stringify(header));
  const signed = Buffer.from(`${protectedHeader}.${base64url(body)}`);
  const signature = await signer.signer.sign(signer.kid, 'PS256', signed);
  return `${protectedHeader}..${signature.toString('base64url')}`;
}

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

/**
 * Throws `SignatureInvalid` unless `signature` is this issuer's over exactly `body`, and `BankUnavailable` if the issuer's keys
 * could not be fetched, which says nothing about the message.
 */
export async function verifyMessage(
  body: string,
  signature: string,
  expected: { keys: FindKey; issuer: string },
  now: Temporal.Instant,
): Promise<void> {
  const [protectedHeader = '', payload, value = '', ...rest] = signature.split('.');
  const isDetached = payload === '' && rest.length === 0;
  if (!isDetached || !BASE64URL.test(protectedHeader) || !BASE64URL.test(value))
    throw new SignatureInvalid('not a detached signature');
  const header = readHeader(protectedHeader);
  checkHeader(header, expected.issuer, now);
  const jws = { protected: protectedHeader, payload: base64url(body), signature: value };
  const key = await expected.keys(header, jws).catch((cause: unknown) => {
    if (cause instanceof BankUnavailable) throw cause;
    throw new SignatureInvalid('no key of the signer', { cause });
  });
  const signed = Buffer.from(`${jws.protected}.${jws.payload}`);
  const given = Buffer.from(value, 'base64url');
  if (!verify(HASH, signed, { key: publicKey(key), ...PSS }, given))
    throw new SignatureInvalid('the signature does not verify');
}

/** Returns the public key of a message that `verifyMessage` has verified. */
export async function signerOf(body: string, signature: string, keys: FindKey): Promise<JWK> {
  const [encoded = '', , value = ''] = signature.split('.');
  const header = readHeader(encoded);
  const jws = { protected: encoded, payload: base64url(body), signature: value };
  return { ...(await exportJWK(await keys(header, jws))), kid: header.kid ?? '' };
}

function readHeader(encoded: string): JWSHeaderParameters {
  try {
    const header: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    if (typeof header === 'object' && header !== null && !Array.isArray(header))
      return { ...header };
  } catch {
    // As any other header that is no JSON object.
  }
  throw new SignatureInvalid('the header is not a JSON object');
}

const converted = new WeakMap<CryptoKey, KeyObject>();

/** Converts a key once, not for each message. Throws unless it is an RSA key of the length that PS256 requires. */
function publicKey(key: CryptoKey): KeyObject {
  const known = converted.get(key);
  if (known !== undefined) return known;
  const made = KeyObject.from(key);
  if (
    made.asymmetricKeyType !== 'rsa' ||
    (made.asymmetricKeyDetails?.modulusLength ?? 0) < SHORTEST_KEY_BITS
  )
    throw new SignatureInvalid('the key is not one for PS256');
  converted.set(key, made);
  return made;
}

function checkHeader(header: Record<string, unknown>, issuer: string, now: Temporal.Instant): void {
  if (header.alg !== 'PS256') throw new SignatureInvalid('another algorithm');
  const unknown = Object.keys(header).find((member) => !MEMBERS.has(member));
  if (unknown) throw new SignatureInvalid(`unknown header member ${unknown}`);
  const critical = Array.isArray(header.crit) ? [...header.crit].sort() : [];
  if (critical.join() !== [...CRITICAL].sort().join()) throw new SignatureInvalid('crit is wrong');
  if (header[ISS] !== issuer) throw new SignatureInvalid('signed by somebody else');
  if (header[TAN] !== TRUST_ANCHOR) throw new SignatureInvalid('another trust anchor');
  const issuedAt = header[IAT];
  if (typeof issuedAt !== 'number' || issuedAt > epochSeconds(now) + CLOCK_TOLERANCE_S) {
    throw new SignatureInvalid('dated in the future');
  }
}

function epochSeconds(instant: Temporal.Instant): number {
  return Math.floor(instant.epochMilliseconds / 1000);
}
