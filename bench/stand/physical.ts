import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asOwner } from '../../server/test-support/owner.ts';
import { median } from './statistics.ts';
import type { World } from './world.ts';

const TIMES = 300;
/** What PostgreSQL writes at least: a page of its log. */
const PAGE = Buffer.alloc(8192, 1);
const CHUNK = Buffer.alloc(1 << 20, 1);
const CHUNKS = 1024;
const BYTES_PER_MB = 1_000_000;

/** What the machine's disk and PostgreSQL can do at all. */
export interface Physical {
  /** To append 8 KB to a file and have them on the disk: the median. */
  fdatasyncMs: number;
  /** To a new file of 1 GiB, until it is on the disk. */
  sequentialMbPerSecond: number;
  /** To commit the insertion of one row, one after the other on one connection: the median. */
  commitMs: number;
}

/** Measures them, on the disk that has the world's data folder. */
export async function measurePhysical(world: World): Promise<Physical> {
  const path = join(tmpdir(), `recollect-bench-disk-${process.pid}`);
  try {
    return {
      fdatasyncMs: await timeAppends(path),
      sequentialMbPerSecond: await writeInSequence(path),
      commitMs: await timeCommits(world),
    };
  } finally {
    await rm(path, { force: true });
  }
}

async function timeAppends(path: string): Promise<number> {
  await using file = await open(path, 'w');
  return await medianMs(async () => {
    await file.write(PAGE);
    await file.datasync();
  });
}

async function writeInSequence(path: string): Promise<number> {
  await using file = await open(path, 'w');
  const began = performance.now();
  for (let n = 0; n < CHUNKS; n++) await file.write(CHUNK);
  await file.datasync();
  const seconds = (performance.now() - began) / 1000;
  return (CHUNKS * CHUNK.length) / BYTES_PER_MB / seconds;
}

async function timeCommits({ db }: World): Promise<number> {
  await asOwner(db, (tx) => tx.run('CREATE TABLE bench_commits (at timestamptz)'));
  try {
    // Outside a transaction, each statement commits on its own.
    return await asOwner(db, (tx) =>
      medianMs(() => tx.run('INSERT INTO bench_commits VALUES (now())')),
    );
  } finally {
    await asOwner(db, (tx) => tx.run('DROP TABLE bench_commits'));
  }
}

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < TIMES; n++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return median(times);
}
