import { existsSync, readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../platform/config/config.ts';
import { notFound } from '../../platform/values/errors.ts';
import { html } from '../../platform/values/html.ts';
import { renderMarkdown } from './markdown.ts';
import { findPages, groupsOf, type Page, ROOT, resolveLink, titleOf } from './pages.ts';
import { makeSearch } from './search.ts';
import { STYLE } from './style.ts';

const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const NAVIGATION_LINKS = [
  ['/docs/guides', 'Guides'],
  ['/docs', 'API reference'],
  ['/docs/errors', 'Error codes'],
  ['/docs/sdk', 'SDK'],
  ['/dashboard', 'Dashboard'],
] as const;

/** Of what is searched for. */
const MOST_LETTERS = 100;

/** The frame of every page of the documentation. */
interface Frame {
  base: string;
  /** The name of the service. */
  name: string;
}

function documentOf(title: string, content: string, { base, name }: Frame, words = ''): string {
  const links = NAVIGATION_LINKS.map(
    ([path, label]) => html`<a href="${base}${path}">${label}</a> `,
  );
  return html`<!doctype html>
<html lang="en-GB">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title.startsWith(name) ? title : `${title} · ${name}`}</title>
<style>!${STYLE}</style>
<header><nav aria-label="Documentation">!${links}
<form action="${base}/docs/search" role="search"><input type="search" name="q" value="${words}" maxlength="${MOST_LETTERS}"
placeholder="Search" aria-label="Search the documentation"></form></nav></header>
<main>
!${content}
</main>
</html>`;
}

/** What a language model is given to read: each document with its address, as https://llmstxt.org describes. */
function llmsText(pages: readonly Page[], root: string): string {
  const line = (page: Page): string => `- [${titleOf(page)}](${root}${page.path}.md)`;
  return [
    '# Recollect',
    '',
    '> Recurring collections over open banking: a merchant creates a schedule, the customer agrees once in their bank’s app, and every',
    '> later collection is automatic, retried when it fails, and paid out on the next business day.',
    '',
    '## API',
    '',
    `- [OpenAPI document](${root}/openapi.json)`,
    `- [Postman collection](${root}/postman.json)`,
    `- [TypeScript client](${root}/docs/sdk.md)`,
    '',
    ...groupsOf(pages).flatMap(({ title, pages: own }) => [
      `## ${title}`,
      '',
      ...own.map(line),
      '',
    ]),
  ].join('\n');
}

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

/** One route for each folder, so that the reference keeps the other paths below `/docs`. */
function routesOf(pages: readonly Page[]): string[] {
  const routes = pages.flatMap(({ path }) => {
    const folder = path.split('/').slice(0, -1).join('/');
    return folder === '/docs' ? [path, `${path}.md`] : [`${folder}/:page`];
  });
  return [...new Set(routes)];
}

/**
 * Serves the documents below `/docs`, beside the API reference: rendered, and as Markdown where `.md` is added; and their list
 * for language models at `/llms.txt`. Nothing comes from another host.
 */
export function addDocPages(app: FastifyInstance, { baseUrl, brand: { name } }: Config): void {
  const pages = findPages();
  const base = new URL(baseUrl).pathname.replace(/\/+$/, '');
  const search = makeSearch(pages);
  const plain = { schema: { hide: true } } as const;
  for (const route of routesOf(pages))
    app.get(route, plain, (request, reply) => {
      const path = request.url.split('?', 1)[0] ?? '';
      const page = pages.find((one) => one.path === path || `${one.path}.md` === path);
      if (page === undefined) throw notFound('page');
      if (path !== page.path) return reply.type(MARKDOWN).send(page.read());
      const content = renderMarkdown(page.read(), (href) => {
        const to = resolveLink(page, pages, href);
        return to?.startsWith('/') ? `${base}${to}` : to;
      });
      const text = documentOf(titleOf(page), content, { base, name });
      return reply.header('content-security-policy', POLICY).type(HTML).send(text);
    });
  app.get('/docs/search', plain, async ({ url }, reply) => {
    const words = new URL(url, baseUrl).searchParams.get('q')?.slice(0, MOST_LETTERS) ?? '';
    const found = (await search(words)).map(
      ({ path, title, heading }) =>
        html`<li><a href="${base}${path}">${title}${heading === title ? '' : ` › ${heading}`}</a></li>`,
    );
    const none = 'Nothing found. Try fewer words.';
    const list = found.length === 0 ? html`<p>${none}</p>` : html`<ul>!${found}</ul>`;
    const page = documentOf('Search', html`<h1>Search</h1>!${list}`, { base, name }, words);
    return reply.header('content-security-policy', POLICY).type(HTML).send(page);
  });
  app.get('/llms.txt', plain, (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(llmsText(pages, baseUrl.replace(/\/+$/, ''))),
  );
  app.get<{ Params: { '*': string } }>('/docs/images/*', plain, (request, reply) => {
    const name = request.params['*'];
    const file = `${ROOT}docs/images/${name}`;
    if (!/^[\w/-]+\.(png|svg)$/.test(name) || !existsSync(file)) throw notFound('image');
    const type = name.endsWith('.svg') ? 'image/svg+xml' : 'image/png';
    return reply.type(type).send(readFileSync(file));
  });
}
