import type { Figure, Row } from '../figure.ts';
import { type DueRun, runDue } from '../stand/due-run.ts';
import { median, quantile, significant } from '../stand/statistics.ts';
import { agree, openTown, PARTS } from '../stand/town.ts';

const SIZES = [1_000, 10_000];
const FULL_SIZES = [1_000, 10_000, 100_000];

function toRow(count: number, runs: readonly DueRun[]): Row {
  const middle = (pick: (one: DueRun) => number): number => median(runs.map(pick));
  const all = (one: DueRun): number => PARTS.reduce((sum, part) => sum + one.cpu[part], 0);
  const shares = Object.fromEntries(
    PARTS.map((part) => [
      `${part}_share_percent`,
      significant(
        middle((one) => (100 * one.cpu[part]) / all(one)),
        2,
      ),
    ]),
  );
  return {
    collections: count,
    collections_per_second: significant(middle((one) => count / one.seconds)),
    cpu_ms_each: significant(middle((one) => (1000 * all(one)) / count)),
    wal_bytes_each: significant(middle((one) => one.walBytes / count)),
    told_p50_s: significant(middle((one) => quantile(one.latenciesMs, 0.5) / 1000)),
    told_p99_s: significant(middle((one) => quantile(one.latenciesMs, 0.99) / 1000)),
    ...shares,
  };
}

/** Says what each part took: a round that is slower in all parts alike was slowed by the machine. */
const cpuOf = ({ cpu }: DueRun, size: number): string =>
  PARTS.map((part) => `${part} ${((1000 * cpu[part]) / size).toFixed(2)} ms each`).join(', ');

/** Figure 1: from due to acknowledged, everything over HTTP, the sandbox's partners with their signatures and TLS. */
export const dueRun: Figure = {
  name: 'due-run',
  title:
    'Due run, end to end: due at one instant, collected at the bank, moved, told and acknowledged',
  async run({ rounds, isFull, say }) {
    await using town = await openTown();
    const rows: Row[] = [];
    let agreed = 0;
    for (const size of isFull ? FULL_SIZES : SIZES) {
      await agree(town, agreed, size);
      agreed = size;
      say(`${size} customers have agreed`);
      const runs: DueRun[] = [];
      for (let round = 0; round < rounds; round++) {
        const measured = await runDue(town, size);
        say(
          `round ${round + 1}: ${size} in ${measured.seconds.toFixed(1)} s; ${cpuOf(measured, size)}`,
        );
        runs.push(measured);
      }
      rows.push(toRow(size, runs));
    }
    return rows;
  },
};
