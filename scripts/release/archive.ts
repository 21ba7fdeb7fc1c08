import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';

/** A file of an archive, or a symbolic link. */
export interface Entry {
  path: string;
  /** Of a file. */
  content?: Uint8Array | string;
  isExecutable?: boolean;
  /** Where a symbolic link leads. */
  link?: string;
}

/** The byte of a gzip header that names the system it was made on, and the value that says "unknown". */
const SYSTEM_BYTE = 9;
const UNKNOWN_SYSTEM = 255;

/**
 * Packs entries into a gzipped tar archive, below one folder. The same entries and moment (seconds since 1970) give the same
 * bytes on any machine: the entries are sorted, belong to root, and have one time and one of two modes.
 */
export async function archive(
  folder: string,
  entries: readonly Entry[],
  seconds: number,
): Promise<Buffer> {
  const tar = pack();
  const packed = buffer(tar);
  const sorted = entries.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  for (const { path, content = '', isExecutable = false, link } of sorted) {
    const name = `${folder}/${path}`;
    const common = { name, uid: 0, gid: 0, uname: '', gname: '', mtime: new Date(seconds * 1000) };
    if (link !== undefined) tar.entry({ ...common, mode: 0o777, type: 'symlink', linkname: link });
    else tar.entry({ ...common, mode: isExecutable ? 0o755 : 0o644 }, Buffer.from(content));
  }
  tar.finalize();
  const zipped = gzipSync(await packed, { level: 9 });
  zipped[SYSTEM_BYTE] = UNKNOWN_SYSTEM;
  return zipped;
}
