import { initialOf } from '../../platform/brand/brand.ts';
import { fitInto } from '../../platform/brand/logo.ts';
import { html } from '../../platform/values/html.ts';
import { mostOfOne } from '../../schedules/limits/limits.ts';
import { describeAmount, describeSeries } from '../../schedules/terms/describe.ts';
import type { Terms } from '../../schedules/terms/schedule.ts';
import type { PortalMerchant } from '../standing.ts';
import { describeDay } from '../words.ts';
import { type IconName, icon } from './icons.ts';

const LOGO_BOX = { width: 176, height: 44 };

/** Renders a titled block; `content` is HTML that is already escaped. */
export function card(name: IconName, title: string, content: string): string {
  return html`<section class="card">
<h2>!${icon(name)}${title}</h2>
!${content}
</section>`;
}

/** Renders the amount and frequency, with a note on shorter months below it. */
export function priceOf(terms: Terms): string {
  const [often = '', aside] = describeSeries(terms.series).split(' (');
  const explained =
    aside === undefined ? null : `${aside.charAt(0).toUpperCase()}${aside.slice(1, -1)}.`;
  const isMost = terms.amountMode === 'per_occurrence';
  const pence = isMost ? mostOfOne(terms) : terms.amountPence;
  return html`<p class="amount">${amountWords({ amountPence: pence, isMost })} <span>${often}</span></p>
!${note(explained)}`;
}

/** Describes an amount, or the most that it may be. */
export function amountWords({
  amountPence,
  isMost,
}: {
  amountPence: number;
  isMost: boolean;
}): string {
  return `${isMost ? 'Up to ' : ''}${describeAmount(amountPence)}`;
}

/** Renders the steps of the journey; `at` is the current one. */
export function steps(at: 0 | 1 | 2): string {
  const items = ['Check the details', 'Approve at your bank', 'Done'].map(
    (
      label,
      i,
    ) => html`<li !${i === at ? 'aria-current="step"' : ''} class="${i < at ? 'over' : ''}"><span
class="dot">!${i < at ? icon('check') : String(i + 1)}</span>${label}</li>`,
  );
  return html`<ol class="steps" aria-label="Where you are">!${items.join('')}</ol>`;
}

/** Renders the merchant's contact; empty if it gave none. */
export function contactLine({ name, email }: PortalMerchant): string {
  const address = email.trim() === '' ? '' : html` at !${mailLink(email)}`;
  return html`<p class="quiet">Questions? Ask ${name}!${address}.</p>`;
}

/** Renders a mail link. A long address may break after its @ rather than anywhere. */
export function mailLink(email: string): string {
  const [user = '', ...host] = email.split('@');
  const tail = host.length === 0 ? '' : html`@<wbr>${host.join('@')}`;
  return html`<a href="mailto:${encodeURI(email)}">${user}!${tail}</a>`;
}

/** Renders the merchant's logo, or its first letter. The name stands beside it. */
function markOf({ name, branding }: PortalMerchant): string {
  const { logo = null } = branding ?? {};
  if (logo === null) return html`<span class="mark" aria-hidden="true">${initialOf(name)}</span>`;
  const { width, height } = fitInto(logo, LOGO_BOX);
  return html`<img class="logo-mark" src="${new URL(logo.url).pathname}" alt="" width="${width}" height="${height}">`;
}

/** Renders the merchant's logo or letter, and its name in words. */
export function merchantHead(merchant: PortalMerchant, line: string): string {
  return html`<div class="asker">!${markOf(merchant)}
<p><strong>${merchant.name}</strong><span>${line}</span></p></div>`;
}

/** A coming payment, as a line of a list. */
export interface DateLine {
  dueDate: Temporal.Instant;
  amountPence: number;
  isMost: boolean;
  reason: string | null;
  /** What it is for, if that needs explaining. */
  description: string | null;
}

/** Lists coming payments, with the reason if a date differs from the requested one. */
export function dateList(lines: readonly DateLine[], timeZone: string): string {
  const items = lines.map((line) => {
    const notes = note(line.description) + note(line.reason);
    return html`<li><span><b>${describeDay(line.dueDate, timeZone)}</b>!${notes}</span>
<span class="sum">${amountWords(line)}</span></li>`;
  });
  return html`<ul class="lines">!${items.join('')}</ul>`;
}

/** Renders a smaller line below another; empty for null. */
export function note(text: string | null): string {
  return text === null ? '' : html`<small>${text}</small>`;
}

/** Renders sentences as a list with ticks. */
export function sentences(texts: readonly string[]): string {
  const items = texts.map((text) => html`<li>!${icon('check')}<span>${text}</span></li>`);
  return html`<ul class="ticks">!${items.join('')}</ul>`;
}

/** Renders the merchant's business details and terms and conditions. */
export function businessCard(merchant: PortalMerchant): string {
  const { name, legalName, email, website, address, terms } = merchant;
  const rows = [
    row('Business', html`${legalName === '' ? name : legalName}`),
    row('Address', html`<span class="address">${address}</span>`, address),
    row('Email', mailLink(email), email),
    row('Website', websiteLink(website), website),
  ];
  const conditions =
    terms.trim() === ''
      ? ''
      : html`<details id="terms"><summary>Terms and conditions of ${name}</summary><div class="terms"
tabindex="0">${terms}</div></details>`;
  return card(
    'business',
    `About ${name}`,
    html`<dl class="facts">!${rows.join('')}</dl>!${conditions}`,
  );
}

/** Renders a row of a list. `content` is HTML that is already escaped. Empty if the value is empty. */
export function row(term: string, content: string, value = 'given'): string {
  return value.trim() === '' ? '' : html`<div><dt>${term}</dt><dd>!${content}</dd></div>`;
}

function websiteLink(website: string): string {
  const isWeb = URL.canParse(website) && /^https?:$/.test(new URL(website).protocol);
  return isWeb ? outsideLink(website) : html`${website}`;
}

/** Renders a link to another website, named by its host. A long host may break after its dots rather than anywhere. */
export function outsideLink(url: string): string {
  const { host, pathname } = new URL(url);
  const name = `${host}${pathname === '/' ? '' : pathname}`;
  const parts = name.split(/(?<=[./])/).map((part) => html`${part}`);
  return html`<a href="${url}" rel="noopener noreferrer">!${parts.join('<wbr>')}</a>`;
}
