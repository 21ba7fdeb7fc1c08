import type { Config } from '../../platform/config.ts';
import { makeLog } from '../../platform/log.ts';
import { cutOwnPostgres } from '../../platform/postgres/start.ts';
import type { Running } from '../assemble.ts';
import { configForStart } from '../check-config.ts';
import { startService } from '../run.ts';
import { watchLauncher } from './launcher.ts';
import { startScreen } from './screen.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** A stop takes no longer: then the process ends as it is, which loses nothing that was committed. */
const STOP_WITHIN_MS = 24_500;
/** Of a terminal's Ctrl-C one signal comes from the terminal and one from npm: they are one wish. */
const SAME_WISH_MS = 1_000;
/** What is left open after a stop, such as a call that was given up, does not keep the process. */
const LINGER_MS = 500;

/** Runs the service until it is told to stop; in the sandbox with its screen and its merchant. */
export async function serve(env: Env, withScreen: boolean): Promise<void> {
  const stopped = awaitStop(env);
  const { config, warnings } = configForStart(env);
  const log = makeLog(levelOf(config, withScreen));
  for (const warning of warnings) log.report('service.setting_doubtful', { warning });
  const running = await startService(config, log);
  try {
    await greet(running, withScreen);
    await stopped;
    if (withScreen) process.stdout.write('\n  Stopping…\n');
  } finally {
    await running.close();
    setTimeout(() => process.exit(), LINGER_MS).unref();
  }
}

const levelOf = ({ logLevel }: Config, withScreen: boolean): string =>
  withScreen && logLevel === 'info' ? 'warn' : logLevel;

async function greet(running: Running, withScreen: boolean): Promise<void> {
  if (running.sandbox === null) return;
  const { openSandboxMerchant, ownerLink } = await import('../sandbox-merchant.ts');
  const file = await openSandboxMerchant(running);
  if (withScreen) process.stdout.write(startScreen(running, file, await ownerLink(running)));
}

/**
 * The first Ctrl-C or termination stops cleanly, and so does the end of the npm that started us; a second one, or a stop that
 * takes too long, ends the process at once. A hang-up is heeded where we have a terminal: who has none was detached from it.
 */
function awaitStop(env: Env): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let askedAt: number | null = null;
  const ask = (): void => {
    if (askedAt !== null) return;
    askedAt = performance.now();
    setTimeout(endAtOnce, STOP_WITHIN_MS).unref();
    resolve();
  };
  const stop = (): void => {
    if (askedAt !== null && performance.now() - askedAt > SAME_WISH_MS) endAtOnce();
    ask();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.on('SIGHUP', () => {
    if (hasTerminal()) stop();
  });
  watchLauncher(env, ask);
  return promise;
}

const hasTerminal = (): boolean =>
  [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);

/** PostgreSQL is stopped without waiting: it recovers at its next start. */
function endAtOnce(): never {
  cutOwnPostgres();
  process.exit(1);
}
