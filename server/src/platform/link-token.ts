import type { Ids } from './ids.ts';

const MERCHANT = 22;

/**
 * A secret for a link: who it belongs to, and 256 bits of randomness. It carries its merchant, so that it is found by
 * the keys of one merchant and never by a search across all of them.
 */
export function newLinkToken(ids: Ids, merchantId: string): string {
  return `${merchantId.slice('mer_'.length)}${ids.random(32).toString('base64url')}`;
}

/** The merchant named in a link's secret, or null where the text is no such secret. */
export function merchantOfToken(token: string): string | null {
  return /^[0-9A-Za-z]{22}[\w-]{43}$/.test(token) ? `mer_${token.slice(0, MERCHANT)}` : null;
}
