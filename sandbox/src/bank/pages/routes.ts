import { readFileSync } from 'node:fs';
import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import type { Bank, BankDeps } from '../bank.ts';
import { returnOrigins } from '../parties/third-parties.ts';
import { registerApp } from './app.ts';
import { registerAuthorisation } from './authorise.ts';
import { html } from './html.ts';
import { document, icon, mark, SCRIPT, STYLE_SHEETS } from './layout.ts';

/** Registers all pages, and the directory of the banks. */
export async function registerPages(app: FastifyInstance, deps: BankDeps): Promise<void> {
  await app.register(formbody);
  app.addHook('onSend', async (_request, reply, payload) => {
    const isPage = typeof payload === 'string' && payload.startsWith('<!doctype html>');
    if (isPage) {
      const isScripted = payload.includes('<script src="/assets/');
      reply.type('text/html; charset=utf-8');
      const policy = contentPolicy(deps);
      reply.header('content-security-policy', isScripted ? `${policy}; ${SCRIPTED}` : policy);
    }
    reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer');
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    return payload;
  });
  for (const name of STYLE_SHEETS) addAsset(app, name, 'text/css');
  addAsset(app, SCRIPT, 'text/javascript');
  app.get('/banks', async () => [...deps.banks.values()].map((bank) => listing(deps, bank)));
  app.get('/', async (_request, reply) => reply.send(indexPage(deps)));
  registerAuthorisation(app, deps);
  registerApp(app, deps);
}

function addAsset(app: FastifyInstance, name: string, type: string): void {
  const text = readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');
  app.get(`/assets/${name}`, async (_request, reply) =>
    reply.type(`${type}; charset=utf-8`).header('cache-control', 'max-age=300').send(text),
  );
}

/** Only our own script runs, and it may call only our own server. */
const SCRIPTED = "script-src 'self'; connect-src 'self'";

/**
 * Returns the content security policy. It allows forms to redirect to the third party, since browsers check redirects after a
 * form too.
 */
function contentPolicy(deps: BankDeps): string {
  const origins = returnOrigins(deps);
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    `form-action 'self' ${[...origins].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/** Returns what a directory would publish about a bank. */
function listing(deps: BankDeps, bank: Bank): object {
  const { bankId, name, sortCode, summary, contract, profile } = bank.brand;
  const isKnownByKey = deps.config.tpp.tls_client_auth_subject_dn === undefined;
  return {
    bank_id: bankId,
    name,
    summary,
    issuer: bank.issuer,
    resource_base: bank.resourceBase,
    org_id: deps.config.org_id,
    jwks_uri: `${bank.issuer}/jwks`,
    sort_code: sortCode,
    app_url: `${deps.config.public_pages_url}/${bankId}/app`,
    periods: contract.periods,
    token_auth: profile.tokenAuth ?? (isKnownByKey ? 'private_key_jwt' : 'tls_client_auth'),
  };
}

function indexPage(deps: BankDeps): string {
  const links = [...deps.banks.values()].map(
    ({ brand }) =>
      html`
<li class="brand-${brand.bankId}"><a href="/${brand.bankId}/app">!${mark(brand)}
  <span class="who">${brand.name}<small>${brand.summary}</small></span>!${icon('next')}
</a></li>`,
  );
  const content = html`
<main>
  <div class="intro">
    <h1>Sandbox banks</h1>
    <p>Log in as a customer to see balances, payments and permissions.</p>
  </div>
  <ul class="card list">!${links.join('')}</ul>
</main>`;
  return document('Sandbox banks', '', content);
}
