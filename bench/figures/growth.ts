import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Sender } from '../../server/src/webhooks/sender.ts';
import { createEndpoint } from '../../server/src/webhooks/service.ts';
import type { Figure, Row } from '../figure.ts';
import { type Run, runOurs } from '../stand/due.ts';
import { seedMerchant, seedSchedules } from '../stand/seed.ts';
import { median, quantile, significant } from '../stand/statistics.ts';
import { openWorld, type World } from '../stand/world.ts';

const STORED = [10_000, 100_000];
const FULL_STORED = [...STORED, 1_000_000, 10_000_000];
/** The disk space of a stored schedule, with all its rows and the log that PostgreSQL writes meanwhile. */
const BYTES_EACH = 6_000;
const DUE = 2_000;
const FULL_DUE = 10_000;
const LATER = Temporal.Duration.from({ hours: 24 * 20 });
const SMALL_MERCHANTS = 9;
const LARGE_SHARE = 0.9;

interface AcknowledgedRun extends Run {
  /** From due to acknowledged, in ms, per merchant and collection. */
  waited: ReadonlyMap<string, readonly number[]>;
}

/** Creates a merchant with an endpoint for all its events, whose address names the merchant. */
async function addMerchant({ platform }: World): Promise<string> {
  const merchantId = await seedMerchant(platform);
  await platform.db.forMerchant(merchantId, (tx) =>
    createEndpoint(
      platform,
      { tx, now: platform.clock.now(), merchantId },
      { url: `https://127.0.0.1/${merchantId}`, eventKinds: ['collection.success'] },
    ),
  );
  return merchantId;
}

/** Collects everything due at one instant; each merchant acknowledges at once. */
async function runUntilAcknowledged(
  world: World,
  count: number,
  due: Temporal.Instant,
): Promise<AcknowledgedRun> {
  const waited = new Map<string, number[]>();
  const sender: Sender = {
    async send({ url }) {
      const merchantId = url.split('/').at(-1) ?? '';
      const ms = world.platform.clock.now().since(due).total('milliseconds');
      const all = waited.get(merchantId) ?? [];
      all.push(ms);
      waited.set(merchantId, all);
      return { status: 200, body: '', error: null, durationMs: 0 };
    },
    close: async () => undefined,
  };
  return { ...(await runOurs(world, count, sender)), waited };
}

/** Figure 4: the cost of a collection by the number of stored schedules, and whether a large merchant slows down small ones. */
export const growth: Figure = {
  name: 'growth',
  title: 'How cost grows: the same due run with more and more schedules stored',
  async run({ rounds, isFull, say }) {
    const count = isFull ? FULL_DUE : DUE;
    const rows: Row[] = [];
    // The largest first: slow seeding is finished before anything is measured.
    for (const size of (await sizesWithRoom(isFull ? FULL_STORED : STORED, say)).toReversed())
      rows.unshift(await measureWithStored(size, count, rounds, say));
    await using world = await openWorld();
    rows.push(...(await crowd(world, count, rounds)));
    return rows;
  },
};

/** Returns the sizes for which the disk has room. */
async function sizesWithRoom(
  sizes: readonly number[],
  say: (line: string) => void,
): Promise<number[]> {
  const { bavail, bsize } = await statfs(tmpdir());
  const fitting = sizes.filter((size) => size * BYTES_EACH < bavail * bsize);
  for (const size of sizes) if (!fitting.includes(size)) say(`${size} stored: no room on the disk`);
  return fitting;
}

/** Measures the due run of one merchant with `size` other schedules stored. */
async function measureWithStored(
  size: number,
  count: number,
  rounds: number,
  say: (line: string) => void,
): Promise<Row> {
  await using world = await openWorld();
  const merchantId = await addMerchant(world);
  const later = world.platform.clock.now().add(LATER);
  await seedSchedules(world.platform, merchantId, size, later);
  const runs: AcknowledgedRun[] = [];
  for (let round = 0; round <= rounds; round++) {
    const run = await dueAt(world, [[merchantId, count]]);
    say(`${size} stored, round ${round}: ${Math.round(run.perSecond)} a second`);
    if (round > 0) runs.push(run);
  }
  return rowOf(`${size} schedules stored`, runs, merchantId);
}

async function dueAt(
  world: World,
  of: readonly (readonly [string, number])[],
): Promise<AcknowledgedRun> {
  const due = world.platform.clock.now();
  for (const [merchantId, count] of of) await seedSchedules(world.platform, merchantId, count, due);
  await world.settle();
  const total = of.reduce((sum, [, count]) => sum + count, 0);
  return runUntilAcknowledged(world, total, world.platform.clock.now());
}

/** Compares small merchants among ten of one size with small merchants beside one that has nine tenths of all schedules. */
async function crowd(world: World, count: number, rounds: number): Promise<Row[]> {
  const small: string[] = [];
  for (let n = 0; n < SMALL_MERCHANTS; n++) small.push(await addMerchant(world));
  const large = await addMerchant(world);
  const each = Math.round((count * (1 - LARGE_SHARE)) / SMALL_MERCHANTS);
  const alone: AcknowledgedRun[] = [];
  const besideLarge: AcknowledgedRun[] = [];
  const ofSmall = small.map((merchantId) => [merchantId, each] as const);
  for (let round = 0; round < rounds; round++) {
    alone.push(await dueAt(world, [...ofSmall, [large, each]]));
    besideLarge.push(await dueAt(world, [...ofSmall, [large, Math.round(count * LARGE_SHARE)]]));
  }
  return [
    rowOf('a small merchant among ten alike', alone, small[0] ?? ''),
    rowOf('a small merchant beside one with nine tenths', besideLarge, small[0] ?? ''),
  ];
}

function rowOf(what: string, runs: readonly AcknowledgedRun[], merchantId: string): Row {
  const middle = (pick: (run: AcknowledgedRun) => number): number =>
    significant(median(runs.map(pick)));
  const waited = (run: AcknowledgedRun, share: number): number =>
    quantile(run.waited.get(merchantId) ?? [], share) / 1000;
  return {
    what,
    collections_per_second: middle((run) => run.perSecond),
    postgres_cpu_us: middle((run) => run.postgresCpuMicros),
    our_cpu_us: middle((run) => run.ourCpuMicros),
    wal_bytes: middle((run) => run.walBytes),
    told_p50_s: middle((run) => waited(run, 0.5)),
    told_p99_s: middle((run) => waited(run, 0.99)),
  };
}
