import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compareBooks } from './books.ts';
import { finish } from './kills.ts';
import { Load } from './load.ts';
import { countMessages, endings, type Outcome } from './report.ts';
import { lose, makeStandby, promote, stopFollowing } from './standby.ts';
import { calmDown, TroubleCounts } from './troubles.ts';
import type { World } from './world.ts';

const CUSTOMERS = 8;
/** Collections that fall due after the standby is cut off. */
const LOST_COLLECTIONS = 8;
const DUE_AFTER_S = 4;
const LOST_MS = 6_000;
const LIKELY_SERVICE_TOO = 0.5;

/** How often the primary is lost, and in how many of the failovers the standby lacks the last seconds. */
export interface Failovers {
  failovers: number;
  asynchronous: number;
}

/**
 * Loses the primary under load; its synchronous standby takes its place, and so on. A switched line stands for what Patroni and
 * an address that follows the primary do. Nothing acknowledged may be lost. The last failovers are asynchronous: what the
 * services wrote in the seconds before is gone, but the bank and the issuer know of it.
 */
export async function failoverScenario(
  world: World,
  { failovers, asynchronous }: Failovers,
  told: (line: string) => void,
): Promise<Outcome> {
  const load = new Load(world);
  const deeds = new TroubleCounts();
  const away: number[] = [];
  told('the first customers agree');
  await load.prepare(CUSTOMERS);
  load.start();
  for (let n = 1; n <= failovers; n++) {
    world.spare = await makeStandby(world.cluster, join(world.dir, `standby-${n}`), `standby_${n}`);
    told(`standby ${n} is in step`);
    await sleep(world.chance.whole(4_000, 8_000, 'before', n));
    const isBehind = n > failovers - asynchronous;
    if (isBehind) await fallBehind(world, load, deeds);
    away.push(await failOver(world, deeds, n));
    world.receiver.isForgotten = false;
    if (isBehind) load.start();
    told(`the primary was lost, standby ${n} took its place after ${away.at(-1)} ms`);
    await sleep(world.chance.whole(2_000, 5_000, 'after', n));
  }
  await calmDown(world);
  await load.stop();
  told('quiet');
  const wrong: string[] = [];
  const lastDay = await finish(world, load, wrong, told);
  const verdict = await compareBooks(world, [...load.acknowledged.values()], lastDay);
  return {
    name: `chaos: ${failovers} failovers, ${asynchronous} of them to a standby that lacks the last seconds`,
    tables: [
      ['What was done', [...deeds.counts]],
      ['Milliseconds without a primary', away.map((ms, n) => [`failover ${n + 1}`, ms])],
      ['What the services said', countMessages(world)],
      ['What the books say', verdict.figures],
    ],
    wrong: [...wrong, ...load.problems, ...endings(world), ...verdict.wrong],
    left: [],
  };
}

/**
 * Cuts off the standby while the services continue: they collect, and what they record is lost. The merchant makes no requests
 * meanwhile: the responses would be lost with the rest.
 */
async function fallBehind(world: World, load: Load, deeds: TroubleCounts): Promise<void> {
  const { cluster, receiver, spare } = world;
  if (spare === null) throw new Error('there is no standby');
  await load.stop();
  await load.fallDue(LOST_COLLECTIONS, DUE_AFTER_S);
  await stopFollowing(cluster, spare);
  receiver.isForgotten = true;
  const before = await paidAtBank(world);
  await sleep(LOST_MS);
  deeds.note('seconds of the primary that the standby lacks', 0);
  const lost = (await paidAtBank(world)) - before;
  for (let n = 0; n < lost; n++) deeds.note('payments made at the bank in these seconds', 0);
}

async function paidAtBank({ partners }: World): Promise<number> {
  return ((await partners.control.books('bank', 'payments')) as unknown[]).length;
}

/** Fails over; returns how long there was no primary, in milliseconds. */
async function failOver(world: World, deeds: TroubleCounts, n: number): Promise<number> {
  const { spare, chance, services, wires } = world;
  if (spare === null) throw new Error('there is no standby');
  const begun = performance.now();
  deeds.note('the primary lost with all its processes', 1);
  lose(world.cluster);
  const victim = services[chance.pick<0 | 1>([0, 1], 'victim', n)];
  const isKilledToo = chance.happens(LIKELY_SERVICE_TOO, 'victim too', n);
  if (isKilledToo) {
    deeds.note('kill -9 of one service in the same moment', 1);
    await victim.kill();
  }
  await promote(spare);
  world.cluster = spare;
  world.spare = null;
  for (const wire of wires.database) {
    wire.leadTo(spare.port);
    wire.cut();
  }
  const ms = Math.round(performance.now() - begun);
  if (isKilledToo) victim.start();
  return ms;
}
