import type { Config } from '../../../platform/config/config.ts';
import type { Env } from '../../../platform/config/readers.ts';
import { makeLog } from '../../../platform/log/log.ts';
import { cutOwnPostgres } from '../../../platform/postgres/start.ts';
import { configForStart } from '../../deployment/check-config.ts';
import type { Running } from '../../wiring/assemble.ts';
import { startService } from '../../wiring/run.ts';
import { configOfEngine, startEngines, watchFirstEngine } from './engines.ts';
import { watchLauncher } from './launcher.ts';
import { startScreen } from './screen.ts';

/** The longest a stop may take. Then the process exits, which loses nothing that was committed. */
const STOP_WITHIN_MS = 24_500;
/** Ctrl-C in a terminal sends two signals, one from the terminal and one from npm: they count as one. */
const SAME_SIGNAL_MS = 1_000;
/** Work left open after a stop, such as an abandoned call, does not keep the process alive longer than this. */
const SHUTDOWN_GRACE_MS = 500;

interface ServeOptions {
  /** Whether it has a screen: an interactive start. */
  withScreen?: boolean;
  /** Which of the engines that were started as one this process is: every one but the first is started by the first. */
  engine?: number | undefined;
}

/** Runs the service until it is stopped, with the engines beside the first; in the sandbox with its screen and its merchant. */
export async function serve(
  env: Env,
  { withScreen = false, engine = 1 }: ServeOptions = {},
): Promise<void> {
  const isFirst = engine === 1;
  const stopped = awaitStop(isFirst ? (gone) => watchLauncher(env, gone) : watchFirstEngine);
  const { config: given, warnings } = configForStart(env);
  const config = configOfEngine(given, engine);
  const log = makeLog(levelOf(config, withScreen), undefined, isFirst ? null : { engine });
  if (isFirst) for (const warning of warnings) log.report('service.setting_doubtful', { warning });
  const running = await startService(config, log);
  const others = isFirst ? startEngines(config, env, log) : null;
  try {
    await greet(running, withScreen);
    await stopped;
    if (withScreen) process.stdout.write('\n  Stopping…\n');
  } finally {
    // Side by side, as each may need the time that a stop may take.
    await Promise.all([others?.close(), running.close()]);
    setTimeout(() => process.exit(), SHUTDOWN_GRACE_MS).unref();
  }
}

const levelOf = ({ logLevel }: Config, withScreen: boolean): string =>
  withScreen && logLevel === 'info' ? 'warn' : logLevel;

async function greet(running: Running, withScreen: boolean): Promise<void> {
  if (running.sandbox === null) return;
  const { openSandboxMerchant, ownerLink } = await import('../../wiring/sandbox-merchant.ts');
  const file = await openSandboxMerchant(running);
  if (withScreen) process.stdout.write(startScreen(running, file, await ownerLink(running)));
}

/**
 * Resolves when the service is to stop. The first Ctrl-C or termination signal stops it cleanly, and so does the end of who
 * started us, which `watchStarter` reports. A second signal, or a stop that takes too long, ends the process at once. A hang-up
 * counts only if we have a terminal: a process without one was detached from it.
 */
function awaitStop(watchStarter: (gone: () => void) => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let askedAt: number | null = null;
  const ask = (): void => {
    if (askedAt !== null) return;
    askedAt = performance.now();
    setTimeout(endAtOnce, STOP_WITHIN_MS).unref();
    resolve();
  };
  const stop = (): void => {
    if (askedAt !== null && performance.now() - askedAt > SAME_SIGNAL_MS) endAtOnce();
    ask();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.on('SIGHUP', () => {
    if (hasTerminal()) stop();
  });
  watchStarter(ask);
  return promise;
}

const hasTerminal = (): boolean =>
  [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);

/** Ends the process without waiting for PostgreSQL, which recovers at its next start. */
function endAtOnce(): never {
  cutOwnPostgres();
  process.exit(1);
}
