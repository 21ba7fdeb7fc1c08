import assert from 'node:assert/strict';
import { ARCHIVED, type Archived, KEY_OF } from '../src/archive/archive.ts';
import { pathOf, readLines } from '../src/archive/files.ts';
import { listArchives } from '../src/archive/store.ts';
import { fileOf } from '../src/archive/write.ts';
import type { Db } from '../src/platform/db/db.ts';

type Row = Readonly<Record<string, unknown>>;

/** A row's table and primary key, as text. */
const nameOf = (table: Archived, row: Row): string =>
  [table, row.merchant_id, ...KEY_OF[table].map((column) => row[column])].join(' ');

/** Returns the names of every row of the archived tables. */
export async function stored(db: Db): Promise<string[]> {
  const names: string[] = [];
  for (const table of ARCHIVED) {
    const rows = await db.read((tx) =>
      tx.rows<{ row: Row }>(`SELECT to_jsonb(t) AS row FROM ${table} t`),
    );
    names.push(...rows.map(({ row }) => nameOf(table, row)));
  }
  return names.toSorted();
}

/** Returns the names of every row in the files of archives that were verified, and the text of all those files. */
export async function archived(db: Db): Promise<{ names: string[]; text: string }> {
  const names: string[] = [];
  let text = '';
  for (const archive of await db.transaction(listArchives)) {
    if (archive.verifiedAt === null) continue;
    for (const table of ARCHIVED) {
      if (!((archive.rowCounts[table] ?? 0) > 0)) continue;
      for await (const line of readLines(pathOf(archive, fileOf(table)))) {
        text += `${line}\n`;
        const { subject, row } = JSON.parse(line) as { subject: string; row: Row };
        if (!archive.stayed.includes(subject)) names.push(nameOf(table, row));
      }
    }
  }
  return { names: names.toSorted(), text };
}

/** Asserts that these rows are in the database or in the archive, each of them in one, and once. */
export async function assertOnce(db: Db, before: readonly string[]): Promise<void> {
  const { names } = await archived(db);
  assert.deepEqual([...(await stored(db)), ...names].toSorted(), before);
}
