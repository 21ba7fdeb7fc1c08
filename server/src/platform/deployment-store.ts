import type { Tx } from './db.ts';
import type { KeyCheck, Mode, Stamp } from './deployment.ts';

/** The stamp of this database; null where nobody has started on it. */
export async function readStamp(tx: Tx): Promise<Stamp | null> {
  const table = await tx.row<{ is_there: boolean }>(
    `SELECT to_regclass('deployment_keys') IS NOT NULL AS is_there`,
  );
  if (table?.is_there !== true) return null;
  const row = await tx.row<{ deployment_id: string; mode: Mode }>(
    'SELECT deployment_id, mode FROM deployment',
  );
  if (row === null) return null;
  const keys = await tx.rows<{ purpose: KeyCheck['purpose']; key_id: string; check_value: Buffer }>(
    'SELECT purpose, key_id, check_value FROM deployment_keys ORDER BY purpose, key_id',
  );
  return {
    deploymentId: row.deployment_id,
    mode: row.mode,
    keys: keys.map(({ purpose, key_id, check_value }) => ({
      purpose,
      keyId: key_id,
      value: check_value,
    })),
  };
}

/** Stamps what is not stamped yet: of processes that start at once, the first one's mode and keys stay. */
export async function writeStamp(tx: Tx, mode: Mode, keys: readonly KeyCheck[]): Promise<void> {
  await tx.run(
    'INSERT INTO deployment (deployment_id, mode) VALUES (gen_random_uuid()::text, $1) ON CONFLICT DO NOTHING',
    [mode],
  );
  for (const { purpose, keyId, value } of keys)
    await tx.run(
      'INSERT INTO deployment_keys (purpose, key_id, check_value) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [purpose, keyId, value],
    );
}

/** Whether this database is stamped live. */
export async function isStampedLive(tx: Tx): Promise<boolean> {
  const row = await tx.row<{ mode: Mode }>('SELECT mode FROM deployment');
  return row?.mode === 'live';
}
