import { setTimeout as sleep } from 'node:timers/promises';
import { wireService } from '../../server/src/app/service.ts';
import type { Tx } from '../../server/src/platform/db.ts';
import { makeSender, type Sender } from '../../server/src/webhooks/sender.ts';
import { createEndpoint } from '../../server/src/webhooks/service.ts';
import type { Figure, FigureOptions, Row } from '../figure.ts';
import { cpuSecondsOf } from '../stand/cpu.ts';
import { measured, type Run } from '../stand/due.ts';
import { httpPartners, IN_PROCESS, type PartnerPair } from '../stand/http-partners.ts';
import { INSTANT_SENDER } from '../stand/instant-partners.ts';
import { bullmq } from '../stand/peers/bullmq.ts';
import { graphileWorker } from '../stand/peers/graphile-worker.ts';
import type { Due, Loaded, Peer, PeerStand } from '../stand/peers/peer.ts';
import { pgBoss } from '../stand/peers/pg-boss.ts';
import { awaitAnswer, freePort, RECEIVER, startProgram } from '../stand/program.ts';
import { AMOUNT_PENCE, BANK_ID, seedMerchant, seedSchedules } from '../stand/seed.ts';
import { median, significant } from '../stand/statistics.ts';
import { openWorld, type World } from '../stand/world.ts';

const MERCHANTS = 10;
const COUNT = 2_000;
const FULL_COUNT = 10_000;
const LOOK_EVERY_MS = 20;
const LONGEST_MS = 600_000;

/** `database`: partners and receiver respond within this process. `end to end`: over HTTP, in processes of their own. */
const PARTS = ['database', 'end to end'] as const;
type Part = (typeof PARTS)[number];

/** Ours: the real stages. Due work is already in the schedules. */
const recollect: Peer = {
  name: 'Recollect',
  async load({ world, bank, issuer, sender }) {
    const banks = new Map([[BANK_ID, bank]]);
    const { engine } = wireService(world.platform, { banks, issuer, sender });
    return { work: async () => engine.start(), stop: () => engine.stop(), pids: [] };
  },
};

const CONTENDERS: readonly Peer[] = [recollect, pgBoss, graphileWorker, bullmq];

interface Stand {
  world: World;
  partners: Record<Part, PartnerPair>;
  senders: Record<Part, Sender>;
  receiver: string;
}

/** The same due run with queueing by other libraries: figure 3. */
export const peers: Figure = {
  name: 'peers',
  title: 'A due run beside the same run over pg-boss, graphile-worker and BullMQ',
  async run(options) {
    await using world = await openWorld();
    await using beside = new AsyncDisposableStack();
    const ports = [await freePort(), await freePort()];
    for (const port of ports) beside.use(startProgram(RECEIVER, [String(port)]));
    const [receiver = '', partner = ''] = ports.map((port) => `http://127.0.0.1:${port}/`);
    for (const url of [receiver, partner]) await awaitAnswer(url);
    const http = httpPartners(partner);
    beside.defer(() => http.close());
    const sender = makeSender({ mode: 'sandbox', timeoutMs: 10_000 });
    beside.defer(() => sender.close());
    const stand: Stand = {
      world,
      partners: { database: IN_PROCESS, 'end to end': http },
      senders: { database: INSTANT_SENDER, 'end to end': sender },
      receiver,
    };
    const rows: Row[] = [];
    for (const part of PARTS) rows.push(...(await compare(stand, part, options)));
    return rows;
  },
};

async function compare(stand: Stand, part: Part, options: FigureOptions): Promise<Row[]> {
  const count = options.isFull ? FULL_COUNT : COUNT;
  const all = new Map<string, Run[]>();
  for (let round = 0; round < options.rounds; round++)
    for (const contender of CONTENDERS) {
      const run = await runOnce(stand, part, contender, count, options.say);
      if (run === null) continue;
      options.say(`${part}: ${contender.name} ${Math.round(run.perSecond)} a second`);
      all.set(contender.name, [...(all.get(contender.name) ?? []), run]);
    }
  const ours = all.get(recollect.name) ?? [];
  return [...all].map(([name, runs]) => ({
    part,
    contender: name,
    collections: count,
    per_second: significant(median(runs.map((run) => run.perSecond))),
    ours_to_theirs: significant(
      median(runs.map((run, round) => (ours[round]?.perSecond ?? 0) / run.perSecond)),
    ),
    postgres_cpu_us: significant(median(runs.map((run) => run.postgresCpuMicros))),
    node_and_queue_cpu_us: significant(median(runs.map((run) => run.ourCpuMicros))),
    wal_bytes: significant(median(runs.map((run) => run.walBytes))),
  }));
}

async function runOnce(
  stand: Stand,
  part: Part,
  contender: Peer,
  count: number,
  say: FigureOptions['say'],
): Promise<Run | null> {
  const { world } = stand;
  await world.db.transaction(leaveNothingDue);
  const due = await seedDue(stand, count);
  const acknowledged = counting(stand.senders[part]);
  const peerStand: PeerStand = { world, ...stand.partners[part], sender: acknowledged.sender };
  const loaded = await contender.load(peerStand, due, say);
  if (loaded === null) return null;
  await world.settle();
  const run = await measureRun(world, loaded, count, acknowledged.count);
  await check(world, due);
  return run;
}

async function measureRun(
  world: World,
  loaded: Loaded,
  count: number,
  done: () => number,
): Promise<Run> {
  const cpuBeside = (): number => loaded.pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
  const before = cpuBeside();
  let beside = 0;
  const run = await measured(world, count, async () => {
    await loaded.work();
    const until = performance.now() + LONGEST_MS;
    while (done() < count && performance.now() < until) await sleep(LOOK_EVERY_MS);
    beside = cpuBeside() - before;
  });
  await loaded.stop();
  return { ...run, ourCpuMicros: run.ourCpuMicros + (beside * 1_000_000) / count };
}

/** Returns a sender that counts what is acknowledged. */
function counting(sender: Sender): { sender: Sender; count: () => number } {
  let count = 0;
  return {
    count: () => count,
    sender: {
      ...sender,
      async send(outgoing) {
        const answer = await sender.send(outgoing);
        if (answer.error === null) count++;
        return answer;
      },
    },
  };
}

/** Creates merchants with an endpoint each, and their schedules, due now. */
async function seedDue({ world, receiver }: Stand, count: number): Promise<Due[]> {
  const { platform, db } = world;
  const due: Due[] = [];
  for (let n = 0; n < MERCHANTS; n++) {
    const merchantId = await seedMerchant(platform);
    const now = platform.clock.now();
    await db.transaction((tx) =>
      createEndpoint(platform, { tx, now, merchantId }, { url: `${receiver}${merchantId}` }),
    );
    await seedSchedules(platform, merchantId, count / MERCHANTS, now);
    const rows = await db.read((tx) =>
      tx.rows<{ schedule_id: string }>('SELECT schedule_id FROM schedules WHERE merchant_id = $1', [
        merchantId,
      ]),
    );
    due.push(...rows.map((row) => ({ merchantId, scheduleId: row.schedule_id })));
  }
  return due;
}

/** Pauses what a round left due, so that the next round does not collect it. */
async function leaveNothingDue(tx: Tx): Promise<void> {
  await tx.run(
    "UPDATE schedules SET status = 'paused', due_at = NULL, check_at = NULL WHERE due_at IS NOT NULL",
  );
}

/** Asserts that a contender moved all the money: one success each, credited to the merchants' wallets, every event delivered. */
async function check({ db }: World, due: readonly Due[]): Promise<void> {
  const merchants = [...new Set(due.map((d) => d.merchantId))];
  const row = await db.read((tx) =>
    tx.row<{ paid: number; pence: number; told: number }>(
      `SELECT (SELECT count(*) FROM payments WHERE merchant_id = ANY($1) AND status = 'success')::int AS paid,
              (SELECT sum(balance_pence) FROM accounts a JOIN wallets w USING (merchant_id)
               WHERE merchant_id = ANY($1) AND w.customer_id IS NULL AND w.wallet_id = a.account_id)::bigint AS pence,
              (SELECT count(*) FROM deliveries WHERE merchant_id = ANY($1) AND status = 'delivered')::int AS told`,
      [merchants],
    ),
  );
  if (
    row?.paid !== due.length ||
    row.told !== due.length ||
    row.pence !== due.length * AMOUNT_PENCE
  )
    throw new Error(`the run left ${JSON.stringify(row)} for ${due.length} collections`);
}
