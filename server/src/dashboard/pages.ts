import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Brand } from '../platform/brand/brand.ts';
import { type Asset, brandFiles } from '../platform/brand/files.ts';
import type { Config } from '../platform/config/config.ts';
import { forbidCaching } from '../platform/http/mount.ts';
import { notFound } from '../platform/values/errors.ts';
import { html } from '../platform/values/html.ts';

/** The build folder of the web app: `npm ci` builds it, and `npm start` if it is missing or outdated. */
const BUILT = fileURLToPath(new URL('../../../dashboard/dist/', import.meta.url));

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const NOT_BUILT = `<!doctype html><html lang="en-GB"><meta charset="utf-8"><title>Not built</title>
<h1>The pages are not built</h1><p>Run <code>npm run build</code>, then load this page again.</p></html>`;

const FOR_EVER = 'public, max-age=31536000, immutable';
const REVALIDATE = 'no-cache';
/** A file whose name does not change with its content. */
const BESIDE_ASSETS = 'appearance.js';
/** The files of the brand by the names that the page has for them, where it is served by its own tools. */
const BRAND_NAMES = { tokens: 'tokens.css', icon: 'icon.svg' } as const;
const PLAIN = { schema: { hide: true } } as const;

/** One of the web apps of the build. */
interface WebApp {
  page: 'index.html' | 'console.html';
  /** Where it lies: `/dashboard`. */
  path: string;
  /** The path of the service's public address, which stands before it in the page's links. */
  base: string;
  brand: Brand;
  /** Addresses below its path that are no pages of it. */
  notPages: RegExp;
}

/** Serves the merchants' dashboard. */
export async function addPages(app: FastifyInstance, { baseUrl, brand }: Config): Promise<void> {
  await addWebApp(app, {
    page: 'index.html',
    path: '/dashboard',
    base: new URL(baseUrl).pathname.replace(/\/+$/, ''),
    brand,
    notPages: /^\/dashboard\/(api|auth|sandbox|assets)\//,
  });
}

/**
 * Serves a web app's files: one page for every address below its path, because the app does its own routing, and assets whose
 * names change with their content.
 */
export async function addWebApp(app: FastifyInstance, web: WebApp): Promise<void> {
  const page = readPage(web);
  if (page !== null) await addFiles(app, web.path);
  addBrand(app, web);
  await app.register(async (scope) => {
    forbidCaching(scope);
    for (const path of [web.path, `${web.path}/*`])
      scope.get(path, PLAIN, (request, reply) => {
        if (web.notPages.test(request.url)) throw notFound('endpoint');
        return sendApp(reply, page);
      });
  });
}

/** Serves the built files: the assets by one route for all of them, which a start adds sooner than one for each. */
async function addFiles(app: FastifyInstance, path: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: `${BUILT}assets`,
    prefix: `${path}/assets/`,
    index: false,
    cacheControl: false,
    preCompressed: true,
    schemaHide: true,
    setHeaders: (reply, file) =>
      void reply.header('cache-control', file.includes('/assets/') ? FOR_EVER : REVALIDATE),
  });
  app.get(`${path}/${BESIDE_ASSETS}`, PLAIN, (_request, reply) =>
    reply.sendFile(BESIDE_ASSETS, BUILT),
  );
}

/** Serves the brand's files, each under a name of its content, and under the name that the page has for it. */
function addBrand(app: FastifyInstance, { path, brand }: WebApp): void {
  const { logo, ...files } = brandFiles(brand);
  const add = (name: string, { type, body }: Asset, cache: string) =>
    app.get(`${path}/${name}`, PLAIN, (_request, reply) =>
      reply.header('cache-control', cache).type(type).send(body),
    );
  for (const asset of [...Object.values(files), ...(logo === null ? [] : [logo])])
    add(asset.file, asset, FOR_EVER);
  for (const name of ['tokens', 'icon'] as const) add(BRAND_NAMES[name], files[name], REVALIDATE);
}

/** Returns the page with the brand, its links below its path; null if it was never built. */
function readPage({ page, path, base, brand }: WebApp): string | null {
  const file = `${BUILT}${page}`;
  if (!existsSync(file)) return null;
  const { tokens, icon, logo } = brandFiles(brand);
  const at = `${base}${path}`;
  const data = html`data-base="${base}" data-brand="${brand.name}" data-colour="${brand.colour}"
data-icon="${at}/${icon.file}" data-logo="${logo && `${at}/${logo.file}`}" data-support="${brand.supportEmail}"`;
  return readFileSync(file, 'utf8')
    .replaceAll(`"./${BRAND_NAMES.tokens}`, `"./${tokens.file}`)
    .replaceAll(`"./${BRAND_NAMES.icon}`, `"./${icon.file}`)
    .replaceAll('"./', `"${at}/`)
    .replace(/(?<=<title>.*)Recollect(?=<)/, () => html`${brand.name}`)
    .replace('<html ', () => `<html ${data} `);
}

function sendApp(reply: FastifyReply, page: string | null): FastifyReply {
  return reply
    .code(page === null ? 503 : 200)
    .headers({ 'content-security-policy': POLICY, 'x-robots-tag': 'noindex, nofollow' })
    .type('text/html; charset=utf-8')
    .send(page ?? NOT_BUILT);
}
