import { createHash, type KeyObject } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Artefact,
  allPackages,
  makeArtefacts,
  makeService,
  type Recipe,
} from './artefacts.ts';
import type { Read } from './edits.ts';
import { readCommit, trackedFiles } from './git.ts';
import { signedText, statementOf } from './provenance.ts';
import { fillStage } from './stage.ts';
import { PROVENANCE, SUMS, sumsText } from './verify.ts';

/** What is built, and where it goes. */
export interface Order {
  root: string;
  /** The folder of the artefacts, which is emptied first. */
  to: string;
  version: string;
  /** Files with another text than in the checkout. */
  edits: ReadonlyMap<string, string>;
  withSandbox: boolean;
  /** Who builds it, as a URI. */
  builder: string;
  /** Signs the provenance; null: nothing is signed, and there is no provenance. */
  key: KeyObject | null;
}

/** The image of the Dockerfile, by digest. */
function imageOf(read: Read): string {
  const found = /^ARG NODE=(\S+@sha256:[0-9a-f]{64})$/m.exec(read('deploy/Dockerfile'));
  if (found?.[1] === undefined) throw new Error('deploy/Dockerfile names no image by digest');
  return found[1];
}

/** Builds every artefact of a release into a folder; returns their names with their SHA-256 sums. */
export function buildRelease(order: Order): Promise<Map<string, string>> {
  return staged(order, async (recipe) => write(order, recipe, await makeArtefacts(recipe)));
}

/** Packs the service of a checkout as it stands, with the packages that are installed there; returns its tarball. */
export function packService(root: string): Promise<Artefact> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return staged({ root, version, edits: new Map(), withSandbox: false }, makeService);
}

/** Fills a stage for as long as something is made of it. */
async function staged<T>(
  { root, version, edits, withSandbox }: Pick<Order, 'root' | 'version' | 'edits' | 'withSandbox'>,
  make: (recipe: Recipe) => Promise<T>,
): Promise<T> {
  const read: Read = (path) => edits.get(path) ?? readFileSync(join(root, path), 'utf8');
  const folder = mkdtempSync(join(tmpdir(), 'recollect-release-'));
  try {
    const { seconds } = readCommit(root);
    const stage = { root, folder, files: trackedFiles(root) };
    fillStage(stage, edits);
    const lock = JSON.parse(read('package-lock.json'));
    return await make({ stage, lock, version, seconds, withSandbox, image: imageOf(read) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const sumOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Writes the artefacts, the provenance that names their sums, and the sums of all of them. */
function write(order: Order, recipe: Recipe, artefacts: readonly Artefact[]): Map<string, string> {
  const { root, to, version, withSandbox, builder, key } = order;
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  const sums = new Map<string, string>();
  const put = ({ name, bytes }: Artefact): void => {
    writeFileSync(join(to, name), bytes);
    sums.set(name, sumOf(bytes));
  };
  for (const artefact of artefacts) put(artefact);
  if (key !== null) {
    const { id, repository } = readCommit(root);
    const statement = statementOf({
      version,
      commit: id,
      repository,
      withSandbox,
      builder,
      sums: new Map(sums),
      packages: allPackages(recipe),
      node: process.versions.node,
      image: recipe.image,
    });
    put({ name: PROVENANCE, bytes: Buffer.from(signedText(statement, key)) });
  }
  writeFileSync(join(to, SUMS), sumsText(sums));
  return sums;
}
