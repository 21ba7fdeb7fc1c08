import { html } from 'ghtml';

/** Returns where a link of a page leads; null: nowhere that is served, and its text alone is shown. */
export type Lead = (href: string) => string | null;

const INLINE =
  /`([^`]+)`|!\[([^\]]*)\]\(([^)\s]+)\)|\[((?:`[^`]*`|[^\]])+)\]\(([^)\s]+)\)|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*/g;

/** Renders the Markdown that our documents use: headings, paragraphs, lists, tables, code and what stands in a line. */
export function renderMarkdown(text: string, lead: Lead): string {
  const lines = text.replaceAll(/^<!--.*-->$/gm, '').split('\n');
  const blocks: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const taken = takeBlock(lines.slice(at), lead);
    if (taken.html !== '') blocks.push(taken.html);
    at += taken.lines;
  }
  return blocks.join('\n');
}

interface Taken {
  html: string;
  lines: number;
}

function takeBlock(lines: readonly string[], lead: Lead): Taken {
  const first = lines[0] ?? '';
  if (first.trim() === '') return { html: '', lines: 1 };
  if (first.startsWith('```')) return takeCode(lines);
  if (/^#{1,6} /.test(first)) return { html: heading(first, lead), lines: 1 };
  const count = lines.findIndex((line, i) => i > 0 && endsBlock(line));
  const own = lines.slice(0, count < 0 ? lines.length : count);
  return { html: textBlock(own, lead), lines: own.length };
}

function endsBlock(line: string): boolean {
  return line.trim() === '' || line.startsWith('```') || /^#{1,6} /.test(line);
}

function takeCode(lines: readonly string[]): Taken {
  const end = lines.findIndex((line, i) => i > 0 && line.startsWith('```'));
  const code = lines.slice(1, end < 0 ? lines.length : end).join('\n');
  return {
    html: html`<pre tabindex="0"><code>${code}</code></pre>`,
    lines: end < 0 ? lines.length : end + 1,
  };
}

function heading(line: string, lead: Lead): string {
  const [marks = '#', ...words] = line.split(' ');
  const text = words.join(' ');
  const level = marks.length;
  return `<h${level} id="${slug(text)}">${inline(text, lead)}</h${level}>`;
}

/** Returns the fragment of a heading, as GitHub makes it. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function textBlock(lines: readonly string[], lead: Lead): string {
  const [first = '', second = ''] = lines;
  if (first.startsWith('|') && /^\|[\s:|-]+\|$/.test(second)) return table(lines, lead);
  if (first.startsWith('- ')) return list('ul', lines, /^- /, lead);
  if (/^\d+\. /.test(first)) return list('ol', lines, /^\d+\. /, lead);
  return `<p>${inline(lines.join('\n'), lead)}</p>`;
}

function list(tag: 'ul' | 'ol', lines: readonly string[], mark: RegExp, lead: Lead): string {
  const items: string[] = [];
  for (const line of lines)
    if (mark.test(line)) items.push(line.replace(mark, ''));
    else items.push(`${items.pop() ?? ''}\n${line.trim()}`);
  return `<${tag}>${items.map((item) => `<li>${inline(item, lead)}</li>`).join('')}</${tag}>`;
}

function table([head = '', , ...rows]: readonly string[], lead: Lead): string {
  const cells = (row: string, tag: 'th' | 'td'): string => {
    const parts = row.replace(/^\||\|$/g, '').split(/(?<!\\)\|/);
    return parts
      .map((part) => `<${tag}>${inline(part.trim().replaceAll('\\|', '|'), lead)}</${tag}>`)
      .join('');
  };
  const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
  return `<div class="wide" tabindex="0"><table><thead><tr>${cells(head, 'th')}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function inline(text: string, lead: Lead): string {
  let shown = '';
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    shown += html`${text.slice(at, match.index)}` + markedUp(match, lead);
    at = match.index + match[0].length;
  }
  return shown + html`${text.slice(at)}`;
}

function markedUp(match: RegExpMatchArray, lead: Lead): string {
  const [, code, alt, image, label, href, strong, emphasis] = match;
  if (code !== undefined) return html`<code>${code}</code>`;
  if (image !== undefined) return imageOf(alt ?? '', lead(image));
  if (label !== undefined && href !== undefined) {
    const to = lead(href);
    const text = inline(label, lead);
    return to === null ? text : html`<a href="${to}">!${text}</a>`;
  }
  if (strong !== undefined) return `<strong>${inline(strong, lead)}</strong>`;
  return `<em>${inline(emphasis ?? '', lead)}</em>`;
}

function imageOf(alt: string, source: string | null): string {
  return source === null ? '' : html`<img src="${source}" alt="${alt}">`;
}
