import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const EIGHT_BITS_RGB = [8, 2, 0, 0, 0];

/** Returns a chunk of a PNG. */
export function pngChunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  return Buffer.concat([u32(data.length), named, u32(crc32(named))]);
}

/** Returns a PNG of one colour; `more` are chunks before its pixels. */
export function pngOf(
  { width, height, rgb = [0xaa, 0, 0x33] }: { width: number; height: number; rgb?: number[] },
  ...more: Buffer[]
): Buffer {
  const line = Buffer.from([0, ...Array.from({ length: width }, () => rgb).flat()]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)));
  return pngWith({ width, height }, ...more, pngChunk('IDAT', pixels));
}

/** Returns a PNG that claims this size, with any chunks between its first and its last. */
export function pngWith(
  { width, height }: { width: number; height: number },
  ...chunks: Buffer[]
): Buffer {
  const header = Buffer.concat([u32(width), u32(height), Buffer.from(EIGHT_BITS_RGB)]);
  const [first, last] = [pngChunk('IHDR', header), pngChunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([SIGNATURE, first, ...chunks, last]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A JPEG of 24 by 12 pixels, as a browser writes it. */
export const JPEG = Buffer.from(
  [
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8yb',
    'qmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAM',
    'ABgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFgEBAQEAAAAAAAAAAAAAAAAAAAEF/8',
    'QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AlAI1wAH/2Q==',
  ].join(''),
  'base64',
);
