import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LIBRARY_SECRETS } from '../../merchants/sign-in/library/cookies-of-old-keys.ts';
import { hasForeignFactors } from '../../merchants/sign-in/second-factor-store.ts';
import { type Config, ConfigError } from '../../platform/config/config.ts';
import { type Db, openDb } from '../../platform/db/db.ts';
import { checkMigrated, migrate } from '../../platform/db/migrate.ts';
import {
  type Keys,
  keyChecks,
  refuseKeys,
  refuseMode,
  type Stamp,
} from '../../platform/vault/deployment.ts';
import { readStamp, writeStamp } from '../../platform/vault/deployment-store.ts';
import { DERIVED_KEY, makeVault } from '../../platform/vault/vault.ts';
import { refusePooledTransactions } from './database.ts';
import { refuseSuperuser, requireOwner } from './database-logins.ts';
import { findKeys, keysForStart } from './keys.ts';

/**
 * Why a database is opened: a start may be its first; a command requires a database that was started before; `migrate` brings
 * it to this version.
 */
export type Opening = 'start' | 'command' | 'migrate';

/**
 * Enters a database after checking that it is ours: our mode, sealed with our keys. The first one stamps it. In live mode only
 * `migrate` migrates it; in the sandbox everything does. Throws a one-line ConfigError or MigrationError, before changing
 * anything, if it is not ours or not migrated, or a pooler in between pools transactions; for a command also if no service was
 * ever started on it.
 */
export async function enterDatabase(config: Config, url: string, opening: Opening): Promise<void> {
  if (opening !== 'command') await refusePooledTransactions(config);
  const db = openDb(url, 1);
  try {
    const stamp = await db.read(readStamp);
    if (stamp === null && opening === 'command') throw new ConfigError(neverStarted(config));
    if (opening === 'start') await refuseSuperuser(config, db);
    if (opening === 'migrate') await requireOwner(config, db);
    const keys = stamp === null ? keysForStart(config) : checkOurs(config, stamp);
    if (opening === 'migrate' || config.mode === 'sandbox') await migrate(url);
    else await checkMigrated(url);
    const entered = await db.transaction(async (tx) => {
      const now = await readStamp(tx);
      if (now !== null) refuseOthers(config, now, keys);
      await writeStamp(tx, config.mode, keyChecks(keys));
      return readStamp(tx);
    });
    if (entered !== null) refuseOthers(config, entered, keys);
    await refuseLostFactors(db, keys);
  } finally {
    await db.close();
  }
}

/** Throws ConfigError if the ring lacks a signing key under which a second factor is encrypted: its user could not sign in. */
async function refuseLostFactors(db: Db, { encryption, blindIndex, signing }: Keys): Promise<void> {
  const secrets = makeVault(encryption, blindIndex, signing).secrets(LIBRARY_SECRETS);
  const versions = secrets.map(({ version }) => version);
  if (await db.read((tx) => hasForeignFactors(tx, versions)))
    throw new ConfigError(
      'SIGNING_KEYS lacks a key under which second factors are encrypted: put it back behind the first ' +
        `(${DERIVED_KEY}, where SIGNING_KEYS was never set), and run recollect vault rewrap before you take it out`,
    );
}

/** Returns this process's keys, which match the stamp. Throws a one-line ConfigError if the keys or the mode do not match. */
export function checkOurs(config: Config, stamp: Stamp): Keys {
  const refusal = refuseMode(stamp, config.mode);
  if (refusal !== null) throw new ConfigError(refusal);
  const keys = findKeys(config);
  if (keys === null)
    throw new ConfigError(
      `DATA_DIR ${config.dataDir} has no keys.json, and this database was sealed with keys: ` +
        'set DATA_DIR to the folder of the service, or ENCRYPTION_KEYS and BLIND_INDEX_KEY',
    );
  refuseOthers(config, stamp, keys);
  return keys;
}

function refuseOthers(config: Config, stamp: Stamp, keys: Keys): void {
  const refusal = refuseMode(stamp, config.mode);
  const refused = refusal === null ? refuseKeys(stamp, keys) : [refusal];
  if (refused.length > 0) throw new ConfigError(refused.join('; '));
}

/** Throws ConfigError if a command would use an embedded database that was never started. Creates nothing. */
export function requireStarted(config: Config): void {
  if (config.databaseUrl !== null) return;
  if (!existsSync(join(config.dataDir, 'postgres', 'cluster')))
    throw new ConfigError(neverStarted(config));
}

function neverStarted({ databaseUrl, dataDir }: Config): string {
  return databaseUrl === null
    ? `DATA_DIR ${dataDir} holds no database that was ever started: set DATA_DIR to the folder of the service`
    : 'DATABASE_URL names a database that was never started: set it to that of the service, or run recollect migrate first';
}
