import type { FastifyInstance } from 'fastify';
import { bankDirectory } from '../banks/directory.ts';
import { realClock } from '../platform/clock.ts';
import { type Config, ConfigError } from '../platform/config.ts';
import type { Db } from '../platform/db.ts';
import { makeHttpServer } from '../platform/http/server.ts';
import type { Log } from '../platform/log.ts';
import type { Platform } from '../platform/platform.ts';
import { portalRoutes } from '../portal/routes.ts';
import { makeSandboxClock } from '../sandbox/clock.ts';
import type { SandboxPartners } from '../sandbox/partners.ts';
import { sandboxRoutes } from '../sandbox/routes.ts';
import { HttpIssuer } from '../wallets/issuer-http.ts';
import { readBanksFile } from './banks-file.ts';
import { watchLaws } from './law-watch.ts';
import { makePlatform } from './platform.ts';
import { merchantOf } from './portal-merchant.ts';
import type { Running } from './running.ts';
import { type Partners, type Service, wireService } from './service.ts';
import type { Undo } from './undo.ts';

/** What has been started, and is put together here. */
interface Started {
  config: Config;
  log: Log;
  db: Db;
  partners: SandboxPartners | null;
  undo: Undo;
}

/** Puts the service together over its database and partners, and takes requests. */
export async function assemble({
  config,
  log,
  db,
  partners,
  undo,
}: Started): Promise<Pick<Running, 'platform' | 'service' | 'sandbox'>> {
  const clock = config.mode === 'sandbox' ? await makeSandboxClock(db) : null;
  if (clock !== null) undo.add(() => clock.close());
  const platform = {
    ...makePlatform(config, db, clock ?? realClock, log),
    wake: () => service.engine.wake(),
  };
  const service = wireService(platform, await makePartners(config, partners, undo));
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
    undo.add(watchLaws(platform));
    undo.add(() => service.engine.stop());
  }
  return { platform, service, sandbox };
}

async function makePartners(
  config: Config,
  sandbox: SandboxPartners | null,
  undo: Undo,
): Promise<Partners> {
  const configs =
    config.banksFile === null ? (sandbox?.banks ?? []) : readBanksFile(config, config.banksFile);
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
    for (const notifications of service.notifications)
      await app.register(async (scope) => notifications(scope));
  if (platform.config.roles.includes('portal'))
    await app.register(async (scope) =>
      portalRoutes({ authorisation: service.authorisation, merchantOf: merchantOf(platform) })(
        scope,
      ),
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

async function listen(http: FastifyInstance, config: Config): Promise<void> {
  try {
    await http.listen({ host: config.host, port: config.port });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw new ConfigError(`port ${config.port} is in use: stop what runs there, or set PORT`);
    throw error;
  }
}
