/** A package of the lock file. */
interface LockedPackage {
  version: string;
  resolved?: string;
  integrity?: string;
  license?: string;
  link?: boolean;
  dev?: boolean;
}

export interface Lock {
  packages: Readonly<Record<string, LockedPackage>>;
}

const REGISTRY = 'https://registry.npmjs.org/';
/** Licences of what runs with the service, or is part of its pages. */
const PERMITTED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-3.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // Of a font, which may be embedded in documents.
  'OFL-1.1',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);
/** Of tools that we use and do not ship. */
const OF_TOOLS = new Set([...PERMITTED, 'CC-BY-4.0', 'MPL-2.0', 'WTFPL']);
/** Packages that state their licence in a file alone, at the version that was read. */
const READ_IN_THEIR_FILES: Readonly<Record<string, string>> = {
  'httpntlm 1.8.13': 'MIT',
  'png-js 2.0.0': 'MIT',
  'stack-trace 0.0.9': 'MIT',
};
/** Tools that are installed to build the dashboard, and are neither in it nor in the image. */
const BUILDS = /^lightningcss(-|$)/;

interface Named extends LockedPackage {
  name: string;
}

/** Returns the packages that come from a registry, by path. */
export function packagesOf({ packages }: Lock): Map<string, Named> {
  const found = Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
    .map(([path, one]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const license = one.license ?? READ_IN_THEIR_FILES[`${name} ${one.version}`];
      return [path, { ...one, name, license }] as const;
    });
  return new Map(found);
}

/** Whether a licence expression leaves a choice that is permitted: every part of an AND, one of an OR. */
function isPermitted(expression: string, permitted: ReadonlySet<string>): boolean {
  const bare = expression.replace(/^\(|\)$/g, '');
  if (bare.includes(' OR ')) return bare.split(' OR ').some((one) => isPermitted(one, permitted));
  return bare.split(' AND ').every((one) => permitted.has(one.replace(/[()]/g, '').trim()));
}

/** Returns what is wrong with the packages of the lock file. */
export function packageProblems(lock: Lock): string[] {
  return [...packagesOf(lock)].flatMap(([path, { name, integrity, resolved, license, dev }]) => {
    const problems: string[] = [];
    if (!/^sha512-\S+$/.test(integrity ?? ''))
      problems.push('has no integrity: npm run generate -- packages');
    if (resolved !== undefined && !resolved.startsWith(REGISTRY))
      problems.push(`comes from ${resolved}, and not from the registry`);
    const permitted = dev === true || BUILDS.test(name) ? OF_TOOLS : PERMITTED;
    if (!isPermitted(license ?? 'none', permitted))
      problems.push(`has the licence ${license ?? 'none'}, which is not permitted`);
    return problems.map((problem) => `package-lock.json: ${path} ${problem}`);
  });
}

/** Returns docs/licences.md: the licences of everything that is installed without the tools of development. */
export function licencesPage(lock: Lock): string {
  const shipped = [...packagesOf(lock).values()].filter(({ dev }) => dev !== true);
  const byLicence = Map.groupBy(shipped, ({ license }) => license ?? 'none');
  const sections = [...byLicence]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([licence, packages]) => {
      const names = [...new Set(packages.map(({ name, version }) => `${name} ${version}`))].sort();
      return `## ${licence}\n\n${names.map((name) => `- ${name}`).join('\n')}\n`;
    });
  return `# Licences

Written by \`npm run generate -- packages\` from the lock file; do not edit. Recollect itself is under the Apache License 2.0.
These packages are installed to run it and to build its pages, some of them on one platform alone. The drawings of the icons are
Lucide's, under the ISC License (dashboard/lucide-licence.txt). \`npm run check\` refuses any other licence.

${sections.join('\n')}`;
}
