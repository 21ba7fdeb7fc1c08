import { statSync } from 'node:fs';
import { ArchiveRefused } from '../../../archive/archive.ts';
import { archiveHistory, orderErrors } from '../../../archive/service.ts';
import { isId, showArchived, verifyArchives } from '../../../archive/show.ts';
import { type ArchiveRow, listArchives } from '../../../archive/store.ts';
import type { Config } from '../../../platform/config/config.ts';
import { operatorActor } from '../../../platform/state/actor.ts';
import { formatInstant } from '../../../platform/time/calendar.ts';
import { invalid } from '../../../platform/values/errors.ts';
import { actingOnHost } from '../session/host.ts';
import { withPlatform } from '../session/offline.ts';
import type { CommandResult } from '../session/output.ts';

type OnLine = (line: string) => void;

export interface RunOptions {
  months: number;
  folder: string;
}

const lineOf = (archive: ArchiveRow): string => {
  const rows = Object.values(archive.rowCounts).reduce((sum, n) => sum + n, 0);
  const left = archive.leftOver === 0 ? '' : `, ${archive.leftOver} left in the database`;
  const stands =
    archive.endedAt !== null
      ? ''
      : archive.verifiedAt === null
        ? ', being written'
        : ', being deleted';
  const month = archive.month.slice(0, '2025-03'.length);
  return `${month}  ${archive.archiveId}  ${rows} rows of ${archive.subjects}${left}${stands}`;
};

/** `archive run`: prints a line for each month. */
export function runCommand(
  config: Config,
  options: RunOptions,
  onLine: OnLine,
): Promise<CommandResult> {
  const wrong = orderErrors(options);
  if (
    wrong.folder === undefined &&
    !statSync(options.folder, { throwIfNoEntry: false })?.isDirectory()
  )
    wrong.folder = 'must be a folder that is there';
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
  return withPlatform(config, async (platform) => {
    let months = 0;
    const order = { ...options, by: operatorActor(actingOnHost(config).name) };
    try {
      await archiveHistory(platform, order, (archive) => {
        months++;
        onLine(lineOf(archive));
      });
    } catch (error) {
      if (!(error instanceof ArchiveRefused)) throw error;
      return { line: error.message, isDone: false };
    }
    const line = months === 0 ? 'nothing is to be archived' : 'archived; back up the folder';
    return { line, isDone: true };
  });
}

/** `archive list`. */
export function listCommand(config: Config): Promise<string[]> {
  return withPlatform(config, async ({ db }) => {
    const archives = await db.transaction(listArchives);
    return archives
      .filter(({ subjects, endedAt }) => subjects > 0 || endedAt === null)
      .map((archive) => {
        const { startedBy, startedAt, folder, manifestSha256 } = archive;
        const by = `${startedBy}, ${formatInstant(startedAt)}`;
        return [lineOf(archive), by, folder, manifestSha256 ?? ''].join('  ');
      });
  });
}

/** `archive show`: prints each archived row that names an id, as JSON. */
export function showCommand(
  config: Config,
  id: string,
  month: string | undefined,
  onLine: OnLine,
): Promise<CommandResult> {
  if (!isId(id)) throw invalid({ id: 'must be an id, such as pay_… or cus_…' });
  if (month !== undefined && !/^\d{4}-\d{2}$/.test(month))
    throw invalid({ month: 'must be a month, such as 2025-03' });
  return withPlatform(config, async (platform) => {
    let found = 0;
    for await (const shown of showArchived(platform, [id], month)) {
      found++;
      onLine(JSON.stringify(shown));
    }
    return found > 0
      ? { line: `${found} rows`, isDone: true }
      : { line: `no archive has ${id}`, isDone: false };
  });
}

/** `archive verify`. */
export function verifyCommand(config: Config): Promise<CommandResult> {
  return withPlatform(config, async (platform) => {
    const problems = await verifyArchives(platform);
    return problems.length === 0
      ? { line: 'every file is as it was written', isDone: true }
      : { line: problems.join('\n'), isDone: false };
  });
}
