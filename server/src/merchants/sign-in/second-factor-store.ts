import type { Tx } from '../../platform/db/db.ts';

/** A second factor as the library has encrypted it. */
export interface SecondFactorRow {
  id: string;
  secret: string;
  backupCodes: string;
}

/** Inserts a verified second factor, and turns it on. */
export async function insertSecondFactor(
  tx: Tx,
  userId: string,
  { id, secret, backupCodes }: SecondFactorRow,
): Promise<void> {
  await tx.run(
    'INSERT INTO two_factors (id, user_id, secret, backup_codes, verified) VALUES ($1, $2, $3, $4, true)',
    [id, userId, secret, backupCodes],
  );
  await tx.run('UPDATE users SET two_factor_enabled = true WHERE id = $1', [userId]);
}

/** Reads the next second factors by id that are not encrypted under the key whose texts begin so, at most `limit`. */
export function readOldFactors(
  tx: Tx,
  current: string,
  after: string,
  limit: number,
): Promise<SecondFactorRow[]> {
  return tx.rows<SecondFactorRow>(
    `SELECT id, secret, backup_codes FROM two_factors
     WHERE id > $1 AND NOT (starts_with(secret, $2) AND starts_with(backup_codes, $2)) ORDER BY id LIMIT $3`,
    [after, current, limit],
  );
}

/** Replaces both texts of a second factor if they are still those that were read; returns whether they were. */
export async function replaceFactor(
  tx: Tx,
  { id, secret, backupCodes }: SecondFactorRow,
  fresh: Omit<SecondFactorRow, 'id'>,
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE two_factors SET secret = $4, backup_codes = $5
     WHERE id = $1 AND secret = $2 AND backup_codes = $3`,
    [id, secret, backupCodes, fresh.secret, fresh.backupCodes],
  );
  return changed === 1;
}

/** Whether a second factor is encrypted under a key that has none of these numbers. */
export async function hasForeignFactors(tx: Tx, versions: readonly number[]): Promise<boolean> {
  const row = await tx.row<{ isThere: boolean }>(
    `SELECT EXISTS (SELECT FROM two_factors
       WHERE split_part(secret, '$', 3) <> ALL($1::text[]) OR split_part(backup_codes, '$', 3) <> ALL($1::text[])
     ) AS is_there`,
    [versions.map(String)],
  );
  return row?.isThere === true;
}
