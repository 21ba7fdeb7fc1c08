interface Cookie {
  host: string;
  path: string;
  name: string;
  value: string;
}

/** Cookies by host, path and name, as far as the sandbox's own pages use them. */
export class CookieJar {
  #cookies: Cookie[] = [];

  /** Stores the `set-cookie` headers of a response; an expired cookie is removed. */
  keep(url: URL, headers: string | string[] | undefined): void {
    for (const line of [headers ?? []].flat()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const at = pair.indexOf('=');
      const cookie = {
        host: url.hostname,
        path: attributeOf(attributes, 'path') ?? '/',
        name: pair.slice(0, at),
        value: pair.slice(at + 1),
      };
      this.#cookies = this.#cookies.filter((one) => !isSame(one, cookie));
      if (!hasEnded(attributes) && at > 0) this.#cookies.push(cookie);
    }
  }

  /** Returns the `cookie` header for an address; the longest path first. */
  header(url: URL): string {
    return this.#cookies
      .filter(({ host, path }) => host === url.hostname && isUnder(url.pathname, path))
      .sort((a, b) => b.path.length - a.path.length)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }
}

function isSame(a: Cookie, b: Cookie): boolean {
  return a.host === b.host && a.path === b.path && a.name === b.name;
}

function isUnder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function attributeOf(attributes: readonly string[], name: string): string | undefined {
  const found = attributes.find((one) => one.toLowerCase().startsWith(`${name}=`));
  return found?.slice(name.length + 1);
}

function hasEnded(attributes: readonly string[]): boolean {
  const maxAge = attributeOf(attributes, 'max-age');
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  const expires = attributeOf(attributes, 'expires');
  return expires !== undefined && /\b19\d\d\b/.test(expires);
}
