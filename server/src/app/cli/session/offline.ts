import type { Finding } from '../../../laws/findings/finding.ts';
import { unknownLaws } from '../../../laws/findings/store.ts';
import { checkEachLaw } from '../../../laws/invariants/laws.ts';
import type { Config } from '../../../platform/config/config.ts';
import { asActor, openDb } from '../../../platform/db/db.ts';
import { makeLog } from '../../../platform/log/log.ts';
import type { Platform, Work } from '../../../platform/platform.ts';
import { runningPostgresUrl } from '../../../platform/postgres/start.ts';
import { makeSealKeeper } from '../../../platform/seals/seal-keeper.ts';
import { operatorActor } from '../../../platform/state/actor.ts';
import { realClock } from '../../../platform/time/clock.ts';
import { openDatabase, prepareDataDir } from '../../deployment/database.ts';
import { enterDatabase, type Opening, requireStarted } from '../../deployment/deployment.ts';
import { makePlatform } from '../../deployment/platform.ts';
import { actingOnHost } from './host.ts';
import { findIssuer } from './issuer.ts';

/**
 * Runs a command with a platform: on the database that already runs, else on one started for the command. Throws ConfigError if
 * no service was ever started on that database, or it is not ours; then nothing is created.
 */
export async function withPlatform<T>(
  config: Config,
  work: (platform: Platform) => Promise<T>,
): Promise<T> {
  return withDatabase(config, 'command', async (url) => {
    const db = openDb(url, 4);
    const clock =
      config.mode === 'sandbox'
        ? await (await import('../../../sandbox/clock.ts')).makeSandboxClock(db)
        : null;
    try {
      const acting = asActor(db, operatorActor(actingOnHost(config).name));
      return await counted(makePlatform(config, acting, clock ?? realClock, makeLog('warn')), work);
    } finally {
      await clock?.close();
      await db.close();
    }
  });
}

/** Does the work of a command, and stores how often it sealed, also where it fails. */
async function counted<T>(
  platform: Platform,
  work: (platform: Platform) => Promise<T>,
): Promise<T> {
  const seals = makeSealKeeper(platform);
  seals.start();
  try {
    return await work(platform);
  } finally {
    await seals.close();
  }
}

/** Runs a change in one transaction. Throws ConfigError as `withPlatform`. */
export function change<T>(config: Config, work: (work: Work) => Promise<T>): Promise<T> {
  return withPlatform(config, (platform) =>
    platform.db.transaction((tx) => work({ platform, tx, now: platform.clock.now() })),
  );
}

/** Migrates the database to this version. A new database at `DATABASE_URL` is stamped. */
export async function migrateCommand(config: Config): Promise<void> {
  if (config.databaseUrl !== null && config.mode === 'sandbox') prepareDataDir(config);
  // By the login that owns the database, where serving is another one's.
  const { databaseUrl, migrateUrl } = config;
  await withDatabase(
    { ...config, databaseUrl: migrateUrl ?? databaseUrl },
    'migrate',
    async () => {},
  );
}

async function withDatabase<T>(
  config: Config,
  opening: Opening,
  work: (url: string) => Promise<T>,
): Promise<T> {
  requireStarted(config);
  const found =
    config.databaseUrl === null ? runningPostgresUrl(`${config.dataDir}/postgres`) : null;
  const database =
    found === null
      ? await openDatabase(config, makeLog('warn'))
      : { url: found, stop: async () => undefined };
  try {
    await enterDatabase(config, database.url, opening);
    return await work(database.url);
  } finally {
    await database.stop();
  }
}

/** A finding, and since when it is unknown: the service checks every hour and stores when a check was first incomplete. */
export type AuditFinding = Finding & { unknownSince: Temporal.Instant };

/** Checks the books against the laws of money, and against the issuer's books if one is configured. */
export function auditCommand(config: Config): Promise<AuditFinding[]> {
  return withPlatform(config, async (platform) => {
    const findings = await findingsOf(config, platform);
    const since = await platform.db.read(unknownLaws);
    const now = platform.clock.now();
    return findings.map((one) => ({ ...one, unknownSince: since.get(one.law) ?? now }));
  });
}

async function findingsOf(config: Config, platform: Platform): Promise<Finding[]> {
  const issuer = await findIssuer(config);
  try {
    return await checkEachLaw(platform, issuer);
  } finally {
    await issuer?.close();
  }
}
