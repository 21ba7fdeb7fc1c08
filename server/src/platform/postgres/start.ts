import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, candidateAccounts, currentSituation, runsAs } from './account.ts';
import { binariesFor, installedBinaries } from './binaries.ts';
import { ensureCluster, type Runner, SERVICE } from './cluster.ts';
import { PostgresStartError } from './error.ts';
import { type DataFolder, loginUrl, openDataFolder, readSecret } from './folder.ts';
import { type Ownership, tryToOwn } from './ownership.ts';
import { type Postmaster, runningPostmaster } from './postmaster.ts';
import { cutServer, type Launch, launchServer, stopServer } from './server.ts';

export type PostgresOptions = {
  /** The folder of the data; made when missing. One process at a time may use it. */
  readonly dataDir: string;
  /** Takes a line for each thing that the operator may want to know. */
  readonly log?: (line: string) => void;
  /** For tests only: no fsync, quicker, and a crash of the machine may destroy the data. */
  readonly throwaway?: boolean;
};

/** A running PostgreSQL. `url` logs in as the service's own role, which is no superuser. */
export type RunningPostgres = { readonly url: string; stop(): Promise<void> };

/** Recovery after a crash is part of a start and may take long. */
const START_LIMIT_MS = 120_000;
/** A killed owner's session ends at once, but not in no time. */
const TAKEN_LIMIT_MS = 2_000;
/** Ends of a new server process after which another try is right. */
const PASSING =
  /still in use|already exists|could not (bind|create any TCP)|Is another postmaster/i;
const LAUNCH_LIMIT = 150;

/**
 * Starts PostgreSQL on the data folder, or takes over the server that a killed process left running on
 * it. Throws PostgresStartError with one line that says why not.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const log = options.log ?? (() => {});
  const folder = openDataFolder(options.dataDir);
  const secret = readSecret(folder);
  const durable = options.throwaway !== true;
  const left = runningPostmaster(folder.cluster);
  const { postmaster, ownership } = await new Starter(folder, secret, durable, log).start();
  if (left?.pid === postmaster.pid)
    log(`PostgreSQL (process ${postmaster.pid}) was still running and is used again`);
  return handle(folder, postmaster, ownership, secret, log);
}

/** The servers that this process has to stop. */
const owned = new Set<Postmaster>();

/** Stops the servers of this process at once, without waiting: for a process that ends by force. */
export function cutOwnPostgres(): void {
  for (const postmaster of owned) cutServer(postmaster);
}

function handle(
  folder: DataFolder,
  postmaster: Postmaster,
  ownership: Ownership,
  secret: string,
  log: (line: string) => void,
): RunningPostgres {
  let stopping: Promise<void> | undefined;
  owned.add(postmaster);
  ownership.onLoss(() => {
    owned.delete(postmaster);
    if (!stopping) log(`PostgreSQL ended by itself: see ${folder.logFile}`);
  });
  const stop = async () => {
    // The lock goes with the server, so that nobody takes over one that is being stopped.
    await stopServer(folder.cluster, postmaster);
    owned.delete(postmaster);
    await ownership.release();
  };
  return {
    url: loginUrl(SERVICE, SERVICE, postmaster.port, secret),
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** One start: looks again and again at what is there and does the next thing, until it owns a server. */
class Starter {
  readonly #folder: DataFolder;
  readonly #secret: string;
  readonly #durable: boolean;
  readonly #log: (line: string) => void;
  #runner: Runner | undefined;
  #launch: Launch | undefined;
  #launches = 0;
  #takenSince: number | undefined;

  constructor(folder: DataFolder, secret: string, durable: boolean, log: (line: string) => void) {
    this.#folder = folder;
    this.#secret = secret;
    this.#durable = durable;
    this.#log = log;
  }

  async start(): Promise<{ postmaster: Postmaster; ownership: Ownership }> {
    const deadline = performance.now() + START_LIMIT_MS;
    while (performance.now() < deadline) {
      const postmaster = runningPostmaster(this.#folder.cluster);
      if (postmaster?.ready) {
        const ownership = await this.#own(postmaster);
        if (ownership) return { postmaster, ownership };
      } else if (!postmaster) {
        await this.#ensureLaunched();
      }
      await sleep(10);
    }
    throw new PostgresStartError(
      `PostgreSQL was not ready after ${START_LIMIT_MS / 1000} s: see ${this.#folder.logFile}`,
    );
  }

  async #own(postmaster: Postmaster): Promise<Ownership | undefined> {
    const attempt = await tryToOwn(this.#folder, postmaster.port, this.#secret);
    if (attempt.kind === 'owned') return attempt.ownership;
    if (attempt.kind === 'taken') {
      this.#takenSince ??= performance.now();
      if (performance.now() - this.#takenSince > TAKEN_LIMIT_MS)
        throw new PostgresStartError(
          `the data folder ${this.#folder.path} is in use by ${attempt.by}: stop that first, or choose another folder`,
        );
      await sleep(100);
    }
    return undefined;
  }

  async #ensureLaunched(): Promise<void> {
    if (this.#launch && !this.#launch.ended()) return;
    if (this.#launch) {
      const reason = this.#launch.reason();
      this.#launch = undefined;
      if (!PASSING.test(reason) || this.#launches >= LAUNCH_LIMIT)
        throw new PostgresStartError(
          `PostgreSQL does not start: ${reason} (more in ${this.#folder.logFile})`,
        );
      await sleep(200);
      return;
    }
    this.#runner ??= chooseRunner(this.#folder, this.#log);
    await ensureCluster(this.#folder, this.#runner, this.#secret, this.#durable);
    this.#launch = await launchServer(this.#folder, this.#runner, this.#durable);
    this.#launches += 1;
  }
}

/** The first account that can run something here, with binaries that it reaches. */
function chooseRunner(folder: DataFolder, log: (line: string) => void): Runner {
  const installed = installedBinaries();
  for (const account of candidateAccounts(currentSituation(folder.cluster))) {
    if (account.kind !== 'self' && !runsAs(account, 'true', [])) {
      log(`PostgreSQL cannot run ${inWords(account)} here`);
      continue;
    }
    const binaries = binariesFor(account, installed, folder.path);
    if (!binaries) continue;
    if (account.kind !== 'self') log(`PostgreSQL runs ${inWords(account)}`);
    if (binaries.folder !== installed.folder) log(`PostgreSQL runs from ${binaries.folder}`);
    return { account, binaries };
  }
  throw new PostgresStartError(
    'the PostgreSQL binaries cannot be run here as any user but root, which PostgreSQL refuses, or not at all: start as an ordinary user, or set DATABASE_URL',
  );
}

function inWords(account: Account): string {
  if (account.kind === 'self') return 'as this user';
  if (account.kind === 'user') return `as user ${account.uid}`;
  return 'in a user namespace';
}
