import * as jose from 'jose';
import type { SigningKey } from './keys.ts';
import { refused } from './problem.ts';

/** Detached message signatures of OBL (`x-jws-signature`): PS256 over the exact bytes of the body. */

const IAT = 'http://openbanking.org.uk/iat';
const ISS = 'http://openbanking.org.uk/iss';
const TAN = 'http://openbanking.org.uk/tan';
const CRITICAL = [IAT, ISS, TAN];
const CRIT_OPTION = { [IAT]: true, [ISS]: true, [TAN]: true };
const TRUST_ANCHOR = 'openbanking.org.uk';
const REQUIRED = ['alg', 'kid', 'crit', ...CRITICAL];
const ALLOWED = new Set([...REQUIRED, 'typ', 'cty']);
/** Two machines' clocks never agree exactly. */
const CLOCK_SKEW_SECONDS = 5;

/** Signs a response; `issuer` is the bank's organisation id, `now` the real time in seconds. */
export async function signMessage(
  body: Uint8Array,
  key: SigningKey,
  issuer: string,
  now: number,
): Promise<string> {
  const header = {
    alg: 'PS256',
    kid: key.kid,
    typ: 'JOSE',
    cty: 'application/json',
    [IAT]: now,
    [ISS]: issuer,
    [TAN]: TRUST_ANCHOR,
    crit: CRITICAL,
  };
  const jws = await new jose.FlattenedSign(body)
    .setProtectedHeader(header)
    .sign(key.privateKey, { crit: CRIT_OPTION });
  return `${jws.protected}..${jws.signature}`;
}

/** The party that must have signed a request. */
interface Signer {
  /** `{org-id}/{software-statement-id}`. */
  issuer: string;
  jwks: { keys: Record<string, unknown>[] };
}

/** Verifies a request's signature; throws ApiProblem U015 to U019. `now` is the real time in seconds. */
export async function verifyMessage(
  signature: string | undefined,
  body: Uint8Array,
  signer: Signer,
  now: number,
): Promise<void> {
  if (!signature) throw refused('U019', 'x-jws-signature is missing', 'x-jws-signature');
  const [encodedHeader = '', payload, encodedSignature = '', ...rest] = signature.split('.');
  if (!encodedHeader || payload !== '' || !encodedSignature || rest.length > 0) {
    throw refused('U018', 'x-jws-signature is no detached JWS', 'x-jws-signature');
  }
  const header = decodeHeader(encodedHeader);
  checkClaims(header, signer.issuer, now);
  const jwk = signer.jwks.keys.find((key) => key.kid === header.kid);
  if (!jwk) throw refused('U016', 'kid names no key of the signer', 'kid');
  const jws = {
    protected: encodedHeader,
    payload: jose.base64url.encode(body),
    signature: encodedSignature,
  };
  try {
    await jose.flattenedVerify(jws, await keyOf(jwk), { crit: CRIT_OPTION, algorithms: ['PS256'] });
  } catch {
    throw refused('U015', 'x-jws-signature does not fit the body', 'x-jws-signature');
  }
}

const keys = new WeakMap<object, ReturnType<typeof jose.importJWK>>();

/** Imports each key once, not for each message. */
function keyOf(jwk: Record<string, unknown>): ReturnType<typeof jose.importJWK> {
  const key = keys.get(jwk) ?? jose.importJWK(jwk as jose.JWK, 'PS256');
  keys.set(jwk, key);
  return key;
}

function decodeHeader(encoded: string): Record<string, unknown> {
  try {
    const header: unknown = JSON.parse(new TextDecoder().decode(jose.base64url.decode(encoded)));
    if (header && typeof header === 'object' && !Array.isArray(header)) {
      return header as Record<string, unknown>;
    }
  } catch {
    // Rejected below, like any other header that is not a JSON object.
  }
  throw refused('U018', 'The JOSE header is not a JSON object', 'x-jws-signature');
}

function checkClaims(header: Record<string, unknown>, issuer: string, now: number): void {
  const missing = REQUIRED.find((name) => header[name] === undefined);
  if (missing) throw refused('U017', `The JOSE header lacks ${missing}`, missing);
  const iat = header[IAT];
  const crit = header.crit;
  const wrong: [string, boolean][] = [
    ...Object.keys(header).map((name): [string, boolean] => [name, !ALLOWED.has(name)]),
    ['alg', header.alg !== 'PS256'],
    ['kid', typeof header.kid !== 'string'],
    ['typ', header.typ !== undefined && header.typ !== 'JOSE'],
    ['cty', header.cty !== undefined && !/^(application\/)?json$/.test(String(header.cty))],
    [TAN, header[TAN] !== TRUST_ANCHOR],
    [ISS, header[ISS] !== issuer],
    [IAT, !Number.isInteger(iat) || (iat as number) > now + CLOCK_SKEW_SECONDS],
    ['crit', !isExactlyCritical(crit)],
  ];
  const first = wrong.find(([, isWrong]) => isWrong);
  if (first) throw refused('U016', `The JOSE header has a wrong ${first[0]}`, first[0]);
}

function isExactlyCritical(crit: unknown): boolean {
  return (
    Array.isArray(crit) &&
    crit.length === CRITICAL.length &&
    CRITICAL.every((name) => crit.includes(name))
  );
}
