import { setTimeout as sleep } from 'node:timers/promises';
import type { Tx } from '../../server/src/platform/db.ts';
import { earliest } from '../../server/src/platform/engine.ts';
import { TO_OPEN_AT } from '../../server/src/schedules/due-store.ts';
import type { Figure, Row } from '../figure.ts';
import { letTokensEnd } from '../stand/multiply.ts';
import { median, quantile, significant } from '../stand/statistics.ts';
import { agree, openTown, PARTS, type Part, type Town } from '../stand/town.ts';
import { walBytes } from '../stand/usage.ts';

const SIZES = [1_000];
const FULL_SIZES = [1_000, 10_000, 100_000];
const LOOK_EVERY_MS = 100;
const JUST_BEFORE = Temporal.Duration.from({ seconds: 1 });
const LIMIT_MS = 3_600_000;

interface Measured {
  seconds: number;
  cpu: Readonly<Record<Part, number>>;
  walBytes: number;
  latenciesMs: number[];
}

/** Whether everything is collected, read from the first entries of two indexes, so that polling costs almost nothing. */
const DONE = `SELECT coalesce(${earliest(TO_OPEN_AT, 'schedule_agenda', 'due_at IS NOT NULL')} > $1, true)
  AND ${earliest('merchant_id', 'payments', "status IN ('pending', 'processing')")} IS NULL AS done`;

const TOLD = `SELECT d.finished_at FROM deliveries d JOIN events v USING (merchant_id, event_id)
  WHERE v.kind = 'collection.success' AND d.status = 'delivered' AND d.finished_at >= $1`;

/** Moves the clock to just before the next occurrence of every schedule, and waits until its merchant has acknowledged each. */
async function run(town: Town, count: number): Promise<Measured> {
  const { db, clock } = town.running.platform;
  await letTokensEnd(town.running.platform, town.merchantId);
  const next = await db.read((tx) =>
    tx.row<{ due: Temporal.Instant }>('SELECT min(due_at) AS due FROM schedule_agenda'),
  );
  const due = next?.due ?? clock.now();
  await town.client.sandbox.advance({ to: due.subtract(JUST_BEFORE).toString() });
  const [cpuBefore, walBefore] = [await town.cpu(), await walBytes(db)]; // from here on the clock runs on its own
  const at = await toldOfAll(town, count, due);
  const cpuAfter = await town.cpu();
  const cpuOf = (part: Part): [Part, number] => [part, cpuAfter[part] - cpuBefore[part]];
  const waited = at.map((one) => one.since(due).total('milliseconds'));
  return {
    seconds: Math.max(...waited) / 1000,
    cpu: Object.fromEntries(PARTS.map(cpuOf)) as Record<Part, number>,
    walBytes: (await walBytes(db)) - walBefore,
    latenciesMs: waited,
  };
}

/** Returns when each collection was acknowledged by its merchant, in business time, which is real time here. */
async function toldOfAll(
  { running: { platform } }: Town,
  count: number,
  since: Temporal.Instant,
): Promise<Temporal.Instant[]> {
  const deadline = performance.now() + LIMIT_MS;
  while (performance.now() < deadline) {
    await sleep(LOOK_EVERY_MS);
    const ask = (tx: Tx) => tx.row<{ done: boolean }>(DONE, [since]);
    if ((await platform.db.transaction(ask, { onlyLooks: true }))?.done !== true) continue;
    const rows = await platform.db.read((tx) =>
      tx.rows<{ finished_at: Temporal.Instant }>(TOLD, [since]),
    );
    if (rows.length >= count) return rows.map((row) => row.finished_at);
  }
  throw new Error(`not all of ${count} were told of in ${LIMIT_MS / 1000} s`);
}

function toRow(count: number, runs: readonly Measured[]): Row {
  const middle = (pick: (one: Measured) => number): number => median(runs.map(pick));
  const all = (one: Measured): number => PARTS.reduce((sum, part) => sum + one.cpu[part], 0);
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
      const runs: Measured[] = [];
      for (let round = 0; round < rounds; round++) {
        const measured = await run(town, size);
        say(`round ${round + 1}: ${size} in ${measured.seconds.toFixed(1)} s`);
        runs.push(measured);
      }
      rows.push(toRow(size, runs));
    }
    return rows;
  },
};
