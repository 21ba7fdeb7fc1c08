import { createHash } from 'node:crypto';
import { zipSync } from 'fflate';
import type { Vault } from '../../platform/vault/vault.ts';
import { sign } from './keys.ts';

/** How many bytes one digest of the index covers, so that a change is found to within them. */
const BLOCK = 256;
/** Of the entries of the archive: nothing in it depends on when it was packed but its contents. */
export const PACKED_AT = '2000-01-01T00:00:00';

/** A file of the archive. */
export interface Packed {
  name: string;
  bytes: Buffer;
}

/** What the index says of itself. */
export interface About {
  dispute_id: string;
  made_at: string;
  /** Where the public keys lie. */
  keys_at: string;
}

/**
 * Packs files with an index of their digests and a detached signature of the index's bytes: docs/rules/disputes.md#the-archive.
 * Nothing is compressed, so that each byte of a file is a byte of the archive.
 */
export function pack(vault: Vault, about: About, files: readonly Packed[]): Buffer {
  const { key } = sign(vault, Buffer.alloc(0));
  const index = Buffer.from(
    canonical({ format: 'case-file/1', ...about, key, block: BLOCK, files: files.map(listed) }),
  );
  const { signature } = sign(vault, index);
  const signed = `sha256 ${digest(index)}\nEd25519 ${signature.toString('base64')}\n`;
  const all = [
    { name: 'index.json', bytes: index },
    { name: 'index.sig', bytes: Buffer.from(signed) },
    ...files,
  ];
  const entries = Object.fromEntries(all.map(({ name, bytes }) => [name, bytes]));
  return Buffer.from(zipSync(entries, { level: 0, mtime: PACKED_AT }));
}

function listed({ name, bytes }: Packed) {
  const blocks = Array.from({ length: Math.ceil(bytes.length / BLOCK) }, (_, n) =>
    digest(bytes.subarray(n * BLOCK, (n + 1) * BLOCK)),
  );
  return { name, bytes: bytes.length, sha256: digest(bytes), blocks };
}

/** Returns the SHA-256 of bytes, in hex. */
export const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Returns JSON that the same value always has: names in order, two spaces, a line break at the end. */
export function canonical(value: unknown): string {
  return `${JSON.stringify(value, inOrder, 2)}\n`;
}

function inOrder(_name: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
