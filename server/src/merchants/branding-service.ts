import type { Tx } from '../platform/db/db.ts';
import type { Asked, Platform } from '../platform/platform.ts';
import { invalid } from '../platform/values/errors.ts';
import { type Branding, type LookChange, lookErrors, NO_LOOK, readLogo } from './branding.ts';
import { findLook, setColour, setLogo } from './branding-store.ts';
import type { Merchant } from './merchant.ts';
import { recordMerchantChange } from './merchant-changes.ts';
import { readMerchant } from './service.ts';

/** Returns how a merchant looks to its customers. */
export async function readLook(
  { config }: Pick<Platform, 'config'>,
  tx: Tx,
  merchantId: string,
): Promise<Branding> {
  const row = await findLook(tx, merchantId);
  if (row === null) return NO_LOOK;
  const { colour, logoHash: hash, logoWidth: width, logoHeight: height } = row;
  if (hash === null) return { colour, logo: null };
  const url = `${config.baseUrl}/consent/logos/${merchantId}/${hash}`;
  return { colour, logo: { url, hash, width, height } };
}

/** Returns a merchant with how it looks to its customers. Throws 404 `not_found`. */
export async function readMerchantAndLook(
  platform: Platform,
  tx: Tx,
  merchantId: string,
): Promise<Merchant & { look: Branding }> {
  const merchant = await readMerchant(platform, tx, merchantId);
  return { ...merchant, look: await readLook(platform, tx, merchantId) };
}

/** Changes how a merchant looks. Throws 400 `invalid_request`, naming what is wrong. */
export async function changeLook(
  platform: Pick<Platform, 'config'>,
  asked: Asked,
  change: LookChange,
): Promise<Branding> {
  const { tx, merchantId } = asked;
  const { colour } = change;
  const wrong = lookErrors(change);
  const logo =
    typeof change.logo === 'string' ? readLogo(Buffer.from(change.logo, 'base64')) : change.logo;
  if (typeof logo === 'string' || Object.keys(wrong).length > 0) throw invalid(wrong);
  if (colour !== undefined) await setColour(tx, merchantId, colour?.toLowerCase() ?? null);
  if (logo !== undefined) await setLogo(tx, merchantId, logo);
  const reason = Object.keys(change).sort().join(', ');
  if (reason !== '') await recordMerchantChange(asked, 'details_changed', reason);
  return readLook(platform, tx, merchantId);
}
