import { setTimeout as sleep } from 'node:timers/promises';
import type { Tx } from '../../server/src/platform/db/db.ts';
import { makeSender, type Sender } from '../../server/src/webhooks/sender.ts';
import { createEndpoint } from '../../server/src/webhooks/service.ts';
import type { Figure, FigureOptions, Row } from '../figure.ts';
import { measured, type Run } from '../stand/due.ts';
import {
  httpPartners,
  IN_PROCESS,
  type PartnerPair,
  startHttpsPrograms,
} from '../stand/http-partners.ts';
import { INSTANT_SENDER, wireInstant, withPayIns } from '../stand/instant-partners.ts';
import { dbosBatches, dbosEach } from '../stand/peers/dbos.ts';
import {
  type Due,
  findDue,
  type Jobs,
  type Loaded,
  type Peer,
  type PeerDeps,
} from '../stand/peers/peer.ts';
import { pgBoss } from '../stand/peers/pg-boss.ts';
import { quickJobs } from '../stand/peers/quick-jobs.ts';
import { safeJobs } from '../stand/peers/safe-jobs.ts';
import { AMOUNT_PENCE, seedMerchant, seedSchedules } from '../stand/seed.ts';
import { median, significant } from '../stand/statistics.ts';
import { openWorld, type World } from '../stand/world.ts';

const MERCHANTS = 10;
const COUNT = 10_000;
/** Of a contender that takes ten times as long for each. */
const FEW = 1_000;
const POLL_MS = 20;
const LONGEST_MS = 600_000;

/** `database`: partners and receiver respond within this process. `end to end`: over HTTPS, in processes of their own. */
const MODES = ['database', 'end to end'] as const;
type Part = (typeof MODES)[number];

interface Contender {
  name: string;
  /** What its jobs do; empty for the service itself. */
  jobs: Jobs['how'] | '';
  /** How many collections a round has. */
  count: number;
  load(stand: PeerDeps, due: readonly Due[]): Promise<Loaded>;
}

/** The real stages. Due work is already in the schedules. */
const OURS: Contender = {
  name: 'Recollect',
  jobs: '',
  count: COUNT,
  async load({ world: { platform }, bank, issuer, sender }) {
    const { engine } = wireInstant(platform, { bank, issuer, sender });
    return { work: async () => engine.start(), stop: () => engine.stop() };
  },
};

const contender = (peer: Peer, jobs: Jobs, count = COUNT): Contender => ({
  name: peer.name,
  jobs: jobs.how,
  count,
  load(stand, due) {
    const bank = withPayIns(stand.bank, stand.world.platform.clock, jobs.receive(stand));
    return peer.load({ ...stand, bank }, jobs, due);
  },
});

/** A quick job alone in its workflow is left out: what a collection costs there is that it goes alone, whatever the job does. */
const CONTENDERS: readonly Contender[] = [
  OURS,
  ...[pgBoss, dbosBatches].map((peer) => contender(peer, safeJobs)),
  contender(dbosEach, safeJobs, FEW),
  ...[pgBoss, dbosBatches].map((peer) => contender(peer, quickJobs)),
];

interface Setup {
  world: World;
  partners: Record<Part, PartnerPair>;
  senders: Record<Part, Sender>;
  receiver: string;
}

/** The same due run with queueing by other libraries: figure 3. */
export const peers: Figure = {
  name: 'peers',
  title: 'A due run beside the same run over pg-boss and DBOS',
  async run(options) {
    await using world = await openWorld();
    await using beside = new AsyncDisposableStack();
    const { receiver, partners } = await startHttpsPrograms(beside);
    const http = httpPartners(partners);
    beside.defer(() => http.close());
    const sender = makeSender({ mode: 'sandbox', timeoutMs: 10_000 });
    beside.defer(() => sender.close());
    const stand: Setup = {
      world,
      partners: { database: IN_PROCESS, 'end to end': http },
      senders: { database: INSTANT_SENDER, 'end to end': sender },
      receiver,
    };
    const rows: Row[] = [];
    for (const part of MODES) rows.push(...(await compare(stand, part, options)));
    return rows;
  },
};

async function compare(stand: Setup, part: Part, { rounds, say }: FigureOptions): Promise<Row[]> {
  const all = new Map<Contender, Run[]>(CONTENDERS.map((one) => [one, []]));
  for (let round = 0; round <= rounds; round++)
    for (const one of startingAt(round)) {
      const run = await runOnce(stand, part, one);
      const rate = `${Math.round(run.perSecond)} a second, ${Math.round(cpuMicros(run))} µs`;
      say(`${part}, round ${round}: ${one.name} ${one.jobs}: ${rate}`);
      if (round > 0) all.get(one)?.push(run); // the first round is a warm-up
    }
  return [...all].map(([one, runs]) => ({
    part,
    contender: one.name,
    jobs: one.jobs,
    ...toRow(runs, all.get(OURS) ?? []),
    collections: one.count,
  }));
}

/** Returns the contenders with another one first in each round, so that what a place in the round costs falls on all. */
function startingAt(round: number): readonly Contender[] {
  const first = round % CONTENDERS.length;
  return [...CONTENDERS.slice(first), ...CONTENDERS.slice(0, first)];
}

/** CPU of PostgreSQL and Node: a rate may be bound by commits, which wait for the disk. */
const cpuMicros = (run: Run): number => run.postgresCpuMicros + run.ourCpuMicros;

/** Compares the runs of a contender with ours, round by round. */
function toRow(runs: readonly Run[], ours: readonly Run[]): Row {
  const middle = (pick: (run: Run, ours: Run) => number): number =>
    significant(median(runs.map((run, round) => pick(run, ours[round] ?? run))));
  return {
    cpu_us: middle(cpuMicros),
    ours_to_theirs_by_cpu: middle((run, our) => cpuMicros(run) / cpuMicros(our)),
    per_second: middle((run) => run.perSecond),
    ours_to_theirs: middle((run, our) => our.perSecond / run.perSecond),
    postgres_cpu_us: middle((run) => run.postgresCpuMicros),
    node_cpu_us: middle((run) => run.ourCpuMicros),
    wal_bytes: middle((run) => run.walBytes),
  };
}

async function runOnce(stand: Setup, part: Part, contender: Contender): Promise<Run> {
  const { world } = stand;
  await world.db.transaction(leaveNothingDue);
  const { count } = contender;
  const due = await seedDue(stand, count);
  const acknowledged = counting(stand.senders[part]);
  const peerStand: PeerDeps = { world, ...stand.partners[part], sender: acknowledged.sender };
  const loaded = await contender.load(peerStand, due);
  await world.settle();
  const run = await measured(world, count, async () => {
    await loaded.work();
    const until = performance.now() + LONGEST_MS;
    while (acknowledged.count() < count && performance.now() < until) await sleep(POLL_MS);
  });
  await loaded.stop();
  await check(world, due);
  return run;
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
async function seedDue({ world, receiver }: Setup, count: number): Promise<Due[]> {
  const { platform, db } = world;
  const due: Due[] = [];
  for (let n = 0; n < MERCHANTS; n++) {
    const merchantId = await seedMerchant(platform);
    const now = platform.clock.now();
    await db.transaction((tx) =>
      createEndpoint(platform, { tx, now, merchantId }, { url: `${receiver}${merchantId}` }),
    );
    await seedSchedules(platform, merchantId, count / MERCHANTS, now);
    due.push(...(await db.read((tx) => findDue(tx, platform, merchantId))));
  }
  return due;
}

/** Pauses what a round left due, so that the next round does not collect it. */
async function leaveNothingDue(tx: Tx): Promise<void> {
  await tx.run(
    `WITH due AS (UPDATE schedule_agenda SET due_at = NULL, check_at = NULL WHERE due_at IS NOT NULL RETURNING *)
     UPDATE schedules s SET status = 'paused' FROM due d WHERE s.merchant_id = d.merchant_id AND s.schedule_id = d.schedule_id`,
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
