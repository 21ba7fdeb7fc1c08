import type { Tx } from '../db/db.ts';

/** Adds to how often each key has sealed. Rows are locked in the order of the keys, so that processes cannot deadlock. */
export async function addSeals(tx: Tx, counts: ReadonlyMap<string, number>): Promise<void> {
  await tx.run(
    `INSERT INTO vault_seals (key_id, seals)
     SELECT key_id, seals FROM unnest($1::text[], $2::bigint[]) AS c (key_id, seals) ORDER BY key_id
     ON CONFLICT (key_id) DO UPDATE SET seals = vault_seals.seals + excluded.seals`,
    [[...counts.keys()], [...counts.values()]],
  );
}

/** Lists how often each encryption key that the database asks for has sealed, as far as processes have stored it. */
export function listSeals(tx: Tx): Promise<{ keyId: string; seals: number }[]> {
  return tx.rows(
    `SELECT k.key_id, coalesce(s.seals, 0) AS seals
     FROM deployment_keys k LEFT JOIN vault_seals s ON s.key_id = k.key_id
     WHERE k.purpose = 'encryption' ORDER BY k.key_id`,
  );
}
