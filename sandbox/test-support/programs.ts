import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PROGRAMS, type RunningProgram } from '../src/programs.ts';

interface Config {
  data_dir: string;
}

/** A bank's database with only its signing keys; created from the first bank of this process. */
let books: string | undefined;

/**
 * Starts the sandbox's bank or issuer in this process. The banks of one process share their signing keys: creating nine new ones
 * takes longer than most tests.
 */
export async function startProgram(
  name: 'bank' | 'issuer',
  config: Config,
): Promise<RunningProgram> {
  const file = join(config.data_dir, 'bank.sqlite');
  const isNewBank = name === 'bank' && !existsSync(file);
  if (isNewBank && books !== undefined) {
    mkdirSync(config.data_dir, { recursive: true });
    copyFileSync(books, file);
  }
  const running = await PROGRAMS[name]?.(config as never);
  if (running === undefined) throw new Error(`The sandbox has no program ${name}`);
  if (isNewBank) books ??= keysOf(file);
  return running;
}

function keysOf(file: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'bank-keys-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const copy = join(folder, 'bank.sqlite');
  const original = new DatabaseSync(file, { readOnly: true });
  original.prepare('VACUUM INTO ?').run(copy);
  original.close();
  const db = new DatabaseSync(copy);
  db.exec('PRAGMA foreign_keys = OFF');
  const tables = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  for (const { name } of tables) if (name !== 'secrets') db.exec(`DELETE FROM "${String(name)}"`);
  db.exec("DELETE FROM secrets WHERE name NOT LIKE 'signing_key:%'");
  db.close();
  return copy;
}
