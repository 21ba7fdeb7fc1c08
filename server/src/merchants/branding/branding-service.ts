import { readLogo } from '../../platform/brand/logo.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Asked, Platform } from '../../platform/platform.ts';
import { invalid } from '../../platform/values/errors.ts';
import type { Merchant } from '../merchant.ts';
import { recordMerchantChange } from '../merchant-changes.ts';
import { readMerchant } from '../service.ts';
import { type Branding, type BrandingChange, brandingErrors, NO_BRANDING } from './branding.ts';
import { findBranding, setColour, setLogo } from './branding-store.ts';

/** Returns how a merchant looks to its customers. */
export async function readBranding(
  { config }: Pick<Platform, 'config'>,
  tx: Tx,
  merchantId: string,
): Promise<Branding> {
  const row = await findBranding(tx, merchantId);
  if (row === null) return NO_BRANDING;
  const { colour, logoHash: hash, logoWidth: width, logoHeight: height } = row;
  if (hash === null) return { colour, logo: null };
  const url = `${config.baseUrl}/consent/logos/${merchantId}/${hash}`;
  return { colour, logo: { url, hash, width, height } };
}

/** Returns a merchant with how it looks to its customers. Throws 404 `not_found`. */
export async function readMerchantWithBranding(
  platform: Platform,
  tx: Tx,
  merchantId: string,
): Promise<Merchant & { branding: Branding }> {
  const merchant = await readMerchant(platform, tx, merchantId);
  return { ...merchant, branding: await readBranding(platform, tx, merchantId) };
}

/** Changes how a merchant looks. Throws 400 `invalid_request`, naming what is wrong. */
export async function changeBranding(
  platform: Pick<Platform, 'config'>,
  asked: Asked,
  change: BrandingChange,
): Promise<Branding> {
  const { tx, merchantId } = asked;
  const { colour } = change;
  const wrong = brandingErrors(change);
  const logo =
    typeof change.logo === 'string' ? readLogo(Buffer.from(change.logo, 'base64')) : change.logo;
  if (typeof logo === 'string' || Object.keys(wrong).length > 0) throw invalid(wrong);
  if (colour !== undefined) await setColour(tx, merchantId, colour?.toLowerCase() ?? null);
  if (logo !== undefined) await setLogo(tx, merchantId, logo);
  const reason = Object.keys(change).sort().join(', ');
  if (reason !== '') await recordMerchantChange(asked, 'details_changed', reason);
  return readBranding(platform, tx, merchantId);
}
