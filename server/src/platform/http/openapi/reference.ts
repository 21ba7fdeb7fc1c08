import { createHash } from 'node:crypto';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Config } from '../../config/config.ts';

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

/** Returns a policy that lets the page run its own scripts and call this service, and nothing else. */
function policyFor(page: string): string {
  const hashes = [...page.matchAll(INLINE_SCRIPT)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`.trimEnd(),
    "style-src 'self' 'unsafe-inline'", // the renderer writes its styles into the page
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Renders the page and serves the package's files; nothing comes from another host. */
async function makeReference({ brand, mode }: Config): Promise<FastifyInstance> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const app = Fastify();
  await app.register(reference, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: `${brand.name} API`,
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      hideTestRequestButton: mode !== 'sandbox',
      persistAuth: false,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
  await app.ready();
  return app;
}

/**
 * Serves the API reference at `/docs`, rendered from `/openapi.json`. Its package is loaded on the first visit: it takes a
 * quarter of a second, which would delay every start.
 */
export function addReference(app: FastifyInstance, config: Config): void {
  let made: Promise<FastifyInstance> | null = null;
  for (const path of ['/docs', '/docs/*'])
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      made ??= makeReference(config);
      const answer = await (await made).inject({ url: request.url });
      const { 'content-type': type, location } = answer.headers;
      if (location !== undefined) reply.header('location', location);
      // A redirect has no body, whose type would otherwise be guessed.
      reply.type(type ?? 'text/html; charset=utf-8');
      if (type?.startsWith('text/html') === true)
        reply.header('content-security-policy', policyFor(answer.body));
      return reply.code(answer.statusCode).send(answer.rawPayload);
    });
}
