import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../platform/config.ts';

/** Where the forms of a page lead: nowhere, to us, or through us to a bank or back to the merchant. */
export type FormsLead = 'nowhere' | 'here' | 'away';

/** A page as it is sent. */
export interface Sent {
  html: string;
  status?: number;
  forms?: FormsLead;
  script?: boolean;
}

/**
 * Browsers hold `form-action` against every redirect that follows a form, and banks redirect onwards to
 * hosts that nobody can list: so a form that leads away may end at any https address (in the sandbox at
 * http ones too).
 */
function formAction(forms: FormsLead, mode: Config['mode']): string {
  if (forms === 'nowhere') return "'none'";
  if (forms === 'here') return "'self'";
  return mode === 'live' ? "'self' https:" : "'self' https: http:";
}

function policyOf({ forms = 'nowhere', script = false }: Sent, mode: Config['mode']): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(script ? ["script-src 'self'"] : []),
    `form-action ${formAction(forms, mode)}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Sends a page, never to be kept by anybody. */
export function sendPage(reply: FastifyReply, config: Config, page: Sent): FastifyReply {
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

/** Sends the browser on, with GET. */
export function sendOn(reply: FastifyReply, url: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(url, 303);
}

/**
 * Whether a form was sent by a page of another site. The link's secret already protects the customer;
 * this is the second lock. Old browsers say nothing, or only where the page came from.
 */
export function isFromElsewhere({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (typeof site === 'string') return site !== 'same-origin' && site !== 'none';
  const { origin } = headers;
  if (origin === undefined || origin === 'null') return false; // 'null': our pages send no referrer
  return !URL.canParse(origin) || new URL(origin).host !== host;
}

/** A field of a form; empty where it is missing or came twice. */
export function field(body: unknown, name: string): string {
  const value = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
  return typeof value === 'string' ? value : '';
}
