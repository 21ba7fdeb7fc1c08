import type { Tx } from '../platform/db/db.ts';

/** Returns the issuer's id of the fee wallet; null: it was never opened. */
export async function findFeeWallet(tx: Tx): Promise<string | null> {
  const row = await tx.row<{ id: string }>('SELECT issuer_wallet_id AS id FROM fee_wallet');
  return row?.id ?? null;
}

/** Records the fee wallet; does nothing if another process has. */
export async function putFeeWallet(tx: Tx, id: string): Promise<void> {
  await tx.run('INSERT INTO fee_wallet (issuer_wallet_id) VALUES ($1) ON CONFLICT DO NOTHING', [
    id,
  ]);
}
