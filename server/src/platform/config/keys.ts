import { key32, keyRing, signingRing, variable } from './readers.ts';

/** The settings of our own keys. */
export const KEY_VARIABLES = {
  ENCRYPTION_KEYS: variable(
    '<id>:<32 bytes in base64>, comma-separated; the first seals',
    null,
    keyRing,
  ),
  BLIND_INDEX_KEY: variable(
    '32 bytes in base64, never changed: finds sealed phone and account numbers',
    null,
    key32,
  ),
  SIGNING_KEYS: variable(
    '<id>:<32 bytes in base64>, comma-separated; the first signs cookies and encrypts second factors; derived: the key made of BLIND_INDEX_KEY',
    null,
    signingRing,
  ),
} as const;
