// The pages of the site, as its theme shows them. Links are relative, so that it works at any address and from the disk.
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { sectionsOf } from '../../server/src/app/docs/markdown.ts';
import {
  type Group,
  groupsOf,
  type Page,
  ROOT,
  resolveLink,
  titleOf,
} from '../../server/src/app/docs/pages.ts';

interface Link {
  href: string;
  title: string;
}

/** What the theme is given for a page. */
interface Shown {
  layout: string;
  permalink: string;
  title: string;
  version: string;
  /** From the page to the folder of its version: empty, or `../`. */
  root: string;
  isFirst: boolean;
  groups: { title: string; isOpen: boolean; links: (Link & { isCurrent: boolean })[] }[];
  headings: { fragment: string; heading: string }[];
  previous: Link | null;
  next: Link | null;
}

/** Where links lead that leave the documents: the files of a version in its repository. */
export interface Release {
  version: string;
  /** Null where no repository is public: such a link is shown as text. */
  repository: string | null;
}

const FIRST = '/docs/guides';

/** Returns the file of an address below `/docs`, with its fragment: `guides/merchants.html#refunds`. */
export function siteFile(address: string): string {
  const [path = '', fragment] = address.split('#');
  const page = path === FIRST ? 'index.html' : `${path.slice('/docs/'.length)}.html`;
  const file = path.startsWith('/docs/images/') ? path.slice('/docs/'.length) : page;
  return fragment === undefined ? file : `${file}#${fragment}`;
}

const between = (from: Page, address: string): string =>
  posix.relative(posix.dirname(siteFile(from.path)), siteFile(address));

/**
 * Returns where a link of a page leads. One to a file that does not exist stays as it is, so that it is found to be dead.
 */
export function siteLink(
  page: Page,
  pages: readonly Page[],
  { version, repository }: Release,
): (href: string) => string | null {
  return (href) => {
    const to = resolveLink(page, pages, href);
    if (to?.startsWith('/')) return between(page, to);
    if (to !== null) return to;
    const file = posix.join(posix.dirname(page.file), href.split('#', 1).join());
    if (!existsSync(join(ROOT, file))) return href;
    return repository === null ? null : `${repository}/blob/v${version}/${file}`;
  };
}

/** Returns what the theme shows of a page beside its text. */
export function shownOf(page: Page, pages: readonly Page[], version: string): Shown {
  const linkTo = (to: Page): Link => ({ href: between(page, to.path), title: titleOf(to) });
  const groups = groupsOf(pages);
  const own = groups.find((group) => group.pages.includes(page))?.pages ?? [];
  const at = own.indexOf(page);
  const beside = (to: Page | undefined): Link | null =>
    at < 0 || to === undefined ? null : linkTo(to);
  const isFirst = page.path === FIRST;
  const isOpen = (group: Group): boolean => group.pages === own || (isFirst && group === groups[0]);
  return {
    layout: 'page.njk',
    permalink: siteFile(page.path),
    title: titleOf(page),
    version,
    root: '../'.repeat(siteFile(page.path).split('/').length - 1),
    isFirst,
    groups: groups.map((group) => ({
      title: group.title,
      isOpen: isOpen(group),
      links: group.pages.map((one) => ({ ...linkTo(one), isCurrent: one === page })),
    })),
    headings: sectionsOf(page.read()).filter(({ depth }) => depth === 2),
    previous: beside(own[at - 1]),
    next: beside(own[at + 1]),
  };
}
