import type { Brand } from '../behaviour/brands.ts';
import { html } from './html.ts';

/** The frame of every page: one column the width of a phone, in the bank's colours. */

const MARKS: Record<string, string> = {
  northbank: '<path d="M5 19V5l14 14V5"/>',
  millrace:
    '<path d="M3 9c2.2-2.6 4.4-2.6 6 0s3.8 2.6 6 0 4.4-2.6 6 0"/><path d="M3 16c2.2-2.6 4.4-2.6 6 0s3.8 2.6 6 0 4.4-2.6 6 0"/>',
  harbour:
    '<circle cx="12" cy="5" r="2.2"/><path d="M12 7.2V20M4.5 13c.6 4.2 3.6 7 7.5 7s6.9-2.8 7.5-7M8.5 10.8h7"/>',
  saltmarsh: '<path d="M3 19h18M7 19c0-5-1-8-3-11M12 19V5M17 19c0-5 1-8 3-11"/>',
  pennyfield: '<circle cx="12" cy="12" r="8"/><path d="M8 14h8M8 10.5h8"/>',
  tollgate: '<path d="M4 20V6M4 9h16M8.5 9l2 3M13 9l2 3M17.5 9l2 3M2 20h4"/>',
  fogdale: '<path d="M4 7h12M8 12h12M4 17h9"/>',
  larkfield: '<path d="M4 18c4-1 6-4 8-9 2 5 4 8 8 9M12 9V4"/>',
  greystone: '<path d="M5 19V9l7-5 7 5v10zM9 19v-6h6v6"/>',
  whitecliff: '<path d="M4 19h16M6 19V8l5-4v15M11 9l7 3v7"/>',
  ravenhall: '<path d="M4 10c5-5 11-5 16 0-3 0-5 2-6 5l-2 4-2-4c-1-3-3-5-6-5"/>',
  hollowell: '<path d="M4 8h16l-2.5 11h-11zM8 8a4 4 0 0 1 8 0"/>',
};

const ICONS = {
  lock: '<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>',
  bell: '<path d="M6 16v-5a6 6 0 1 1 12 0v5l1.5 2h-15zM10 20.5h4"/>',
  alert: '<path d="M12 4 2.8 19.5h18.4zM12 10v4.2M12 17v.1"/>',
  back: '<path d="M14.5 5 7.5 12l7 7"/>',
  next: '<path d="m9.5 5 7 7-7 7"/>',
  repeat:
    '<path d="M4 11a8 8 0 0 1 13.7-4.7L20 8.5M20 4v4.5h-4.5M20 13a8 8 0 0 1-13.7 4.7L4 15.5M4 20v-4.5h4.5"/>',
  home: '<path d="M4 11.5 12 5l8 6.5V20h-5.5v-5h-5v5H4z"/>',
  check: '<path d="m5 12.5 4.5 4.5L19 7.5"/>',
  shield: '<path d="M12 3 5 6v5.5c0 4.4 3 7.8 7 9.5 4-1.7 7-5.1 7-9.5V6zM9 12l2.2 2.2L15.2 10"/>',
} as const;

export type IconName = keyof typeof ICONS;

/** Renders a decorative inline icon. */
export function icon(name: IconName): string {
  return svg(ICONS[name], 'icon');
}

/** Renders the bank's logo. */
export function mark(brand: Brand): string {
  return svg(MARKS[brand.bankId] ?? '', 'mark');
}

function svg(drawing: string, name: string): string {
  return `<svg class="${name}" viewBox="0 0 24 24" aria-hidden="true">${drawing}</svg>`;
}

export const STYLE_SHEETS = ['frame.css', 'brands.css', 'parts.css', 'app.css'] as const;
/** The script that keeps the app's pages up to date. */
export const SCRIPT = 'app.js';

/** A page of a bank; everything except `title` is HTML, already escaped. */
export interface Page {
  title: string;
  /** The content of the coloured bar at the top. */
  bar: string;
  content: string;
  /** The content fixed to the bottom edge. */
  below?: string;
  /** Includes the script that keeps the page up to date. */
  script?: boolean;
}

/** Renders a whole page of a bank. */
export function page(brand: Brand, { title, bar, content, below = '', script }: Page): string {
  const body = html`
<header class="bar">!${bar}</header>
<main>!${content}</main>
<footer>${brand.name} is a sandbox bank. No real money moves here.</footer>
!${below}`;
  return document(`${title} · ${brand.name}`, `brand-${brand.bankId}`, body, script);
}

/** Renders the HTML document around a page; `body` is HTML, already escaped. */
export function document(title: string, className: string, body: string, script = false): string {
  const links = STYLE_SHEETS.map((name) => html`<link rel="stylesheet" href="/assets/${name}">`);
  return html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
!${links.join('')}
!${script ? html`<script src="/assets/${SCRIPT}" defer></script>` : ''}
<link rel="icon" href="data:,">
</head>
<body class="${className}">
<div class="phone">!${body}</div>
</body>
</html>`;
}

/** Renders the bar of a standalone page: logo and name. */
export function brandBar(brand: Brand, right = ''): string {
  return html`<div class="brand">!${mark(brand)}<span>${brand.name}</span></div>!${right}`;
}

/** Renders a message box: a problem or a success. */
export function notice(kind: 'problem' | 'done', text: string): string {
  const drawing = icon(kind === 'problem' ? 'alert' : 'check');
  return html`<p class="notice ${kind}" role="alert">!${drawing}<span>${text}</span></p>`;
}

/** Renders a page with only a message. */
export function messagePage(brand: Brand, title: string, text: string): string {
  const content = html`<section class="card message"><h1>${title}</h1><p>${text}</p></section>`;
  return page(brand, { title, bar: brandBar(brand), content });
}
