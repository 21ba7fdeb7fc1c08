import type { Brand } from '../platform/brand/brand.ts';
import { logoFile } from '../platform/brand/files.ts';
import { fitInto } from '../platform/brand/logo.ts';
import { emailTokens } from '../platform/brand/tokens.ts';
import { html } from '../platform/values/html.ts';

/** What a notice says, before it has a format. */
export interface Letter {
  subject: string;
  /** Paragraphs. */
  lines: readonly string[];
  button?: { label: string; url: string };
  /** Why the reader gets it. */
  footer: string;
}

/** A letter in the two formats of an email. */
export interface Rendered {
  subject: string;
  text: string;
  html: string;
}

const LONGEST_SUBJECT = 150;

/** Puts a text on one line: a subject with a line break would be a header of its own. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const cut = (text: string): string =>
  text.length <= LONGEST_SUBJECT ? text : `${text.slice(0, LONGEST_SUBJECT - 1)}…`;

/** How a letter looks: as the merchant whose customer reads it does, or as the service. */
export interface LetterBranding {
  name: string;
  /** The logo, and where it is; null: the name stands in its place. */
  logo: { url: string; width: number; height: number } | null;
  /** Of the button; null: the brand's. */
  colour: string | null;
  brand: Brand;
}

/** Returns how the letters of the service itself look: to teams, and to operators. */
export function serviceBranding(brand: Brand, baseUrl: string): LetterBranding {
  const { name, logo } = brand;
  const url = logo === null ? '' : `${baseUrl}/consent/assets/${logoFile(logo).file}`;
  return { name, logo: logo && { ...logo, url }, colour: null, brand };
}

/** Renders a letter as plain text and as HTML. */
export function render(letter: Letter, branding: LetterBranding): Rendered {
  const subject = cut(oneLine(letter.subject));
  return { subject, text: textOf(letter), html: pageOf(letter, subject, branding) };
}

function textOf({ lines, button, footer }: Letter): string {
  const parts = [...lines, ...(button === undefined ? [] : [`${button.label}:\n${button.url}`])];
  return `${parts.join('\n\n')}\n\n-- \n${footer}\n`;
}

const LOGO_BOX = { width: 200, height: 44 };

/** The styles of a letter's parts, which stand in each of them: mail programs know no sheets. */
function stylesOf({ brand, colour }: LetterBranding) {
  const t = emailTokens(brand);
  return {
    page: `margin:0;padding:24px;background:${t.ground};font-family:${t.font}`,
    card: `max-width:560px;margin:0 auto;padding:32px;border-radius:12px;background:${t.card}`,
    name: `margin:0 0 24px;font-size:14px;font-weight:600;color:${t.quiet}`,
    paragraph: `margin:0 0 16px;font-size:16px;line-height:1.5;color:${t.ink}`,
    button:
      `display:inline-block;padding:12px 20px;border-radius:12px;color:${t['on-accent']};font-size:16px;` +
      `font-weight:600;text-decoration:none;background:${colour ?? t.accent}`,
    footer:
      `margin:0;padding-top:16px;border-top:1px solid ${t.line};font-size:13px;line-height:1.5;` +
      `color:${t.quiet}`,
  };
}

/** The size stands in the attributes: not every mail program heeds the style. */
function imageOf(logo: NonNullable<LetterBranding['logo']>, name: string): string {
  const { width, height } = fitInto(logo, LOGO_BOX);
  return html`<img src="${logo.url}" alt="${name}" width="${width}" height="${height}" style="border:0">`;
}

function pageOf({ lines, button, footer }: Letter, subject: string, of: LetterBranding): string {
  const style = stylesOf(of);
  const head = of.logo === null ? html`${of.name}` : imageOf(of.logo, of.name);
  const paragraphs = lines.map((line) => html`<p style="${style.paragraph}">${line}</p>`).join('');
  const link =
    button === undefined
      ? ''
      : html`<p style="margin:0 0 24px"><a href="${button.url}" style="${style.button}">${button.label}</a></p>`;
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="${style.page}">
<div style="${style.card}">
<p style="${style.name}">!${head}</p>
!${paragraphs}!${link}
<p style="${style.footer}">${footer}</p>
</div>
</body>
</html>
`;
}
