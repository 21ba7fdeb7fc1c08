import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** What a file holds: its lines, and the digests of the file and of the text in it. */
export interface Content {
  rows: number;
  bytes: number;
  sha256: string;
  text_sha256: string;
}

/** A file of lines that is being written, compressed. It has its name only once it is complete and on the disk. */
export interface Writing {
  write(line: string): Promise<void>;
  /** Completes the file; returns how many lines it has and their digest. */
  close(): Promise<Pick<Content, 'rows' | 'text_sha256'>>;
  /** Writes no more. */
  discard(): Promise<void>;
}

const PART = '.part';

/** Begins a file in a folder that is there. */
export function beginFile(path: string): Writing {
  const text = createHash('sha256');
  const gzip = createGzip();
  const done = pipeline(gzip, createWriteStream(path + PART, { mode: 0o600, flush: true }));
  done.catch(() => undefined); // whoever writes next, or closes, gets the error
  let rows = 0;
  return {
    async write(line) {
      text.update(`${line}\n`);
      rows++;
      if (!gzip.write(`${line}\n`)) await Promise.race([once(gzip, 'drain'), done]);
    },
    async close() {
      gzip.end();
      await done;
      await rename(path + PART, path);
      await syncFolder(dirname(path));
      return { rows, text_sha256: text.digest('hex') };
    },
    async discard() {
      gzip.destroy();
      await done.catch(() => undefined);
    },
  };
}

/** Makes a folder for the files of a month, in one that is there, and its name durable. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await syncFolder(dirname(path));
}

/** Makes the names in a folder durable. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a small file whole, under its name only when it is on the disk. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const handle = await open(path + PART, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(path + PART, path);
  await syncFolder(dirname(path));
}

/** Reads a file of lines from end to end; returns what is in it. */
export async function readContent(path: string): Promise<Content> {
  const [file, text] = [createHash('sha256'), createHash('sha256')];
  const { size } = await stat(path);
  let rows = 0;
  const gunzip = createGunzip();
  await pipeline(
    createReadStream(path),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        file.update(chunk);
        yield chunk;
      }
    },
    gunzip,
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        text.update(chunk);
        for (const byte of chunk) if (byte === NEW_LINE) rows++;
      }
    },
  );
  return { rows, bytes: size, sha256: file.digest('hex'), text_sha256: text.digest('hex') };
}

const NEW_LINE = 10;

/** Yields the lines of a file. */
export async function* readLines(path: string): AsyncGenerator<string> {
  const file = createReadStream(path);
  const gunzip = createGunzip();
  const read = pipeline(file, gunzip);
  read.catch(() => undefined); // the reader of the lines gets it
  const lines = createInterface({ input: gunzip, crlfDelay: Number.POSITIVE_INFINITY });
  try {
    yield* lines;
    await read;
  } finally {
    lines.close();
    file.destroy();
  }
}

/** Reads a small file; returns its text and digest. */
export async function readWhole(path: string): Promise<{ text: string; sha256: string }> {
  const text = await readFile(path, 'utf8');
  return { text, sha256: createHash('sha256').update(text).digest('hex') };
}

/** Removes a file; one that is not there is no error. */
export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
}

/** Where the files of an archive are. */
interface ArchiveLocation {
  folder: string;
  month: string;
  archiveId: string;
}

const MONTH = '2025-03'.length;

/** Returns the folder of an archive's month. */
export const folderOf = ({ folder, month }: ArchiveLocation): string =>
  join(folder, month.slice(0, MONTH));

/** Returns the path of a file of an archive. */
export const pathOf = (place: ArchiveLocation, name: string): string =>
  join(folderOf(place), `${place.archiveId}.${name}`);

/** Removes every file of an archive, the unfinished ones too. */
export async function removeFiles(place: ArchiveLocation): Promise<void> {
  const names = await readdir(folderOf(place)).catch(() => []);
  for (const name of names)
    if (name.startsWith(`${place.archiveId}.`)) await removeFile(join(folderOf(place), name));
}
