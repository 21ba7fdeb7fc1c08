// Slow: fills a queue with thousands that are due.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { INSTANT_BANK, INSTANT_ISSUER } from '../../bench/stand/instant-partners.ts';
import { instantEngine, platformOver, seedDue } from '../../bench/stand/instant-service.ts';
import { BANK_ID, seedMerchant, seedSchedules } from '../../bench/stand/seed.ts';
import { wireService } from '../../server/src/app/wiring/service.ts';
import { openStage } from '../../server/src/payments/stages/open.ts';
import { BATCHES_PER_BANK } from '../../server/src/payments/stages/send.ts';
import { makeSender, submitStage } from '../../server/src/payments/stages/submit.ts';
import { type Db, openDb, type Tx } from '../../server/src/platform/db/db.ts';
import { realClock } from '../../server/src/platform/time/clock.ts';
import { testDatabase } from '../../server/test-support/database.ts';
import { Gate } from '../../server/test-support/gate.ts';
import { NO_SENDER } from '../../server/test-support/no-sender.ts';
import { asOwner } from '../../server/test-support/owner.ts';
import { rowsRead as rowsReadIn } from '../../server/test-support/rows-read.ts';

const DUE = 2_000;
/** Rows read per collection: writing one takes about fifty; if a batch, or the due query, scans a queue it is hundreds. */
const FEW = 57;

/** Runs ANALYZE on every table before each of the engine's first `looks` transactions. */
function lookedAt(db: Db, looks: number, look: () => Promise<unknown>): Db {
  let left = looks;
  return {
    ...db,
    async transaction(work, options) {
      if (options?.isQueuePeek !== true && left-- > 0) await look();
      return db.transaction(work, options);
    },
  };
}

/** Returns how many rows PostgreSQL read per collection, with this many due at one instant. */
async function rowsReadEach(due: number, looks: number): Promise<number> {
  const database = await testDatabase();
  const [db, watching] = [openDb(database.url, 4), openDb(database.url, 1)];
  try {
    await seedDue(database.url, due, 'schedules');
    const before = await watching.read(rowsRead);
    const look = (): Promise<number> => asOwner(watching, (tx) => tx.run('ANALYZE'));
    await instantEngine(lookedAt(db, looks, look)).drain();
    await db.close();
    const after = await watching.read(rowsRead);
    const told = await watching.read((tx) =>
      tx.row<{ n: number }>(`SELECT count(*) AS n FROM deliveries WHERE status = 'delivered'`),
    );
    assert.equal(told?.n, due, 'all were collected, and their events delivered');
    return (after - before) / due;
  } finally {
    await Promise.allSettled([db.close(), watching.close()]);
    await database.drop();
  }
}

async function rowsRead(tx: Tx): Promise<number> {
  const row = await tx.row<{ rows: number }>(
    'SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint AS rows FROM pg_stat_user_tables',
  );
  return row?.rows ?? 0;
}

/** Returns how many rows of work a claim reads when the only bank has no room for the due ones. */
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
    const traits = { ...INSTANT_BANK.traits, fundsCheck: 'always' } as const;
    const banks = new Map([[BANK_ID, { ...INSTANT_BANK, traits, confirmFunds: held }]]);
    const { hooks } = wireService(platform, { banks, issuer: INSTANT_ISSUER }).authorisation;
    while ((await openStage(platform, NO_SENDER).run(realClock.now(), 500)) > 0);
    let read = 0;
    const transaction: typeof db.transaction = (work) =>
      db.transaction(async (tx) => {
        const before = await rowsReadIn(tx, ['payment_work']);
        const result = await work(tx);
        read += (await rowsReadIn(tx, ['payment_work'])) - before;
        return result;
      });
    const counted = { ...platform, db: { ...db, transaction } };
    const deps = { platform: counted, banks, issuer: INSTANT_ISSUER, consentHooks: hooks };
    const stage = submitStage(deps.platform, makeSender(deps));
    for (let batch = 0; batch < BATCHES_PER_BANK; batch++)
      assert.equal(await stage.run(realClock.now(), 10), 10);
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
    assert.ok(read <= 5, `${read} rows of work`);
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
