import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Which addresses an endpoint may have: `public` always, `loopback` in sandbox mode. */
export type Reach = 'public' | 'loopback';

/** The address may not be called. The message says why and is shown to the merchant. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** Public by the registries, but served inside a cloud: Azure's wire server. */
const INSIDE_CLOUDS = new Set(['168.63.129.16']);
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Returns `public`, or the name of the non-public range of an address (private, loopback, nat64 …). */
export function rangeOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.parse(address);
  if (INSIDE_CLOUDS.has(parsed.toString())) return 'reserved';
  const range = parsed.range();
  if (range !== 'unicast') return range;
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST)) return 'reserved';
  return 'public';
}

/** Throws AddressRefused unless the address is within one of the reaches. */
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

/** Returns the host of a URL as `net` and DNS expect it: an IPv6 address without its brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** Whether a host is this machine by name: plain http goes nowhere else, whatever the DNS returns later. */
function isLoopbackName(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return ipaddr.isValid(host) && rangeOf(host) === 'loopback';
}

const MAX_URL = 2048;

/** Returns what is wrong with a URL, as far as is known without the DNS; null: nothing. */
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
 * Returns a lookup for sockets that yields only addresses within the reaches, so that the dialled address is the checked one,
 * whatever the DNS returns next. One address out of reach rejects the name: an honest name has none.
 */
export function guardedLookup(
  reaches: readonly Reach[],
  lookup: LookupFunction = systemLookup as LookupFunction,
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '');
      const all = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }];
      const refused = refusal(() => {
        if (all.length === 0) throw new AddressRefused(`${hostname} has no address`);
        for (const { address } of all) checkAddress(address, reaches);
      });
      if (refused !== null) return callback(new AddressRefused(refused), '');
      const [first] = all;
      if (options.all || first === undefined) return callback(null, all);
      return callback(null, first.address, first.family);
    });
  };
}

const LOOKUP_MS = 2000;

/**
 * Checks whether a URL may be saved: its form, and the addresses of its host today. A name that does not resolve yet is
 * accepted: it is checked again at each connection. Returns why not, or null.
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
