import type { Db } from '../db/db.ts';
import { errorCode } from '../values/thrown.ts';
import { beOwner, type PageRow, type Position, readPage, replaceSealed } from './rewrap-store.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';
import type { Vault } from './vault.ts';

/** What was found and done in one column. */
export interface ColumnCount {
  /** `<table>.<column>` */
  column: string;
  /** Rows read. */
  rows: number;
  /** Rows that were not sealed under the current key. */
  stale: number;
  /** Of these, rows that were sealed again. The others changed meanwhile, or could not be opened. */
  rewrapped: number;
}

/** The result of all passes. */
export interface Rewrapped {
  columns: readonly ColumnCount[];
  /** Rows that could not be opened, by column and key, with the reason; at most a hundred. */
  unreadable: readonly string[];
  /** Whether the last pass found every row sealed under the current key. */
  isComplete: boolean;
}

export interface Rewrap {
  db: Db;
  vault: Vault;
  /** The id of the key that seals. */
  current: string;
  /** Counts, and changes nothing. */
  isDry?: boolean;
  /** Called after every page. */
  onProgress?: (count: ColumnCount) => void;
  /** Rows read by one statement. */
  page?: number;
  columns?: readonly SealedColumn[];
}

const PAGE = 2000;
/** Rows sealed again in one transaction: few, because they stay locked until it ends. */
const BATCH = 50;
/** How long a batch waits for a row that somebody else has locked; it is tried again. */
const LOCK_TIMEOUT_MS = 2000;
const MAX_TRIES = 5;
/** A row that is copied while a pass runs may be missed by it. */
const MAX_PASSES = 4;
const MAX_UNREADABLE = 100;

/**
 * Seals again everything that is not sealed under the current key, while the service runs: page by page along the primary
 * key, a row only if it is still as it was read. What a first run has done, a second one skips, so it can be stopped at any
 * time. Ends with a pass that found nothing left, or after four passes.
 */
export async function rewrapAll(work: Rewrap): Promise<Rewrapped> {
  const unreadable = new Map<string, string>();
  const totals = new Map<string, ColumnCount>();
  for (let pass = 1; ; pass++) {
    let stale = 0;
    for (const what of work.columns ?? SEALED_COLUMNS) {
      const before = totals.get(nameOf(what));
      const count = await rewrapColumn(work, what, before, unreadable);
      stale += count.stale - (before?.stale ?? 0);
      totals.set(count.column, count);
    }
    const isOver = stale <= unreadable.size || work.isDry === true || pass === MAX_PASSES;
    if (!isOver) continue;
    const reasons = [...unreadable].map(([row, reason]) => `${row}: ${reason}`);
    return {
      columns: [...totals.values()],
      unreadable: reasons.slice(0, MAX_UNREADABLE),
      isComplete: stale === 0,
    };
  }
}

const nameOf = ({ table, column }: SealedColumn): string => `${table}.${column}`;

async function rewrapColumn(
  work: Rewrap,
  what: SealedColumn,
  before: ColumnCount | undefined,
  unreadable: Map<string, string>,
): Promise<ColumnCount> {
  const { db, current, isDry = false, page: limit = PAGE } = work;
  const count = before ?? { column: nameOf(what), rows: 0, stale: 0, rewrapped: 0 };
  const now = { ...count, rows: 0 };
  let after: Position = null;
  for (;;) {
    const at = after;
    const rows: PageRow[] = await db.transaction((tx) =>
      readPage(tx, what, { after: at, current, limit }),
    );
    const stale = rows.filter(({ sealed }) => sealed !== null);
    now.rows += rows.length;
    now.stale += stale.length;
    if (!isDry) now.rewrapped += await rewrapRows(work, what, stale, unreadable);
    work.onProgress?.({ ...now });
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return now;
    after = what.key.map((column) => last[column] ?? '');
  }
}

async function rewrapRows(
  { db, vault }: Rewrap,
  what: SealedColumn,
  rows: readonly PageRow[],
  unreadable: Map<string, string>,
): Promise<number> {
  const fresh: { row: PageRow; sealed: string }[] = [];
  for (const row of rows)
    try {
      fresh.push({ row, sealed: resealed(vault, what, row) });
    } catch (error) {
      const key = what.key.map((column) => row[column]).join(' ');
      unreadable.set(`${nameOf(what)} ${key}`, error instanceof Error ? error.message : 'unknown');
    }
  let done = 0;
  for (let n = 0; n < fresh.length; n += BATCH) {
    const batch = fresh.slice(n, n + BATCH);
    done += await retryLockTimeouts(() =>
      db.transaction(
        async (tx) => {
          if (what.isWrittenOnce === true) await beOwner(tx);
          // In the order of the primary key, so that two batches cannot deadlock.
          const changes = batch.map(({ row, sealed }) => replaceSealed(tx, what, row, sealed));
          return (await Promise.all(changes)).filter(Boolean).length;
        },
        { lockTimeoutMs: LOCK_TIMEOUT_MS },
      ),
    );
  }
  return done;
}

/** Repeats work that waited too long for a lock. */
async function retryLockTimeouts<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      if (errorCode(error) !== '55P03' || tries >= MAX_TRIES) throw error;
    }
}

/** Returns the text of a row, sealed under the current key. Throws if it cannot be opened. */
function resealed(vault: Vault, what: SealedColumn, row: PageRow): string {
  const { sealed, ...columns } = row;
  const text = sealed ?? '';
  const { field } = what;
  if (field === undefined) {
    const context = what.context(columns);
    return vault.seal(vault.open(text, context), context);
  }
  const body = JSON.parse(text) as Record<string, string>;
  const context = what.context({ ...columns, ...body });
  const plain = vault.open(body[field] ?? '', context);
  return JSON.stringify({ ...body, [field]: vault.seal(plain, context) });
}
