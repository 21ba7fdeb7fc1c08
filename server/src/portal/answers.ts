import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../platform/config/config.ts';

/** The targets of a page's forms: none, us, or through us to a bank or back to the merchant. */
export type FormsLead = 'nowhere' | 'here' | 'away';

/** A page to send. */
export interface PageToSend {
  html: string;
  status?: number;
  forms?: FormsLead;
  /** The page runs a script of ours; `follow`: one that asks for what happens elsewhere. */
  script?: 'callback' | 'follow' | undefined;
}

/**
 * Returns the `form-action` policy. Browsers apply it to every redirect that follows a form, and banks redirect onwards to hosts
 * that cannot be listed. So a form that leads away may end at any https address (in the sandbox also http).
 */
function formAction(forms: FormsLead, mode: Config['mode']): string {
  if (forms === 'nowhere') return "'none'";
  if (forms === 'here') return "'self'";
  return mode === 'live' ? "'self' https:" : "'self' https: http:";
}

function policyOf({ forms = 'nowhere', script }: PageToSend, mode: Config['mode']): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(script === undefined ? [] : ["script-src 'self'"]),
    ...(script === 'follow' ? ["connect-src 'self'"] : []),
    `form-action ${formAction(forms, mode)}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Sends a page that must not be cached. */
export function sendPage(reply: FastifyReply, config: Config, page: PageToSend): FastifyReply {
  return reply
    .code(page.status ?? 200)
    .headers({
      'content-security-policy': policyOf(page, config.mode),
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
    })
    .type('text/html; charset=utf-8')
    .send(page.html);
}

/** Redirects the browser, with GET. */
export function sendOn(reply: FastifyReply, url: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(url, 303);
}

/**
 * Whether a form was sent by a page of another site. The link's secret already protects the customer; this is a second safeguard.
 * Old browsers send nothing, or only the page's origin.
 */
export function isFromElsewhere({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (typeof site === 'string') return site !== 'same-origin' && site !== 'none';
  const { origin } = headers;
  if (origin === undefined || origin === 'null') return false; // 'null': our pages send no referrer
  return !URL.canParse(origin) || new URL(origin).host !== host;
}

/** Returns a field of a form; empty if it is missing or repeated. */
export function field(body: unknown, name: string): string {
  const value = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
  return typeof value === 'string' ? value : '';
}
