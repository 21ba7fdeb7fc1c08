import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FlattenedJWSInput,
  type JWSHeaderParameters,
} from 'jose';
import type { Fetch } from '../platform/network/partner-channel.ts';
import { BankUnavailable } from './bank.ts';

/** Finds the public key that a header names. Throws an error of jose if there is none, and `BankUnavailable`. */
export type FindKey = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>;

/**
 * Returns the bank's public signing keys: fetched on first use, cached, and fetched again (at most every 30 s) when a message
 * names an unknown key. Throws `BankUnavailable` if they cannot be fetched.
 */
export function bankKeys(jwksUri: string, channel: { readonly fetch: Fetch }): FindKey {
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
