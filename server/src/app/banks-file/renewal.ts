import { isDeepStrictEqual } from 'node:util';
import type { BankDirectory } from '../../banks/directory.ts';
import type { OpenBankingConfig } from '../../banks/open-banking/config.ts';
import type { Log } from '../../platform/log/log.ts';
import type { examineBanksFile } from './banks-file.ts';
import { checkBank } from './check.ts';

const EVERY_MS = 60_000;

/** Takes up what changes in the banks' file, and in the files that it names, while the service runs. */
export interface BankRenewal {
  /** Looks now; a look that is under way is shared. Never throws. */
  look(): Promise<void>;
  /** Looks every minute. */
  start(): void;
  close(): Promise<void>;
}

interface WatchedFile {
  /** The banks' file. */
  path: string;
  /** Reads it, and the files that it names. */
  read(): Pick<ReturnType<typeof examineBanksFile>, 'banks' | 'problems'>;
  directory: Pick<BankDirectory, 'direct' | 'renew'>;
  log: Pick<Log, 'report' | 'info'>;
}

/**
 * Watches the files of direct banks (docs/guides/banks.md#renewing-certificates-and-keys). A changed bank is checked like
 * `bank check` does it, with a signed round trip; until that succeeds, calls go on with what they had, and the next look tries
 * again: so a new key may be put in place before the directory has published it.
 */
export function watchBanksFile({ path, read, directory, log }: WatchedFile): BankRenewal {
  /** What was reported last, by bank: the same is not reported every minute. */
  const reported = new Map<string, string>();
  const refuse = (bank: string, problems: readonly string[]): void => {
    const text = problems.join('\n');
    if (reported.get(bank) === text) return;
    reported.set(bank, text);
    log.report('bank.change_not_used', { bank, problems });
  };
  const applyChange = async (bank: OpenBankingConfig): Promise<void> => {
    const lines = await checkBank(path, bank, null);
    const problems = lines.filter(({ level }) => level === 'problem').map(({ says }) => says);
    if (problems.length > 0) return refuse(bank.bankId, problems);
    await directory.renew(bank);
    reported.delete(bank.bankId);
    log.info({ bank: bank.bankId }, 'The bank is called with its changed configuration');
  };
  const lookOnce = async (): Promise<void> => {
    const { banks, problems } = read();
    if (problems.length > 0) return refuse('', problems);
    reported.delete('');
    const used = new Map(directory.direct().map((bank) => [bank.bankId, bank]));
    for (const bank of banks) {
      const before = used.get(bank.bankId);
      used.delete(bank.bankId);
      if (before === undefined)
        refuse(bank.bankId, ['is new in the file: restart the service to offer it']);
      else if (isDeepStrictEqual(before, bank)) reported.delete(bank.bankId);
      else await applyChange(bank);
    }
    for (const gone of used.keys())
      refuse(gone, ['is not in the file any more: restart the service to stop offering it']);
  };
  let looking: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  const look = (): Promise<void> => {
    looking ??= lookOnce()
      .catch((error: unknown) => refuse('', [String(error)]))
      .finally(() => {
        looking = null;
      });
    return looking;
  };
  return {
    look,
    start() {
      timer = setInterval(() => void look(), EVERY_MS).unref();
    },
    async close() {
      clearInterval(timer);
      await looking;
    },
  };
}
