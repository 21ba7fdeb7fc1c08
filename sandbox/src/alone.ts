import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { aloneScreen } from './alone/screen.ts';
import { readAloneSettings } from './alone/settings.ts';
import { startAlone } from './alone/start.ts';

/**
 * Command line of the sandbox on its own: `recollect-sandbox start [--config settings.json] [--json]`. Runs until it is stopped.
 */

const USAGE = 'Usage: recollect-sandbox start [--config <settings.json>] [--json]';

enableCompileCache();

async function main([command, ...options]: string[]): Promise<void> {
  const asJson = options.includes('--json');
  const rest = options.filter((option) => option !== '--json');
  const [flag, file] = rest;
  const isUnderstood =
    rest.length === 0 || (rest.length === 2 && flag === '--config' && file !== undefined);
  if (command !== 'start' || !isUnderstood) throw new Error(USAGE);
  const settings = readAloneSettings(
    file === undefined ? {} : JSON.parse(readFileSync(file, 'utf8')),
  );
  const { account, close } = await startAlone(settings);
  const stop = (): void => void close().then(() => process.exit(0), fail);
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.stdout.write(asJson ? `${JSON.stringify(account)}\n` : aloneScreen(account));
}

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

main(process.argv.slice(2)).catch(fail);
