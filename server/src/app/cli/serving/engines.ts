import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../../platform/config/config.ts';
import type { Env } from '../../../platform/config/readers.ts';
import { operatorPortOf } from '../../../platform/config/roles.ts';
import type { Log } from '../../../platform/log/log.ts';

const MAIN = fileURLToPath(new URL('../../../main.ts', import.meta.url));
const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 30_000;
/** An engine that ran this long begins with the first wait again. */
const STEADY_AFTER_MS = 60_000;
const LEAST_CONNECTIONS = 4;

/** How a process ended, or why it could not be started. */
interface Ended {
  code?: number | null;
  signal?: NodeJS.Signals | null;
  err?: Error;
}

/**
 * Returns the configuration of an engine beside the first one: it has no other role, half of the connections, nothing that
 * anybody from outside calls, and the operators' port that is next.
 */
export function configOfEngine(config: Config, number: number): Config {
  if (number === 1) return config;
  return {
    ...config,
    roles: ['engine'],
    engines: { ...config.engines, number },
    host: '127.0.0.1',
    port: 0,
    operatorPort: operatorPortOf(config.operatorPort, number),
    databaseConnections: Math.max(LEAST_CONNECTIONS, Math.ceil(config.databaseConnections / 2)),
  };
}

/** Returns how long to wait before an engine is started again that has ended so often in a row. */
export const waitAfter = (ends: number): number =>
  Math.min(FIRST_WAIT_MS * 2 ** (ends - 1), MAX_WAIT_MS);

/**
 * Starts the engines beside this first one, and starts again what ends. None outlives us: its channel from us closes when we
 * exit for any reason, and then it stops cleanly. `close` closes the channels, and resolves when all have stopped.
 */
export function startEngines(
  { engines: { count } }: Config,
  env: Env,
  log: Log,
): { close(): Promise<void> } {
  const closing = new AbortController();
  const { signal } = closing;
  const running = new Set<ChildProcess>();
  const killAll = (): void => {
    for (const child of running) child.kill('SIGKILL');
  };
  // Of a stop that takes too long, and of the second signal.
  process.once('exit', killAll);

  const runOnce = async (engine: number): Promise<Ended> => {
    const child = fork(MAIN, ['serve', '--engine', String(engine)], {
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // A group of its own: Ctrl-C is for us, and we stop the engine.
      detached: process.platform !== 'win32',
    });
    running.add(child);
    log.info({ engine, pid: child.pid }, 'another engine process runs');
    const ended = await endOf(child);
    running.delete(child);
    return ended;
  };
  const keep = async (engine: number): Promise<void> => {
    for (let ends = 1; ; ends++) {
      const since = performance.now();
      const ended = await runOnce(engine);
      if (signal.aborted) return;
      if (performance.now() - since > STEADY_AFTER_MS) ends = 1;
      const waitMs = waitAfter(ends);
      log.report('engine.process_ended', { engine, ...ended, again_after_ms: waitMs });
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  };
  const kept = Array.from({ length: count - 1 }, (_, n) => keep(n + 2));
  return {
    async close() {
      closing.abort();
      for (const child of running) if (child.connected) child.disconnect();
      await Promise.all(kept);
      process.off('exit', killAll);
    },
  };
}

function endOf(child: ChildProcess): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  child.once('exit', (code, signal) => resolve({ code, signal }));
  child.once('error', (err) => resolve({ err }));
  return promise;
}

/** Calls `gone` when the first engine, which started this one, has closed the channel to us or has ended. */
export function watchFirstEngine(gone: () => void): void {
  process.once('disconnect', gone);
  if (!process.connected) gone();
  // A start that fails ends the process.
  process.channel?.unref();
}
