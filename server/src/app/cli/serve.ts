import type { Config } from '../../platform/config.ts';
import { makeLog } from '../../platform/log.ts';
import { startService } from '../run.ts';
import type { Running } from '../running.ts';
import { startScreen } from './screen.ts';

/** Runs the service until it is told to stop; in the sandbox with its screen and its merchant. */
export async function serve(config: Config, withScreen: boolean): Promise<void> {
  const stopped = awaitStop();
  const log = makeLog(withScreen && config.logLevel === 'info' ? 'warn' : config.logLevel);
  const running = await startService(config, log);
  try {
    await greet(running, withScreen);
    await stopped;
    if (withScreen) process.stdout.write('\n  Stopping…\n');
  } finally {
    await running.close();
  }
}

async function greet(running: Running, withScreen: boolean): Promise<void> {
  if (running.sandbox === null) return;
  const { openSandboxMerchant, ownerLink } = await import('../sandbox-merchant.ts');
  const file = await openSandboxMerchant(running);
  if (withScreen) process.stdout.write(startScreen(running, file, await ownerLink(running)));
}

/** The first Ctrl-C or termination stops cleanly; a second one ends the process at once. */
function awaitStop(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const stop = (): void => {
      if (asked) process.exit(1);
      asked = true;
      resolve();
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
    process.on('SIGHUP', stop);
  });
}
