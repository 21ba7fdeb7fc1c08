import type { Figure, Row } from '../figure.ts';
import { runDue } from '../stand/due-run.ts';
import { type Loaded, startLoad } from '../stand/load-process.ts';
import { median, quantile, significant } from '../stand/statistics.ts';
import { agree, openTown, type Town } from '../stand/town.ts';
import { watchMemory } from '../stand/usage.ts';

const DUE = 1_000;
/** So many lists are answered at once, and none is refused, with the connections to the database that are the default. */
const SUSTAINED_LISTS = 20;
const LOADS = [0, 1, 10];
const LIMIT_SECONDS = 3_600;

interface Measured {
  perSecond: number;
  toldP99S: number;
  memoryMiB: number;
  lists: Loaded | null;
}

/** Collects all that is due while so many clients ask for lists again and again, whatever the answer. */
async function measure(town: Town, times: number): Promise<Measured> {
  const load =
    times === 0
      ? null
      : startLoad({
          url: `${town.running.config.baseUrl}/api/v1/payments?limit=100`,
          method: 'GET',
          headers: { authorization: `Bearer ${town.apiKey}` },
          connections: SUSTAINED_LISTS * times,
          seconds: LIMIT_SECONDS,
          from: 0,
        });
  const memory = watchMemory();
  const { seconds, latenciesMs } = await runDue(town, DUE);
  return {
    perSecond: DUE / seconds,
    toldP99S: quantile(latenciesMs, 0.99) / 1000,
    memoryMiB: memory.end(),
    lists: (await load?.stop()) ?? null,
  };
}

function toRow(times: number, all: readonly Measured[]): Row {
  const middle = (of: (one: Measured) => number): number => significant(median(all.map(of)));
  const ofLists = (of: (lists: Loaded) => number): number =>
    middle(({ lists }) => (lists === null ? 0 : of(lists)));
  return {
    load: times === 0 ? 'none' : `${times} times`,
    clients: SUSTAINED_LISTS * times,
    collections_per_second: middle((one) => one.perSecond),
    told_p99_s: middle((one) => one.toldP99S),
    lists_per_second: ofLists((lists) => lists.perSecond),
    lists_p99_ms: ofLists((lists) => lists.p99Ms),
    refused_percent: ofLists(
      ({ refused, answered }) => (100 * refused) / Math.max(1, refused + answered),
    ),
    memory_mib: middle((one) => one.memoryMiB),
  };
}

/** Figure 10: a due run while ten times as many lists are asked for as the service carries. */
export const overload: Figure = {
  name: 'overload',
  title: 'A due run while lists are asked for, up to ten times what the service carries',
  async run({ rounds, say }) {
    await using town = await openTown();
    await agree(town, 0, DUE);
    await runDue(town, DUE); // a warm-up
    const all = new Map<number, Measured[]>(LOADS.map((times) => [times, []]));
    for (let round = 0; round < rounds; round++)
      for (const times of LOADS) {
        const measured = await measure(town, times);
        say(`load ${times}: ${JSON.stringify(measured)}`);
        all.get(times)?.push(measured);
      }
    return LOADS.map((times) => toRow(times, all.get(times) ?? []));
  },
};
