import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'node-html-parser';

const FOREIGN = /^(?:https?|mailto|data):/;

interface Parsed {
  ids: ReadonlySet<string>;
  targets: readonly string[];
}

function parsed(file: string): Parsed {
  const page = parse(readFileSync(file, 'utf8'));
  const ids = page.querySelectorAll('[id]').map((element) => element.getAttribute('id') ?? '');
  const targets = page
    .querySelectorAll('[href], [src]')
    .map((element) => element.getAttribute('href') ?? element.getAttribute('src') ?? '');
  return { ids: new Set(ids), targets };
}

/** Returns the links of a folder's pages that lead to no file of it, or to no heading, each with its page. */
export function deadLinks(folder: string): string[] {
  const pages = new Map(
    globSync('**/*.html', { cwd: folder }).map((name) => [name, parsed(join(folder, name))]),
  );
  const isDead = (from: string, target: string): boolean => {
    const [path = '', fragment] = decodeURI(target).split('#');
    const name = path === '' ? from : join(dirname(from), path);
    const file = join(folder, name);
    if (!existsSync(file) || !statSync(file).isFile()) return true;
    return fragment !== undefined && pages.get(name)?.ids.has(fragment) !== true;
  };
  return [...pages]
    .flatMap(([from, { targets }]) =>
      targets
        .filter((target) => !FOREIGN.test(target) && isDead(from, target))
        .map((target) => `${from}: ${target}`),
    )
    .sort();
}
