import { unzipSync } from 'fflate';

/** Returns the text of a file in a zip archive, byte by byte as latin1 or as UTF-8. */
export function textIn(zip: Buffer, name: string, encoding: 'latin1' | 'utf8' = 'utf8'): string {
  return Buffer.from(unzipSync(zip)[name] ?? new Uint8Array()).toString(encoding);
}
