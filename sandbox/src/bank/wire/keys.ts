import { randomBytes } from 'node:crypto';
import * as jose from 'jose';
import type { Store } from '../../store.ts';

/** The bank's own signing key: identity tokens, message signatures and security events. */
export interface SigningKey {
  kid: string;
  privateKey: jose.CryptoKey;
  /** Private JWK, for the OpenID provider. */
  jwk: jose.JWK;
}

interface SecretRow {
  value: string;
}

/** Returns a bank's signing key; created on first use and stored. */
export async function openSigningKey(store: Store, bankId: string): Promise<SigningKey> {
  const name = `signing_key:${bankId}`;
  const kept = store.get<SecretRow>('SELECT value FROM secrets WHERE name = :name', { name });
  const jwk: jose.JWK = kept ? JSON.parse(kept.value) : await newSigningJwk(bankId);
  if (!kept) storeSecret(store, name, JSON.stringify(jwk));
  const privateKey = await jose.importJWK(jwk, 'PS256');
  if (privateKey instanceof Uint8Array || !jwk.kid) throw new Error(`Bad signing key of ${bankId}`);
  return { kid: jwk.kid, privateKey, jwk };
}

/** Returns the secret that signs a bank's cookies; created on first use and stored. */
export function openCookieSecret(store: Store, bankId: string): string {
  const name = `cookie_secret:${bankId}`;
  const kept = store.get<SecretRow>('SELECT value FROM secrets WHERE name = :name', { name });
  if (kept) return kept.value;
  const value = randomBytes(32).toString('base64url');
  storeSecret(store, name, value);
  return value;
}

async function newSigningJwk(bankId: string): Promise<jose.JWK> {
  const { privateKey } = await jose.generateKeyPair('PS256', { extractable: true });
  const jwk = await jose.exportJWK(privateKey);
  const kid = `${bankId}-${(await jose.calculateJwkThumbprint(jwk)).slice(0, 12)}`;
  return { ...jwk, kid, alg: 'PS256', use: 'sig' };
}

function storeSecret(store: Store, name: string, value: string): void {
  store.run('INSERT INTO secrets (name, value) VALUES (:name, :value)', { name, value });
}
