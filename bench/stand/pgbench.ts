import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { World } from './world.ts';

const run = promisify(execFile);

/** Collections in one transaction of the scripts. */
export const BATCH = 500;

/** Plan types that read whole tables, disabled as in our own transactions. */
const BY_KEY = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin']
  .map((way) => `-c enable_${way}=off`)
  .join(' ');

/**
 * Runs the statements in sequence, each in a transaction of its own, `runs` times in total across the clients, as prepared
 * statements. One that ends in `\gset` keeps its result in variables for those that follow. Throws if a client fails, and with
 * the command that installs pgbench if it is missing.
 */
export async function pgbench(
  { url }: Pick<World, 'url'>,
  statements: readonly string[],
  { clients, runs }: { clients: number; runs: number },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-pgbench-'));
  const script = join(folder, 'script.sql');
  try {
    await writeFile(script, statements.map(oneLine).join(''));
    const args = [
      ...['--no-vacuum', '--protocol=prepared', `--client=${clients}`, `--jobs=${clients}`],
      ...[`--transactions=${Math.ceil(runs / clients)}`, `--file=${script}`, url],
    ];
    await run('pgbench', args, { env: { ...process.env, PGOPTIONS: BY_KEY } });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new Error('pgbench is not installed: apt-get install postgresql-contrib', {
        cause: error,
      });
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Joins the lines of a statement. pgbench reads a colon before a letter as a variable; a cast has two colons. */
function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.endsWith('\\gset') ? `${line}\n` : `${line};\n`;
}
