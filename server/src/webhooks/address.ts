import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** How far an endpoint's address may reach: `public` always, `loopback` in sandbox mode. */
export type Reach = 'public' | 'loopback';

/** The address may not be called. The message says why and is shown to the merchant. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** Public by the registries, but answered inside a cloud: Azure's wire server. */
const INSIDE_CLOUDS = new Set(['168.63.129.16']);
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** What kind of address this is: `public`, or the name of the range that is not (private, loopback, nat64 …). */
export function rangeOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.parse(address);
  if (INSIDE_CLOUDS.has(parsed.toString())) return 'reserved';
  const range = parsed.range();
  if (range !== 'unicast') return range;
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST)) return 'reserved';
  return 'public';
}

/** Throws AddressRefused unless the address lies within one of the reaches. */
export function checkAddress(address: string, reaches: readonly Reach[]): void {
  const range = rangeOf(address);
  if (reaches.some((reach) => reach === range)) return;
  const wanted = reaches.join(' or ');
  throw new AddressRefused(
    `the address ${address} is ${range}, only ${wanted} addresses are called`,
  );
}

/** Returns the addresses that a URL of this scheme may reach, if any: docs/rules/webhooks.md#endpoint-addresses. */
export function reachesOf(protocol: string, mode: 'sandbox' | 'live'): readonly Reach[] {
  if (protocol === 'https:') return mode === 'live' ? ['public'] : ['public', 'loopback'];
  return protocol === 'http:' && mode === 'sandbox' ? ['loopback'] : [];
}

/** The host of a URL as `net` and DNS want it: an IPv6 address without its brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** Whether a host is this machine by its very name: plain http goes nowhere else, whatever a DNS answers later. */
function isLoopbackName(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return ipaddr.isValid(host) && rangeOf(host) === 'loopback';
}

const MAX_URL = 2048;

/** What can be said against a URL without asking the DNS; null: nothing. */
export function refuseUrl(text: string, mode: 'sandbox' | 'live'): string | null {
  if (text.length > MAX_URL) return `must not be longer than ${MAX_URL} characters`;
  if (!URL.canParse(text)) return 'must be a URL';
  const url = new URL(text);
  const reaches = reachesOf(url.protocol, mode);
  if (reaches.length === 0 || (url.protocol === 'http:' && !isLoopbackName(hostOf(url))))
    return mode === 'live'
      ? 'must start with https://'
      : 'must start with https://, or http:// to loopback';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (url.hash !== '') return 'must not contain a fragment';
  if (isIP(hostOf(url)) === 0) return null;
  return refusal(() => checkAddress(hostOf(url), reaches));
}

function refusal(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof AddressRefused) return error.message;
    throw error;
  }
}

/**
 * A look-up for sockets that answers only addresses within the reaches, so that the address that is dialled is the
 * address that was checked, whatever the DNS says next. One address out of reach refuses the name: an honest name has
 * none.
 */
export function guardedLookup(
  reaches: readonly Reach[],
  lookup: LookupFunction = systemLookup as LookupFunction,
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '');
      const all = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }];
      const refused = all.length === 0 ? `${hostname} has no address` : refuseAll(all, reaches);
      if (refused !== null) return callback(new AddressRefused(refused), '');
      const [first] = all;
      if (options.all || first === undefined) return callback(null, all);
      return callback(null, first.address, first.family);
    });
  };
}

function refuseAll(
  found: readonly { address: string }[],
  reaches: readonly Reach[],
): string | null {
  return refusal(() => {
    for (const { address } of found) checkAddress(address, reaches);
  });
}

const LOOKUP_MS = 2000;

/**
 * Whether a URL may be saved: its form, and where its name leads today. A name that has no answer yet is accepted: it
 * is checked again at each connection. Answers why not, or null.
 */
export async function refuseEndpoint(
  text: string,
  mode: 'sandbox' | 'live',
  lookup: LookupFunction = systemLookup as LookupFunction,
): Promise<string | null> {
  const refused = refuseUrl(text, mode);
  if (refused !== null) return refused;
  const url = new URL(text);
  const host = hostOf(url);
  if (isIP(host) !== 0) return null;
  const asked = guardedLookup(reachesOf(url.protocol, mode), lookup);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), LOOKUP_MS);
    asked(host, { all: true }, (error) => {
      clearTimeout(timer);
      resolve(error instanceof AddressRefused ? error.message : null);
    });
  });
}
