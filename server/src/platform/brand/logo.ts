import { createHash } from 'node:crypto';
import { type ImageFacts, readImage } from './image.ts';

/** The largest logo, in bytes. */
export const LARGEST_LOGO = 100 * 1024;
/** A small file may open up to a picture that fills the memory of a phone. */
const LONGEST_SIDE = 2_000;

/** A logo that can be stored and served. */
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

/** Returns the size at which a logo fits into a box; it is never enlarged. */
export function fitInto(
  { width, height }: { width: number; height: number },
  box: { width: number; height: number },
): { width: number; height: number } {
  const scale = Math.min(1, box.width / width, box.height / height);
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: scaled(width), height: scaled(height) };
}
