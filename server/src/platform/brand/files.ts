import { createHash } from 'node:crypto';
import { html } from '../values/html.ts';
import { type Brand, DEFAULT_NAME, initialOf } from './brand.ts';
import type { Logo } from './logo.ts';
import { tokenSheet } from './tokens.ts';

/** A file that pages refer to. Its name changes with its content, so browsers may cache it forever. */
export interface Asset {
  file: string;
  type: string;
  body: string | Buffer;
}

/** Returns a file whose name has a hash of its content: "portal.css" → "portal-1f….css". */
export function assetOf(name: string, type: string, body: string | Buffer): Asset {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { file: name.replace('.', `-${hash}.`), type, body };
}

/** Returns the files in which a brand is served: its colours, its mark, which is the icon of the pages too, and its logo. */
export function brandFiles(brand: Brand): { tokens: Asset; icon: Asset; logo: Asset | null } {
  return {
    tokens: assetOf('tokens.css', 'text/css; charset=utf-8', tokenSheet(brand)),
    icon: assetOf('icon.svg', 'image/svg+xml; charset=utf-8', markOf(brand)),
    logo: brand.logo === null ? null : logoFile(brand.logo),
  };
}

/** Returns the file of a brand's logo. */
export const logoFile = (logo: Logo): Asset =>
  assetOf(logo.type === 'image/png' ? 'logo.png' : 'logo.jpg', logo.type, logo.bytes);

const ARROWS = `<path
d="M9.5 16a6.5 6.5 0 0 1 11.6-4M22.5 16a6.5 6.5 0 0 1-11.6 4M21.6 7.5V12h-4.5M10.4 24.5V20h4.5"
fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/>`;

/** Renders the mark: a letter on the brand's colour, or our arrows where the service has been given no name. */
function markOf({ name, colour }: Brand): string {
  const letter = html`<text x="16" y="22.5" text-anchor="middle" font-size="18" font-weight="600" fill="#fff"
font-family="system-ui, Segoe UI, Roboto, Arial, sans-serif">${initialOf(name)}</text>`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>${name}</title>
<rect width="32" height="32" rx="8" fill="${colour}"/>!${name === DEFAULT_NAME ? ARROWS : letter}</svg>
`;
}
