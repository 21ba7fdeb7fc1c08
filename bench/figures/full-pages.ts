import { setTimeout as sleep } from 'node:timers/promises';
import type { Tx } from '../../server/src/platform/db/db.ts';
import type { Figure, Row } from '../figure.ts';
import { type Run, runOurs } from '../stand/due.ts';
import { makeDue, seedMerchant, seedSchedules } from '../stand/seed.ts';
import { median, significant } from '../stand/statistics.ts';
import { openWorld, type World } from '../stand/world.ts';

const SIZES = [1_000, 10_000];
const FULL_SIZES = [...SIZES, 100_000];
/** PostgreSQL reports what its processes wrote within a second after they have become idle. */
const REPORTED_WITHIN_MS = 1_100;

/** PostgreSQL's own settings, those of the embedded server, and these with the only compression that its binaries have. */
const CONTENDERS: readonly { name: string; settings: Readonly<Record<string, string>> }[] = [
  { name: "PostgreSQL's own", settings: { checkpoint_timeout: '5min', max_wal_size: '1GB' } },
  { name: 'the embedded server', settings: {} },
  { name: 'and pages compressed', settings: { wal_compression: 'pglz' } },
];

interface Written extends Run {
  fullPages: number;
  checkpoints: number;
}

interface Counters {
  fullPages: number;
  checkpoints: number;
}

/** Reads the full pages and the checkpoints so far. */
async function readCounters(tx: Tx): Promise<Counters> {
  const row = await tx.row<Counters>(
    'SELECT wal_fpi AS full_pages, num_timed + num_requested AS checkpoints FROM pg_stat_wal, pg_stat_checkpointer',
  );
  if (row === null) throw new Error('PostgreSQL reports no statistics');
  return row;
}

/** Collects from every schedule once; the first of them come right after a checkpoint. */
async function runOnce(world: World, count: number): Promise<Written> {
  await world.db.read((tx) => makeDue(tx, world.platform.clock.now()));
  await world.settle();
  await sleep(REPORTED_WITHIN_MS);
  const before = await world.db.read(readCounters);
  const run = await runOurs(world, count);
  await sleep(REPORTED_WITHIN_MS);
  const after = await world.db.read(readCounters);
  return {
    ...run,
    fullPages: (after.fullPages - before.fullPages) / count,
    checkpoints: after.checkpoints - before.checkpoints,
  };
}

function toRow(due: number, settings: string, runs: readonly Written[]): Row {
  const middle = (pick: (run: Written) => number): number => significant(median(runs.map(pick)));
  return {
    due,
    settings,
    wal_bytes: middle((run) => run.walBytes),
    full_pages_each: middle((run) => run.fullPages),
    checkpoints: middle((run) => run.checkpoints),
    postgres_cpu_us: middle((run) => run.postgresCpuMicros),
    our_cpu_us: middle((run) => run.ourCpuMicros),
  };
}

/** Figure 8: the log of a collection, and its CPU, by how many are due, with more and with fewer checkpoints meanwhile. */
export const fullPages: Figure = {
  name: 'full-pages',
  title: 'Full pages: the write-ahead log of a collection by how many are due',
  async run({ rounds, isFull, say }) {
    const rows: Row[] = [];
    for (const { name, settings } of CONTENDERS) {
      await using world = await openWorld(settings);
      const merchantId = await seedMerchant(world.platform);
      let stored = 0;
      for (const size of isFull ? FULL_SIZES : SIZES) {
        await seedSchedules(world.platform, merchantId, size - stored, world.platform.clock.now());
        stored = size;
        const runs: Written[] = [];
        for (let round = 0; round < rounds; round++) {
          const run = await runOnce(world, size);
          say(`${name}: ${size} due: ${Math.round(run.walBytes)} bytes each`);
          runs.push(run);
        }
        rows.push(toRow(size, name, runs));
      }
    }
    return rows;
  },
};
