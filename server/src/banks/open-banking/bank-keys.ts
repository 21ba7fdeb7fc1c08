import { createRemoteJWKSet, customFetch, errors } from 'jose';
import { BankUnavailable } from '../bank.ts';
import type { BackChannel } from './back-channel.ts';
import type { FindKey } from './message-signature.ts';

/**
 * Returns the bank's public signing keys: fetched on first use, cached, and fetched again (at most every 30 s) when a message
 * names an unknown key. Throws `BankUnavailable` if they cannot be fetched.
 */
export function bankKeys(jwksUri: string, channel: BackChannel): FindKey {
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
