import type { FastifyRequest } from 'fastify';

/**
 * Whether a request that changes something was sent by one of our own pages: a cookie alone proves nothing, because browsers
 * send it from other sites too. Browsers name the site, old ones the origin; a request with neither is not from a page.
 */
export function isFromOurPages({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (typeof site === 'string') return site === 'same-origin';
  const { origin } = headers;
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}
