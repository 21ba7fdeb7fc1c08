import { setTimeout as sleep } from 'node:timers/promises';
import type { Tx } from '../../server/src/platform/db/db.ts';
import { earliest } from '../../server/src/platform/engine/due.ts';
import { TO_OPEN_AT } from '../../server/src/schedules/books/due-store.ts';
import type { Sender } from '../../server/src/webhooks/sender.ts';
import { wireInstant } from './instant-partners.ts';
import type { World } from './world.ts';

/** The cost of a due run, per collection. */
export interface Run {
  seconds: number;
  perSecond: number;
  postgresCpuMicros: number;
  ourCpuMicros: number;
  walBytes: number;
}

const POLL_MS = 50;
const LIMIT_MS = 3_600_000;
/** A connection's process is counted once PostgreSQL has reaped it. */
const REAPED_WITHIN_MS = 250;

/** Runs what is due with the real stages, all in parallel as in production, with partners that respond at once. */
export function runOurs(world: World, count: number, sender?: Sender): Promise<Run> {
  const { engine } = wireInstant(world.platform, sender === undefined ? {} : { sender });
  return measured(world, count, async () => {
    engine.start();
    await untilNothingLeft(world);
    await engine.stop();
  });
}

/** Measures work that makes `count` collections. */
export async function measured(
  world: World,
  count: number,
  work: () => Promise<void>,
): Promise<Run> {
  const before = await world.usage();
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1000;
  await sleep(REAPED_WITHIN_MS);
  const after = await world.usage();
  const each = (used: number): number => used / count;
  return {
    seconds,
    perSecond: count / seconds,
    postgresCpuMicros: each((after.postgresCpu - before.postgresCpu) * 1_000_000),
    ourCpuMicros: each((after.ourCpu - before.ourCpu) * 1_000_000),
    walBytes: each(after.walBytes - before.walBytes),
  };
}

const UNFINISHED_WORK = [
  earliest('due_at', 'deliveries', 'due_at IS NOT NULL'),
  earliest('bank_id', 'payment_work', "stage IN ('wait', 'submit')"),
  earliest('due_at', 'payment_work', "stage = 'move'"),
];
const NOTHING_LEFT = `SELECT ${UNFINISHED_WORK.map((first) => `${first} IS NULL`).join(' AND ')}
  AND coalesce(${earliest(TO_OPEN_AT, 'schedule_agenda', 'due_at IS NOT NULL')} > now(), true) AS done`;

/** Waits until everything that is due is collected, moved and told. */
export async function untilNothingLeft({ db }: World): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  const ask = (tx: Tx): Promise<{ done: boolean } | null> => tx.row(NOTHING_LEFT);
  while (performance.now() < deadline) {
    if ((await db.transaction(ask, { isQueuePeek: true }))?.done) return;
    await sleep(POLL_MS);
  }
  throw new Error(`not done after ${LIMIT_MS / 1000} s: ${NOTHING_LEFT}`);
}
