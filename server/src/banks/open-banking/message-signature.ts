import { FlattenedSign, type FlattenedVerifyGetKey, flattenedVerify } from 'jose';
import { BankUnavailable } from '../bank.ts';

/**
 * The detached signature `x-jws-signature` over the exact bytes of a body, in either direction (PS256, compact form without the
 * middle part; "Message signing" in the read/write API).
 */
const IAT = 'http://openbanking.org.uk/iat';
const ISS = 'http://openbanking.org.uk/iss';
const TAN = 'http://openbanking.org.uk/tan';
const TRUST_ANCHOR = 'openbanking.org.uk';
const CRITICAL = [IAT, ISS, TAN];
const UNDERSTOOD = { [IAT]: true, [ISS]: true, [TAN]: true };
const MEMBERS = new Set(['alg', 'kid', 'typ', 'cty', 'crit', ...CRITICAL]);
const CLOCK_TOLERANCE_S = 60;

export interface MessageSigner {
  key: CryptoKey;
  kid: string;
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
  const signed = await new FlattenedSign(Buffer.from(body))
    .setProtectedHeader(header)
    .sign(signer.key, { crit: UNDERSTOOD });
  return `${signed.protected}..${signed.signature}`;
}

/**
 * Throws `SignatureInvalid` unless `signature` is this issuer's over exactly `body`, and `BankUnavailable` if the issuer's keys
 * could not be fetched, which says nothing about the message.
 */
export async function verifyMessage(
  body: string,
  signature: string,
  expected: { keys: FlattenedVerifyGetKey; issuer: string },
  now: Temporal.Instant,
): Promise<void> {
  const [protectedHeader, payload, value, ...rest] = signature.split('.');
  if (!protectedHeader || payload !== '' || !value || rest.length > 0) {
    throw new SignatureInvalid('not a detached signature');
  }
  const jws = {
    protected: protectedHeader,
    payload: Buffer.from(body).toString('base64url'),
    signature: value,
  };
  const verified = await flattenedVerify(jws, expected.keys, {
    crit: UNDERSTOOD,
    algorithms: ['PS256'],
  }).catch((cause: unknown) => {
    if (cause instanceof BankUnavailable) throw cause;
    throw new SignatureInvalid('the signature does not verify', { cause });
  });
  checkHeader(verified.protectedHeader ?? {}, expected.issuer, now);
}

function checkHeader(header: Record<string, unknown>, issuer: string, now: Temporal.Instant): void {
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
