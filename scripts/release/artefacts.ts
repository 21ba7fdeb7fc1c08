import type { Entry } from './archive.ts';
import { archive } from './archive.ts';
import { isOfSandbox, isOfService, SANDBOX_GUIDE, servicePackage } from './contents.ts';
import { type Carried, carriedBy, type Lockfile } from './packages.ts';
import { imageComponent, sbomText } from './sbom.ts';
import {
  builtEntries,
  packageEntries,
  type Stage,
  stagedDocuments,
  stagedEntries,
} from './stage.ts';

/** What is made of a stage. */
export interface Recipe {
  stage: Stage;
  lock: Lockfile;
  version: string;
  /** The moment of the commit, in seconds since 1970. */
  seconds: number;
  withSandbox: boolean;
  /** The image that an image is built on, by digest. */
  image: string;
}

/** A file of the release. */
export interface Artefact {
  name: string;
  bytes: Uint8Array;
}

/** The build tool of the dashboard: installed with it, and no part of its pages. */
const BUILD_TOOL = 'vite';

/** Every package that some artefact carries, once: what the provenance names. */
export const allPackages = ({ lock }: Recipe): Carried[] =>
  carriedBy(lock, ['server', 'sdk', 'sandbox', 'dashboard'], [BUILD_TOOL]);

/** Makes the artefacts, each followed by its SBOM. */
export async function makeArtefacts(recipe: Recipe): Promise<Artefact[]> {
  const { stage, lock, version, seconds } = recipe;
  const pages = carriedBy(lock, ['dashboard'], [BUILD_TOOL]);
  const server = carriedBy(lock, ['server', 'sdk']);
  const sandbox = carriedBy(lock, ['sandbox']);
  const made: Artefact[] = [];
  const add = async (
    name: string,
    folder: string,
    entries: readonly Entry[],
    packages: readonly Carried[],
    others: readonly ReturnType<typeof imageComponent>[] = [],
  ): Promise<Artefact> => {
    const file = { name: `${name}-${version}.tgz`, bytes: await archive(folder, entries, seconds) };
    const sbom = sbomText({ name, version, seconds, packages, others });
    made.push(file, { name: `${name}-${version}.cdx.json`, bytes: Buffer.from(sbom) });
    return file;
  };
  const inPages = merge(server, pages);
  const service = await add(
    'recollect',
    `recollect-${version}`,
    serviceEntries(recipe, server, false),
    inPages,
  );
  if (recipe.withSandbox) {
    const both = merge(server, sandbox);
    const folder = `recollect-with-sandbox-${version}`;
    const entries = serviceEntries(recipe, both, true);
    await add('recollect-with-sandbox', folder, entries, merge(both, pages));
  }
  await add(
    'recollect-sandbox',
    `recollect-sandbox-${version}`,
    [...stagedEntries(stage, isOfSandbox).map(fromSandbox), ...packageEntries(stage, sandbox)],
    sandbox,
  );
  await add(
    'recollect-sdk',
    'package',
    builtEntries(stage, 'sdk/dist', ''),
    carriedBy(lock, ['sdk']),
  );
  const { openapi, postman } = stagedDocuments(stage);
  const documents = [
    { path: 'openapi.json', content: openapi },
    { path: 'postman.json', content: postman },
  ];
  await add('recollect-api', 'api', documents, []);
  const image = imageEntries(stage, service);
  await add('recollect-image', '.', image, inPages, [imageComponent(recipe.image)]);
  await add('recollect-chart', 'recollect', below(stage, 'deploy/helm/recollect/'), []);
  await add('recollect-manifests', 'kubernetes', below(stage, 'deploy/kubernetes/'), []);
  return made;
}

/** Makes the tarball of the service alone. */
export async function makeService(recipe: Recipe): Promise<Artefact> {
  const { lock, version, seconds } = recipe;
  const entries = serviceEntries(recipe, carriedBy(lock, ['server', 'sdk']), false);
  const bytes = await archive(`recollect-${version}`, entries, seconds);
  return { name: `recollect-${version}.tgz`, bytes };
}

const merge = (...lists: readonly (readonly Carried[])[]): Carried[] => [
  ...new Map(lists.flat().map((one) => [one.path, one])).values(),
];

function serviceEntries(
  { stage, version }: Recipe,
  packages: readonly Carried[],
  withSandbox: boolean,
): Entry[] {
  return [
    ...stagedEntries(stage, (path) => isOfService(path, withSandbox)),
    ...builtEntries(stage, 'dashboard/dist', 'dashboard/dist'),
    ...packageEntries(stage, packages),
    { path: 'node_modules/@recollect/sdk', link: '../../sdk' },
    { path: 'package.json', content: servicePackage(version) },
  ];
}

/** The sandbox's own folder is the top of its archive, and its guide the first thing to read there. */
const fromSandbox = (entry: Entry): Entry => ({
  ...entry,
  path: entry.path === SANDBOX_GUIDE ? 'README.md' : entry.path.replace(/^sandbox\//, ''),
});

/** The folder from which the image is built: its definition, with the tarball of the service beside it. */
function imageEntries(stage: Stage, { name, bytes }: Artefact): Entry[] {
  const definition = stagedEntries(stage, (path) => path === 'deploy/Dockerfile');
  return [
    ...definition.map((entry) => ({ ...entry, path: 'Dockerfile' })),
    { path: name, content: bytes },
  ];
}

const below = (stage: Stage, folder: string): Entry[] =>
  stagedEntries(stage, (path) => path.startsWith(folder)).map((entry) => ({
    ...entry,
    path: entry.path.slice(folder.length),
  }));
