import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const RANGE = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/;
const LONGEST = 50;

/** A range of addresses, or what is wrong with its text. */
export type Parsed = { range: string } | { problem: string };

/**
 * Parses an address, or a range in CIDR notation, of IPv4 or IPv6. Returns its shortest text: `203.0.113.7/32` is
 * `203.0.113.7`. A range that covers every address is no range, and one that does not begin where it says is a mistake.
 */
export function parseRange(text: string): Parsed {
  const [, bare = '', bits] = RANGE.exec(text.trim()) ?? [];
  const address = text.length > LONGEST ? null : parseAddress(bare);
  if (address === null)
    return { problem: 'must be an IP address or a range such as 203.0.113.0/24' };
  const most = bitsOf(address);
  const length = bits === undefined ? most : Number(bits);
  if (length > most)
    return { problem: `must have at most ${most} bits behind the slash, or be left out` };
  if (length === 0) return { problem: 'covers every address; to allow all, send no range' };
  const begins = networkOf(address, length);
  if (begins !== address.toString()) return { problem: `must begin at ${begins}/${length}` };
  return { range: length === most ? begins : `${begins}/${length}` };
}

/** Whether an address is within one of the ranges. An IPv4 address in the clothes of IPv6 (`::ffff:203.0.113.7`) is IPv4. */
export function isWithin(address: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const asked = ipaddr.process(address);
  return ranges.some((range) => {
    const [network, bits] = cidrOf(range);
    return network.kind() === asked.kind() && asked.match(network, bits);
  });
}

function cidrOf(range: string): [Address, number] {
  const [bare = '', bits] = range.split('/');
  const network = ipaddr.parse(bare);
  return [network, bits === undefined ? bitsOf(network) : Number(bits)];
}

const bitsOf = (address: Address): number => (address.kind() === 'ipv4' ? 32 : 128);

/** Parses an address in full: no leading zeros, no parts left out, no zone, no IPv4 within IPv6. */
function parseAddress(bare: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  if (!ipaddr.IPv6.isValid(bare)) return null;
  const address = ipaddr.IPv6.parse(bare);
  return address.isIPv4MappedAddress() ? null : address;
}

function networkOf(address: Address, length: number): string {
  const cidr = `${address.toString()}/${length}`;
  return address.kind() === 'ipv4'
    ? ipaddr.IPv4.networkAddressFromCIDR(cidr).toString()
    : ipaddr.IPv6.networkAddressFromCIDR(cidr).toString();
}

/** Returns what is wrong with each range, by its path: `allowed_ips.2`. */
export function rangeErrors(texts: readonly unknown[]): Record<string, string> {
  const wrong: Record<string, string> = {};
  for (const [at, text] of texts.entries()) {
    const parsed = typeof text === 'string' ? parseRange(text) : { range: '' };
    if ('problem' in parsed) wrong[`allowed_ips.${at}`] = parsed.problem;
  }
  return wrong;
}

/** Returns the ranges as they are stored, each once; null, for anywhere, if there is none. They must have been checked. */
export function rangesOf(texts: readonly string[] | null): string[] | null {
  const ranges = (texts ?? []).flatMap((text) => {
    const parsed = parseRange(text);
    return 'range' in parsed ? [parsed.range] : [];
  });
  return ranges.length === 0 ? null : [...new Set(ranges)];
}
