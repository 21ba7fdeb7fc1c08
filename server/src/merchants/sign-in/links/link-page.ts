import type { FastifyReply } from 'fastify';
import type { Brand } from '../../../platform/brand/brand.ts';

const POLICY = [
  "default-src 'none'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HTML_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (c) => HTML_ESCAPES[c] ?? c);

/**
 * Sends the page behind a sign-in link. Opening the page does not use up the link, because messengers and mail scanners open
 * links for previews. The button does.
 */
export function sendLinkPage(
  reply: FastifyReply,
  { action, token, brand }: { action: string; token: string; brand: Brand },
): FastifyReply {
  const html = `<!doctype html>
<html lang="en-GB">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>Sign in to ${escaped(brand.name)}</title></head>
<body><main>
<h1>Sign in to ${escaped(brand.name)}</h1>
<p>This link signs you in once.</p>
<form method="post" action="${escaped(action)}">
<input type="hidden" name="token" value="${escaped(token)}">
<button autofocus>Sign in</button>
</form>
</main></body>
</html>
`;
  return reply
    .headers({
      'content-security-policy': POLICY,
      // The form sends its origin, to us alone.
      'referrer-policy': 'same-origin',
      'x-robots-tag': 'noindex, nofollow',
    })
    .type('text/html; charset=utf-8')
    .send(html);
}
