import { existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { bankDirectory } from '../banks/directory.ts';
import { type Clock, realClock } from '../platform/clock.ts';
import { type Config, ConfigError } from '../platform/config.ts';
import { type Db, openDb } from '../platform/db.ts';
import { makeHttpServer } from '../platform/http/server.ts';
import { type Ids, makeIds } from '../platform/ids.ts';
import { type Log, makeLog } from '../platform/log.ts';
import { migrate } from '../platform/migrate.ts';
import type { Platform } from '../platform/platform.ts';
import { startPostgres } from '../platform/postgres/start.ts';
import { portalRoutes } from '../portal/routes.ts';
import { makeSandboxClock, type SandboxClock } from '../sandbox/clock.ts';
import { type SandboxPartners, startSandboxPartners } from '../sandbox/partners.ts';
import { sandboxRoutes } from '../sandbox/routes.ts';
import { HttpIssuer } from '../wallets/issuer-http.ts';
import { readBanksFile } from './banks-file.ts';
import { openVault } from './keys.ts';
import { merchantOf } from './portal-merchant.ts';
import { type Partners, type Service, wireService } from './service.ts';

/** A service that runs. */
export interface Running {
  config: Config;
  platform: Platform;
  service: Service;
  /** Null: live. */
  sandbox: { partners: SandboxPartners; clock: SandboxClock } | null;
  /** Finishes what is under way, then stops everything that was started, the database last. */
  close(): Promise<void>;
}

/** Things to be undone, the last one first. One that fails does not keep the others from being undone. */
class Undo {
  readonly #steps: (() => Promise<void>)[] = [];

  add(step: () => Promise<void>): void {
    this.#steps.unshift(step);
  }

  async run(log: Log): Promise<void> {
    for (const step of this.#steps.splice(0))
      await step().catch((error: unknown) => log.error({ err: error }, 'something did not stop cleanly'));
  }
}

const OLDEST_POSTGRES = 150_000;

/** Opens the database: the configured one, or the embedded one in the data folder. Not migrated yet. */
export async function openDatabase(
  config: Config,
  log: Log,
): Promise<{ url: string; stop: () => Promise<void> }> {
  if (config.databaseUrl !== null) {
    await tryDatabase(config.databaseUrl);
    return { url: config.databaseUrl, stop: async () => undefined };
  }
  const postgres = await startPostgres({ dataDir: `${config.dataDir}/postgres`, log: (line) => log.info(line) });
  return { url: postgres.url, stop: () => postgres.stop() };
}

/** Throws ConfigError with the reason where the configured database does not answer or is too old. */
async function tryDatabase(url: string): Promise<void> {
  const db = openDb(url, 1);
  try {
    const row = await db.read((tx) => tx.row<{ version: number }>("SELECT current_setting('server_version_num')::int AS version"));
    if ((row?.version ?? 0) < OLDEST_POSTGRES) throw new Error('PostgreSQL 15 or newer is needed');
  } catch (error) {
    const reason = error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error);
    throw new ConfigError(`DATABASE_URL cannot be used: ${reason}`);
  } finally {
    await db.close();
  }
}

/** The data folder, made where it is missing. Throws ConfigError where it cannot be written. */
export function prepareDataDir(config: Config): void {
  try {
    makeFolder(resolve(config.dataDir));
  } catch (error) {
    throw new ConfigError(`DATA_DIR ${config.dataDir} cannot be written: ${error instanceof Error ? error.message : error}`);
  }
}

/** One folder after the other: the recursive form never returns where a file system takes no folders. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** A platform over an open, migrated database: for commands that need no HTTP. */
export function makePlatform(config: Config, db: Db, clock: Clock, log: Log, ids: Ids = makeIds()): Platform {
  return { db, clock, ids, vault: openVault(config), log, config, wake: () => undefined };
}

/**
 * Starts the whole service and answers when it takes requests. Throws with one clear line when a part cannot start, after
 * stopping the others.
 */
export async function startService(given: Config, log: Log = makeLog(given.logLevel)): Promise<Running> {
  const undo = new Undo();
  try {
    return await start(given, log, undo);
  } catch (error) {
    await undo.run(log);
    throw error;
  }
}

async function start(given: Config, log: Log, undo: Undo): Promise<Running> {
  prepareDataDir(given);
  const config = await withPort(given);
  const [db, partners] = await startAll(config, log, undo);
  const clock = config.mode === 'sandbox' ? await makeSandboxClock(db) : null;
  if (clock !== null) undo.add(() => clock.close());
  const platform = { ...makePlatform(config, db, clock ?? realClock, log), wake: () => service.engine.wake() };
  const ports = await makePartners(config, partners, undo);
  const service = wireService(platform, ports);
  const sandbox = partners === null || clock === null ? null : { partners, clock };
  const http = await makeHttpServer({
    platform,
    routes: config.roles.includes('api') ? service.routes : [],
    authenticate: service.authenticate,
    plain: async (app) => mountPlain(app, platform, service, sandbox),
  });
  undo.add(() => http.close());
  await listen(http, config);
  if (sandbox !== null) await sandbox.partners.control.setClock(sandbox.clock.now(), true);
  if (config.roles.includes('engine')) {
    service.engine.start();
    undo.add(() => service.engine.stop());
  }
  return { config, platform, service, sandbox, close: () => undo.run(log) };
}

/** PostgreSQL and the sandbox's partners start side by side. */
async function startAll(config: Config, log: Log, undo: Undo): Promise<[Db, SandboxPartners | null]> {
  const database = openDatabase(config, log).then(async ({ url, stop }) => {
    undo.add(stop);
    await migrate(url);
    const db = openDb(url, config.databaseConnections);
    undo.add(() => db.close());
    return db;
  });
  const partners = config.mode === 'sandbox' ? startPartners(config, log) : Promise.resolve(null);
  const [opened, started] = await Promise.allSettled([database, partners]);
  if (started.status === 'fulfilled' && started.value !== null) {
    const running = started.value;
    undo.add(() => running.close());
  }
  if (opened.status === 'rejected') throw opened.reason;
  if (started.status === 'rejected') throw started.reason;
  return [opened.value, started.value];
}

/** A partner that cannot start says why in one line. */
async function startPartners(config: Config, log: Log): Promise<SandboxPartners> {
  try {
    return await startSandboxPartners(config, log);
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error));
  }
}

async function makePartners(config: Config, sandbox: SandboxPartners | null, undo: Undo): Promise<Partners> {
  const configs = config.banksFile === null ? (sandbox?.banks ?? []) : readBanksFile(config, config.banksFile);
  const directory = await bankDirectory(configs);
  undo.add(() => directory.close());
  const issuerConfig = config.issuer ?? sandbox?.issuer;
  if (issuerConfig === undefined) throw new ConfigError('no e-money issuer is configured');
  const { url, keyId, secret, notificationSecret } = issuerConfig;
  const issuer = new HttpIssuer({ baseUrl: url, keyId, secret, notificationSecret });
  undo.add(() => issuer.close());
  return { banks: directory.banks, issuer };
}

async function mountPlain(
  app: FastifyInstance,
  platform: Platform,
  service: Service,
  sandbox: Running['sandbox'],
): Promise<void> {
  if (platform.config.roles.includes('api'))
    for (const notifications of service.notifications) await app.register(async (scope) => notifications(scope));
  if (platform.config.roles.includes('portal'))
    await app.register(async (scope) =>
      portalRoutes({ authorisation: service.authorisation, merchantOf: merchantOf(platform) })(scope),
    );
  if (sandbox !== null)
    await app.register(async (scope) =>
      sandboxRoutes({
        platform,
        engine: service.engine,
        clock: sandbox.clock,
        partners: sandbox.partners,
        authenticate: service.authenticate,
      })(scope),
    );
}

/** Port 0 means any free one; it has to be known before the banks are told where to send customers back to. */
async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config;
  const port = await new Promise<number>((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, config.host, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
  return { ...config, port, baseUrl: config.baseUrl === 'http://localhost:0' ? `http://localhost:${port}` : config.baseUrl };
}

async function listen(http: FastifyInstance, config: Config): Promise<void> {
  try {
    await http.listen({ host: config.host, port: config.port });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw new ConfigError(`port ${config.port} is in use: stop what runs there, or set PORT`);
    throw error;
  }
}
