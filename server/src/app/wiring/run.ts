import {
  type Config,
  ConfigError,
  isOursToChoose,
  PortInUse,
} from '../../platform/config/config.ts';
import { openPools, type Pools } from '../../platform/db/pools.ts';
import { type Log, makeLog } from '../../platform/log/log.ts';
import { probeFreePort } from '../../platform/network/free-port.ts';
import { errorMessage } from '../../platform/values/thrown.ts';
import type { SandboxPartners } from '../../sandbox/partners.ts';
import type { RunProgram } from '../../sandbox/program.ts';
import { CleanupStack } from '../deployment/cleanup-stack.ts';
import { openDatabase, prepareDataDir } from '../deployment/database.ts';
import { enterDatabase } from '../deployment/deployment.ts';
import { refusePortsInUse } from '../deployment/ports-in-use.ts';
import type { Running } from './assemble.ts';

const MAX_TRIES = 3;

/**
 * Starts the whole service and resolves when it takes requests. Throws with one clear line if a part cannot start, after stopping
 * the others. `runProgram` runs the sandbox's partners; without it they run as processes of their own.
 */
export async function startService(
  given: Config,
  log: Log = makeLog(given.logLevel),
  runProgram?: RunProgram,
): Promise<Running> {
  for (let tries = 1; ; tries++) {
    const undo = new CleanupStack();
    try {
      return await start(given, log, undo, runProgram);
    } catch (error) {
      await undo.run(log);
      if (tries >= MAX_TRIES || !isChosenPortInUse(given, error)) throw error;
    }
  }
}

/** Whether a port that we chose because it was free was taken before we listened on it. */
const isChosenPortInUse = (given: Config, error: unknown): boolean =>
  error instanceof PortInUse && isOursToChoose(given, error.setting);

async function start(
  given: Config,
  log: Log,
  undo: CleanupStack,
  runProgram?: RunProgram,
): Promise<Running> {
  prepareDataDir(given);
  await refusePortsInUse(given);
  const config = await withPort(given);
  // Load the slices while PostgreSQL and the partners start: on later starts loading takes half of the time.
  const [{ assemble }, [pools, partners]] = await Promise.all([
    loadAssembly(),
    startAll(config, log, undo, runProgram),
  ]);
  const parts = await assemble({ config, log, pools, partners, undo });
  return { config, ...parts, close: () => undo.run(log) };
}

const loadAssembly = async () => await import('./assemble.ts');

/** Starts the embedded PostgreSQL and the sandbox's partners in parallel. */
async function startAll(
  config: Config,
  log: Log,
  undo: CleanupStack,
  runProgram?: RunProgram,
): Promise<[Pools, SandboxPartners | null]> {
  const database = openDatabase(config, log).then(async ({ url, stop }) => {
    undo.add(stop, { bounded: true });
    await enterDatabase(config, url, 'start');
    const pools = openPools(config, url);
    undo.add(() => pools.close());
    return pools;
  });
  // A database that is not ours is refused before anything else is started.
  const entered = config.databaseUrl === null ? Promise.resolve() : database;
  const partners =
    config.mode === 'sandbox'
      ? entered.then(
          () => startPartners(config, log, runProgram),
          () => null,
        )
      : Promise.resolve(null);
  const [opened, started] = await Promise.allSettled([database, partners]);
  if (started.status === 'fulfilled' && started.value !== null) {
    const running = started.value;
    undo.add(() => running.close());
  }
  if (opened.status === 'rejected') throw opened.reason;
  if (started.status === 'rejected') throw started.reason;
  return [opened.value, started.value];
}

/** Starts the partners. A partner that cannot start gives the reason in one line. */
async function startPartners(
  config: Config,
  log: Log,
  runProgram?: RunProgram,
): Promise<SandboxPartners> {
  try {
    const { startSandboxPartners } = await import('../../sandbox/partners.ts');
    return await startSandboxPartners(config, log, runProgram);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(errorMessage(error));
  }
}

/** Replaces port 0 by a free port: the banks need the port in advance, for the address they return customers to. */
async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config;
  const { port, close } = await probeFreePort(config.host);
  await close();
  return {
    ...config,
    port,
    baseUrl: config.baseUrl === 'http://localhost:0' ? `http://localhost:${port}` : config.baseUrl,
  };
}
