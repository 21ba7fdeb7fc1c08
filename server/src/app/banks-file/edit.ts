import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import type { OpenBankingConfig } from '../../banks/open-banking/config.ts';
import { ConfigError } from '../../platform/config/config.ts';
import { errorCode } from '../../platform/values/thrown.ts';
import { examineBanksFile } from './banks-file.ts';

/** One entry of the file, as it is written; members that we do not know are kept. */
export type FileEntry = { bank_id: string } & Record<string, unknown>;

/** The banks' file while it is being changed: nobody else changes it meanwhile. */
export interface BanksFileEdit {
  entry(bankId: string): FileEntry | null;
  /** Returns the connection that an entry would make, without writing it. Throws ConfigError with a line per problem. */
  examine(entry: FileEntry): OpenBankingConfig;
  /** Writes the file with this entry added or replaced: after a crash the old file or the new one is whole. */
  put(entry: FileEntry): void;
  remove(bankId: string): void;
}

/** Runs `work` on the file at `path`, which need not exist yet. Throws ConfigError if another command is changing it. */
export async function editBanksFile<T>(
  path: string,
  work: (edit: BanksFileEdit) => Promise<T>,
): Promise<T> {
  const unlock = lock(path);
  try {
    return await work(editOf(path));
  } finally {
    unlock();
  }
}

/** Returns a path given on the command line as the banks' file names it: relative to the file where it is below it. */
export function pathInFile(banksFile: string, given: string): string {
  const full = resolve(given);
  const below = relative(dirname(resolve(banksFile)), full);
  return below.startsWith('..') || isAbsolute(below) ? full : below;
}

function editOf(path: string): BanksFileEdit {
  const read = (): { banks: FileEntry[] } => {
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return { banks: [] };
      throw new ConfigError(`BANKS_FILE ${path} cannot be read: ${String(error)}`);
    }
    try {
      const content = JSON.parse(text) as { banks: FileEntry[] };
      if (Array.isArray(content?.banks)) return content;
    } catch {
      // Refused below.
    }
    throw new ConfigError(`BANKS_FILE ${path} is not {"banks": […]} in JSON: put it right first`);
  };
  const withEntry = (entry: FileEntry) => {
    const content = read();
    const at = content.banks.findIndex(({ bank_id }) => bank_id === entry.bank_id);
    const banks = at < 0 ? [...content.banks, entry] : content.banks.with(at, entry);
    return { ...content, banks };
  };
  return {
    entry: (bankId) => read().banks.find(({ bank_id }) => bank_id === bankId) ?? null,
    examine: (entry) => {
      const draft = `${path}.draft`;
      writeWhole(draft, { banks: [entry] });
      try {
        const { banks, problems } = examineBanksFile({ paymentScheme: 'commercial' }, draft);
        const [bank] = banks;
        if (problems.length > 0 || bank === undefined)
          throw new ConfigError(problems.join('\n').replaceAll(draft, path));
        return bank;
      } finally {
        rmSync(draft, { force: true });
      }
    },
    put: (entry) => replace(path, withEntry(entry)),
    remove: (bankId) => {
      const content = read();
      const banks = content.banks.filter(({ bank_id }) => bank_id !== bankId);
      replace(path, { ...content, banks });
    },
  };
}

function replace(path: string, content: object): void {
  writeWhole(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}

function writeWhole(path: string, content: object): void {
  mkdirSync(dirname(resolve(path)), { recursive: true });
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true });
}

/** What a system says of a folder that we may not write. */
const NOT_WRITABLE = new Set(['EROFS', 'EACCES', 'EPERM']);

const writeElsewhere = (path: string, code: string): string =>
  `${path} cannot be written here (${code}), and nothing was sent to the bank: give --file <folder>/banks.json ` +
  'in a folder that you may write, with a copy of the banks’ file if there is one, and put that folder in its place afterwards';

/** Creates the lock file; returns what removes it. */
function lock(path: string): () => void {
  const file = `${path}.lock`;
  try {
    mkdirSync(dirname(resolve(path)), { recursive: true });
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const code = errorCode(error);
    if (NOT_WRITABLE.has(code)) throw new ConfigError(writeElsewhere(path, code));
    if (code !== 'EEXIST') throw error;
    throw new ConfigError(
      `another command is changing ${path}; if none runs, delete ${file} and try again`,
    );
  }
  return () => rmSync(file, { force: true });
}
