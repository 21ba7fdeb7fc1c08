import { isIP } from 'node:net';

// Readers of settings: each returns the value of a text, or throws a sentence that follows the setting's name.

/** The environment that settings are read from. */
export type Env = Readonly<Record<string, string | undefined>>;

/** One variable: what it means, its default, and how its text is read. `read` throws with a sentence. */
export interface Variable<T> {
  about: string;
  fallback: string | null;
  read: (text: string) => T;
}

export const variable = <T>(
  about: string,
  fallback: string | null,
  read: (text: string) => T,
): Variable<T> => ({ about, fallback, read });

/** The values of a table of variables; null: not set, or not readable. */
export type ValuesOf<V extends Readonly<Record<string, Variable<unknown>>>> = {
  readonly [K in keyof V]: ReturnType<V[K]['read']> | null;
};

/** Host names of this machine. */
export const LOOPBACK = /^(localhost|127[.]\d+[.]\d+[.]\d+|::1|\[::1\])$/i;

export const text = (value: string): string => value;

/**
 * Throws for blanks around a value, and for line breaks and control characters in it: they come from the file that sets it, and
 * no reader should take them for a part of the value, or drop them.
 */
export function refuseStray(value: string): void {
  if (value.trim() !== value) throw new Error('must have no blanks or line breaks around it');
  if (/\p{Cc}/u.test(value)) throw new Error('must be one line, without control characters');
}

/** Reads a name that people are shown. */
export function nameOf(value: string): string {
  if (!/\p{L}/u.test(value) || /[<>]/.test(value)) throw new Error('must be a name');
  return value;
}

/** Reads a firm reference number of the Financial Conduct Authority. */
export function fcaReference(value: string): string {
  if (!/^\d{6,7}$/.test(value)) throw new Error('must be a number of 6 or 7 digits');
  return value;
}

/** Reads an email address without a display name. */
export function email(value: string): string {
  if (!/^[^\s<>@]+@[^\s<>@]+$/.test(value))
    throw new Error('must be an address such as help@example.com');
  return value;
}

/** Reads an email address or an https address; returns it as a URI. */
export function contact(value: string): string {
  if (/^https:/i.test(value)) return url(['https:'])(value);
  return `mailto:${email(value).replace(/[^\w.+@-]/gu, encodeURIComponent)}`;
}

/** Reads a whole number in decimal digits: not 1e3, 0x10, 1_000, +5 or 05, which libraries would take. */
export function integer(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!/^-?(0|[1-9]\d{0,15})$/.test(value) || number < least || number > most)
      throw new Error(`must be a whole number from ${least} to ${most}`);
    return number;
  };
}

export function oneOf<T extends string>(choices: readonly T[]): (value: string) => T {
  return (value) => {
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
    return found;
  };
}

/** Names whose last part is a number are read as addresses by some resolvers: 127.1, 0x7f000001, 2130706433. */
const NUMERIC_END = /(^|[.])(\d+|0x[\da-f]*)[.]?$/i;

export function host(value: string): string {
  const isName = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value) && !NUMERIC_END.test(value);
  if (value.includes('%') || (isIP(value) === 0 && !isName))
    throw new Error('must be an IP address or a host name, such as 127.0.0.1');
  // localhost is two addresses, and the second listener would not count against MAX_CONNECTIONS.
  if (value.toLowerCase() === 'localhost')
    throw new Error('must be one address: say 127.0.0.1 or ::1 instead of localhost');
  return value;
}

/** Returns a URL as it is written; null for what is none, or is one only because parsers mend it: `http:/x`, `http://127.1`. */
function plainUrl(value: string): URL | null {
  const read = URL.parse(value);
  if (read === null || !/^[a-z][a-z0-9+.-]*:\/\/[^\s]*$/i.test(value)) return null;
  const isWeb = /^https?:$/.test(read.protocol);
  if (!isWeb) return read;
  const isRead = isIP(read.hostname) !== 4 || value.includes(read.hostname);
  return isRead && /^https?:\/\/[^/\\]/i.test(value) && !value.includes('\\') ? read : null;
}

export function url(protocols: readonly string[]): (value: string) => string {
  return (value) => {
    const read = plainUrl(value);
    if (read === null || !protocols.includes(read.protocol))
      throw new Error(`must be a URL starting with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    return value.replace(/\/+$/, '');
  };
}

/** Reads the address of a gateway that gets a secret: https, or http on this machine. */
export function gatewayUrl(value: string): string {
  const read = plainUrl(value);
  const isLocal = read?.protocol === 'http:' && LOOPBACK.test(read.hostname);
  if (read === null || (read.protocol !== 'https:' && !isLocal))
    throw new Error('must be a URL starting with https://, or with http:// on this machine');
  if (read.username !== '' || read.password !== '' || read.hash !== '')
    throw new Error('must have no user, password or fragment');
  return value;
}

/** Reads a token that fits a header: letters, digits and signs, without spaces. */
export function bearerToken(value: string): string {
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new Error('must be letters, digits and signs without spaces');
  return value;
}

export function key32(value: string): Buffer {
  // Node skips characters that are not base64: a mistyped key would pass for another key.
  if (!/^[\w+/-]{43}=?$/.test(value)) throw new Error('must be 32 bytes in base64');
  return Buffer.from(value, 'base64');
}

export function keyRing(value: string): ReadonlyMap<string, Buffer> {
  const entries = value.split(',').map((part): [string, Buffer] => {
    const [id, key, ...rest] = part.trim().split(':');
    if (!id || !/^\w+$/.test(id) || key === undefined || rest.length > 0)
      throw new Error('must be <id>:<32 bytes in base64>, comma-separated, the sealing one first');
    return [id, key32(key)];
  });
  const ring = new Map(entries);
  if (ring.size < entries.length) throw new Error('must not name two keys by the same id');
  if (new Set(entries.map(([, key]) => key.toString('hex'))).size < entries.length)
    throw new Error('must not hold the same key under two ids');
  return ring;
}

/** The entry of a signing ring for the key that is derived from the blind index key. */
const DERIVED = 'derived';

/** Reads a ring whose entries are keys, or the word `derived`, which is null. */
export function signingRing(value: string): ReadonlyMap<string, Buffer | null> {
  const parts = value.split(',').map((part) => part.trim());
  const written = parts.filter((part) => part !== DERIVED);
  const keys = written.length === 0 ? new Map<string, Buffer>() : keyRing(written.join(','));
  if (keys.has(DERIVED)) throw new Error(`must not name a key ${DERIVED}`);
  if (parts.length > written.length + 1) throw new Error(`must not say ${DERIVED} twice`);
  return new Map(
    parts.map((part) => {
      const id = part.split(':')[0] ?? '';
      return [id, keys.get(id) ?? null];
    }),
  );
}

const DURATION =
  /^P(?=[\dT])(\d{1,4}W|(\d{1,4}Y)?(\d{1,4}M)?(\d{1,4}D)?(T(?=\d)(\d{1,6}H)?(\d{1,6}M)?(\d{1,6}S)?)?)$/;
/** A day of no special length to measure durations from. */
const REFERENCE_DAY = Temporal.PlainDate.from('2026-01-01');
const LONGEST_DAYS = 366;

/** Reads a duration in capitals and whole numbers, of a year at most. */
export function duration(value: string): Temporal.Duration {
  if (DURATION.test(value)) {
    const read = Temporal.Duration.from(value);
    const days = read.total({ unit: 'days', relativeTo: REFERENCE_DAY });
    if (days > 0 && days <= LONGEST_DAYS) return read;
  }
  throw new Error('must be an ISO 8601 duration of a year at most, such as P7D');
}

/** How many dates a list takes: a mistake would otherwise leave no business day. */
const MAX_DATES = 30;

/** Reads dates such as 2027-06-07, separated by commas. */
export function dates(value: string): ReadonlySet<string> {
  const parts = value.split(',').map((part) => part.trim());
  for (const part of parts) if (!isDate(part)) throw new Error(DATES);
  if (new Set(parts).size < parts.length) throw new Error('must name each date once');
  if (parts.length > MAX_DATES) throw new Error(`must name at most ${MAX_DATES} dates`);
  return new Set(parts);
}

const DATES = 'must be dates such as 2027-06-07, separated by commas';

/** Whether a text is a day of the calendar of this century, as ISO 8601 writes it. */
function isDate(text: string): boolean {
  const [, year = 0, month = 0, day = 0] = (/^(20\d{2})-(\d{2})-(\d{2})$/.exec(text) ?? []).map(
    Number,
  );
  if (month < 1 || month > 12) return false;
  return day >= 1 && day <= Temporal.PlainYearMonth.from({ year, month }).daysInMonth;
}

/** Reads addresses and ranges; the word `none` gives an empty list. */
export function addresses(value: string): readonly string[] {
  if (value === 'none') return [];
  return value.split(',').map((part) => {
    const [address = '', bits, ...rest] = part.trim().split('/');
    const family = address.includes('%') ? 0 : isIP(address);
    const most = family === 4 ? 32 : 128;
    const isRange = bits === undefined || (/^(0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= most);
    if (family === 0 || rest.length > 0 || !isRange)
      throw new Error(
        'must be IP addresses or ranges such as 10.0.0.0/8, separated by commas, or none',
      );
    return part.trim();
  });
}

/** Reads an email address, with a display name or without. */
export function mailbox(value: string): string {
  if (!/^([^<>"\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value))
    throw new Error('must be an address such as notices@example.com, or Name <address>');
  return value;
}
