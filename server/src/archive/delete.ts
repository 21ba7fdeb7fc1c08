import type { Tx } from '../platform/db/db.ts';
import { ArchiveRefused } from './archive.ts';
import { pathOf, readContent, readLines, readWhole } from './files.ts';
import { countRows, deleteRows, type Keys } from './rows-store.ts';
import type { ArchiveRow } from './store.ts';
import { MANIFEST, type Manifest, WORK, type WorkLine } from './write.ts';

/** How many subjects are deleted in one transaction. */
const BATCH_SIZE = 100;

/** Does work in a transaction in which no other process works on the archive. */
export type WithArchiveLock = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/**
 * Returns what is wrong with the files of an archive; empty: each is as the manifest says, and the manifest as the database
 * says.
 */
export async function problemsOf(archive: ArchiveRow): Promise<string[]> {
  if (archive.subjects === 0) return [];
  const path = pathOf(archive, MANIFEST);
  const found = await readWhole(path).catch(asProblem(path));
  if (typeof found === 'string') return [found];
  if (found.sha256 !== archive.manifestSha256)
    return [`${path} is not the manifest that was written: its digest is ${found.sha256}`];
  const problems: string[] = [];
  for (const [name, { sha256, rows }] of Object.entries(
    (JSON.parse(found.text) as Manifest).files,
  )) {
    const file = pathOf(archive, name);
    const content = await readContent(file).catch(asProblem(file));
    if (typeof content === 'string') problems.push(content);
    else if (content.sha256 !== sha256 || content.rows !== rows)
      problems.push(`${file} is not what was written: its digest is ${content.sha256}`);
  }
  return problems;
}

const asProblem =
  (path: string) =>
  (error: unknown): string =>
    `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`;

/**
 * Deletes what is in the files of a verified archive, a few subjects in a transaction, each row only if it is still as it was
 * read; a second run finishes what a first one began. Returns the subjects that stayed, because something happened to them.
 * Throws `ArchiveRefused`, and deletes nothing, if a file is not as it was written.
 */
export async function deleteArchived(
  whileOurs: WithArchiveLock,
  archive: ArchiveRow,
): Promise<string[]> {
  const problems = await problemsOf(archive);
  const work = pathOf(archive, WORK);
  const keys = await readContent(work).catch(asProblem(work));
  if (typeof keys === 'string') problems.push(keys);
  else if (keys.sha256 !== archive.workSha256) problems.push(`${work} is not what was written`);
  if (problems.length > 0)
    throw new ArchiveRefused(`nothing was deleted now: ${problems.join('; ')}`);
  const stayed: string[] = [];
  const remove = (merchant: string, keys: Keys): Promise<boolean> =>
    whileOurs((tx) => removeWhole(tx, archive.archiveId, merchant, keys)).catch(falseIfReferenced);
  let batch: WorkLine[] = [];
  const flush = async (): Promise<void> => {
    const [first] = batch;
    if (first === undefined) return;
    if (!(await remove(first.merchant, merged(batch))))
      for (const { merchant, subject, keys } of batch)
        if (!(await remove(merchant, keys))) stayed.push(subject);
    batch = [];
  };
  for await (const text of readLines(work)) {
    const line = JSON.parse(text) as WorkLine;
    if (batch.length >= BATCH_SIZE || batch.some(({ merchant }) => merchant !== line.merchant))
      await flush();
    batch.push(line);
  }
  await flush();
  return stayed;
}

/** What is to be deleted is not as it was read. */
class Changed extends Error {}

/** Deletes rows, all of them; true if they are gone, now or since an earlier try. */
async function removeWhole(
  tx: Tx,
  archiveId: string,
  merchantId: string,
  keys: Keys,
): Promise<boolean> {
  const expected = Object.values(keys).reduce((sum, rows) => sum + rows.length, 0);
  const deleted = await deleteRows(tx, archiveId, merchantId, keys);
  if (deleted === expected) return true;
  if (deleted === 0 && (await countRows(tx, merchantId, keys)) === 0) return true;
  throw new Changed();
}

const STILL_REFERENCED = '23503';

/** A row that changed, or to which something new refers, keeps its subject in the database. */
function falseIfReferenced(error: unknown): false {
  const isReferenced = error instanceof Error && 'code' in error && error.code === STILL_REFERENCED;
  if (error instanceof Changed || isReferenced) return false;
  throw error;
}

/** Returns the keys of several subjects as one. */
function merged(lines: readonly WorkLine[]): Keys {
  const all: Record<string, (readonly (string | number)[])[]> = {};
  for (const { keys } of lines)
    for (const [table, rows] of Object.entries(keys)) all[table] = [...(all[table] ?? []), ...rows];
  return all;
}
