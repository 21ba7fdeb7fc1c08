import { colourError } from '../../platform/brand/colour.ts';
import { LARGEST_LOGO, readLogo } from '../../platform/brand/logo.ts';

/** How a merchant looks to its customers, beside its name: docs/rules/notices.md#logo-and-colour. */
export interface Branding {
  /** "#1d4ed8"; null: none chosen. */
  colour: string | null;
  logo: LogoFacts | null;
}

export interface LogoFacts {
  /** Where it is served. The address changes with the image. */
  url: string;
  hash: string;
  width: number;
  height: number;
}

export const NO_BRANDING: Branding = { colour: null, logo: null };

/** What is sent of a look: null takes it away, what is absent stays. `logo` is base64. */
export interface BrandingChange {
  colour?: string | null;
  logo?: string | null;
}

/** Longest base64 of a logo that is read: somewhat more than can be stored is let in, to be refused with its reason. */
export const LONGEST_LOGO_TEXT = 2 * LARGEST_LOGO;

/** Returns what is wrong with a change of the look, by field. Values of another type are left to the schema. */
export function brandingErrors({
  colour,
  logo,
}: {
  colour?: unknown;
  logo?: unknown;
}): Record<string, string> {
  const wrongColour = typeof colour === 'string' ? colourError(colour) : null;
  const isRead = typeof logo === 'string' && logo.length <= LONGEST_LOGO_TEXT;
  const read = isRead ? readLogo(Buffer.from(logo, 'base64')) : null;
  return {
    ...(wrongColour === null ? {} : { colour: wrongColour }),
    ...(typeof read === 'string' ? { logo: read } : {}),
  };
}
