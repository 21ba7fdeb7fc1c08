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

/** Reads a name that people are shown. */
export function nameOf(value: string): string {
  if (!/\p{L}/u.test(value) || /[<>]/.test(value)) throw new Error('must be a name');
  return value.trim();
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

export function integer(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!Number.isInteger(number) || number < least || number > most)
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

export function host(value: string): string {
  if (isIP(value) === 0 && !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value))
    throw new Error('must be an IP address or a host name, such as 127.0.0.1');
  // localhost is two addresses, and the second listener would not count against MAX_CONNECTIONS.
  if (value.toLowerCase() === 'localhost')
    throw new Error('must be one address: say 127.0.0.1 or ::1 instead of localhost');
  return value;
}

export function url(protocols: readonly string[]): (value: string) => string {
  return (value) => {
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol))
      throw new Error(`must be a URL starting with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    return value.replace(/\/+$/, '');
  };
}

/** Reads the address of a gateway that gets a secret: https, or http on this machine. */
export function gatewayUrl(value: string): string {
  const read = URL.parse(value);
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

export function duration(value: string): Temporal.Duration {
  try {
    const read = Temporal.Duration.from(value);
    if (read.sign > 0) return read;
  } catch {
    // The error is thrown below.
  }
  throw new Error('must be an ISO 8601 duration such as P7D');
}

/** Reads addresses and ranges; the word `none` gives an empty list. */
export function addresses(value: string): readonly string[] {
  if (value.trim() === 'none') return [];
  return value.split(',').map((part) => {
    const [address = '', bits, ...rest] = part.trim().split('/');
    if (isIP(address) === 0 || rest.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits)))
      throw new Error(
        'must be IP addresses or ranges such as 10.0.0.0/8, separated by commas, or none',
      );
    return part.trim();
  });
}

/** Reads an email address, with a display name or without. */
export function mailbox(value: string): string {
  if (!/^([^<>"\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value.trim()))
    throw new Error('must be an address such as notices@example.com, or Name <address>');
  return value.trim();
}
