import { randomUUID } from 'node:crypto';
import type { Platform } from '../platform/platform.ts';
import { isAfter, isBefore } from '../platform/values/instants.ts';
import { ArchiveRefused, horizonOf, MIN_MONTHS, monthsUpTo } from './archive.ts';
import { deleteArchived, type WithArchiveLock } from './delete.ts';
import { removeFiles } from './files.ts';
import { oldestOf } from './history-store.ts';
import {
  type ArchiveRow,
  claimOpen,
  dropArchive,
  endArchive,
  insertArchive,
  listArchives,
  listMerchants,
  markVerified,
  type Runner,
  renew,
} from './store.ts';
import { removeWork, writeMonth } from './write.ts';

/** In seconds: after this long without a sign of life another process may take over. */
const LEASE = 120;

/** What is archived, and where to. */
export interface Order {
  /** How many whole months stay in the database. */
  months: number;
  /** An absolute path. */
  folder: string;
  by: string;
}

/** Returns what is wrong with an order, by field; empty: nothing. */
export function orderErrors({
  months,
  folder,
}: Pick<Order, 'months' | 'folder'>): Record<string, string> {
  const wrong: Record<string, string> = {};
  if (!Number.isInteger(months) || months < MIN_MONTHS)
    wrong.months = `must be a whole number of at least ${MIN_MONTHS}`;
  if (!folder.startsWith('/')) wrong.folder = 'must be an absolute path';
  return wrong;
}

type Deps = Pick<Platform, 'db' | 'vault' | 'clock' | 'ids'>;

const ALREADY_RUNNING = 'another process is archiving: wait for it';
const ON_CLUSTER = 'a cluster keeps its history: what archives would be deleted on several nodes';
/** A month in which nothing was left is looked at again so many months later: an old payment may have been refunded since. */
const RECHECK_MONTHS = 12;

/**
 * Moves what is over and older than so many months from the database into files, month by month, oldest first: written, read
 * back, and only then deleted. Finishes first what an earlier run began. `onMonth` gets each month that was archived. Throws
 * `ArchiveRefused` where another process is at it, and on a cluster. docs/rules/retention.md#the-archive
 */
export async function archiveHistory(
  platform: Deps,
  order: Order,
  onMonth: (archive: ArchiveRow) => void = () => undefined,
): Promise<void> {
  if (await platform.db.isOnCluster()) throw new ArchiveRefused(ON_CLUSTER);
  const run = new Run(platform, order, onMonth);
  await run.finishOpen();
  const horizon = horizonOf(platform.clock.now(), order.months);
  for (const month of await run.monthsToDo(horizon)) await run.archiveMonth(month, horizon);
}

class Run {
  readonly #platform: Deps;
  readonly #order: Order;
  readonly #onMonth: (archive: ArchiveRow) => void;
  readonly #runner: Runner = { runner: randomUUID(), lease: LEASE };

  constructor(platform: Deps, order: Order, onMonth: (archive: ArchiveRow) => void) {
    this.#platform = platform;
    this.#order = order;
    this.#onMonth = onMonth;
  }

  /** Takes over what an earlier run left: verified files are deleted from the database, others are given up. */
  async finishOpen(): Promise<void> {
    const open = await this.#platform.db.transaction((tx) => claimOpen(tx, this.#runner));
    if (open === 'taken') throw new ArchiveRefused(ALREADY_RUNNING);
    if (open === null) return;
    if (open.verifiedAt === null) await this.#giveUp(open);
    else await this.#delete(open);
  }

  /** Returns the months before the horizon in which something may be left. */
  async monthsToDo(horizon: Temporal.Instant): Promise<Temporal.PlainDate[]> {
    const { db } = this.#platform;
    const [merchants, archives] = await db.transaction(async (tx) => [
      await listMerchants(tx),
      await listArchives(tx),
    ]);
    for (const archive of archives) if (archive.endedAt !== null) await removeWork(archive); // or was killed before
    let first: Temporal.Instant | null = null;
    for (const merchantId of merchants) {
      const at = await db.transaction((tx) => oldestOf(tx, merchantId));
      if (at !== null && (first === null || isBefore(at, first))) first = at;
    }
    if (first === null) return [];
    const months = horizon.toZonedDateTimeISO('UTC').subtract({ months: RECHECK_MONTHS });
    const isDone = (archive: ArchiveRow): boolean =>
      archive.leftOver === 0 && isAfter(archive.horizon, months.toInstant());
    const done = new Set(archives.filter(isDone).map(({ month }) => month));
    return monthsUpTo(first, horizon).filter((month) => !done.has(month.toString()));
  }

  /** Archives a month under an id of its own: nobody but this run writes to its files. */
  async archiveMonth(month: Temporal.PlainDate, horizon: Temporal.Instant): Promise<void> {
    const { db, clock, ids } = this.#platform;
    const now = clock.now();
    const begun = {
      archiveId: ids.next('arc', now),
      month: month.toString(),
      horizon,
      folder: this.#order.folder,
      startedBy: this.#order.by,
      startedAt: now,
    };
    const archive = await db.transaction((tx) => insertArchive(tx, begun, this.#runner));
    if (archive === null) throw new ArchiveRefused(ALREADY_RUNNING);
    const verified = await this.#write(archive).catch(async (error: unknown) => {
      await this.#giveUp(archive).catch(() => undefined); // the next run does it
      throw error;
    });
    if (verified !== null) await this.#delete(verified);
  }

  /** Writes and verifies the files; null: the month has nothing to be archived. */
  async #write(archive: ArchiveRow): Promise<ArchiveRow | null> {
    const whileOurs = this.#whileOurs(archive);
    const alive = () => whileOurs(async () => undefined);
    const written = await writeMonth({ platform: this.#platform, alive }, archive);
    const now = this.#platform.clock.now();
    if (written.subjects > 0) {
      await whileOurs((tx) => markVerified(tx, archive.archiveId, now, written));
      return { ...archive, ...written, verifiedAt: now };
    }
    const end = { leftOver: 0, stayed: [] };
    await whileOurs((tx) =>
      written.leftOver > 0
        ? dropArchive(tx, archive.archiveId)
        : endArchive(tx, archive.archiveId, now, end),
    );
    return null;
  }

  async #delete(archive: ArchiveRow): Promise<void> {
    const whileOurs = this.#whileOurs(archive);
    const stayed = await deleteArchived(whileOurs, archive);
    const end = { leftOver: archive.leftOver + stayed.length, stayed };
    const now = this.#platform.clock.now();
    await whileOurs((tx) => endArchive(tx, archive.archiveId, now, end));
    await removeWork(archive);
    this.#onMonth({ ...archive, ...end, endedAt: now });
  }

  /** Removes an archive that was not verified, and its files. */
  async #giveUp(archive: ArchiveRow): Promise<void> {
    await this.#whileOurs(archive)((tx) => dropArchive(tx, archive.archiveId));
    await removeFiles(archive);
  }

  /** Does work in a transaction in which nobody can take over the archive. Throws if somebody has. */
  #whileOurs({ archiveId }: ArchiveRow): WithArchiveLock {
    return (work) =>
      this.#platform.db.transaction(async (tx) => {
        if (!(await renew(tx, archiveId, this.#runner)))
          throw new ArchiveRefused('another process has taken over');
        return work(tx);
      });
  }
}
