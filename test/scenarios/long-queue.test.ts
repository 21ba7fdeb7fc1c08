import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  INSTANT_BANK,
  INSTANT_ISSUER,
  INSTANT_SENDER,
  withPayIns,
} from '../../bench/stand/instant-partners.ts';
import { BANK_ID, seedMerchant, seedSchedules } from '../../bench/stand/seed.ts';
import { makePlatform } from '../../server/src/app/platform.ts';
import { wireService } from '../../server/src/app/service.ts';
import { openStage } from '../../server/src/payments/open.ts';
import { submitStage } from '../../server/src/payments/submit.ts';
import { realClock } from '../../server/src/platform/clock.ts';
import { readConfig } from '../../server/src/platform/config.ts';
import { type Db, openDb } from '../../server/src/platform/db.ts';
import { makeLog } from '../../server/src/platform/log.ts';
import type { Platform } from '../../server/src/platform/platform.ts';
import { createEndpoint } from '../../server/src/webhooks/service.ts';
import { testDatabase } from '../../server/test-support/database.ts';
import { Gate } from '../../server/test-support/gate.ts';
import { rowsRead as rowsReadIn } from '../../server/test-support/rows-read.ts';

const DUE = 2_000;
/** Rows read per collection: writing one takes about fifty; if a batch, or the due query, scans a queue it is hundreds. */
const FEW = 50;

const KEYS = {
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  BLIND_INDEX_KEY: Buffer.alloc(32, 2).toString('base64'),
};

const platformOver = (db: Db): Platform =>
  makePlatform(readConfig(KEYS), db, realClock, makeLog('silent'));

/** Runs ANALYZE on every table before each of the engine's first `looks` transactions. */
function lookedAt(db: Db, looks: number, look: () => Promise<unknown>): Db {
  let left = looks;
  return {
    ...db,
    async transaction(work, options) {
      if (options?.onlyLooks !== true && left-- > 0) await look();
      return db.transaction(work, options);
    },
  };
}

/** Inserts one merchant, which is notified of every success, and this many due schedules. */
async function seed(url: string, due: number): Promise<void> {
  const db = openDb(url, 1);
  try {
    const platform = platformOver(db);
    const now = realClock.now();
    const merchantId = await seedMerchant(platform);
    await seedSchedules(platform, merchantId, due, now.subtract({ seconds: 1 }));
    await db.forMerchant(merchantId, (tx) =>
      createEndpoint(platform, { tx, now, merchantId }, ENDPOINT),
    );
    await db.read((tx) => tx.run('ANALYZE schedules'));
  } finally {
    await db.close(); // connections report their statistics when they close
  }
}

/** Returns how many rows PostgreSQL read per collection, with this many due at one instant. */
async function rowsReadEach(due: number, looks: number): Promise<number> {
  const database = await testDatabase();
  const [db, watching] = [openDb(database.url, 4), openDb(database.url, 1)];
  try {
    await seed(database.url, due);
    const before = await watching.read(rowsRead);
    const look = (): Promise<number> => watching.read((tx) => tx.run('ANALYZE'));
    const platform = platformOver(lookedAt(db, looks, look));
    const banks = new Map([[BANK_ID, withPayIns(INSTANT_BANK, platform)]]);
    const partners = { banks, issuer: INSTANT_ISSUER, sender: INSTANT_SENDER };
    const { engine } = wireService(platform, partners);
    await engine.drain();
    await db.close();
    const after = await watching.read(rowsRead);
    const told = await watching.read((tx) =>
      tx.row<{ n: number }>(`SELECT count(*) AS n FROM deliveries WHERE status = 'delivered'`),
    );
    assert.equal(told?.n, due, 'all were collected, and told of');
    return (after - before) / due;
  } finally {
    await Promise.allSettled([db.close(), watching.close()]);
    await database.drop();
  }
}

const ENDPOINT = { url: 'https://127.0.0.1/hooks', eventKinds: ['collection.success'] };

type Read = Parameters<Parameters<ReturnType<typeof openDb>['read']>[0]>[0];

async function rowsRead(tx: Read): Promise<number> {
  const row = await tx.row<{ rows: number }>(
    'SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint AS rows FROM pg_stat_user_tables',
  );
  return row?.rows ?? 0;
}

/** Returns how many payment rows a claim reads when the only bank has no room for the due ones. */
async function readForFullBank(due: number): Promise<number> {
  const database = await testDatabase();
  const db = openDb(database.url, 4);
  const gate = new Gate();
  try {
    const platform = platformOver(db);
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

  for (const [what, looks] of [
    ['only when all was still to be opened', 0],
    ['while every queue was empty', 1],
  ] as const)
    test(`a collection reads few rows among thousands that are due where the planner looked ${what}`, async () => {
      const each = await rowsReadEach(DUE, looks);
      assert.ok(each <= FEW, `${each.toFixed(1)} rows for each of ${DUE} collections`);
    });
});
