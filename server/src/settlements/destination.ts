import type { Tx } from '../platform/db.ts';
import type { Platform } from '../platform/platform.ts';
import type { Destination } from './settlement.ts';
import type { SettlementRow } from './store.ts';

export interface SettlementDeps {
  platform: Platform;
  /** The merchant's own bank account. */
  destinationOf(tx: Tx, merchantId: string): Promise<Destination>;
  /** The account of the merchant's wallet in the ledger, and the wallet at the issuer (null: not open yet). */
  merchantWallet(
    tx: Tx,
    merchantId: string,
  ): Promise<{ accountId: string; issuerWalletId: string | null }>;
}

const context = (merchantId: string, settlementId: string): string =>
  `settlement:${merchantId}:${settlementId}`;

/** Where a settlement goes, as it was when it was opened. */
export function destinationOfRow(platform: Platform, row: SettlementRow): Destination {
  return JSON.parse(
    platform.vault.open(row.destination, context(row.merchant_id, row.settlement_id)),
  ) as Destination;
}

/** Seals where the merchant's money goes now. */
export async function sealDestination(
  deps: SettlementDeps,
  tx: Tx,
  merchantId: string,
  settlementId: string,
): Promise<string> {
  const destination = await deps.destinationOf(tx, merchantId);
  return deps.platform.vault.seal(JSON.stringify(destination), context(merchantId, settlementId));
}
