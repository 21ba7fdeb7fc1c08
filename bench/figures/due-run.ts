import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Recollect } from '../../sdk/src/index.ts';
import { startService } from '../../server/src/app/run.ts';
import type { Running } from '../../server/src/app/running.ts';
import { createKey } from '../../server/src/merchants/key-service.ts';
import { createMerchant } from '../../server/src/merchants/service.ts';
import { readConfig } from '../../server/src/platform/config.ts';
import { mapInParallel } from '../../server/src/platform/lanes.ts';
import { planMerchantWallet } from '../../server/src/wallets/service.ts';
import { FERNHILL } from '../../server/test-support/merchant.ts';
import type { Figure, Row } from '../figure.ts';
import { childrenOf, cpuSecondsOf } from '../stand/cpu.ts';
import { freePort, RECEIVER, startProgram } from '../stand/program.ts';
import { median, quantile, significant } from '../stand/statistics.ts';
import { ourCpuSeconds, postmasterOf, walBytes } from '../stand/usage.ts';

const SIZES = [1_000];
const FULL_SIZES = [1_000, 10_000];
const AT_ONCE = 16;
const BANK = 'northbank';
const ALEX = '10000011';
const LOOK_EVERY_MS = 100;
const JUST_BEFORE = Temporal.Duration.from({ seconds: 1 });
const LIMIT_MS = 3_600_000;
const RICH_PENCE = 1_000_000_000_000;

/** The whole service with its sandbox, each part a process of its own, and one merchant with a receiver. */
interface Town extends AsyncDisposable {
  running: Running;
  client: Recollect;
  /** CPU seconds of each part since it was started. */
  cpu(): Promise<Readonly<Record<Part, number>>>;
}

const PARTS = ['recollect', 'postgres', 'partners', 'receiver'] as const;
type Part = (typeof PARTS)[number];

async function openTown(): Promise<Town> {
  const dataDir = await mkdtemp(join(tmpdir(), 'recollect-bench-'));
  const running = await startService(
    readConfig({
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'error',
      RATE_LIMIT_PER_MINUTE: '1000000',
      SANDBOX_BANK_PORT: '0',
      SANDBOX_BANK_PAGES_PORT: '0',
      SANDBOX_ISSUER_PORT: '0',
    }),
  );
  const { platform } = running;
  const partners = childrenOf(process.pid);
  const receiverPort = await freePort();
  const receiver = startProgram(RECEIVER, [String(receiverPort)]);
  const client = await openMerchant(running, `http://127.0.0.1:${receiverPort}/`);
  const postmaster = await postmasterOf(platform.db);
  return {
    running,
    client,
    async cpu() {
      return {
        recollect: ourCpuSeconds(),
        postgres: cpuSecondsOf(postmaster),
        partners: partners
          .filter((pid) => pid !== postmaster)
          .reduce((sum, pid) => sum + cpuSecondsOf(pid), 0),
        receiver: cpuSecondsOf(receiver.pid),
      };
    },
    async [Symbol.asyncDispose]() {
      await running.close();
      await receiver[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function openMerchant(
  { platform, config, sandbox }: Running,
  url: string,
): Promise<Recollect> {
  const { merchantId } = await createMerchant(platform, FERNHILL, (tx, id) =>
    planMerchantWallet(platform, tx, id, platform.clock.now()),
  );
  const { secret } = await platform.db.transaction((tx) =>
    createKey(platform, tx, platform.clock.now(), merchantId, 'bench', 'made for a benchmark'),
  );
  const client = new Recollect({ apiKey: secret, baseUrl: config.baseUrl });
  await client.webhookEndpoints.create({ url });
  await sandbox?.partners.control.changeAccount(BANK, ALEX, { balance: RICH_PENCE });
  return client;
}

/** Creates schedules and plays their customers, each through the portal's steps and the bank's consent. */
async function agree({ client }: Town, from: number, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, n) => from + n);
  await mapInParallel(numbers, AT_ONCE, async (n) => {
    const schedule = await client.schedules.create({
      amount: { value: 4999, currency: 'GBP' },
      frequency: 'daily',
      customer: { type: 'phone', value: `+447${String(100_000_000 + n)}` },
      description: 'Broadband',
    });
    await client.sandbox.consent(schedule.id, { decision: 'grant', account: ALEX, bank_id: BANK });
  });
}

interface Measured {
  seconds: number;
  cpu: Readonly<Record<Part, number>>;
  walBytes: number;
  latenciesMs: number[];
}

const TOLD = `SELECT d.finished_at FROM deliveries d JOIN events v USING (merchant_id, event_id)
  WHERE v.kind = 'collection.success' AND d.status = 'delivered' AND d.finished_at >= $1`;

/** Moves the clock to just before the next occurrence of every schedule, and waits until its merchant has been told of each. */
async function run(town: Town, count: number): Promise<Measured> {
  const { db, clock } = town.running.platform;
  const next = await db.read((tx) =>
    tx.row<{ due: Temporal.Instant }>('SELECT min(due_at) AS due FROM schedules'),
  );
  const due = next?.due ?? clock.now();
  await town.client.sandbox.advance({ to: due.subtract(JUST_BEFORE).toString() });
  const [cpuBefore, walBefore] = [await town.cpu(), await walBytes(db)]; // from here on the clock runs by itself
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

/** When each collection was acknowledged by its merchant, by business time, which is real time here. */
async function toldOfAll(
  { running: { platform } }: Town,
  count: number,
  since: Temporal.Instant,
): Promise<Temporal.Instant[]> {
  const deadline = performance.now() + LIMIT_MS;
  while (performance.now() < deadline) {
    await sleep(LOOK_EVERY_MS);
    const open = await platform.db.read((tx) =>
      tx.row(
        `SELECT 1 FROM schedules WHERE due_at <= $1 UNION ALL
        SELECT 1 FROM payments WHERE stage IS NOT NULL AND status IN ('pending', 'processing') LIMIT 1`,
        [since],
      ),
    );
    if (open !== null) continue;
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
      await agree(town, agreed, size - agreed);
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
