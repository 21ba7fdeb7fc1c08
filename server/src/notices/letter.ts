import { fitInto } from '../merchants/branding/branding.ts';
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

/** How a merchant's letters look. */
export interface LetterBranding {
  merchantName: string;
  /** The logo, and where it is; null or absent: the name stands in its place. */
  logo?: { url: string; width: number; height: number } | null;
  /** Of the button; null or absent: ours. */
  colour?: string | null;
}

/** Renders a letter as plain text and as HTML, as its merchant's letters look. */
export function render(letter: Letter, branding: LetterBranding): Rendered {
  const subject = cut(oneLine(letter.subject));
  return { subject, text: textOf(letter), html: pageOf(letter, subject, branding) };
}

function textOf({ lines, button, footer }: Letter): string {
  const parts = [...lines, ...(button === undefined ? [] : [`${button.label}:\n${button.url}`])];
  return `${parts.join('\n\n')}\n\n-- \n${footer}\n`;
}

const FONT = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif';
const PARAGRAPH = 'margin:0 0 16px;font-size:16px;line-height:1.5;color:#1f2430';
const COLOUR = '#1d4ed8';
const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:8px;color:#ffffff;font-size:16px;text-decoration:none';
const LOGO_BOX = { width: 200, height: 44 };
const NAME = 'margin:0 0 24px;font-size:14px;font-weight:600;color:#4b5263';

/** The size stands in the attributes: not every mail program heeds the style. */
function imageOf(logo: NonNullable<LetterBranding['logo']>, name: string): string {
  const { width, height } = fitInto(logo, LOGO_BOX);
  return html`<img src="${logo.url}" alt="${name}" width="${width}" height="${height}" style="border:0">`;
}

function buttonOf({ url, label }: NonNullable<Letter['button']>, colour: string): string {
  const style = `${BUTTON};background:${colour}`;
  return html`<p style="margin:0 0 24px"><a href="${url}" style="${style}">${label}</a></p>`;
}

function pageOf(
  { lines, button, footer }: Letter,
  subject: string,
  { merchantName, logo = null, colour = null }: LetterBranding,
): string {
  const head = logo === null ? html`${merchantName}` : imageOf(logo, merchantName);
  const paragraphs = lines.map((line) => html`<p style="${PARAGRAPH}">${line}</p>`).join('');
  const link = button === undefined ? '' : buttonOf(button, colour ?? COLOUR);
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="margin:0;padding:24px;background:#f4f5f7;${FONT}">
<div style="max-width:560px;margin:0 auto;padding:32px;border-radius:12px;background:#ffffff">
<p style="${NAME}">!${head}</p>
!${paragraphs}!${link}
<p style="margin:0;padding-top:16px;border-top:1px solid #e3e5ea;font-size:13px;line-height:1.5;color:#5b6272">${footer}</p>
</div>
</body>
</html>
`;
}
