import { rewrapSecondFactors } from '../../../merchants/sign-in/library/rewrap-second-factors.ts';
import { type Config, ConfigError } from '../../../platform/config/config.ts';
import type { Db } from '../../../platform/db/db.ts';
import { errorCode } from '../../../platform/values/thrown.ts';
import { sealedUnder } from '../../../platform/vault/deployment-store.ts';
import { type ColumnCount, type Rewrapped, rewrapAll } from '../../../platform/vault/rewrap.ts';
import { findKeys } from '../../deployment/keys.ts';
import { withPlatform } from '../session/offline.ts';
import type { CommandResult } from '../session/output.ts';

interface RewrapOptions {
  isDry: boolean;
  /** Prints a line of progress. */
  onLine: (line: string) => void;
}

/** A multiple of the rows in a page. */
const LINE_EVERY_ROWS = 100_000;

/**
 * `vault rewrap`: seals everything again under the first keys of both rings, and proves that no other key of them is in use. The
 * result names the keys that can retire, or the columns in which another key is left.
 */
export function rewrapCommand(
  config: Config,
  { isDry, onLine }: RewrapOptions,
): Promise<CommandResult> {
  return withPlatform(config, async ({ db, vault }) => {
    const [current = '', ...others] = findKeys(config)?.encryption.keys() ?? [];
    const onProgress = ({ column, rows }: ColumnCount): void => {
      if (rows > 0 && rows % LINE_EVERY_ROWS === 0) onLine(`${column}: ${rows} rows read`);
    };
    const result = await rewrapAll({ db, vault, current, isDry, onProgress }).catch(asOwnerError);
    for (const { column, stale, rewrapped } of result.columns)
      if (stale > 0) onLine(`${column}: ${isDry ? stale : rewrapped} ${describeRewrap(isDry)}`);
    const factors = await rewrapSecondFactors(db, vault, isDry);
    if (factors.stale > 0)
      onLine(`two_factors: ${isDry ? factors.stale : factors.rewrapped} ${describeRewrap(isDry)}`);
    const unreadable = [...result.unreadable, ...factors.unreadable];
    for (const line of unreadable) onLine(`cannot be opened: ${line}`);
    const stale = result.columns.reduce((sum, column) => sum + column.stale, factors.stale);
    if (isDry)
      return { line: `${stale} values are not encrypted with the first keys`, isDone: true };
    const left = await rewrapSecondFactors(db, vault, true);
    return provenBy(db, current, others, {
      ...result,
      unreadable,
      isComplete: result.isComplete && left.stale === 0,
    });
  });
}

const describeRewrap = (isDry: boolean): string =>
  isDry ? 'to be encrypted again' : 'encrypted again';

async function provenBy(
  db: Db,
  current: string,
  others: readonly string[],
  { isComplete, unreadable }: Rewrapped,
): Promise<CommandResult> {
  const refused = (line: string): CommandResult => ({ line, isDone: false });
  if (unreadable.length > 0)
    return refused('some values cannot be opened: put back the key that they were encrypted with');
  if (!isComplete)
    return refused(
      'values under other keys keep coming: restart every process with the new key in front, then run this again',
    );
  const left: string[] = [];
  for (const id of others)
    for (const { column, count } of await db.read((tx) => sealedUnder(tx, id)))
      left.push(`${column} ${count} under ${id}`);
  if (left.length > 0)
    return refused(`rows are still encrypted with other keys: ${left.join(', ')}`);
  const retire = others.map((id) => `recollect keys retire ${id}`).join(', ');
  const next = others.length === 0 ? '' : `; no row is encrypted with another key: ${retire}`;
  return { line: `everything is encrypted with ${current}${next}`, isDone: true };
}

const INSUFFICIENT_PRIVILEGE = '42501';

function asOwnerError(error: unknown): never {
  if (errorCode(error) === INSUFFICIENT_PRIVILEGE)
    throw new ConfigError(
      'DATABASE_URL must log in as the owner of the tables for vault rewrap, as for recollect migrate: some of them the service may not change',
    );
  throw error;
}
