import { createRemoteJWKSet, customFetch, errors, type FlattenedVerifyGetKey } from 'jose';
import { BankUnavailable } from '../bank.ts';
import type { BackChannel } from './back-channel.ts';

/**
 * The bank's public signing keys: fetched when first needed, kept, and fetched again (at most every 30 s) when a
 * message names a key that we do not know. Throws `BankUnavailable` when they cannot be had.
 */
export function bankKeys(jwksUri: string, channel: BackChannel): FlattenedVerifyGetKey {
  const remote = createRemoteJWKSet(new URL(jwksUri), {
    [customFetch]: (url, init) => channel.fetch(url, init),
  });
  return async (header, token) => {
    try {
      return await remote(header, token);
    } catch (cause) {
      if (cause instanceof errors.JWKSNoMatchingKey) throw cause;
      throw new BankUnavailable('the public keys of the bank could not be read', { cause });
    }
  };
}
