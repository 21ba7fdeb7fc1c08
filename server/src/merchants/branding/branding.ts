import { createHash } from 'node:crypto';
import { type ImageFacts, readImage } from './image.ts';

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

/** The largest logo, in bytes. */
export const LARGEST_LOGO = 100 * 1024;
/** A small file may open up to a picture that fills the memory of a phone. */
const LONGEST_SIDE = 2_000;
/** The contrast that WCAG 2 asks of text (level AA). */
const MIN_CONTRAST = 4.5;

/** A logo that can be stored. */
export interface Logo extends ImageFacts {
  bytes: Buffer;
  hash: string;
}

/** Reads a logo from its bytes; returns what is wrong with it if it cannot be taken. */
export function readLogo(bytes: Buffer): Logo | string {
  if (bytes.length > LARGEST_LOGO) return 'must be at most 100 KB';
  const image = readImage(bytes);
  if (image === null) return 'must be a PNG or JPEG image';
  const { width, height } = image;
  if (Math.min(width, height) < 1 || Math.max(width, height) > LONGEST_SIDE)
    return `must be at most ${LONGEST_SIDE} pixels wide and high`;
  return { ...image, bytes, hash: createHash('sha256').update(bytes).digest('hex').slice(0, 32) };
}

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

/** Returns the size at which a logo fits into a box; it is never enlarged. */
export function fitInto(
  { width, height }: Pick<LogoFacts, 'width' | 'height'>,
  box: { width: number; height: number },
): { width: number; height: number } {
  const scale = Math.min(1, box.width / width, box.height / height);
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: scaled(width), height: scaled(height) };
}

/** Explains what is wrong with a colour; null: nothing. White text must be legible on it. */
export function colourError(colour: string): string | null {
  if (!/^#[0-9a-f]{6}$/i.test(colour)) return 'must be a colour such as #1d4ed8';
  return contrastWithWhite(colour) < MIN_CONTRAST
    ? 'is too light: white text on it could not be read'
    : null;
}

/** Returns the contrast between a colour and white, from 1 to 21, as WCAG 2 computes it. */
export function contrastWithWhite(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}
