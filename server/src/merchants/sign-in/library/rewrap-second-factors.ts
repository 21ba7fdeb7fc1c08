import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { Db } from '../../../platform/db/db.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import { readOldFactors, replaceFactor, type SecondFactorRow } from '../second-factor-store.ts';
import { LIBRARY_SECRETS } from './cookies-of-old-keys.ts';

const PAGE = 100;

/** What was found and done. */
export interface FactorCount {
  /** Second factors that were not encrypted under the first signing key. */
  stale: number;
  rewrapped: number;
  /** The ids of those that no key of the ring opens, with the reason. */
  unreadable: string[];
}

/**
 * Encrypts the second factors again that are not encrypted under the first signing key, each only if it is still as it was read.
 * `isDry`: counts alone. Run it again to see that nothing is left.
 */
export async function rewrapSecondFactors(
  db: Db,
  vault: Vault,
  isDry: boolean,
): Promise<FactorCount> {
  const secrets = vault.secrets(LIBRARY_SECRETS);
  const currentVersion = secrets[0]?.version ?? 0;
  const key = {
    keys: new Map(secrets.map(({ version, value }) => [version, value])),
    currentVersion,
  };
  const count: FactorCount = { stale: 0, rewrapped: 0, unreadable: [] };
  const again = async (data: string): Promise<string> =>
    symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) });
  const rewrap = async (row: SecondFactorRow): Promise<void> => {
    const fresh = { secret: await again(row.secret), backupCodes: await again(row.backupCodes) };
    if (await db.transaction((tx) => replaceFactor(tx, row, fresh))) count.rewrapped++;
  };
  for (let after = ''; ; ) {
    const rows = await db.read((tx) => readOldFactors(tx, `$ba$${currentVersion}$`, after, PAGE));
    count.stale += rows.length;
    for (const row of isDry ? [] : rows)
      try {
        await rewrap(row);
      } catch (error) {
        const reason = error instanceof Error ? error.message : 'unknown';
        count.unreadable.push(`two_factors ${row.id}: ${reason}`);
      }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return count;
    after = last.id;
  }
}
