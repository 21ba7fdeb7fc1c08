import { type Finding, problem } from './finding.ts';
import { integer, LOOPBACK, oneOf, url, type ValuesOf, variable } from './readers.ts';

const postgres = url(['postgres:', 'postgresql:']);

/** The settings of the database, and of Redis. */
export const DATABASE_VARIABLES = {
  DATABASE_URL: variable('a PostgreSQL 15 or newer instead of the embedded one', null, postgres),
  MIGRATE_DATABASE_URL: variable(
    'the same database for recollect migrate, by the login that owns it; without it migrate uses DATABASE_URL',
    null,
    postgres,
  ),
  DATABASE_TLS: variable(
    'verify-full: a database on another machine needs sslmode=verify-full in live mode; off: it does not',
    'verify-full',
    oneOf(['verify-full', 'off'] as const),
  ),
  DATABASE_CONNECTIONS: variable('the most connections one process opens', '20', integer(4, 1000)),
  REDIS_URL: variable('counts the rate limit across processes', null, url(['redis:', 'rediss:'])),
} as const;

export type DatabaseValues = ValuesOf<typeof DATABASE_VARIABLES>;

/** Finds addresses of databases on another machine without verified TLS. */
export function databaseFindings(v: DatabaseValues): Finding[] {
  if (v.DATABASE_TLS === 'off') return [];
  return (['DATABASE_URL', 'MIGRATE_DATABASE_URL'] as const)
    .filter((setting) => isInTheClear(v[setting]))
    .map((setting) =>
      problem(
        setting,
        'must end with ?sslmode=verify-full for a database on another machine (with &sslrootcert=<file> for an ' +
          'authority of your own); where the network between is private, set DATABASE_TLS=off',
      ),
    );
}

/** Whether a login would leave this machine without verified TLS. Our driver takes the last of options that stand there twice. */
function isInTheClear(address: string | null): boolean {
  const read = address === null ? null : URL.parse(address);
  if (read === null) return false;
  const host = read.searchParams.getAll('host').at(-1) ?? decodeURIComponent(read.hostname);
  if (host === '' || host.startsWith('/') || LOOPBACK.test(host)) return false;
  return read.searchParams.getAll('sslmode').at(-1) !== 'verify-full';
}
