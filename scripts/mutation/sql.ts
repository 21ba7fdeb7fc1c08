import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mapInParallel } from '../../server/src/platform/network/concurrency-limits.ts';
import { dropTemplate, ensureTemplate } from '../../server/test-support/database.ts';
import { useSharedServer } from '../../server/test-support/shared-server.ts';
import { type Mutant, mutantsOf, STATEMENT_RULES, TABLE_RULES } from './mutants.ts';
import { type Planted, runWith } from './planted.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const LEDGER = join(root, 'server/src/wallets/ledger-store.ts');
const MIGRATE = join(root, 'server/src/platform/db/migrate.ts');
const SCHEMA = '0156_recollect.sql';
const TESTS = ['server/src/wallets/ledger-store.test.ts', 'test/races/ledger.test.ts'];
const WIDTH = 2;
const LONGEST_MS = 120_000;

/** A mutant that the tests are run against, and how. */
interface Trial extends Planted {
  name: string;
  /** The folder of mutated migrations for the tests; null: those on disk. */
  folder: string | null;
}

const nameOf = (file: string, { line, from, to }: Mutant): string =>
  `${file}:${line}: ${from.replace(/\s+/g, ' ')} → ${to === '' ? 'nothing' : to}`;

function statementTrials(): Trial[] {
  return mutantsOf(readFileSync(LEDGER, 'utf8'), STATEMENT_RULES).map((mutant) => ({
    name: nameOf('ledger.ts', mutant),
    file: LEDGER,
    text: mutant.text,
    folder: null,
  }));
}

/** Returns the mutants of the ledger's two tables and of the rights to them, found between words of the first migration. */
function tableTrials(scratch: string): Trial[] {
  const migrations = join(root, 'server/migrations');
  const schema = readFileSync(join(migrations, SCHEMA), 'utf8');
  const ledger: readonly [number, number] = [
    schema.indexOf('CREATE TABLE accounts'),
    schema.indexOf('CREATE TABLE fee_wallet'),
  ];
  const mutants = mutantsOf(schema, TABLE_RULES, ledger);
  const migrate = readFileSync(MIGRATE, 'utf8');
  return mutants.map((mutant, n) => {
    const folder = join(scratch, `migrations-${n}`);
    cpSync(migrations, folder, { recursive: true });
    writeFileSync(join(folder, SCHEMA), mutant.text);
    const text = migrate.replace(
      /(?<=export const MIGRATIONS = ).*;/,
      `${JSON.stringify(folder)};`,
    );
    return { name: nameOf(SCHEMA, mutant), file: MIGRATE, text, folder };
  });
}

/** Whether a test detects it: it fails, or does not end. */
async function isKilled(trial: Trial, scratch: string, n: number): Promise<boolean> {
  const args = ['--test', '--test-reporter=dot', ...TESTS];
  return !(await runWith(trial, join(scratch, `mutant-${n}.json`), LONGEST_MS, ...args));
}

/**
 * Tests every mutant of the ledger's SQL, or those that contain one of the words. Returns whether each is detected, and the
 * unchanged SQL passes.
 */
export async function mutateSql(words: readonly string[]): Promise<boolean> {
  const scratch = mkdtempSync(join(tmpdir(), 'mutation-'));
  const server = await useSharedServer();
  try {
    process.env.RECOLLECT_TEST_POSTGRES = server.url;
    await ensureTemplate(server.url);
    const text = readFileSync(LEDGER, 'utf8');
    const unchanged = { name: 'unchanged', file: LEDGER, text, folder: null };
    if (await isKilled(unchanged, scratch, 0)) throw new Error('the tests fail without a mutant');
    const trials = [...statementTrials(), ...tableTrials(scratch)].filter(
      ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
    );
    const killed = await mapInParallel(trials, WIDTH, async (trial) => {
      const isDead = await isKilled(trial, scratch, trials.indexOf(trial) + 1);
      if (trial.folder !== null) await dropTemplate(server.url, trial.folder);
      console.log(`${isDead ? 'killed' : 'LIVES '}  ${trial.name}`);
      return isDead;
    });
    const count = killed.filter((isDead) => isDead).length;
    console.log(`${count} of ${trials.length} mutants of the ledger's SQL were killed`);
    return count === trials.length;
  } finally {
    rmSync(scratch, { recursive: true });
    await server.leave(true);
  }
}
