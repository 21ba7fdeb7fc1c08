import assert from 'node:assert/strict';
import { request } from 'undici';

/** The response to a page's request. */
export interface PageAnswer {
  status: number;
  body: Record<string, unknown>;
}

let visitors = 0;

/**
 * A browser on the dashboard of a running service: keeps its cookies, and has an address of its own if the service trusts this
 * machine as a proxy (`TRUST_PROXY=127.0.0.1`).
 */
export class DashboardVisitor {
  readonly #baseUrl: string;
  readonly #cookies = new Map<string, string>();
  readonly #address = `192.0.2.${++visitors % 250}`;
  /** The merchant whose pages are open. */
  merchantId: string | null = null;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** Calls an address below `/dashboard` as its pages do. */
  async call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<PageAnswer> {
    const answer = await request(`${this.#baseUrl}/dashboard${path}`, {
      method,
      headers: {
        'sec-fetch-site': 'same-origin',
        origin: this.#baseUrl,
        'x-forwarded-for': this.#address,
        cookie: [...this.#cookies].map((pair) => pair.join('=')).join('; '),
        ...(this.merchantId === null ? {} : { 'x-recollect-merchant': this.merchantId }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) this.#keep(line);
    const text = await answer.body.text();
    const parsed = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : {};
    return { status: answer.statusCode, body: parsed as Record<string, unknown> };
  }

  /** Opens an address below `/dashboard` that redirects; returns where to. */
  async follow(path: string, site = 'same-origin'): Promise<string> {
    const answer = await request(`${this.#baseUrl}/dashboard${path}`, {
      headers: {
        'sec-fetch-site': site,
        'x-forwarded-for': this.#address,
        cookie: [...this.#cookies].map((pair) => pair.join('=')).join('; '),
      },
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) this.#keep(line);
    assert.equal(answer.statusCode, 303, await answer.body.text());
    return String(answer.headers.location);
  }

  /** Takes over the session of another browser, as who has stolen that one cookie. */
  stealSession(other: DashboardVisitor): void {
    for (const [name, value] of other.#cookies)
      if (name.endsWith('session_token')) this.#cookies.set(name, value);
  }

  #keep(line: string): void {
    const [pair = ''] = line.split(';');
    const [name = '', value = ''] = pair.split('=');
    if (value === '' || /Max-Age=0/i.test(line)) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }

  /** Sets a password with a password link, and is signed in. */
  async setPassword(url: string, password: string): Promise<PageAnswer> {
    const token = new URL(url).searchParams.get('token') ?? '';
    return this.call('POST', '/auth/password', { token, password });
  }

  signIn(email: string, password: string): Promise<PageAnswer> {
    return this.call('POST', '/auth/sign-in/email', { email, password });
  }

  /** Proves for five minutes, as somebody without a second factor, who is in front of the browser. */
  async prove(password: string): Promise<void> {
    const { status, body } = await this.call('POST', '/auth/prove', { password });
    assert.equal(status, 200, JSON.stringify(body));
  }

  /** Accepts an invitation with its link. */
  async join(url: string, body: object): Promise<PageAnswer> {
    const token = new URL(url).searchParams.get('token') ?? '';
    return this.call('POST', '/auth/invitation', { token, ...body });
  }

  /** Returns the merchants that this visitor works for, or null if not signed in. */
  async teams(): Promise<string[] | null> {
    const { status, body } = await this.call('GET', '/api/me');
    if (status === 401) return null;
    if (status === 403) return [];
    assert.equal(status, 200, JSON.stringify(body));
    return (body.merchants as { id: string }[]).map(({ id }) => id).sort();
  }
}

/** Returns the code, message and details of a refusal. */
export function refusalOf({ status, body }: PageAnswer): {
  status: number;
  code: string | undefined;
  message: string;
  details: Record<string, string>;
} {
  const { code, message = '', details = {} } = Object(body.error);
  return { status, code, message, details };
}
