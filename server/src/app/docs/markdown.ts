import { Marked, type Tokens } from 'marked';
import { html } from '../../platform/values/html.ts';

/** Returns where a link of a page leads; null: nowhere that is served, and its text alone is shown. */
export type Lead = (href: string) => string | null;

/** Renders a Markdown document. Its HTML is shown as text, except that comments are left out. */
export function renderMarkdown(text: string, lead: Lead): string {
  const marked = new Marked({ gfm: true, async: false });
  const fragment = namesHeadings();
  marked.use({
    renderer: {
      html: ({ text: raw }) => (raw.startsWith('<!--') ? '' : html`${raw}`),
      code: ({ text: code }) => `${html`<pre tabindex="0"><code>${code}</code></pre>`}\n`,
      codespan: ({ text: code }) => `<code>${breakable(code)}</code>`,
      heading({ tokens, depth, text: source }) {
        return `<h${depth} id="${fragment(source)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const label = this.parser.parseInline(tokens);
        const to = lead(href);
        return to === null ? label : html`<a href="${to}">!${label}</a>`;
      },
      image({ href, text: alt }) {
        const source = lead(href);
        return source === null ? '' : html`<img src="${source}" alt="${alt}">`;
      },
      table(token) {
        const cells = (row: Tokens.TableCell[], tag: string): string =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('');
        const body = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
        const head = `<thead><tr>${cells(token.header, 'th')}</tr></thead>`;
        return `<div class="wide" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  return marked.parse(text) as string;
}

/** Lets a name such as `schedule.setup_success` go on in the next line after a dot, slash or underscore rather than anywhere. */
function breakable(code: string): string {
  const parts = code.split(/(?<=[\w}][._/])(?=[\w{])/);
  return parts.map((part) => html`${part}`).join('<wbr>');
}

/** Returns a function that names the headings of one document as GitHub does: of two equal ones, the second has `-1`. */
function namesHeadings(): (text: string) => string {
  const seen = new Map<string, number>();
  return (text) => {
    const name = slug(text);
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return before === 0 ? name : `${name}-${before}`;
  };
}

/** A heading with what follows it, as plain text. */
export interface Section {
  fragment: string;
  depth: number;
  heading: string;
  text: string;
}

/** Returns the sections of a document, for a search and a table of contents. */
export function sectionsOf(text: string): Section[] {
  const fragment = namesHeadings();
  const sections: Section[] = [];
  for (const token of new Marked({ gfm: true }).lexer(text)) {
    if (token.type === 'heading') {
      const { depth, text: heading } = token as Tokens.Heading;
      sections.push({ fragment: fragment(heading), depth, heading: plain(heading), text: '' });
    } else {
      const last = sections.at(-1);
      if (last !== undefined && token.type !== 'html') last.text += plain(token.raw);
    }
  }
  return sections;
}

/** Returns Markdown without its marks. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/```\w*|\*\*|[`|]|^[#>-]+ |-{3,}/gm, '')
    .replaceAll(/\s+/g, ' ');
}

/** Returns a heading's fragment where no other heading of its page is equal. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
