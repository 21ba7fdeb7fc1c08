import type { Merchant } from '../merchants/merchant.ts';
import { readMerchant } from '../merchants/service.ts';
import type { Tx } from '../platform/db.ts';
import type { Platform } from '../platform/platform.ts';

/** Who asks: the merchant as the portal shows it. */
export function merchantOf(platform: Platform): (tx: Tx, merchantId: string) => Promise<Merchant> {
  return (tx, merchantId) => readMerchant(platform, tx, merchantId);
}
