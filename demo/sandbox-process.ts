import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../server/src/main.ts', import.meta.url));
const START_WITHIN_MS = 60_000;

/** A separate sandbox: everything of `npm start`, on free ports. */
export interface SandboxProcess {
  baseUrl: string;
  apiKey: string;
  stop(): Promise<void>;
}

/** Starts the service as a process of its own on this data folder, and waits until everything responds. */
export async function startSandbox(dataDir: string): Promise<SandboxProcess> {
  const ports = {
    PORT: '0',
    OPERATOR_PORT: '0',
    SANDBOX_BANK_PORT: '0',
    SANDBOX_BANK_PAGES_PORT: '0',
    SANDBOX_ISSUER_PORT: '0',
  };
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    env: { ...process.env, ...ports, DATA_DIR: dataDir, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const file = join(dataDir, 'sandbox.json');
  const deadline = performance.now() + START_WITHIN_MS;
  while (!existsSync(file)) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error('the sandbox did not start');
    await sleep(50);
  }
  const { base_url: baseUrl, api_key: apiKey } = JSON.parse(readFileSync(file, 'utf8')) as {
    base_url: string;
    api_key: string;
  };
  return {
    baseUrl,
    apiKey,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
