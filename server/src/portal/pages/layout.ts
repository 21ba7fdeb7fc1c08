import { html } from '../../platform/values/html.ts';
import type { Paths } from '../paths.ts';
import type { PortalMerchant } from '../standing.ts';

/** The frame of every page. `content` is HTML that is already escaped. */
export interface Frame {
  /** The browser tab's title; the page's own heading is in `content`. */
  title: string;
  /** The merchant whose customer reads the page; null if unknown. */
  merchant: Pick<PortalMerchant, 'name' | 'branding'> | null;
  /** The page has a column for the decision beside it, on wide screens. */
  wide?: boolean;
  /** Includes the script that takes over a bank's response. */
  script?: boolean;
  content: string;
}

/** Renders a whole page. Everything it refers to is served from here. */
export function layout(paths: Paths, frame: Frame): string {
  const { title, merchant, wide = false, script = false, content } = frame;
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
<link rel="stylesheet" href="${paths.asset('style')}">
!${colour === null ? '' : html`<link rel="stylesheet" href="${paths.colours(colour)}">`}
<link rel="icon" type="image/svg+xml" href="${paths.asset('icon')}">
!${script ? html`<script src="${paths.asset('callback')}" defer></script>` : ''}
</head>
<body>
<header class="bar"><p class="wordmark">!${LOGO}Recollect</p></header>
<main class="${wide ? 'wide' : 'narrow'}">
!${content}
</main>
!${footer(paths, merchantName)}
</body>
</html>
`;
}

const LOGO = `<svg class="logo" viewBox="0 0 32 32" aria-hidden="true"><path
d="M9.5 16a6.5 6.5 0 0 1 11.6-4M22.5 16a6.5 6.5 0 0 1-11.6 4M21.6 7.5V12h-4.5M10.4 24.5V20h4.5"/></svg>`;

function footer({ about, firm }: Paths, merchantName: string | null): string {
  const whose = merchantName === null ? '' : ` for ${merchantName}`;
  return html`<footer>
<p>Recollect collects payments${whose} through open banking. You log in and approve only with your own bank;
neither the business nor Recollect ever sees your password.</p>
<p>Provided by ${firm.name}, FCA reference ${firm.fcaReference}${firm.isExample ? ' (an example: this is a sandbox)' : ''}.
<a href="${about}">Who we are, and how to complain</a></p>
</footer>`;
}
