import { readMerchantWithBranding } from '../merchants/branding/branding-service.ts';
import type { Tx } from '../platform/db/db.ts';
import type { Platform } from '../platform/platform.ts';
import type { Setting } from './sentences.ts';

/** Returns what the sentences of a merchant's notices take besides their facts. */
export async function readSetting(
  platform: Platform,
  tx: Tx,
  merchantId: string,
): Promise<Setting> {
  const { name, email, timeZone, branding } = await readMerchantWithBranding(
    platform,
    tx,
    merchantId,
  );
  const { baseUrl, brand } = platform.config;
  return { baseUrl, brand, merchantName: name, merchantEmail: email.trim(), timeZone, branding };
}
