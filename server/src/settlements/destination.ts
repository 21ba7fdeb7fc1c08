import type { Tx } from '../platform/db/db.ts';
import type { Platform } from '../platform/platform.ts';
import type { Destination } from './settlement.ts';
import type { SettlementRow } from './store.ts';

export interface SettlementDeps {
  platform: Platform;
  /** The merchant's own bank account. */
  destinationOf(tx: Tx, merchantId: string): Promise<Destination>;
  /** The ledger account of the merchant's wallet, and the wallet at the issuer (null: not open yet). */
  merchantWallet(
    tx: Tx,
    merchantId: string,
  ): Promise<{ accountId: string; issuerWalletId: string | null }>;
}

const context = (merchantId: string, settlementId: string): string =>
  `settlement:${merchantId}:${settlementId}`;

/** Returns the destination of a settlement, as it was when the settlement was opened. */
export function destinationOfRow(platform: Platform, row: SettlementRow): Destination {
  return JSON.parse(
    platform.vault.open(row.destination, context(row.merchantId, row.settlementId)),
  ) as Destination;
}

/** Seals the merchant's current destination account. */
export async function sealDestination(
  deps: SettlementDeps,
  tx: Tx,
  merchantId: string,
  settlementId: string,
): Promise<string> {
  const destination = await deps.destinationOf(tx, merchantId);
  return deps.platform.vault.seal(JSON.stringify(destination), context(merchantId, settlementId));
}
