import { findLogo } from '../merchants/branding/branding-store.ts';
import type { Brand } from '../platform/brand/brand.ts';
import type { Tx } from '../platform/db/db.ts';
import type { LetterBranding } from './letter.ts';
import type { InlineImage } from './mail.ts';
import type { Setting } from './sentences.ts';

/** Returns the logos of those merchants that have one, to travel within their emails. */
export async function readInlineLogos(
  tx: Tx,
  merchantIds: Iterable<string>,
  settings: ReadonlyMap<string, Setting>,
): Promise<Map<string, InlineImage>> {
  const images = new Map<string, InlineImage>();
  for (const merchantId of new Set(merchantIds)) {
    const hash = settings.get(merchantId)?.branding.logo?.hash;
    const found = hash === undefined ? null : await findLogo(tx, merchantId, hash);
    if (found !== null)
      images.set(merchantId, {
        cid: `${hash}@logo`,
        type: found.logoType,
        bytes: found.logo,
      });
  }
  return images;
}

/** Returns the logo of the service, to travel within its emails; undefined: it has none. */
export function serviceLogo({ logo }: Brand): InlineImage | undefined {
  return logo === null
    ? undefined
    : { cid: `${logo.hash}@logo`, type: logo.type, bytes: logo.bytes };
}

/** Points a letter's logo to the image within its email; without one the name stands there. */
export function inline(branding: LetterBranding, image: InlineImage | undefined): LetterBranding {
  const { logo } = branding;
  if (logo === null || image === undefined) return { ...branding, logo: null };
  return { ...branding, logo: { ...logo, url: `cid:${image.cid}` } };
}
