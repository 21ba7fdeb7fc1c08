import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The service's program. */
export const MAIN = fileURLToPath(new URL('../server/src/main.ts', import.meta.url));
const START_WITHIN_MS = 60_000;

/** A separate sandbox: everything of `npm start`, on free ports. */
export interface SandboxProcess {
  baseUrl: string;
  apiKey: string;
  ownerEmail: string;
  /** Its environment: what the command line needs to find it. */
  env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

/** Starts the service as a process of its own on this data folder, and waits until everything responds. */
export async function startSandbox(dataDir: string, smtpUrl: string): Promise<SandboxProcess> {
  const settings = {
    PORT: '0',
    OPERATOR_PORT: '0',
    SANDBOX_BANK_PORT: '0',
    SANDBOX_BANK_PAGES_PORT: '0',
    SANDBOX_ISSUER_PORT: '0',
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'payments@recollect.example',
  };
  const env = { ...process.env, ...settings, DATA_DIR: dataDir, LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    env,
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
  const written = JSON.parse(readFileSync(file, 'utf8')) as Record<
    'base_url' | 'api_key' | 'owner_email',
    string
  >;
  return {
    baseUrl: written.base_url,
    apiKey: written.api_key,
    ownerEmail: written.owner_email,
    env,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
