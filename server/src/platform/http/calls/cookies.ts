import type { FastifyRequest } from 'fastify';

/** Returns the cookies of a request, by name; of several by one name the first, which belongs to the longest path. */
export function cookiesOf({ headers }: Pick<FastifyRequest, 'headers'>): Map<string, string> {
  const pairs = (headers.cookie ?? '').split(';').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=');
    return at < 0 ? [] : [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()]];
  });
  return new Map(pairs.toReversed());
}

/** A cookie that scripts cannot read. */
export interface NewCookie {
  name: string;
  value: string;
  path: string;
  /** Lifetime in seconds; 0 deletes it. */
  seconds: number;
  sameSite: 'Lax' | 'Strict';
  /** Sent over https only. */
  secure: boolean;
}

/** Returns the `Set-Cookie` line of a cookie. */
export function setCookie({ name, value, path, seconds, sameSite, secure }: NewCookie): string {
  const line = `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}`;
  return secure ? `${line}; Secure` : line;
}
