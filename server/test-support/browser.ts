import { request } from 'undici';

const MAX_REDIRECTS = 15;

/** A page as a customer's browser received it. */
export interface Page {
  url: string;
  html: string;
}

interface Form {
  action: string;
  method: string;
  /** Fields with their initial values; of a group of choices, the first. */
  fields: Map<string, string>;
  buttons: { name: string; value: string; label: string }[];
}

/** A browser without scripts: cookies, redirects and forms. Stops when the bank sends the customer back to us. */
export class Browser {
  readonly #cookies = new Map<string, string>();
  readonly #home: string;

  /** `home` is the address at which the journey ends; it is never loaded. */
  constructor(home: string) {
    this.#home = home;
  }

  /** Follows redirects; a page whose address is below `home` has no text. */
  async open(url: string): Promise<Page> {
    return this.#go('GET', url);
  }

  /** Fills in the form that has a button with this label (or the only form), and presses the button. */
  async press(page: Page, label: RegExp, values: Record<string, string> = {}): Promise<Page> {
    const forms = formsOf(page.html);
    for (const form of forms) {
      const button = form.buttons.find((candidate) => label.test(candidate.label));
      if (!button) continue;
      const fields = new URLSearchParams([...form.fields]);
      for (const [name, value] of Object.entries(values)) fields.set(name, value);
      if (button.name) fields.set(button.name, button.value);
      return this.#go(form.method, new URL(form.action, page.url).href, fields.toString());
    }
    throw new Error(`no button ${label} on ${page.url}: ${page.html.slice(0, 2000)}`);
  }

  async #go(method: string, url: string, form?: string): Promise<Page> {
    let next = { method, url, form };
    for (let hop = 0; hop < MAX_REDIRECTS; hop += 1) {
      if (next.url.startsWith(this.#home)) return { url: next.url, html: '' };
      const answer = await request(next.url, {
        method: next.method === 'POST' ? 'POST' : 'GET',
        headers: {
          cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          accept: 'text/html',
          ...(next.form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        body: next.form ?? null,
      });
      this.#keep(answer.headers['set-cookie']);
      const html = await answer.body.text();
      const location = answer.headers.location;
      if (typeof location !== 'string') return { url: next.url, html };
      next = { method: 'GET', url: new URL(location, next.url).href, form: undefined };
    }
    throw new Error(`too many redirects from ${url}`);
  }

  #keep(setCookie: string | string[] | undefined): void {
    for (const line of [setCookie ?? []].flat()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      if (value === '' || /expires=thu, 01 jan 1970/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }
}

function formsOf(html: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)].map(
    ([, head = '', inner = '']) => {
      const fields = new Map<string, string>();
      for (const [, input = ''] of inner.matchAll(/<input\b([^>]*)>/gi)) {
        const name = attribute(input, 'name');
        const isFirst = !fields.has(name) || /\schecked\b/i.test(input);
        if (name && isFirst) fields.set(name, attribute(input, 'value'));
      }
      const buttons = [...inner.matchAll(/<button\b([^>]*)>([\s\S]*?)<\/button>/gi)].map(
        ([, tag = '', label = '']) => ({
          name: attribute(tag, 'name'),
          value: attribute(tag, 'value'),
          label: label.replaceAll(/<[^>]*>/g, '').trim(),
        }),
      );
      return {
        action: attribute(head, 'action'),
        method: attribute(head, 'method').toUpperCase() || 'GET',
        fields,
        buttons,
      };
    },
  );
}

function attribute(tag: string, name: string): string {
  const [, value = ''] = new RegExp(`\\b${name}="([^"]*)"`, 'i').exec(tag) ?? [];
  return value.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'");
}
