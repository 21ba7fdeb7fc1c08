import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const VERSION = /^\d+\.\d+\.\d+(-.+)?$/;

/** Orders versions, the newest first; what comes before a release stands after every release. */
function newestFirst(versions: readonly string[]): string[] {
  const isEarly = (version: string): number => Number(version.includes('-'));
  const compare = new Intl.Collator('en', { numeric: true }).compare;
  return [...versions].sort((a, b) => isEarly(a) - isEarly(b) || compare(b, a));
}

/**
 * Lists the versions that lie in a folder in its `versions.json`, newest first, copies the newest to `latest`, and leads from the
 * folder's own address to it.
 */
export function writeVersions(folder: string): void {
  const versions = newestFirst(readdirSync(folder).filter((name) => VERSION.test(name)));
  const latest = join(folder, 'latest');
  rmSync(latest, { recursive: true, force: true });
  cpSync(join(folder, versions[0] ?? ''), latest, { recursive: true });
  writeFileSync(join(folder, 'versions.json'), `${JSON.stringify(versions, null, 2)}\n`);
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><meta charset="utf-8"><title>Recollect</title>' +
      '<meta http-equiv="refresh" content="0; url=latest/index.html">' +
      '<a href="latest/index.html">Recollect</a>\n',
  );
}
