import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { html } from 'ghtml';
import type { Config } from '../../platform/config/config.ts';
import { notFound } from '../../platform/values/errors.ts';
import { renderMarkdown } from './markdown.ts';
import { STYLE } from './style.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const SDK = 'sdk/README.md';

/** The guides in the order in which they are read; what is not named here is listed by its folder. */
const GUIDES = [
  'first-collection',
  'merchants',
  'moving-in',
  'test-every-failure',
  'dashboard',
  'go-live',
  'install-in-production',
  'operators',
  'runbook',
];

interface Page {
  /** The address, without the base path: `/docs/guides/merchants`. */
  path: string;
  /** Relative to the project. */
  file: string;
}

/** Finds the documents that are served: all of `docs`, and the README of the client. */
function findPages(): Page[] {
  const files = globSync('docs/**/*.md', { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'));
  const all = existsSync(`${ROOT}${SDK}`) ? [...files, SDK] : files;
  return all.sort().map((file) => ({ path: pathOf(file), file }));
}

/** The address of a document: `docs/rules/README.md` is `/docs/rules`, the README of the client `/docs/sdk`. */
function pathOf(file: string): string {
  const path = `/${file.replace(/(\/README)?\.md$/, '')}`;
  return file === SDK ? '/docs/sdk' : path;
}

const read = ({ file }: Page): string => readFileSync(`${ROOT}${file}`, 'utf8');

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? 'Recollect';
}

/** Returns where a link in a document leads: to another document's page, a heading, an image or another host. */
function leadFrom(page: Page, pages: readonly Page[], base: string) {
  return (href: string): string | null => {
    if (/^https?:/.test(href)) return href;
    const [file = '', fragment] = href.split('#');
    const end = fragment === undefined ? '' : `#${fragment}`;
    if (file === '') return end;
    const target = posix.join(posix.dirname(page.file), file);
    if (/^docs\/images\/[\w/-]+\.(png|svg)$/.test(target)) return `${base}/${target}`;
    const found = pages.find((one) => one.file === target || one.file === `${target}/README.md`);
    return found === undefined ? null : `${base}${found.path}${end}`;
  };
}

const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const NAVIGATION_LINKS = [
  ['/docs/guides', 'Guides'],
  ['/docs', 'API reference'],
  ['/docs/errors', 'Error codes'],
  ['/docs/sdk', 'SDK'],
  ['/dashboard', 'Dashboard'],
] as const;

function documentOf(title: string, content: string, base: string): string {
  const links = NAVIGATION_LINKS.map(([path, name]) => html`<a href="${base}${path}">${name}</a> `);
  return html`<!doctype html>
<html lang="en-GB">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Recollect</title>
<style>!${STYLE}</style>
<header><nav aria-label="Documentation">!${links}</nav></header>
<main>
!${content}
</main>
</html>`;
}

function rankOf({ file }: Page): number {
  const rank = GUIDES.findIndex((name) => file === `docs/guides/${name}.md`);
  return rank < 0 ? GUIDES.length : rank;
}

/** The pages of a folder, the guides first to last. */
function pagesIn(folder: string, pages: readonly Page[]): Page[] {
  const own = pages.filter(({ file }) => posix.dirname(file) === folder);
  return own.sort((a, b) => rankOf(a) - rankOf(b));
}

function indexOf(title: string, folder: string, pages: readonly Page[], base: string): string {
  const items = pagesIn(folder, pages).map(
    (page) => html`<li><a href="${base}${page.path}">${titleOf(read(page))}</a></li>`,
  );
  return documentOf(title, html`<h1>${title}</h1><ul>!${items}</ul>`, base);
}

/** What a language model is given to read: each document with its address, as https://llmstxt.org describes. */
function llmsText(pages: readonly Page[], root: string): string {
  const line = (page: Page): string => `- [${titleOf(read(page))}](${root}${page.path}.md)`;
  const section = (title: string, folder: string): string[] => [
    `## ${title}`,
    '',
    ...pagesIn(folder, pages).map(line),
    '',
  ];
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
    ...section('Guides', 'docs/guides'),
    ...section('Operators’ reference', 'docs/reference'),
    ...section('Rules', 'docs/rules'),
    ...section('Error codes', 'docs/errors'),
  ].join('\n');
}

interface Sent {
  type: string;
  text: string;
}

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

/** Returns the function that finds what is sent for a path; null: nothing. */
function makeFinder(pages: readonly Page[], base: string): (path: string) => Sent | null {
  const indexes: Readonly<Record<string, readonly [title: string, folder: string]>> = {
    '/docs/guides': ['Guides', 'docs/guides'],
    '/docs/reference': ['Operators’ reference', 'docs/reference'],
    '/docs/errors': ['Error codes', 'docs/errors'],
    '/docs/decisions': ['Decisions', 'docs/decisions'],
  };
  return (path) => {
    const page = pages.find((one) => one.path === path || `${one.path}.md` === path);
    if (page !== undefined) {
      const text = read(page);
      if (path.endsWith('.md')) return { type: MARKDOWN, text };
      const content = renderMarkdown(text, leadFrom(page, pages, base));
      return { type: HTML, text: documentOf(titleOf(text), content, base) };
    }
    const index = Object.hasOwn(indexes, path) ? indexes[path] : undefined;
    return index === undefined ? null : { type: HTML, text: indexOf(...index, pages, base) };
  };
}

/** One route for each folder, so that the reference keeps the other paths below `/docs`. */
const FOLDERS = ['guides', 'reference', 'rules', 'errors', 'decisions'];

function routesOf(pages: readonly Page[]): string[] {
  const inFolders = FOLDERS.flatMap((name) => [
    `/docs/${name}`,
    `/docs/${name}.md`,
    `/docs/${name}/:page`,
  ]);
  const single = pages.filter(
    ({ path }) => path.split('/').length === 3 && !inFolders.includes(path),
  );
  return [...inFolders, ...single.flatMap(({ path }) => [path, `${path}.md`])];
}

/**
 * Serves the documents below `/docs`, beside the API reference: rendered, and as Markdown where `.md` is added; and their list
 * for language models at `/llms.txt`. Nothing comes from another host.
 */
export function addDocPages(app: FastifyInstance, { baseUrl }: Config): void {
  const pages = findPages();
  const find = makeFinder(pages, new URL(baseUrl).pathname.replace(/\/+$/, ''));
  const plain = { schema: { hide: true } } as const;
  for (const path of routesOf(pages))
    app.get(path, plain, (request, reply) => {
      const sent = find(request.url.split('?', 1)[0] ?? '');
      if (sent === null) throw notFound('page');
      return reply.header('content-security-policy', POLICY).type(sent.type).send(sent.text);
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
