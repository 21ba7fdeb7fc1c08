import { fitInto } from '../../platform/brand/logo.ts';
import { html } from '../../platform/values/html.ts';
import type { Paths } from '../paths.ts';
import type { PortalMerchant } from '../standing.ts';
import { mailLink } from './parts.ts';

/** The frame of every page. `content` is HTML that is already escaped. */
export interface Frame {
  /** The browser tab's title; the page's own heading is in `content`. */
  title: string;
  /** The merchant whose customer reads the page; null if unknown. */
  merchant: Pick<PortalMerchant, 'name' | 'branding'> | null;
  /** The page has a column for the decision beside it, on wide screens. */
  wide?: boolean;
  /** The script that the page runs. */
  script?: 'callback' | 'follow';
  /** Where keyboards and screen readers skip to; absent: to the content. */
  skip?: { to: string; label: string };
  content: string;
}

const TO_CONTENT = { to: 'content', label: 'Skip to the content' };

/** Renders a whole page. Everything it refers to is served from here. */
export function layout(paths: Paths, frame: Frame): string {
  const { title, merchant, wide = false, script, skip = TO_CONTENT, content } = frame;
  const merchantName = merchant?.name ?? null;
  const colour = merchant?.branding?.colour ?? null;
  return html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<title>${merchantName === null ? title : `${title} – ${merchantName}`}</title>
<link rel="stylesheet" href="${paths.asset('tokens')}">
<link rel="stylesheet" href="${paths.asset('style')}">
!${colour === null ? '' : html`<link rel="stylesheet" href="${paths.colours(colour)}">`}
<link rel="icon" type="image/svg+xml" href="${paths.asset('icon')}">
!${script === undefined ? '' : html`<script src="${paths.asset(script)}" defer></script>`}
</head>
<body>
<a class="skip" href="#${skip.to}">${skip.label}</a>
<header class="bar"><p class="wordmark">!${wordmark(paths)}</p></header>
<main id="content" class="${wide ? 'wide' : 'narrow'}">
!${content}
</main>
!${footer(paths, merchantName)}
</body>
</html>
`;
}

const LOGO_BOX = { width: 200, height: 32 };
const MARK_SIZE = 24;

/** Renders the logo of the service, or its mark and its name. */
function wordmark({ brand: { name, logo }, asset }: Paths): string {
  const { width, height } =
    logo === null ? { width: MARK_SIZE, height: MARK_SIZE } : fitInto(logo, LOGO_BOX);
  const size = html`width="${width}" height="${height}"`;
  return logo === null
    ? html`<img class="logo" src="${asset('icon')}" alt="" !${size}>${name}`
    : html`<img class="logo drawn" src="${asset('logo')}" alt="${name}" !${size}>`;
}

function footer({ about, firm, brand }: Paths, merchantName: string | null): string {
  const whose = merchantName === null ? '' : ` for ${merchantName}`;
  const { name, supportEmail } = brand;
  const help =
    supportEmail === null ? '' : html` Help with these pages: !${mailLink(supportEmail)}.`;
  return html`<footer>
<p>${name} collects payments${whose} through open banking. You log in and approve only with your own bank;
neither the business nor ${name} ever sees your password.</p>
<p>Provided by ${firm.name}, FCA reference ${firm.fcaReference}${firm.isExample ? ' (an example: this is a sandbox)' : ''}.
<a href="${about}">Who we are, and how to complain</a>!${help}</p>
</footer>`;
}
