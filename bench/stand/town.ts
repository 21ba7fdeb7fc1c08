import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Recollect } from '../../sdk/src/index.ts';
import type { Running } from '../../server/src/app/wiring/assemble.ts';
import { startService } from '../../server/src/app/wiring/run.ts';
import { createKey } from '../../server/src/merchants/keys/key-service.ts';
import { createMerchant } from '../../server/src/merchants/service.ts';
import { readConfig } from '../../server/src/platform/config/config.ts';
import { mapInParallel } from '../../server/src/platform/network/concurrency-limits.ts';
import { planMerchantWallet } from '../../server/src/wallets/service.ts';
import { freePort } from '../../server/test-support/free-ports.ts';
import { FERNHILL } from '../../server/test-support/merchant.ts';
import { childrenOf, cpuSecondsOf } from './cpu.ts';
import { multiply } from './multiply.ts';
import { RECEIVER, startProgram } from './program.ts';
import { ourCpuSeconds, postmasterOf } from './usage.ts';

const CONCURRENCY = 16;
/** How many of the new customers agree through the pages; the last of them is the pattern for the others. */
const BY_PAGES = 16;
const BANK = 'northbank';
const ALEX = '10000011';
const RICH_PENCE = 1_000_000_000_000;
const CHECKED_WITHIN_MS = 60_000;
const POLL_MS = 100;

/** The whole service with its sandbox, each part in a process of its own, and one merchant with a receiver. */
export interface Town extends AsyncDisposable {
  running: Running;
  merchantId: string;
  /** Of the merchant. */
  apiKey: string;
  client: Recollect;
  /** CPU seconds of each part since its start. */
  cpu(): Promise<Readonly<Record<Part, number>>>;
}

export const PARTS = ['recollect', 'postgres', 'partners', 'receiver'] as const;
export type Part = (typeof PARTS)[number];

/** Opens a town on an empty data folder; it is removed with its folder at the end of the block that opened it. */
export async function openTown(): Promise<Town> {
  const dataDir = await mkdtemp(join(tmpdir(), 'recollect-bench-'));
  const running = await startService(
    readConfig({
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'error',
      RATE_LIMIT_PER_MINUTE: '1000000',
      OPERATOR_PORT: '0',
      SANDBOX_BANK_PORT: '0',
      SANDBOX_BANK_PAGES_PORT: '0',
      SANDBOX_ISSUER_PORT: '0',
    }),
  );
  const { platform } = running;
  const partners = childrenOf(process.pid);
  const receiverPort = await freePort();
  const receiver = startProgram(RECEIVER, [String(receiverPort)]);
  const merchant = await openMerchant(running, `http://127.0.0.1:${receiverPort}/`);
  const postmaster = await postmasterOf(platform.db);
  await booksChecked(running);
  return {
    running,
    ...merchant,
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

/**
 * Waits for the first check of the books, soon after the start, so that no round contains it. The next one is an hour later.
 */
async function booksChecked({ platform: { db } }: Running): Promise<void> {
  const deadline = performance.now() + CHECKED_WITHIN_MS;
  while (performance.now() < deadline) {
    const rows = await db.read((tx) => tx.rows('SELECT 1 FROM law_findings LIMIT 1'));
    if (rows.length > 0) return;
    await sleep(POLL_MS);
  }
  throw new Error(`the books were not checked within ${CHECKED_WITHIN_MS / 1000} s`);
}

async function openMerchant(
  { platform, config, sandbox }: Running,
  url: string,
): Promise<Pick<Town, 'merchantId' | 'apiKey' | 'client'>> {
  const { merchantId } = await createMerchant(platform, FERNHILL, (tx, id) =>
    planMerchantWallet(platform, { tx, now: platform.clock.now(), merchantId: id }),
  );
  const { secret } = await platform.db.transaction((tx) =>
    createKey(
      platform,
      { tx, now: platform.clock.now(), merchantId },
      'bench',
      'made for a benchmark',
    ),
  );
  const client = new Recollect({ apiKey: secret, baseUrl: config.baseUrl });
  await client.webhookEndpoints.create({ url });
  await sandbox?.partners.control.changeAccount(BANK, ALEX, { balance: RICH_PENCE });
  return { merchantId, apiKey: secret, client };
}

const phoneOf = (n: number): string => `+447${String(100_000_000 + n)}`;

/**
 * Customers number `from` to `to` agree: the first few through the portal's and the bank's pages, about ten a second; the others
 * by copies of what the last of these left in all books.
 */
export async function agree(
  { client, merchantId, running }: Town,
  from: number,
  to: number,
): Promise<void> {
  const numbers = Array.from({ length: Math.min(BY_PAGES, to - from) }, (_, n) => from + n);
  const played = await mapInParallel(numbers, CONCURRENCY, async (n) => {
    const { id } = await client.schedules.create({
      amount: { value: 4999, currency: 'GBP' },
      frequency: 'daily',
      customer: { type: 'phone', value: phoneOf(n) },
      description: 'Broadband',
    });
    await client.sandbox.consent(id, { decision: 'grant', account: ALEX, bank_id: BANK });
    return id;
  });
  const pattern = { merchantId, scheduleId: played.at(-1) ?? '' };
  const copied = from + played.length;
  await multiply(running, pattern, to - copied, (n) => phoneOf(copied + n));
}
