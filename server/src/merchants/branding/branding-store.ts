import type { ImageType } from '../../platform/brand/image.ts';
import type { Logo } from '../../platform/brand/logo.ts';
import type { Tx } from '../../platform/db/db.ts';

export interface BrandingRow {
  colour: string | null;
  logoHash: string | null;
  logoWidth: number;
  logoHeight: number;
}

/** Returns how a merchant looks, without the logo itself; null: as everybody does. */
export function findBranding(tx: Tx, merchantId: string): Promise<BrandingRow | null> {
  return tx.row<BrandingRow>(
    'SELECT colour, logo_hash, logo_width, logo_height FROM merchant_looks WHERE merchant_id = $1',
    [merchantId],
  );
}

export interface LogoRow {
  logo: Buffer;
  logoType: ImageType;
}

/** Returns a merchant's logo, if it is still the one with this hash. */
export function findLogo(tx: Tx, merchantId: string, hash: string): Promise<LogoRow | null> {
  return tx.row<LogoRow>(
    'SELECT logo, logo_type FROM merchant_looks WHERE merchant_id = $1 AND logo_hash = $2',
    [merchantId, hash],
  );
}

/** Sets a merchant's colour; null: none. */
export async function setColour(tx: Tx, merchantId: string, colour: string | null): Promise<void> {
  await tx.run(
    `INSERT INTO merchant_looks (merchant_id, colour) VALUES ($1, $2)
     ON CONFLICT (merchant_id) DO UPDATE SET colour = excluded.colour`,
    [merchantId, colour],
  );
}

/** Sets a merchant's logo; null: none. */
export async function setLogo(tx: Tx, merchantId: string, logo: Logo | null): Promise<void> {
  const { bytes = null, type = null, hash = null, width = null, height = null } = logo ?? {};
  await tx.run(
    `INSERT INTO merchant_looks (merchant_id, logo, logo_type, logo_hash, logo_width, logo_height)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (merchant_id) DO UPDATE SET logo = excluded.logo, logo_type = excluded.logo_type,
       logo_hash = excluded.logo_hash, logo_width = excluded.logo_width, logo_height = excluded.logo_height`,
    [merchantId, bytes, type, hash, width, height],
  );
}
