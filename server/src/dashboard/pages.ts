import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Config } from '../platform/config.ts';
import { notFound } from '../platform/errors.ts';
import { keepNothing } from '../platform/http/mount.ts';

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

const NOT_BUILT = `<!doctype html><html lang="en-GB"><meta charset="utf-8"><title>Dashboard</title>
<h1>The dashboard is not built</h1><p>Run <code>npm run build</code>, then load this page again.</p></html>`;

const NO_PAGE = /^\/dashboard\/(api|auth|sandbox|assets)\//;
const FOR_EVER = 'public, max-age=31536000, immutable';
const ASK_AGAIN = 'no-cache';
const PLAIN = { schema: { hide: true } } as const;

/**
 * Serves the web app's files: one page for every address below `/dashboard`, because the app does its own routing, and assets
 * whose names change with their content.
 */
export async function addPages(app: FastifyInstance, config: Config): Promise<void> {
  const page = readPage(config);
  if (page !== null) await addFiles(app);
  await app.register(async (scope) => {
    keepNothing(scope);
    for (const path of ['/dashboard', '/dashboard/*'])
      scope.get(path, PLAIN, (request, reply) => {
        if (NO_PAGE.test(request.url)) throw notFound('endpoint');
        return sendApp(reply, page);
      });
  });
}

/** Serves every built file under its own address. */
async function addFiles(app: FastifyInstance): Promise<void> {
  await app.register(fastifyStatic, {
    root: BUILT,
    prefix: '/dashboard/',
    wildcard: false,
    index: false,
    globIgnore: ['index.html', '**/*.sha256'],
    cacheControl: false,
    preCompressed: true,
    schemaHide: true,
    setHeaders: (reply, path) =>
      void reply.header('cache-control', path.includes('/assets/') ? FOR_EVER : ASK_AGAIN),
  });
}

/** Returns the page, its links below the path of BASE_URL; null if it was never built. */
function readPage({ baseUrl }: Config): string | null {
  const file = `${BUILT}index.html`;
  if (!existsSync(file)) return null;
  const base = new URL(baseUrl).pathname.replace(/\/+$/, '');
  return readFileSync(file, 'utf8')
    .replaceAll('"./', `"${base}/dashboard/`)
    .replace('<html ', `<html data-base="${base}" `);
}

function sendApp(reply: FastifyReply, page: string | null): FastifyReply {
  return reply
    .code(page === null ? 503 : 200)
    .headers({ 'content-security-policy': POLICY, 'x-robots-tag': 'noindex, nofollow' })
    .type('text/html; charset=utf-8')
    .send(page ?? NOT_BUILT);
}
