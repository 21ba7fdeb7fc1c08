import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';

/** Our PS256 key pair for request objects, client assertions and message signatures; `kid` is its thumbprint. */
export interface SigningKey {
  privateJwk: JWK;
  publicJwk: JWK;
}

/** Makes a new key pair. The public half is given to the bank as our JWKS. */
export async function makeSigningKey(): Promise<SigningKey> {
  const pair = await generateKeyPair('PS256', { extractable: true, modulusLength: 2048 });
  const publicPart = await exportJWK(pair.publicKey);
  const named = { kid: await calculateJwkThumbprint(publicPart), alg: 'PS256', use: 'sig' };
  return {
    privateJwk: { ...(await exportJWK(pair.privateKey)), ...named },
    publicJwk: { ...publicPart, ...named },
  };
}
