import type { Figure, Row } from '../figure.ts';
import type { Run } from '../stand/due.ts';
import { startEngines } from '../stand/engines.ts';
import { platformOver } from '../stand/instant-service.ts';
import { seedMerchant, seedSchedules } from '../stand/seed.ts';
import { median, significant } from '../stand/statistics.ts';
import { openWorld } from '../stand/world.ts';

/** Partners within the process, quick ones and slow ones. */
const LATENCIES_MS = [0, 150, 500];
const ENGINES = [1, 2, 4];
const MOST = Math.max(...ENGINES);
/** So many that no two engines wait for the account of one. */
const MERCHANTS = 20;

interface Contender {
  latencyMs: number;
  engines: number;
  runs: Run[];
}

/** Figure 11: engine processes beside each other over one database, whose partners answer at once or after a while. */
export const engines: Figure = {
  name: 'engines',
  title: 'More engines: collections a second of one, two and four engine processes',
  async run({ rounds, isFull, say }) {
    const count = isFull ? 50_000 : 10_000;
    await using world = await openWorld();
    const platform = platformOver(world.db);
    const merchants: string[] = [];
    for (let n = 0; n < MERCHANTS; n++) merchants.push(await seedMerchant(platform));
    await using started = await startEngines(world, MOST);
    const contenders = LATENCIES_MS.flatMap((latencyMs) =>
      ENGINES.map((engines): Contender => ({ latencyMs, engines, runs: [] })),
    );
    for (let round = 0; round <= rounds; round++)
      for (const { latencyMs, engines, runs } of contenders) {
        for (const merchantId of merchants)
          await seedSchedules(platform, merchantId, count / MERCHANTS, platform.clock.now());
        await world.settle();
        const run = await started.run(engines, latencyMs, count);
        say(
          `round ${round}: ${engines} engines, ${latencyMs} ms: ${Math.round(run.perSecond)} a second`,
        );
        if (round > 0) runs.push(run); // the first round is a warm-up
      }
    return contenders.map((one) => toRow(one, contenders));
  },
};

function toRow({ latencyMs, engines, runs }: Contender, all: readonly Contender[]): Row {
  const rateOf = (some: readonly Run[]): number => median(some.map((run) => run.perSecond));
  const alone = all.find((one) => one.latencyMs === latencyMs && one.engines === 1);
  return {
    answers_after_ms: latencyMs,
    engines,
    collections_per_second: significant(rateOf(runs)),
    to_one_engine: significant(rateOf(runs) / rateOf(alone?.runs ?? runs)),
    postgres_cpu_us: significant(median(runs.map((run) => run.postgresCpuMicros))),
    our_cpu_us: significant(median(runs.map((run) => run.ourCpuMicros))),
  };
}
