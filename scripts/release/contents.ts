import { TEST_CODE } from '../checks/layout.ts';

/** What only a sandbox needs: the levers and the partners' connections in the server, and the partners themselves. */
const SANDBOX = /^(server\/src\/sandbox|sandbox)\//;
const PROJECT = ['LICENSE', 'CHANGELOG.md', 'SECURITY.md'];
/** How an initiator uses the sandbox. */
export const SANDBOX_GUIDE = 'docs/guides/sandbox-for-initiators.md';
const tests = new RegExp(TEST_CODE);

/** Whether a tracked file of the project belongs to the service for production; `withSandbox`: to one that has a sandbox too. */
export function isOfService(path: string, withSandbox = false): boolean {
  if (tests.test(path) || (SANDBOX.test(path) && !withSandbox)) return false;
  return (
    PROJECT.includes(path) ||
    /^(bin|docs|deploy|server\/(src|migrations)|sdk\/src|sandbox\/src)\//.test(path) ||
    /^(server|sdk|sandbox)\/package\.json$/.test(path) ||
    ['recollect.cjs', 'server/needs-node.cjs'].includes(path) ||
    /^(sdk|clients\/(python|php))\/README\.md$/.test(path)
  );
}

/** Whether a tracked file of the project belongs to the sandbox on its own. */
export function isOfSandbox(path: string): boolean {
  if (tests.test(path)) return false;
  return (
    ['LICENSE', SANDBOX_GUIDE].includes(path) || /^sandbox\/(src\/|bin\/|package\.json$)/.test(path)
  );
}

/** Folders of a package with which its authors build, test and explain it. */
const FOR_AUTHORS = /^(\.github|__tests__|bench|benchmarks?|docs?|examples?|tests?)\//i;
const LICENCE = /^(licen[cs]e|copying|notice|authors)/i;
/** Types, sources and maps, which Node does not load, and what is only read. */
const NOT_LOADED = /\.([cm]?tsx?|map|flow|md|markdown|coffee)$|(^|\/)\.[^/]+$/i;

/** Whether a file of an installed package, named from its folder, is carried along: what Node loads, and every licence. */
export function isLoaded(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return LICENCE.test(name) || !(FOR_AUTHORS.test(path) || NOT_LOADED.test(path));
}

/** Returns package.json of the service's tarball: what is installed, and the Node that it needs. */
export const servicePackage = (version: string): string =>
  `${JSON.stringify(
    {
      name: 'recollect',
      version,
      private: true,
      description: 'Recurring collections over open banking',
      license: 'Apache-2.0',
      type: 'module',
      engines: { node: '>=26' },
      bin: { recollect: 'bin/recollect' },
    },
    null,
    2,
  )}\n`;
