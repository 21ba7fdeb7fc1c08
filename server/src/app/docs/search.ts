import MiniSearch, { type Options } from 'minisearch';
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

/** How documents are searched: all words, from their beginning, small slips forgiven; a title counts more than a sentence. */
export const SEARCH_OPTIONS = {
  idField: 'path',
  fields: ['title', 'heading', 'text'],
  searchOptions: {
    boost: { title: 4, heading: 2 },
    combineWith: 'AND',
    prefix: true,
    fuzzy: 0.15,
    weights: { prefix: 0.9, fuzzy: 0.3 },
  },
} as const satisfies Options;

const MOST_FOUND = 20;

/** Returns every section of the pages, as it is found. */
export function entriesOf(pages: readonly Page[]): Entry[] {
  return pages
    .filter(({ isList, path }) => !isList || path === '/docs/guides')
    .flatMap((page) =>
      sectionsOf(page.read()).map(({ fragment, depth, heading, text }) => ({
        path: depth === 1 ? page.path : `${page.path}#${fragment}`,
        title: titleOf(page),
        heading,
        text,
      })),
    );
}

/** Returns a function that finds the sections that have all words, best first. It reads the pages when it is first called. */
export function makeSearch(pages: readonly Page[]): (words: string) => Entry[] {
  let index: MiniSearch<Entry> | undefined;
  return (words) => {
    index ??= indexOf(pages);
    return index.search(words).slice(0, MOST_FOUND) as unknown as Entry[];
  };
}

function indexOf(pages: readonly Page[]): MiniSearch<Entry> {
  const index = new MiniSearch<Entry>({
    ...SEARCH_OPTIONS,
    storeFields: ['path', 'title', 'heading'],
  });
  index.addAll(entriesOf(pages));
  return index;
}
