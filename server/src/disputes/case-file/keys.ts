import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign as signBytes,
} from 'node:crypto';
import type { Vault } from '../../platform/vault/vault.ts';

/** A public key, as the service publishes it (RFC 8037); `kid` is its thumbprint (RFC 7638). */
export interface PublicKey {
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  kid: string;
}

/** Where the public keys lie, below the address of the service. */
export const KEYS_PATH = '/.well-known/case-file-keys.json';

/** An Ed25519 private key in PKCS #8 is these bytes and its 32 of secret. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Returns the keys that sign case files, derived from those that sign all else: the current one first. */
function privateKeys(vault: Vault): KeyObject[] {
  return vault.secrets('case-file').map(({ value }) => {
    const key = Buffer.concat([PKCS8, Buffer.from(value, 'base64url')]);
    return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  });
}

function publicKey(key: KeyObject): PublicKey {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  const named = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x });
  return {
    kty: 'OKP',
    crv: 'Ed25519',
    x,
    kid: createHash('sha256').update(named).digest('base64url'),
  };
}

/** Returns every public key that case files may be signed with: the current one first. */
export const publicKeys = (vault: Vault): PublicKey[] => privateKeys(vault).map(publicKey);

/** Signs bytes with the current key. */
export function sign(vault: Vault, bytes: Buffer): { signature: Buffer; key: PublicKey } {
  const [key] = privateKeys(vault);
  if (key === undefined) throw new Error('the vault needs a signing key');
  return { signature: signBytes(null, bytes, key), key: publicKey(key) };
}
