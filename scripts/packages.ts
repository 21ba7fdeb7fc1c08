// Writes docs/licences.md from the lock file, after completing the lock file: npm leaves out the integrity of packages for other
// platforms when it installs beside packages that are there already.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { type Lock, licencesPage, packagesOf } from './checks/packages.ts';

const LOCK = 'package-lock.json';

interface Published {
  'dist.integrity': string;
  'dist.tarball': string;
  license?: string;
}

const lock = JSON.parse(readFileSync(LOCK, 'utf8')) as Lock & { packages: Record<string, object> };
let completed = 0;
for (const [path, { name, version, integrity }] of packagesOf(lock)) {
  if (integrity !== undefined) continue;
  const fields = ['dist.integrity', 'dist.tarball', 'license'];
  const said = execFileSync('npm', ['view', `${name}@${version}`, ...fields, '--json'], {
    encoding: 'utf8',
  });
  const published = JSON.parse(said) as Published;
  const { version: _, ...others } = lock.packages[path] ?? {};
  lock.packages[path] = {
    version,
    resolved: published['dist.tarball'],
    integrity: published['dist.integrity'],
    ...others,
    ...(published.license === undefined ? {} : { license: published.license }),
  };
  completed++;
}
if (completed > 0) writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
writeFileSync('docs/licences.md', licencesPage(lock));
console.log(`Completed ${completed} packages of ${LOCK}, and wrote docs/licences.md`);
