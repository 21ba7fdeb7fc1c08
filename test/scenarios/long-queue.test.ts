import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  INSTANT_BANK,
  INSTANT_ISSUER,
  INSTANT_SENDER,
} from '../../bench/stand/instant-partners.ts';
import { BANK_ID, seedMerchant, seedSchedules } from '../../bench/stand/seed.ts';
import { makePlatform } from '../../server/src/app/platform.ts';
import { wireService } from '../../server/src/app/service.ts';
import { openStage } from '../../server/src/payments/open.ts';
import { submitStage } from '../../server/src/payments/submit.ts';
import { realClock } from '../../server/src/platform/clock.ts';
import { readConfig } from '../../server/src/platform/config.ts';
import { openDb } from '../../server/src/platform/db.ts';
import { makeLog } from '../../server/src/platform/log.ts';
import { createEndpoint } from '../../server/src/webhooks/service.ts';
import { testDatabase } from '../../server/test-support/database.ts';
import { Gate } from '../../server/test-support/gate.ts';
import { rowsRead as rowsReadIn } from '../../server/test-support/rows-read.ts';

const DUE = 3_000;
/** A collection is written in some forty steps; where a batch, or the question what is due, reads a queue it is hundreds. */
const FEW = 120;

/** How many rows PostgreSQL read for each of so many collections that were due at one instant. */
async function rowsReadEach(due: number, known: string): Promise<number> {
  const database = await testDatabase();
  const db = openDb(database.url, 4);
  const watching = openDb(database.url, 1);
  try {
    const platform = makePlatform(readConfig(KEYS), db, realClock, makeLog('silent'));
    const merchantId = await seedMerchant(platform);
    await seedSchedules(platform, merchantId, due, realClock.now().subtract({ seconds: 1 }));
    await platform.db.forMerchant(merchantId, (tx) =>
      createEndpoint(platform, { tx, now: realClock.now(), merchantId }, ENDPOINT),
    );
    const banks = new Map([[BANK_ID, INSTANT_BANK]]);
    await db.read((tx) => tx.run(`ANALYZE ${known}`));
    const before = await watching.read(rowsRead);
    const sender = INSTANT_SENDER;
    await wireService(platform, { banks, issuer: INSTANT_ISSUER, sender }).engine.drain();
    await db.close(); // connections hand in their counts when they end
    const after = await watching.read(rowsRead);
    const paid = await watching.read((tx) =>
      tx.row<{ n: number }>(`SELECT count(*) AS n FROM deliveries WHERE status = 'delivered'`),
    );
    assert.equal(paid?.n, due, 'all were collected, and told of');
    return (after - before) / due;
  } finally {
    await Promise.allSettled([db.close(), watching.close()]);
    await database.drop();
  }
}

const ENDPOINT = { url: 'https://127.0.0.1/hooks', eventKinds: ['collection.success'] };

const KEYS = {
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  BLIND_INDEX_KEY: Buffer.alloc(32, 2).toString('base64'),
};

type Read = Parameters<Parameters<ReturnType<typeof openDb>['read']>[0]>[0];

async function rowsRead(tx: Read): Promise<number> {
  const row = await tx.row<{ rows: number }>(
    'SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint AS rows FROM pg_stat_user_tables',
  );
  return row?.rows ?? 0;
}

/** How many rows of payments a claim for the one bank reads that has no room for any of those that are due. */
async function readForFullBank(due: number): Promise<number> {
  const database = await testDatabase();
  const db = openDb(database.url, 4);
  const gate = new Gate();
  try {
    const platform = makePlatform(readConfig(KEYS), db, realClock, makeLog('silent'));
    const merchantId = await seedMerchant(platform);
    await seedSchedules(platform, merchantId, due, realClock.now().subtract({ seconds: 1 }));
    const held = async () => {
      await gate.pass();
      return 'not_available' as const;
    };
    const banks = new Map([[BANK_ID, { ...INSTANT_BANK, confirmFunds: held }]]);
    const { hooks } = wireService(platform, { banks, issuer: INSTANT_ISSUER }).authorisation;
    while ((await openStage(platform).run(realClock.now(), 500)) > 0);
    let read = 0;
    const transaction: typeof db.transaction = (work) =>
      db.transaction(async (tx) => {
        const before = await rowsReadIn(tx, ['payments']);
        const result = await work(tx);
        read += (await rowsReadIn(tx, ['payments'])) - before;
        return result;
      });
    const counted = { ...platform, db: { ...db, transaction } };
    const deps = { platform: counted, banks, issuer: INSTANT_ISSUER, consentHooks: hooks };
    const stage = submitStage(deps);
    for (let room = 0; room < 2; room++) assert.equal(await stage.run(realClock.now(), 10), 10);
    read = 0;
    assert.equal(await stage.run(realClock.now(), 10), 0);
    const readThen = read;
    gate.open();
    await stage.idle?.();
    return readThen;
  } finally {
    await db.close();
    await database.drop();
  }
}

describe('a long queue', () => {
  test('of what waits for a bank that has no room, nothing is read', async () => {
    const read = await readForFullBank(1_000);
    assert.ok(read <= 5, `${read} rows of payments`);
  });

  for (const [what, known] of [
    ['that there are schedules, and of what becomes of them nothing', 'schedules'],
    ['how every queue was while it was empty', ''],
  ] as const)
    test(`a collection reads few rows among thousands that are due where the planner knows ${what}`, async () => {
      const each = await rowsReadEach(DUE, known);
      assert.ok(each <= FEW, `${each.toFixed(1)} rows for each of ${DUE} collections`);
    });
});
