import { rmSync } from 'node:fs';
import { cp, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PortInUse } from '../src/platform/config/config.ts';
import type { RunProgram } from '../src/sandbox/program.ts';

/** Found by its address, as the product finds the sandbox's programs: the server shares no code with them. */
const PROGRAMS = new URL('../../sandbox/test-support/programs.ts', import.meta.url).href;

type StartProgram = (
  name: 'bank' | 'issuer',
  config: object,
) => Promise<{ close(): Promise<void> }>;

/**
 * Runs a program of the sandbox in this process, behind the same HTTP, so that the programs of many services are loaded and
 * compiled once. Throws PortInUse, as a separate process does.
 */
export const runHere: RunProgram = async ({ name, configFile, ports }) => {
  const { startProgram } = (await import(PROGRAMS)) as { startProgram: StartProgram };
  try {
    return await startProgram(name, JSON.parse(await readFile(configFile, 'utf8')));
  } catch (error) {
    const port = error instanceof Error && 'port' in error ? Number(error.port) : 0;
    const setting = ports.get(port);
    throw setting === undefined ? error : new PortInUse(port, setting);
  }
};

/** What services of this process have created before: keys, certificates and secrets of a sandbox. */
let made: Promise<string> | undefined;

/** Copies keys and certificates to a data folder, if a service of this process has created some. */
export async function lendKeys(dataDir: string): Promise<void> {
  if (made === undefined) return;
  await cp(await made, join(dataDir, 'sandbox'), { recursive: true });
}

/** Keeps the keys and certificates of a data folder for the next service. */
export async function keepKeys(dataDir: string): Promise<void> {
  made ??= copyKeys(join(dataDir, 'sandbox'));
  await made;
}

async function copyKeys(sandbox: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'sandbox-keys-'));
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
  for (const name of ['secrets.json', 'signing-key.json', 'certificates'])
    await cp(join(sandbox, name), join(copy, name), { recursive: true });
  return copy;
}
