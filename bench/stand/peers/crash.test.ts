import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, openDb } from '../../../server/src/platform/db/db.ts';
import type { Platform } from '../../../server/src/platform/platform.ts';
import { createEndpoint } from '../../../server/src/webhooks/service.ts';
import { type TestDatabase, testDatabase } from '../../../server/test-support/database.ts';
import { INSTANT_BANK, INSTANT_ISSUER, INSTANT_SENDER, withPayIns } from '../instant-partners.ts';
import { platformOver } from '../instant-service.ts';
import { seedMerchant, seedSchedules } from '../seed.ts';
import { dbosBatches, dbosEach } from './dbos.ts';
import { type Due, findDue, type Jobs, type Peer, type PeerDeps } from './peer.ts';
import { pgBoss } from './pg-boss.ts';
import { quickJobs } from './quick-jobs.ts';
import { safeJobs } from './safe-jobs.ts';

const DONE_WITHIN_MS = 120_000;
const PEERS = [pgBoss, dbosEach, dbosBatches];

let database: TestDatabase;
let db: Db;
let platform: Platform;

before(async () => {
  database = await testDatabase();
  db = openDb(database.url, 4);
  platform = platformOver(db);
});

after(async () => {
  await db.close();
  await database.drop();
});

/** A merchant's one due collection, and a process that crashes once, between the debit at the bank and the transfer. */
async function crashingStand(jobs: Jobs): Promise<{
  stand: PeerDeps;
  due: Due[];
  debits: string[];
}> {
  const now = platform.clock.now();
  const merchantId = await seedMerchant(platform);
  await seedSchedules(platform, merchantId, 1, now.subtract({ seconds: 1 }));
  await db.forMerchant(merchantId, (tx) =>
    createEndpoint(platform, { tx, now, merchantId }, { url: 'https://127.0.0.1/hooks' }),
  );
  const debits: string[] = [];
  let crashes = 1;
  const partners: PeerDeps = {
    world: { url: database.url, db, platform },
    bank: {
      ...INSTANT_BANK,
      async submitPayment(grant, payment) {
        if (!debits.includes(payment.idempotencyKey)) debits.push(payment.idempotencyKey);
        return INSTANT_BANK.submitPayment(grant, payment);
      },
    },
    issuer: {
      ...INSTANT_ISSUER,
      async transfer(orders) {
        // No transaction is open here, so the database is as a killed process leaves it.
        if (crashes-- > 0) throw new Error('the process is killed');
        return INSTANT_ISSUER.transfer(orders);
      },
    },
    sender: INSTANT_SENDER,
  };
  const bank = withPayIns(partners.bank, platform.clock, jobs.receive(partners));
  const due = await db.read((tx) => findDue(tx, platform, merchantId));
  return { stand: { ...partners, bank }, due, debits };
}

interface Left {
  paymentId: string;
  status: string;
  transfers: number;
}

const paymentsOf = (merchantId: string): Promise<Left[]> =>
  db.read((tx) =>
    tx.rows<Left>(
      `SELECT payment_id, status, (SELECT count(*)::int FROM transfers t WHERE t.source_id = p.payment_id) AS transfers
       FROM payments p WHERE merchant_id = $1 ORDER BY due_date`,
      [merchantId],
    ),
  );

test('a quick job, killed after the debit and run again, debits the next month and leaves the first open', async () => {
  const { stand, due, debits } = await crashingStand(quickJobs);
  const collect = (): Promise<unknown> => quickJobs.collect(stand, due, async () => undefined);
  await assert.rejects(collect, /killed/);
  await collect();
  assert.equal(debits.length, 2);
  const [first, second] = await paymentsOf(onlyJob(due).merchantId);
  assert.deepEqual([first?.status, first?.transfers], ['processing', 0]);
  assert.deepEqual([second?.status, second?.transfers], ['success', 2]);
});

function onlyJob(due: readonly Due[]): Due {
  const [job] = due;
  assert.ok(job);
  return job;
}

/** Lets the library run the job, crash, and run it again, until the merchant's event is delivered. */
async function runToTheEnd(peer: Peer, stand: PeerDeps, due: readonly Due[]): Promise<void> {
  const loaded = await peer.load(stand, safeJobs, due);
  await loaded.work();
  const deadline = performance.now() + DONE_WITHIN_MS;
  try {
    while (!(await isTold(onlyJob(due).merchantId))) {
      assert.ok(performance.now() < deadline, `${peer.name} has not run it to the end`);
      await sleep(50);
    }
  } finally {
    await loaded.stop();
  }
}

async function isTold(merchantId: string): Promise<boolean> {
  const row = await db.read((tx) =>
    tx.row("SELECT 1 FROM deliveries WHERE merchant_id = $1 AND status = 'delivered'", [
      merchantId,
    ]),
  );
  return row !== null;
}

for (const peer of PEERS)
  test(`a safe job of ${peer.name}, killed after the debit and run again, debits once and finishes`, async () => {
    const { stand, due, debits } = await crashingStand(safeJobs);
    await runToTheEnd(peer, stand, due);
    const { merchantId, paymentId } = onlyJob(due);
    assert.deepEqual(debits, [`${paymentId}-a1`]);
    assert.deepEqual(await paymentsOf(merchantId), [
      { paymentId, status: 'success', transfers: 2 },
    ]);
    const found = await db.read((tx) => tx.row(TRACES, [merchantId, paymentId]));
    assert.deepEqual(found, {
      numbers: [1],
      states: ['pending', 'processing', 'success'],
      orders: 1,
      tries: [1],
    });
  });

/** What a collection leaves beside the payment. */
const TRACES = `
  SELECT (SELECT array_agg(sequence) FROM events WHERE merchant_id = $1 AND kind = 'collection.success') AS numbers,
    (SELECT array_agg(to_state ORDER BY change_id) FROM state_changes WHERE merchant_id = $1 AND object_id = $2) AS states,
    (SELECT count(*)::int FROM payment_orders WHERE merchant_id = $1) AS orders,
    (SELECT array_agg(attempts) FROM deliveries WHERE merchant_id = $1) AS tries`;

test('a safe job that was run to its end changes nothing when it is run again', async () => {
  const { stand, due, debits } = await crashingStand(safeJobs);
  const collect = (): ReturnType<Jobs['collect']> =>
    safeJobs.collect(stand, due, async () => undefined);
  await assert.rejects(collect, /killed/);
  const tells = await collect();
  assert.deepEqual(await collect(), tells, 'and returns the event again, in case its job was lost');
  assert.equal(debits.length, 1);
  assert.deepEqual(
    (await paymentsOf(onlyJob(due).merchantId)).map((p) => [p.status, p.transfers]),
    [['success', 2]],
  );
});

test('a safe job whose order was lost on the way repeats it under its key, and notes that', async () => {
  const { stand, due, debits } = await crashingStand(safeJobs);
  const lost: PeerDeps = { ...stand, bank: { ...stand.bank, submitPayment: () => assert.fail() } };
  const collect = (on: PeerDeps): Promise<unknown> =>
    safeJobs.collect(on, due, async () => undefined);
  await assert.rejects(() => collect(lost), assert.AssertionError);
  await assert.rejects(() => collect(stand), /killed/);
  await collect(stand);
  const { merchantId, paymentId } = onlyJob(due);
  assert.deepEqual(debits, [`${paymentId}-a1`]);
  const found = await db.read((tx) => tx.row<{ orders: number }>(TRACES, [merchantId, paymentId]));
  assert.equal(found?.orders, 2);
});

test('a safe job orders nothing without a consent', async () => {
  const { stand, due, debits } = await crashingStand(safeJobs);
  await db.transaction((tx) =>
    tx.run("UPDATE consents SET status = 'revoked' WHERE merchant_id = $1", [
      onlyJob(due).merchantId,
    ]),
  );
  await assert.rejects(
    () => safeJobs.collect(stand, due, async () => undefined),
    /1 of 1 are not collected/,
  );
  assert.deepEqual(debits, []);
});
