import { setImmediate } from 'node:timers/promises';
import MiniSearch from 'minisearch';
import { sectionsOf } from './markdown.ts';
import { type Page, titleOf } from './pages.ts';

/** A section of a document, as it is found. */
export interface Entry {
  /** With the heading's fragment: `/docs/guides/merchants#refunds`. */
  path: string;
  title: string;
  heading: string;
  text: string;
}

/**
 * Returns how documents are searched: all words but the smallest, from their beginning, small slips forgiven; a title counts more
 * than a sentence, and a guide or a rule more than an error code or a decision. It uses nothing outside of itself, because the
 * site has its source in a script.
 */
export function searchOptions() {
  return {
    idField: 'path',
    fields: ['title', 'heading', 'text'],
    processTerm: (word: string): string | null => {
      const term = word.toLowerCase();
      return /^(.|an|and|are|as|at|be|by|do|for|from|how|in|is|it|of|on|or|the|to|what|with)$/.test(
        term,
      )
        ? null
        : term;
    },
    searchOptions: {
      boost: { title: 4, heading: 2 },
      boostDocument: (path: string): number => (/errors|decisions|licences/.test(path) ? 0.4 : 1),
      combineWith: 'AND' as const,
      prefix: true,
      fuzzy: 0.15,
      weights: { prefix: 0.9, fuzzy: 0.3 },
    },
  };
}

const MOST_FOUND = 20;
const MOST_WORDS = 8;

/** Returns every section of a page, as it is found; a list of pages has none. */
export function entriesOf(page: Page): Entry[] {
  if (page.isList && page.path !== '/docs/guides') return [];
  const title = titleOf(page);
  return sectionsOf(page.read()).map(({ fragment, depth, heading, text }) => ({
    path: depth === 1 ? page.path : `${page.path}#${fragment}`,
    title,
    heading,
    text,
  }));
}

/** Returns a function that finds the sections that have all words, best first. The first call reads the pages, one at a time. */
export function makeSearch(pages: readonly Page[]): (words: string) => Promise<Entry[]> {
  let index: Promise<MiniSearch<Entry>> | undefined;
  return async (words) => {
    index ??= indexOf(pages);
    const few = words.split(/\s+/, MOST_WORDS).join(' ');
    return (await index).search(few).slice(0, MOST_FOUND) as unknown as Entry[];
  };
}

/** Indexes one page after the other, and lets other work of the process come between. */
async function indexOf(pages: readonly Page[]): Promise<MiniSearch<Entry>> {
  const storeFields = ['path', 'title', 'heading'];
  const index = new MiniSearch<Entry>({ ...searchOptions(), storeFields });
  for (const page of pages) {
    index.addAll(entriesOf(page));
    await setImmediate();
  }
  return index;
}
