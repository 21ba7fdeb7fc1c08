import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { request } from 'undici';
import { Program } from './program.ts';
import type { Sentences } from './sentences.ts';
import type { WorldClock } from './world-clock.ts';

/** What the processes of the service have in common. */
export interface ServiceSettings {
  dir: string;
  clock: WorldClock;
  sentences: Sentences;
  /** Environment variables: keys, partners, addresses. */
  env: Readonly<Record<string, string>>;
}

/** What is specific to a process. */
export interface ProcessSettings {
  name: string;
  port: number;
  operatorPort: number;
  databaseUrl: string;
}

const run = promisify(execFile);
const MAIN = fileURLToPath(new URL('../server/src/main.ts', import.meta.url));
const PRELOAD = fileURLToPath(new URL('./preload.ts', import.meta.url));
const READYZ_MS = 3_000;
const COMMAND_MS = 300_000;

/** Makes a process of the service, as an operator would run it. */
export function makeService(settings: ServiceSettings, place: ProcessSettings): Program {
  const { dir, clock, sentences, env } = settings;
  const { name, port, operatorPort, databaseUrl } = place;
  return new Program({
    name,
    args: [MAIN, 'serve'],
    env: {
      ...env,
      PORT: String(port),
      OPERATOR_PORT: String(operatorPort),
      ENGINES: '1', // as many processes as the run has, each with faults of its own
      DATA_DIR: join(dir, name),
      DATABASE_URL: databaseUrl,
      CHAOS_CLOCK: clock.fileOf(name),
    },
    logFile: join(dir, `${name}.log`),
    isReady: () => isReady(port),
    heard: (line) => sentences.hear(line),
  });
}

async function isReady(port: number): Promise<boolean> {
  const { statusCode, body } = await request(`http://127.0.0.1:${port}/readyz`, {
    headersTimeout: READYZ_MS,
    bodyTimeout: READYZ_MS,
  });
  await body.dump();
  return statusCode === 200;
}

/** Runs the `recollect` command beside the service; returns its output and exit code. */
export async function runCommand(
  { dir, clock, env }: ServiceSettings,
  databaseUrl: string,
  args: readonly string[],
): Promise<{ code: number; output: string }> {
  const machine = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };
  const own = {
    DATA_DIR: join(dir, 'operator'),
    DATABASE_URL: databaseUrl,
    CHAOS_CLOCK: clock.fileOf('operator'),
  };
  try {
    const { stdout } = await run(process.execPath, ['--import', PRELOAD, MAIN, ...args], {
      env: { ...machine, ...env, ...own },
      timeout: COMMAND_MS,
    });
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as Partial<Record<string, string>>;
    return { code: Number(code) || 1, output: `${stdout}${stderr}` };
  }
}
