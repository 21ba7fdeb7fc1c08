import { showArchived } from '../../archive/show.ts';
import type { Bank } from '../../banks/bank.ts';
import type { CaseFileDeps } from '../../disputes/case-file/service.ts';
import type { Platform } from '../../platform/platform.ts';

/** Returns what case files take besides their slice: the banks, and what is in the archive. */
export const caseFileDeps = (
  platform: Platform,
  banks: ReadonlyMap<string, Bank>,
): CaseFileDeps => ({
  platform,
  banks,
  readArchive: (ids, month) => Array.fromAsync(showArchived(platform, ids, month)),
});
