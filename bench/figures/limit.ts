import { asOwner } from '../../server/test-support/owner.ts';
import { BOUND, type Figure, type Row } from '../figure.ts';
import { measured, type Run, runOurs } from '../stand/due.ts';
import { createIdealTables, IDEAL, seedIdeal } from '../stand/limit/ideal.ts';
import {
  CONSTRAINED_STATEMENTS,
  constrainedSuccesses,
  createConstrainedTables,
  seedConstrained,
} from '../stand/limit/lawful.ts';
import { SAME_ROWS_STATEMENTS } from '../stand/limit/same.ts';
import { BATCH, pgbench } from '../stand/pgbench.ts';
import { measurePhysical, type Physical } from '../stand/physical.ts';
import { openSchema } from '../stand/rights.ts';
import { seedMerchant, seedSchedules } from '../stand/seed.ts';
import { median, significant } from '../stand/statistics.ts';
import { openWorld, type World } from '../stand/world.ts';

const CLIENTS = 2;

/** A way to make collections from prepared schedules. */
interface Contender {
  name: string;
  prepare(world: World, merchantId: string, count: number): Promise<void>;
  run(world: World, count: number): Promise<Run>;
}

const prepareDue: Contender['prepare'] = (world, merchantId, count) =>
  seedSchedules(world.platform, merchantId, count, world.platform.clock.now());

const OURS: Contender = {
  name: 'Recollect, the real stages',
  prepare: prepareDue,
  run: (world, count) => runOurs(world, count),
};

/** Runs statements that collect from `BATCH` schedules each. */
const byPgbench =
  (statements: readonly string[]): Contender['run'] =>
  (world, count) =>
    measured(world, count, () =>
      pgbench(world, statements, { clients: CLIENTS, runs: count / BATCH }),
    );

const PGBENCH: Contender = {
  name: 'pgbench, the same transitions',
  prepare: prepareDue,
  run: byPgbench(SAME_ROWS_STATEMENTS),
};

const KEEPS_THE_LAWS: Contender = {
  name: 'the ideal that keeps the laws',
  prepare: (world, _merchantId, count) => seedConstrained(world, count),
  async run(world, count) {
    const before = await constrainedSuccesses(world);
    const run = await byPgbench(CONSTRAINED_STATEMENTS)(world, count);
    const done = (await constrainedSuccesses(world)) - before;
    if (done !== count) throw new Error(`the ideal that keeps the laws made ${done} of ${count}`);
    return run;
  },
};

const BARE_IDEAL: Contender = {
  name: 'the ideal, one statement for 500',
  prepare: (world, _merchantId, count) => seedIdeal(world, count),
  run: byPgbench(IDEAL),
};

const CONTENDERS = [OURS, PGBENCH, KEEPS_THE_LAWS, BARE_IDEAL];

/**
 * Figure 2: the database's part of a collection, compared with the least SQL that could work, with the ideal, and with what disk
 * and commits allow.
 */
export const limit: Figure = {
  name: 'limit',
  title: 'Against the limit: collections a second through the database alone, one hot merchant',
  async run({ rounds, isFull, say }) {
    const count = isFull ? 50_000 : 10_000;
    await using world = await openWorld();
    await createBenchTables(world);
    const runs = new Map<string, Run[]>(CONTENDERS.map(({ name }) => [name, []]));
    const machine: Physical[] = [];
    const merchantId = await seedMerchant(world.platform);
    for (let round = 0; round <= rounds; round++)
      for (const contender of CONTENDERS) {
        await contender.prepare(world, merchantId, count);
        await world.settle();
        const run = await contender.run(world, count);
        say(`round ${round}: ${contender.name}: ${Math.round(run.perSecond)} a second`);
        if (round > 0) runs.get(contender.name)?.push(run); // the first round is a warm-up
      }
    // Last: a gigabyte that is still written out would slow the round after it.
    for (let round = 0; round < rounds; round++) machine.push(await measurePhysical(world));
    const rows = toRows(runs);
    return [...rows, ...toBounds(machine, Number(rows[0]?.wal_bytes))];
  },
};

async function createBenchTables(world: World): Promise<void> {
  await asOwner(world.db, (tx) => tx.run('CREATE SEQUENCE bench_ids'));
  await createConstrainedTables(world);
  await createIdealTables(world);
  await openSchema(world.url, 'public');
}

/** CPU of PostgreSQL and ours: a rate may be bound by commits, which wait for the disk. */
const cpuMicros = (run: Run): number => run.postgresCpuMicros + run.ourCpuMicros;

function toRows(runs: ReadonlyMap<string, readonly Run[]>): Row[] {
  const middle = (name: string, pick: (run: Run) => number): number =>
    median((runs.get(name) ?? []).map(pick));
  const ours = middle(OURS.name, (run) => run.perSecond);
  const ourCpu = middle(OURS.name, cpuMicros);
  return CONTENDERS.map(({ name }) => {
    const perSecond = middle(name, (run) => run.perSecond);
    return {
      contender: name,
      collections_per_second: significant(perSecond),
      our_share_percent: significant((100 * ours) / perSecond),
      our_share_by_cpu_percent: significant((100 * middle(name, cpuMicros)) / ourCpu),
      postgres_cpu_us: significant(middle(name, (run) => run.postgresCpuMicros)),
      our_cpu_us: significant(middle(name, (run) => run.ourCpuMicros)),
      wal_bytes: significant(middle(name, (run) => run.walBytes)),
    };
  });
}

const BYTES_PER_MB = 1_000_000;

/** Returns what the machine bounds: a collection as often as it syncs, commits, or writes what ours write to the log. */
function toBounds(machine: readonly Physical[], walBytes: number): Row[] {
  const middle = (pick: (one: Physical) => number): number => median(machine.map(pick));
  const syncMs = middle((one) => one.fdatasyncMs);
  const commitMs = middle((one) => one.commitMs);
  const mbPerSecond = middle((one) => one.sequentialMbPerSecond);
  const bound = (name: string, perSecond: number, measured: Row): Row => ({
    contender: BOUND + name,
    collections_per_second: significant(perSecond),
    ...measured,
  });
  return [
    bound('a commit each', 1000 / commitMs, { median_ms: significant(commitMs) }),
    bound('an fdatasync each', 1000 / syncMs, { median_ms: significant(syncMs) }),
    bound('our log in sequence', (mbPerSecond * BYTES_PER_MB) / walBytes, {
      mb_per_second: significant(mbPerSecond),
    }),
  ];
}
