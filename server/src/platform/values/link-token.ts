import type { Ids } from './ids.ts';

const MERCHANT = 22;

/**
 * Returns a secret for a link: its merchant, and 256 bits of randomness. With the merchant in it, it is found by the keys of
 * one merchant, never by a search across all of them.
 */
export function newLinkToken(ids: Ids, merchantId: string): string {
  return `${merchantId.slice('mer_'.length)}${ids.random(32).toString('base64url')}`;
}

/** Returns the merchant named in a link's secret, or null if the text is not such a secret. */
export function merchantOfToken(token: string): string | null {
  return /^[0-9A-Za-z]{22}[\w-]{43}$/.test(token) ? `mer_${token.slice(0, MERCHANT)}` : null;
}
