import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { World } from './world.ts';

const run = promisify(execFile);

/** Ways to rows that read whole tables, switched off as in our own transactions. */
const BY_KEY = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin']
  .map((way) => `-c enable_${way}=off`)
  .join(' ');

/**
 * Runs the statements one after the other, each in a transaction of its own, so many times in all over the clients; prepared
 * statements. Throws with the one command that gets pgbench where it is absent.
 */
export async function pgbench(
  { url }: World,
  statements: readonly string[],
  { clients, runs }: { clients: number; runs: number },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-pgbench-'));
  const script = join(folder, 'script.sql');
  try {
    await writeFile(script, statements.map((text) => `${oneLine(text)};\n`).join(''));
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

/** pgbench takes a colon before a letter for a variable; a cast has two. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
