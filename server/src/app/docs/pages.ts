import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A document that is served: a file, or the list of a folder's files. */
export interface Page {
  /** The address, without the base path: `/docs/guides/merchants`. */
  path: string;
  /** Relative to the project. The list of a folder has the name that its README would have. */
  file: string;
  /** Whether it is a list of other pages, or ends in one. */
  isList: boolean;
  /** Returns its Markdown, as it stands now. */
  read(): string;
}

/** The pages of a folder, under the folder's own title. */
export interface Group {
  title: string;
  pages: readonly Page[];
}

/** The folder of the project. */
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** The guides in the order in which they are read; what is not named here follows, by its name. */
const GUIDES = [
  'first-collection',
  'merchants',
  'other-languages',
  'moving-in',
  'test-every-failure',
  'terminal',
  'agents',
  'dashboard',
  'go-live',
  'install-in-production',
  'sandbox-for-initiators',
  'versions',
  'operators',
  'runbook',
];

const GUIDES_FOLDER = 'docs/guides';

/** The folders that are read first, and those whose name is not their title. */
const FIRST = [GUIDES_FOLDER, 'docs/rules', 'docs/reference', 'docs/errors', 'docs'];
const TITLES: Readonly<Record<string, string>> = {
  docs: 'About Recollect',
  'docs/reference': 'Operators’ reference',
  'docs/errors': 'Error codes',
};

/** The first page: it stands where the guides are, before their list. */
const FIRST_PAGE = 'docs/index.md';

/** Documents of other folders that are served with `docs`, where they are installed. */
const BESIDE: Readonly<Record<string, string>> = {
  'sdk/README.md': '/docs/sdk',
  'clients/python/README.md': '/docs/python',
  'clients/php/README.md': '/docs/php',
  'bench/results/README.md': '/docs/figures',
  'ARCHITECTURE.md': '/docs/architecture',
  'CHANGELOG.md': '/docs/changelog',
  'CONTRIBUTING.md': '/docs/contributing',
  'SECURITY.md': '/docs/security',
};

const isReadme = (file: string): boolean => file.endsWith('/README.md') && !(file in BESIDE);

/** The address of a document: `docs/rules/README.md` is `/docs/rules`. */
function pathOf(file: string): string {
  if (file === FIRST_PAGE) return '/docs/guides';
  return BESIDE[file] ?? `/${file.replace(/(\/README)?\.md$/, '')}`;
}

const folderOf = (file: string): string => (file in BESIDE ? 'docs' : posix.dirname(file));

function rankOf(file: string): number {
  if (isReadme(file)) return -1;
  const rank = GUIDES.findIndex((name) => file === `docs/guides/${name}.md`);
  return rank < 0 ? GUIDES.length : rank;
}

function titleOfFolder(folder: string): string {
  const name = posix.basename(folder).replaceAll('-', ' ');
  return TITLES[folder] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Returns the first heading of a document. */
export function titleOf(page: Page): string {
  return /^# (.+)$/m.exec(page.read())?.[1]?.replaceAll('`', '') ?? 'Recollect';
}

/** Returns the list of a folder's pages, as its own page at `file`. */
function listPage(file: string, folder: string, pages: readonly Page[], intro: () => string): Page {
  const own = pages.filter((page) => folderOf(page.file) === folder);
  const line = (page: Page): string =>
    `- [${titleOf(page)}](${posix.relative(posix.dirname(file), page.file)})\n`;
  const read = (): string => `${intro()}\n${own.map(line).join('')}`;
  return { path: pathOf(file), file, isList: true, read };
}

/**
 * Finds the documents that are served, in reading order: all of `docs`, what stands beside it, and a list of each folder that has
 * no README. The list of the guides is the end of the first page.
 */
export function findPages(): Page[] {
  const files = globSync(['docs/**/*.md', ...Object.keys(BESIDE)], { cwd: ROOT })
    .map((file) => file.replaceAll('\\', '/'))
    .sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
  const read = (file: string) => (): string => readFileSync(`${ROOT}${file}`, 'utf8');
  const pages = files
    .filter((file) => file !== FIRST_PAGE)
    .map((file): Page => ({ path: pathOf(file), file, isList: false, read: read(file) }));
  const guides = () => `${read(FIRST_PAGE)()}\n## All guides\n`;
  const lists = [...new Set(files.map(folderOf))]
    .filter((folder) => !['docs', GUIDES_FOLDER].includes(folder))
    .filter((folder) => !files.includes(`${folder}/README.md`))
    .map((folder) => {
      const heading = () => `# ${titleOfFolder(folder)}\n`;
      return listPage(`${folder}/README.md`, folder, pages, heading);
    });
  return [listPage(FIRST_PAGE, GUIDES_FOLDER, pages, guides), ...lists, ...pages];
}

/** Returns the pages by folder, as a table of contents shows them: what is read first stands first. */
export function groupsOf(pages: readonly Page[]): Group[] {
  const listed = Map.groupBy(
    pages.filter(({ isList }) => !isList),
    ({ file }) => folderOf(file),
  );
  const folders = [...new Set([...FIRST, ...[...listed.keys()].sort()])];
  return folders.map((folder) => ({
    title: titleOfFolder(folder),
    pages: listed.get(folder) ?? [],
  }));
}

/**
 * Returns where a link in a document leads: an address below `/docs`, of a page or an image, a heading, or another host. Null
 * means that nothing there is served.
 */
export function resolveLink(page: Page, pages: readonly Page[], href: string): string | null {
  if (/^https?:|^#/.test(href)) return href;
  const [file = '', fragment] = href.split('#');
  const target = posix.join(posix.dirname(page.file), file).replace(/\/$/, '');
  if (/^docs\/images\/[\w/-]+\.(png|svg)$/.test(target)) return `/${target}`;
  const found = pages.find((one) => one.file === target || one.file === `${target}/README.md`);
  if (found === undefined) return null;
  return fragment === undefined ? found.path : `${found.path}#${fragment}`;
}
