import { type Config, ConfigError } from '../../platform/config/config.ts';
import { type Finding, problem, warning } from '../../platform/config/finding.ts';
import { type Db, openDb } from '../../platform/db/db.ts';
import { type Login, readLogin } from '../../platform/db/login-store.ts';

const GUIDE = 'docs/guides/operators.md#postgresql';

/** Returns the statements that an administrator has to run before this login can migrate. */
function statementsToMigrate(login: Login): string[] {
  const { missing, foreign, mayCreateRoles: mayCreate } = login;
  const given = mayCreate ? foreign : [...missing, ...foreign].sort();
  return [
    ...(login.mayCreateTables ? [] : [`ALTER DATABASE ${login.database} OWNER TO ${login.login}`]),
    ...(mayCreate ? [] : missing.map((role) => `CREATE ROLE ${role} NOLOGIN`)),
    ...(given.length === 0 || login.isSuperuser
      ? []
      : [`GRANT ${given.join(', ')} TO ${login.login}`]),
  ];
}

const toRun = (statements: readonly string[]): string =>
  `let an administrator of the database run: ${statements.map((one) => `${one};`).join(' ')}`;

/** Throws ConfigError with what an administrator has to run if this login cannot make the tables and roles of the service. */
export async function requireOwner(config: Config, db: Db): Promise<void> {
  const login = await db.read(readLogin);
  const statements = login === null || login.isMigrated ? [] : statementsToMigrate(login);
  if (statements.length > 0)
    throw new ConfigError(
      `${ownerSetting(config)} logs in as ${login?.login}, who may not do that: ${toRun(statements)}`,
    );
}

/** The setting that migrate logs in with. */
const ownerSetting = ({ migrateUrl }: Config): string =>
  migrateUrl === null ? 'DATABASE_URL' : 'MIGRATE_DATABASE_URL';

/** Throws ConfigError if a live service would log in as a superuser. */
export async function refuseSuperuser({ mode }: Config, db: Db): Promise<void> {
  if (mode !== 'live') return;
  const login = await db.read(readLogin);
  if (login?.isSuperuser) throw new ConfigError(`DATABASE_URL ${superuser(login)}`);
}

const superuser = ({ login }: Login): string =>
  `must not log in as ${login}, a superuser, from whom the database protects nothing: make a login that owns nothing (${GUIDE})`;

/** Checks the logins of serving and migrating. Changes nothing. */
export async function loginFindings(config: Config): Promise<Finding[]> {
  const { databaseUrl, migrateUrl } = config;
  if (databaseUrl === null) return [];
  const serving = await queryLogin(databaseUrl);
  const isOne = migrateUrl === null;
  const found = serving === null ? [] : servingFindings(config, serving, isOne);
  const owner = isOne ? serving : await queryLogin(migrateUrl);
  const statements = owner === null || owner.isMigrated ? [] : statementsToMigrate(owner);
  if (statements.length > 0 && owner !== null)
    found.push(
      problem(
        ownerSetting(config),
        `logs in as ${owner.login}, who cannot migrate: ${toRun(statements)}`,
      ),
    );
  return found;
}

function servingFindings({ mode }: Config, login: Login, isOne: boolean): Finding[] {
  const setting = 'DATABASE_URL';
  if (mode === 'live' && login.isSuperuser) return [problem(setting, superuser(login))];
  const { foreign, isMigrated } = login;
  if (isMigrated && foreign.length > 0)
    return [
      problem(
        setting,
        `logs in as ${login.login}, who cannot serve: ${toRun([`GRANT ${foreign.join(', ')} TO ${login.login}`])}`,
      ),
    ];
  if (mode !== 'live' || !(login.ownsTables || (isOne && !isMigrated))) return [];
  const says = `logs in as ${login.login}, who owns the tables and can give itself any right`;
  return [warning(setting, `${says}: serve as a login that owns nothing (${GUIDE})`)];
}

async function queryLogin(url: string): Promise<Login | null> {
  const db = openDb(url, 1);
  try {
    return await db.read(readLogin);
  } finally {
    await db.close();
  }
}
