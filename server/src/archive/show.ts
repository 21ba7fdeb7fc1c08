import type { Platform } from '../platform/platform.ts';
import { ARCHIVED } from './archive.ts';
import { problemsOf } from './delete.ts';
import { pathOf, readLines } from './files.ts';
import { type ArchiveRow, listArchives, schedulesOf } from './store.ts';
import { fileOf } from './write.ts';

type Deps = Pick<Platform, 'db'>;

/** A row of the archive that names what was asked for. */
export interface ArchivedRow {
  archive_id: string;
  table: string;
  row: Record<string, unknown>;
}

/** Only an id of ours is looked for: anything else would be found within other words. */
const ID = /^[a-z]{3}_[0-9A-Za-z]{22}$/;

/** Whether a text has the form of an id. */
export const isId = (text: string): boolean => ID.test(text);

/**
 * Yields the archived rows that name one of these ids, oldest month first:
 * of a payment, refund, settlement, schedule, event, delivery,
 * notice or customer. Those of a customer are found by their schedules. Rows that stayed in the database are left out. Throws
 * if a file cannot be read.
 */
export async function* showArchived(
  { db }: Deps,
  ids: readonly string[],
  month?: string,
): AsyncGenerator<ArchivedRow> {
  const wanted = [...ids];
  const archives = await db.transaction(async (tx) => {
    for (const id of ids) if (id.startsWith('cus_')) wanted.push(...(await schedulesOf(tx, id)));
    return listArchives(tx);
  });
  for (const archive of archives)
    if (archive.subjects > 0 && (month === undefined || archive.month.startsWith(month)))
      yield* rowsNaming(archive, wanted);
}

async function* rowsNaming(
  archive: ArchiveRow,
  ids: readonly string[],
): AsyncGenerator<ArchivedRow> {
  const stayed = new Set(archive.stayed);
  for (const table of ARCHIVED) {
    if (!((archive.rowCounts[table] ?? 0) > 0)) continue;
    for await (const text of readLines(pathOf(archive, fileOf(table)))) {
      if (!ids.some((id) => text.includes(id))) continue;
      const { subject, row } = JSON.parse(text) as { subject: string; row: ArchivedRow['row'] };
      if (!stayed.has(subject)) yield { archive_id: archive.archiveId, table, row };
    }
  }
}

/** Returns what is wrong with the files of every archive; empty: each is there and as it was written. */
export async function verifyArchives({ db }: Deps): Promise<string[]> {
  const problems: string[] = [];
  for (const archive of await db.transaction(listArchives))
    if (archive.verifiedAt !== null) problems.push(...(await problemsOf(archive)));
  return problems;
}
