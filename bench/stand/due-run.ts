import { setTimeout as sleep } from 'node:timers/promises';
import type { Tx } from '../../server/src/platform/db/db.ts';
import { earliest } from '../../server/src/platform/engine/due.ts';
import { TO_OPEN_AT } from '../../server/src/schedules/books/due-store.ts';
import { letTokensEnd } from './multiply.ts';
import { PARTS, type Part, type Town } from './town.ts';
import { walBytes } from './usage.ts';

const POLL_MS = 100;
/**
 * Where the clock stops before the next occurrence. The sandbox looks at the laws after each step; the mark of what was checked
 * lags a look behind, so that the third finds little left, and ends before the clock gets there on its own.
 */
const STOPS_BEFORE = [{ hours: 2 }, { hours: 1 }, { seconds: 30 }];
/** From here on CPU is counted. */
const JUST_BEFORE_MS = 1_000;
const LIMIT_MS = 3_600_000;

/** What one due run took. */
export interface DueRun {
  seconds: number;
  cpu: Readonly<Record<Part, number>>;
  walBytes: number;
  latenciesMs: number[];
}

/** Whether everything is collected, read from the first entries of two indexes, so that polling costs almost nothing. */
const DONE = `SELECT coalesce(${earliest(TO_OPEN_AT, 'schedule_agenda', 'due_at IS NOT NULL')} > $1, true)
  AND ${earliest('merchant_id', 'payment_work', 'true')} IS NULL AS done`;

const DELIVERED_SINCE = `SELECT d.finished_at FROM deliveries d JOIN events v USING (merchant_id, event_id)
  WHERE v.kind = 'collection.success' AND d.status = 'delivered' AND d.finished_at >= $1`;

/**
 * Moves the clock to just before the next occurrence of every schedule, and waits until its merchant has acknowledged each. What
 * the laws read of the round before, and of all that is stored, is read before.
 */
export async function runDue(town: Town, count: number): Promise<DueRun> {
  const { db, clock } = town.running.platform;
  await letTokensEnd(town.running.platform, town.merchantId);
  const next = await db.read((tx) =>
    tx.row<{ due: Temporal.Instant }>('SELECT min(due_at) AS due FROM schedule_agenda'),
  );
  const due = next?.due ?? clock.now();
  for (const before of STOPS_BEFORE) {
    const to = due.subtract(before);
    await town.client.sandbox.advance({ to: to.toString() });
    await untilLawsChecked(town, to);
  }
  const left = clock.now().until(due).total('milliseconds');
  if (left < JUST_BEFORE_MS) throw new Error('a look at the laws fell into the round');
  await sleep(left - JUST_BEFORE_MS); // the clock runs on its own
  const [cpuBefore, walBefore] = [await town.cpu(), await walBytes(db)];
  const at = await acknowledgedTimes(town, count, due);
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

/** Waits until the laws have been looked at after a moment of business time. */
async function untilLawsChecked({ running }: Town, moment: Temporal.Instant): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  const looked = 'SELECT FROM law_findings HAVING min(checked_at) >= $1';
  while ((await running.platform.db.read((tx) => tx.row(looked, [moment]))) === null) {
    if (performance.now() > deadline) throw new Error('the laws were not looked at');
    await sleep(POLL_MS);
  }
}

/** Returns when each collection was acknowledged by its merchant, in business time, which is real time here. */
async function acknowledgedTimes(
  { running: { platform } }: Town,
  count: number,
  since: Temporal.Instant,
): Promise<Temporal.Instant[]> {
  const deadline = performance.now() + LIMIT_MS;
  while (performance.now() < deadline) {
    await sleep(POLL_MS);
    const ask = (tx: Tx) => tx.row<{ done: boolean }>(DONE, [since]);
    if ((await platform.db.transaction(ask, { isQueuePeek: true }))?.done !== true) continue;
    const rows = await platform.db.read((tx) =>
      tx.rows<{ finishedAt: Temporal.Instant }>(DELIVERED_SINCE, [since]),
    );
    if (rows.length >= count) return rows.map((row) => row.finishedAt);
  }
  throw new Error(
    `after ${LIMIT_MS / 1000} s the merchant had not been told of all ${count} collections`,
  );
}
