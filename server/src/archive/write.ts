import type { Platform } from '../platform/platform.ts';
import {
  ARCHIVED,
  type Archived,
  isLineBefore,
  KEY_OF,
  KINDS,
  type Kind,
  type Line,
  startOf,
  withoutPerson,
} from './archive.ts';
import { heldByLaws } from './checked.ts';
import {
  beginFile,
  type Content,
  folderOf,
  makeFolder,
  pathOf,
  readContent,
  readWhole,
  removeFile,
  type Writing,
  writeWhole,
} from './files.ts';
import { findLines, listSubjects, type Subject } from './history-store.ts';
import type { Keys } from './rows-store.ts';
import { type ArchiveRow, listMerchants } from './store.ts';

/** How many subjects of a merchant are read together. */
const PAGE = 200;

/** The file that says which rows are to be deleted; it is removed at the end. */
export const WORK = 'work.ndjson.gz';
export const MANIFEST = 'manifest.json';
export const fileOf = (table: string): string => `${table}.ndjson.gz`;

/** The subject of one line of the work file, and the keys of its rows. */
export interface WorkLine {
  merchant: string;
  subject: string;
  keys: Keys;
}

/** What is written down beside the files, and whose digest is in the database. */
export interface Manifest {
  archive_id: string;
  month: string;
  /** All that is in it happened before. */
  before: string;
  written_by: string;
  written_at: string;
  subjects: number;
  files: Record<string, Content>;
}

/** What was written of a month. */
export type Written = Pick<
  ArchiveRow,
  'subjects' | 'leftOver' | 'rowCounts' | 'manifestSha256' | 'workSha256'
>;

/** What writing takes. */
export interface WriteDeps {
  platform: Pick<Platform, 'db' | 'vault' | 'clock'>;
  /** Renews the lease; throws if another process has taken over. */
  alive: () => Promise<void>;
}

/**
 * Writes the history of a month's subjects to files, reads them back, and writes the manifest. Throws if a file is not as it was
 * written.
 */
export async function writeMonth(deps: WriteDeps, archive: ArchiveRow): Promise<Written> {
  const month = new MonthWriter(deps, archive);
  try {
    const merchants = await deps.platform.db.transaction(listMerchants);
    for (const merchantId of merchants)
      for (const kind of KINDS) await month.writeKind(merchantId, kind);
    return await month.finish();
  } catch (error) {
    await month.discard();
    throw error;
  }
}

class MonthWriter {
  readonly #deps: WriteDeps;
  readonly #archive: ArchiveRow;
  readonly #files = new Map<string, Writing>();
  #subjects = 0;
  #leftOver = 0;

  constructor(deps: WriteDeps, archive: ArchiveRow) {
    this.#deps = deps;
    this.#archive = archive;
  }

  /** Writes every subject of a kind that is over and still has a history. */
  async writeKind(merchantId: string, kind: Kind): Promise<void> {
    const { db } = this.#deps.platform;
    const month = Temporal.PlainDate.from(this.#archive.month);
    const span = { from: startOf(month), to: startOf(month.add({ months: 1 })), limit: PAGE };
    let after: Subject | null = null;
    do {
      await this.#deps.alive();
      const at: Subject | null = after;
      const subjects: Subject[] = await db.transaction((tx) =>
        listSubjects(tx, kind, merchantId, { ...span, after: at }),
      );
      await this.#writePage(merchantId, kind, subjects);
      after = subjects.length < PAGE ? null : (subjects.at(-1) ?? null);
    } while (after !== null);
  }

  async #writePage(merchantId: string, kind: Kind, subjects: readonly Subject[]): Promise<void> {
    const { db } = this.#deps.platform;
    const { lines, awaited } = await db.transaction((tx) =>
      findLines(tx, kind, merchantId, subjects),
    );
    const bySubject = Map.groupBy(lines, ({ subject }) => subject);
    const broken = await heldByLaws(db, merchantId, kind, subjects, lines);
    for (const { id, isOver: hasEnded } of subjects) {
      const history = bySubject.get(id) ?? [];
      if (history.length === 0) continue; // archived before
      const isOver = hasEnded && !awaited.has(id) && !broken.has(id);
      if (isOver && history.every((line) => isLineBefore(line, this.#archive.horizon)))
        await this.#writeSubject(merchantId, id, history);
      else this.#leftOver++;
    }
  }

  async #writeSubject(
    merchantId: string,
    subject: string,
    history: readonly Line[],
  ): Promise<void> {
    const keys: Record<string, (string | number)[][]> = {};
    for (const line of history) {
      const { table, row, version } = line;
      const file = await this.#file(table);
      await file.write(
        JSON.stringify({ subject, row: withoutPerson(this.#deps.platform.vault, line) }),
      );
      const key = KEY_OF[table].map((column) => row[column] as string | number);
      keys[table] = [...(keys[table] ?? []), [...key, version]];
    }
    const work: WorkLine = { merchant: merchantId, subject, keys };
    await (await this.#file(WORK)).write(JSON.stringify(work));
    this.#subjects++;
  }

  async #file(table: Archived | typeof WORK): Promise<Writing> {
    const name = table === WORK ? WORK : fileOf(table);
    const begun = this.#files.get(name);
    if (begun !== undefined) return begun;
    await makeFolder(folderOf(this.#archive));
    const file = beginFile(pathOf(this.#archive, name));
    this.#files.set(name, file);
    return file;
  }

  async finish(): Promise<Written> {
    const { platform } = this.#deps;
    const files: Record<string, Content> = {};
    for (const [name, file] of this.#files) {
      await this.#deps.alive();
      const written = await file.close();
      const path = pathOf(this.#archive, name);
      const read = await readContent(path);
      if (read.rows !== written.rows || read.text_sha256 !== written.text_sha256)
        throw new Error(`${path} cannot be read back as it was written: nothing was deleted`);
      files[name] = read;
    }
    const { [WORK]: work, ...tables } = files;
    const manifest: Manifest = {
      archive_id: this.#archive.archiveId,
      month: this.#archive.month.slice(0, '2025-03'.length),
      before: this.#archive.horizon.toString(),
      written_by: this.#archive.startedBy,
      written_at: platform.clock.now().toString(),
      subjects: this.#subjects,
      files: tables,
    };
    const path = pathOf(this.#archive, MANIFEST);
    if (this.#subjects > 0) await writeWhole(path, `${JSON.stringify(manifest, null, 2)}\n`);
    return {
      subjects: this.#subjects,
      leftOver: this.#leftOver,
      rowCounts: Object.fromEntries(
        ARCHIVED.map((table) => [table, tables[fileOf(table)]?.rows ?? 0]),
      ),
      manifestSha256: this.#subjects > 0 ? (await readWhole(path)).sha256 : null,
      workSha256: work?.sha256 ?? null,
    };
  }

  /** Writes no more. */
  async discard(): Promise<void> {
    for (const file of this.#files.values()) await file.discard();
  }
}

/** Removes the work file, which is needed until everything is deleted. */
export async function removeWork(archive: ArchiveRow): Promise<void> {
  await removeFile(pathOf(archive, WORK));
}
