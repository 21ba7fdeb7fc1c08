import type { Tx } from '../../platform/db/db.ts';
import type { DatedFeeTerms } from './fees.ts';

/** SQL for all fee terms of the merchant of row `alias`, as JSON; null: none were ever set. */
export const feeTermsOf = (alias: string): string =>
  `(SELECT json_agg(json_build_object('from', f.from_at, 'fixedPence', f.fixed_pence, 'basisPoints', f.basis_points))
    FROM merchant_fees f WHERE f.merchant_id = ${alias}.merchant_id)`;

/** Fee terms as JSON. */
export type FeeTermsJson = (Omit<DatedFeeTerms, 'from'> & { from: string })[] | null;

/** Reads fee terms from JSON. */
export const readFeeTerms = (json: FeeTermsJson): DatedFeeTerms[] =>
  (json ?? []).map((terms) => ({ ...terms, from: Temporal.Instant.from(terms.from) }));

/** Returns every fee terms of a merchant, those to come included. */
export async function findFeeTerms(tx: Tx, merchantId: string): Promise<DatedFeeTerms[]> {
  const row = await tx.row<{ fees: FeeTermsJson }>(
    `SELECT ${feeTermsOf('m')} AS fees FROM merchants m WHERE m.merchant_id = $1`,
    [merchantId],
  );
  return readFeeTerms(row?.fees ?? null);
}

/** Inserts terms, or replaces those that were to apply from the same moment. */
export async function putFeeTerms(
  tx: Tx,
  merchantId: string,
  { from, fixedPence, basisPoints }: DatedFeeTerms,
  set: { by: string; at: Temporal.Instant },
): Promise<void> {
  await tx.run(
    `INSERT INTO merchant_fees (merchant_id, from_at, fixed_pence, basis_points, set_by, set_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (merchant_id, from_at) DO UPDATE SET fixed_pence = excluded.fixed_pence,
       basis_points = excluded.basis_points, set_by = excluded.set_by, set_at = excluded.set_at`,
    [merchantId, from, fixedPence, basisPoints, set.by, set.at],
  );
}
