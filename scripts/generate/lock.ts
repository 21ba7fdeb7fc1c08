import { execFileSync } from 'node:child_process';
import { type Lock, packagesOf } from '../checks/packages.ts';

interface Published {
  'dist.integrity': string;
  'dist.tarball': string;
  license?: string;
}

/**
 * Returns the lock file with the integrity of every package: npm leaves it out for other platforms when it installs beside
 * packages that are there already. What is missing comes from the registry.
 */
export function completeLock(text: string): string {
  const lock = JSON.parse(text) as Lock & { packages: Record<string, object> };
  const incomplete = [...packagesOf(lock)].filter(([, { integrity }]) => integrity === undefined);
  for (const [path, { name, version }] of incomplete) {
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
  }
  return incomplete.length === 0 ? text : `${JSON.stringify(lock, null, 2)}\n`;
}
