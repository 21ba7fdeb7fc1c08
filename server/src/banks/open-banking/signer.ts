import {
  constants,
  createPrivateKey,
  type JsonWebKeyInput,
  type KeyObject,
  sign as signBytes,
} from 'node:crypto';
import type { JWK } from 'jose';

/** The only algorithm in use: RSASSA-PSS with SHA-256 and a salt as long as the hash. */
type Algorithm = 'PS256';

/**
 * Signs with our private keys, wherever they are: in a file, or with a program that never shows them. `sign` throws if there is
 * no signature; nothing is sent then.
 */
export interface Signer {
  sign(kid: string, algorithm: Algorithm, bytes: Uint8Array): Promise<Buffer>;
}

/** A signer and the id of the key that it is to use. */
export interface SigningKey {
  kid: string;
  signer: Signer;
}

const PSS = {
  padding: constants.RSA_PKCS1_PSS_PADDING,
  saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
} as const;

/** Signs with a private key of ours, on a thread of Node's pool: it takes ten times as long as verifying. */
export function keySigner(jwk: JWK): Signer {
  // Without what some key generators add (use, key_ops, alg): it can only contradict our use.
  const { kty, n, e, d, p, q, dp, dq, qi } = jwk;
  const members = { kty, n, e, d, p, q, dp, dq, qi } as JsonWebKeyInput['key'];
  const key: KeyObject = createPrivateKey({ key: members, format: 'jwk' });
  return {
    sign: (_kid, _algorithm, bytes) =>
      new Promise((done, failed) =>
        signBytes('sha256', bytes, { key, ...PSS }, (error, signature) =>
          error === null ? done(signature) : failed(error),
        ),
      ),
  };
}

/** Returns a signed JWT in compact form. The header gets `alg` and `kid`. */
export async function signJwt(
  { kid, signer }: SigningKey,
  header: Record<string, unknown>,
  claims: Record<string, unknown>,
): Promise<string> {
  const encoded = [{ alg: 'PS256', kid, ...header }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const input = encoded.join('.');
  const signature = await signer.sign(kid, 'PS256', Buffer.from(input));
  return `${input}.${signature.toString('base64url')}`;
}
