import type { FastifyInstance } from 'fastify';
import type { Config } from '../../platform/config/config.ts';
import { html } from '../../platform/values/html.ts';
import { STYLE } from './style.ts';

/** What stands at the service's address: where each reader goes on. */
const START_LINKS = [
  ['/dashboard', 'Dashboard', 'for your team: schedules, payments, settlements, API keys'],
  ['/docs/guides', 'Guides', 'your first collection in five minutes, every failure, going live'],
  ['/docs', 'API reference', 'for your developers: every endpoint and webhook'],
  ['/openapi.json', 'OpenAPI document', 'to generate a client in any language'],
  ['/postman.json', 'Postman collection', 'to import and try every call'],
] as const;

function startPage({ baseUrl, mode, brand }: Config): string {
  const root = baseUrl.replace(/\/+$/, '');
  const where = mode === 'sandbox' ? 'This is a sandbox: no real money moves.' : '';
  return html`<!doctype html>
<html lang="en-GB">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${brand.name}</title>
<style>!${STYLE}</style>
<main>
<h1>${brand.name}</h1>
<p>Recurring collections over open banking. ${where}</p>
<dl>
!${START_LINKS.map(([path, name, what]) => html`<dt><a href="${root}${path}">${name}</a></dt><dd>${what}</dd>`)}
</dl>
<p>API calls go to <code>${root}/api/v1</code>.</p>
</main>
</html>`;
}

/** Serves the page at `/`, which links to the dashboard, the API reference and the OpenAPI document. */
export function addStartPage(app: FastifyInstance, config: Config): void {
  const page = startPage(config);
  app.get('/', { schema: { hide: true } }, (_request, reply) =>
    reply
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
      .type('text/html; charset=utf-8')
      .send(page),
  );
}
