import { type HTMLElement, parse } from 'node-html-parser';
import { request } from 'undici';
import { CookieJar } from './cookie-jar.ts';

const MAX_REDIRECTS = 15;
const TIMEOUT_MS = 30_000;
const MAX_LOGGED_TEXT = 200;

/** A page, or the address at which the browser stopped without loading it (`html` null). */
export interface Page {
  url: URL;
  status: number;
  html: HTMLElement | null;
}

/** A page is not what a customer would expect there; the message names the page and quotes it. */
export class UnexpectedPage extends Error {
  override readonly name = 'UnexpectedPage';

  constructor(page: Page, wanted: string) {
    super(
      `${page.url.host}${redactedPath(page.url)} (${page.status}) has no ${wanted}; it says: ${textOf(page)}`,
    );
  }
}

/** Returns a path with secrets hidden: it may contain a link's secret. */
const redactedPath = (url: URL): string => url.pathname.replace(/[\w-]{40,}/g, '…');

/** Returns a page's text in one line. */
function textOf(page: Page): string {
  const main = page.html?.querySelector('main') ?? page.html;
  const text = (main?.structuredText ?? '').replace(/\s+/g, ' ').trim();
  return text.length > MAX_LOGGED_TEXT ? `${text.slice(0, MAX_LOGGED_TEXT)}…` : text || 'nothing';
}

/** A browser without scripts: cookies, redirects and forms. It loads only from the given origins. */
export class Browser {
  readonly #cookies = new CookieJar();
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins.map((url) => new URL(url).origin));
  }

  /** Loads a page, following redirects; a fragment is kept, as in browsers. */
  open(url: string | URL): Promise<Page> {
    return this.#go('GET', new URL(url), null);
  }

  /** Sends the form whose action ends with `action`: its fields as they are, overridden by `values`. */
  send(page: Page, action: string, values: Record<string, string>): Promise<Page> {
    const form = page.html
      ?.querySelectorAll('form')
      .find((one) => new URL(one.getAttribute('action') ?? '', page.url).pathname.endsWith(action));
    if (form === undefined) throw new UnexpectedPage(page, `form ${action}`);
    const fields = fieldsOf(form);
    for (const [name, value] of Object.entries(values)) fields.set(name, value);
    const target = new URL(form.getAttribute('action') ?? '', page.url);
    return this.#go('POST', target, fields.toString());
  }

  async #go(method: 'GET' | 'POST', url: URL, form: string | null): Promise<Page> {
    let next = { method, url, form };
    for (let hop = 0; hop < MAX_REDIRECTS; hop++) {
      if (!this.#origins.has(next.url.origin)) return { url: next.url, status: 0, html: null };
      const answer = await this.#load(next.method, next.url, next.form);
      const { location } = answer.headers;
      const html = await answer.body.text();
      if (typeof location !== 'string' || answer.statusCode < 300 || answer.statusCode > 399)
        return { url: next.url, status: answer.statusCode, html: parse(html) };
      const target = new URL(location, next.url);
      if (target.hash === '') target.hash = next.url.hash;
      next = { method: 'GET', url: target, form: null };
    }
    throw new Error(`more than ${MAX_REDIRECTS} redirects from ${url.host}${redactedPath(url)}`);
  }

  async #load(method: 'GET' | 'POST', url: URL, form: string | null) {
    const answer = await request(url, {
      method,
      headers: {
        accept: 'text/html',
        'user-agent': 'Recollect sandbox customer',
        cookie: this.#cookies.header(url),
        ...(form !== null && {
          'content-type': 'application/x-www-form-urlencoded',
          origin: url.origin,
        }),
      },
      body: form,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    this.#cookies.keep(url, answer.headers['set-cookie']);
    return answer;
  }
}

/** Returns a form's fields with their initial values. */
function fieldsOf(form: HTMLElement): URLSearchParams {
  const fields = new URLSearchParams();
  for (const input of form.querySelectorAll('input, textarea')) {
    const name = input.getAttribute('name');
    const isChoice = ['radio', 'checkbox'].includes(input.getAttribute('type') ?? '');
    if (name === undefined || (isChoice && !input.hasAttribute('checked'))) continue;
    fields.append(name, input.getAttribute('value') ?? '');
  }
  return fields;
}
