import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const SIZE = '640m';
const BLOCK = Buffer.alloc(1024 * 1024);
const MAX_BLOCKS = 4096;
/** The smallest block that is tried: the space left then is less than a PostgreSQL page. */
const MIN_BYTES = 4096;

/** A separate disk for PostgreSQL, small enough to fill: a tmpfs, if we may mount one. */
export class Disk {
  readonly path: string;
  /** Null: it can be filled. Otherwise why not. */
  readonly unlimited: string | null;
  #isGone = false;

  constructor(path: string) {
    this.path = path;
    mkdirSync(path, { recursive: true, mode: 0o755 });
    this.unlimited = mount(path);
  }

  /** Fills all remaining space. */
  fill(): void {
    if (this.unlimited !== null) throw new Error(this.unlimited);
    const file = openSync(join(this.path, 'ballast'), 'a');
    try {
      for (let size = BLOCK.length, n = 0; size >= MIN_BYTES && n < MAX_BLOCKS; n++)
        if (!write(file, size)) size /= 2;
    } finally {
      closeSync(file);
    }
  }

  /** Frees the space again. */
  free(): void {
    rmSync(join(this.path, 'ballast'), { force: true });
  }

  /** Unmounts the disk; a second call does nothing. */
  unmount(): void {
    if (this.unlimited !== null || this.#isGone) return;
    this.#isGone = true;
    execFileSync('umount', ['-l', this.path], { stdio: 'ignore' });
  }
}

function mount(path: string): string | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0755`, 'tmpfs', path], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return null;
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/\s+/g, ' ').trim() : String(error);
    return `no tmpfs can be mounted here (${why})`;
  }
}

/** Writes a block; returns false if the disk is full. */
function write(file: number, size: number): boolean {
  try {
    return writeSync(file, BLOCK, 0, size) === size;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false;
    throw error;
  }
}
