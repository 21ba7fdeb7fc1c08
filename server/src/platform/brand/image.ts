import { crc32 } from 'node:zlib';

export type ImageType = 'image/png' | 'image/jpeg';

/** What an image says of itself. */
export interface ImageFacts {
  type: ImageType;
  width: number;
  height: number;
}

type Size = Omit<ImageFacts, 'type'>;

/** Reads an image's type and size from its bytes. Returns null unless they are one whole PNG or JPEG file and nothing else. */
export function readImage(bytes: Buffer): ImageFacts | null {
  const png = pngSize(bytes);
  if (png !== null) return { type: 'image/png', ...png };
  const jpeg = jpegSize(bytes);
  return jpeg === null ? null : { type: 'image/jpeg', ...jpeg };
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const HEADER_LENGTH = 13;
/** Length, name and checksum of a PNG's chunk. */
const CHUNK_OVERHEAD = 12;

function pngSize(bytes: Buffer): Size | null {
  const chunks = chunksOf(bytes);
  const names = chunks?.map(({ name }) => name) ?? [];
  const header = chunks?.[0]?.data;
  const isWhole =
    names[0] === 'IHDR' && names.includes('IDAT') && names.indexOf('IEND') === names.length - 1;
  if (header?.length !== HEADER_LENGTH || !isWhole) return null;
  return { width: header.readUInt32BE(0), height: header.readUInt32BE(4) };
}

/** Returns the chunks of a PNG; null if it is none, a checksum is wrong, or bytes are left over. */
function chunksOf(bytes: Buffer): { name: string; data: Buffer }[] | null {
  if (!bytes.subarray(0, PNG.length).equals(PNG)) return null;
  const chunks: { name: string; data: Buffer }[] = [];
  let at = PNG.length;
  while (at < bytes.length) {
    if (at + CHUNK_OVERHEAD > bytes.length) return null;
    const end = at + CHUNK_OVERHEAD + bytes.readUInt32BE(at);
    if (end > bytes.length) return null;
    const named = bytes.subarray(at + 4, end - 4);
    if (crc32(named) !== bytes.readUInt32BE(end - 4)) return null;
    chunks.push({ name: named.toString('latin1', 0, 4), data: named.subarray(4) });
    at = end;
  }
  return chunks;
}

const MARK = 0xff;
const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
/** 0xc0 to 0xcf begin a frame, with its size, but for three: tables and a reserved one. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** Within a scan, a 0xff byte of the picture is followed by zero; markers of restarts belong to the scan too. */
const isInScan = (next: number): boolean => next === 0 || (next >= 0xd0 && next <= 0xd7);

/** Reads a JPEG's segments up to the end marker, which must be the last bytes. */
function jpegSize(bytes: Buffer): Size | null {
  if (bytes[0] !== MARK || bytes[1] !== START) return null;
  let size: Size | null = null;
  let hasScan = false;
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === MARK) {
    const marker = bytes.readUInt8(at + 1);
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (marker === END || end < at + 4) return null;
    if (isFrame(marker)) size = frameSize(bytes.subarray(at, end));
    hasScan ||= marker === SCAN;
    at = marker === SCAN ? endOfScan(bytes, end) : end;
  }
  const isOver = at + 2 === bytes.length && bytes[at] === MARK && bytes[at + 1] === END;
  return isOver && hasScan ? size : null;
}

function frameSize(segment: Buffer): Size | null {
  if (segment.length < 9) return null;
  return { width: segment.readUInt16BE(7), height: segment.readUInt16BE(5) };
}

function endOfScan(bytes: Buffer, from: number): number {
  let at = from;
  while (at + 1 < bytes.length && !(bytes[at] === MARK && !isInScan(bytes.readUInt8(at + 1))))
    at += 1;
  return at;
}
