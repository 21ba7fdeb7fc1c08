import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Noun, Subject } from '../findings/nouns.ts';
import type { Breach } from '../invariants/law.ts';

/** A violation that was found and still held when it was last checked. */
export interface OpenBreach extends Breach {
  law: string;
  noun: Noun;
}

/** Lists what was found and still held when it was last checked. */
export function listBreaches(tx: Tx): Promise<OpenBreach[]> {
  return tx.rows<OpenBreach>(
    `SELECT law, noun, merchant_id AS merchant_id, id, what FROM law_breaches ORDER BY law, noun, merchant_id, id, what`,
  );
}

/** Replaces what was known of these rows by what was found of them now. */
export async function putBreaches(
  tx: Tx,
  law: string,
  noun: Noun,
  checked: readonly Subject[],
  found: readonly Breach[],
): Promise<void> {
  await tx.run(
    `DELETE FROM law_breaches b USING unnest($3::text[], $4::text[]) AS k (merchant_id, id)
     WHERE b.law = $1 AND b.noun = $2 AND b.merchant_id = k.merchant_id AND b.id = k.id`,
    [law, noun, ...columns(checked, 'merchantId', 'id')],
  );
  await tx.run(
    `INSERT INTO law_breaches (law, noun, merchant_id, id, what)
     SELECT $1, $2, * FROM unnest($3::text[], $4::text[], $5::text[]) ON CONFLICT DO NOTHING`,
    [law, noun, ...columns(found, 'merchantId', 'id', 'what')],
  );
}
