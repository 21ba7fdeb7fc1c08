import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Eleventy } from '@11ty/eleventy';
import { renderMarkdown } from '../../server/src/app/docs/markdown.ts';
import { findPages, type Page, ROOT } from '../../server/src/app/docs/pages.ts';
import { entriesOf, searchOptions } from '../../server/src/app/docs/search.ts';
import { brandFiles } from '../../server/src/platform/brand/files.ts';
import { readConfig } from '../../server/src/platform/config/config.ts';
import { deadLinks } from './links.ts';
import { type Release, shownOf, siteFile, siteLink } from './pages.ts';
import { writeVersions } from './versions.ts';

const THEME = relative(process.cwd(), fileURLToPath(new URL('theme', import.meta.url)));

interface Manifest {
  version: string;
  repository?: string | { url: string };
}

function releaseOf({ version, repository }: Manifest): Release {
  const url = typeof repository === 'string' ? repository : repository?.url;
  return { version, repository: url?.replace(/^git\+|\.git$/g, '') ?? null };
}

/** Renders every page, in the theme, into a folder. */
async function render(pages: readonly Page[], release: Release, folder: string): Promise<void> {
  const byFile = new Map(pages.map((page) => [page.file, page]));
  const site = new Eleventy(THEME, folder, {
    configPath: false,
    quietMode: true,
    config(user) {
      for (const [file, page] of byFile)
        user.addTemplate(file, page.read(), shownOf(page, pages, release.version));
      user.addExtension('md', {
        compile: (text, path) => async () => {
          const page = byFile.get(relative(THEME, path));
          return page === undefined ? '' : renderMarkdown(text, siteLink(page, pages, release));
        },
      });
      user.addPassthroughCopy({
        [`${THEME}/*.{css,js}`]: 'assets',
        [`${ROOT}node_modules/minisearch/dist/umd/index.js`]: 'assets/minisearch.js',
        [`${ROOT}docs/images`]: 'images',
      });
    },
  });
  await site.write();
}

/** Returns the script with all texts: a script, because a page on the disk may not read other files. */
function searchTexts(pages: readonly Page[]): string {
  const entries = pages
    .flatMap(entriesOf)
    .map((entry) => ({ ...entry, path: siteFile(entry.path) }));
  return `window.recollectTexts = {
    options: (${searchOptions})(),
    entries: ${JSON.stringify(entries)},
  };\n`;
}

/**
 * Builds the site of this version into a folder of `into`, beside those of other versions, and returns the folder's path. Throws,
 * and leaves what was there, where a link is dead.
 */
export async function buildSite(into: string): Promise<string> {
  const release = releaseOf(JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as Manifest);
  const pages = findPages();
  const draft = join(into, `draft-${process.pid}`);
  mkdirSync(draft, { recursive: true });
  try {
    await render(pages, release, draft);
    const { tokens, icon } = brandFiles(readConfig({}).brand);
    writeFileSync(join(draft, 'assets/tokens.css'), tokens.body);
    writeFileSync(join(draft, 'assets/icon.svg'), icon.body);
    writeFileSync(join(draft, 'assets/texts.js'), searchTexts(pages));
    const dead = deadLinks(draft);
    if (dead.length > 0) throw new Error(`Links that lead nowhere:\n${dead.join('\n')}`);
    const folder = join(into, release.version);
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
    writeVersions(into);
    return folder;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
