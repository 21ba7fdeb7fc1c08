import { posix } from 'node:path';
import type { Rule, SourceFile, Violation } from './files.ts';

/** More files than this, and a folder is split by what its files are about. Tests count. */
const MOST_FILES = 25;

/** Folders that hold more, with how many: a number only goes down, and the folder leaves the list with the 25th. */
const LARGER: Readonly<Record<string, number>> = {
  'dashboard/src/api': 31,
  'dashboard/src/app': 32,
  'dashboard/src/console/pages': 29,
  'dashboard/src/ui': 61,
  'sandbox/src/bank': 55,
  'sandbox/src/issuer': 32,
  'sdk/src': 33,
  'server/src/banks/open-banking': 29,
  'server/src/dashboard/schedules': 26,
  'server/src/laws': 68,
  'server/src/merchants': 48,
  'server/src/merchants/sign-in': 41,
  'server/src/portal': 28,
  'server/src/sandbox': 33,
  'server/src/settlements': 29,
  'server/src/wallets': 27,
  'server/src/webhooks': 35,
};

/** Returns how many files of code each folder below a `src` holds. */
function sizes(files: readonly SourceFile[]): Map<string, number> {
  const counted = new Map<string, number>();
  for (const { path } of files) {
    if (!/(^|\/)src\/.*[.](tsx?|css)$/.test(path)) continue;
    const folder = posix.dirname(path);
    counted.set(folder, (counted.get(folder) ?? 0) + 1);
  }
  return counted;
}

function problemOf(folder: string, size: number): string | undefined {
  const most = LARGER[folder];
  if (size > (most ?? MOST_FILES))
    return `${size} files, and ${most ?? MOST_FILES} is the most: split it by what its files are about`;
  if (most === undefined || size === most) return undefined;
  return `${size} files, and ${most} in scripts/checks/folders.ts: lower it, or leave it out at ${MOST_FILES}`;
}

/** No folder of code has more files than a reader can survey. */
export const foldersRule: Rule = {
  name: 'folders',
  check: (files) =>
    [...sizes(files)].flatMap(([path, size]): Violation[] => {
      const message = problemOf(path, size);
      return message === undefined ? [] : [{ path, line: 1, message }];
    }),
};
