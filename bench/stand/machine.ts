import { execFileSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { installedBinaries } from '../../server/src/platform/postgres/programs.ts';
import type { Results } from '../figure.ts';

const BYTES_PER_GIB = 2 ** 30;

/** Describes the machine of the measurements, and what else was running there. */
export function describeMachine(): Results['machine'] {
  return {
    cores: cpus().length,
    cpu: cpus()[0]?.model ?? 'unknown',
    memoryGiB: Math.round(totalmem() / BYTES_PER_GIB),
    node: process.version,
    postgres: postgresVersion(),
    loadBefore: loadavg()[0] ?? 0,
  };
}

function postgresVersion(): string {
  const said = execFileSync(join(installedBinaries().folder, 'bin', 'postgres'), ['--version'], {
    encoding: 'utf8',
  });
  return /\d[\d.]*\w*/.exec(said)?.[0] ?? said.trim();
}
