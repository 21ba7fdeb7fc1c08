// Slow: explains every statement of the engine.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INSTANT_SENDER, wireInstant } from '../../bench/stand/instant-partners.ts';
import {
  AMOUNT_PENCE,
  limitConsents,
  seedMerchant,
  seedSchedules,
} from '../../bench/stand/seed.ts';
import { lockGrantedOf } from '../../server/src/consents/store.ts';
import { LAWS } from '../../server/src/laws/invariants/laws.ts';
import { checkInvariants } from '../../server/src/laws/run/invariant-run.ts';
import { assignToSettlement } from '../../server/src/payments/books/settling-store.ts';
import type { Db, SqlValue, Tx } from '../../server/src/platform/db/db.ts';
import type { Engine } from '../../server/src/platform/engine/engine.ts';
import { insertSettlement } from '../../server/src/settlements/state-store.ts';
import { postponeDue } from '../../server/src/settlements/store.ts';
import { makeFanOut } from '../../server/src/webhooks/fan-out.ts';
import { createEndpoint } from '../../server/src/webhooks/service.ts';
import { settlementsOf } from '../../server/test-support/books.ts';
import { testDatabase } from '../../server/test-support/database.ts';
import type { BankMood } from '../../server/test-support/fake-bank.ts';
import { openHarness } from '../../server/test-support/harness.ts';
import { asOwner } from '../../server/test-support/owner.ts';
import { rowsRead } from '../../server/test-support/rows-read.ts';
import { type TestPlatform, testPlatform } from '../../server/test-support/slices/platform.ts';
import { newPhone } from '../races/acts.ts';

/** A node of a query plan, as explained by PostgreSQL. */
interface Step {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Join Filter'?: string;
  'Rows Removed by Join Filter'?: number;
  'Actual Loops'?: number;
  Plans?: Step[];
}

type Explain = (sql: string, root: Step) => void;

/**
 * Returns a database that explains each statement of a transaction just before it is executed, there. `isExecuted`: whether
 * it changes nothing, and is explained by executing it.
 */
function explaining(
  db: Db,
  explained: Explain,
  before: () => Promise<unknown>,
  isExecuted = (_sql: string): boolean => false,
): Db {
  type Answer = { 'QUERY PLAN': [{ Plan: Step }] };
  const over = (tx: Tx): Tx => {
    const first =
      <R>(done: (sql: string, values?: readonly SqlValue[]) => Promise<R>) =>
      async (sql: string, values: readonly SqlValue[] = []): Promise<R> => {
        const explain = `EXPLAIN (ANALYZE ${isExecuted(sql)}, FORMAT JSON) ${sql}`;
        const answer = await tx.row<Answer>(explain, values);
        if (answer !== null) explained(sql, answer['QUERY PLAN'][0].Plan);
        return done(sql, values);
      };
    const { rows, row, run, insert } = tx;
    const [asRows, asRow] = [first(rows), first(row)] as [Tx['rows'], Tx['row']];
    return { ...tx, rows: asRows, row: asRow, run: first(run), insert: first(insert) };
  };
  return {
    ...db,
    async transaction(work, options) {
      if (options?.isQueuePeek !== true) await before();
      return db.transaction((tx) => work(over(tx)), options);
    },
  };
}

/** Gives the test control over the planner's statistics: autovacuum would analyze at arbitrary times. */
const ONLY_WHEN_TOLD = `DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
    EXECUTE format('ALTER TABLE %I SET (autovacuum_enabled = off)', name);
  END LOOP; END $$`;

/** Starts a service for one test, with every statement of its engine explained. */
async function withEngine(
  use: (platform: TestPlatform, engine: Engine) => Promise<void>,
  explained: Explain,
  looks: number,
): Promise<void> {
  const database = await testDatabase();
  const plain = testPlatform(database.url);
  const platform = Object.assign(plain, { fanOut: makeFanOut(plain.ids) });
  let left = looks;
  const look = async (): Promise<unknown> =>
    left-- > 0 ? asOwner(platform.db, (tx) => tx.run('ANALYZE')) : undefined;
  try {
    await asOwner(platform.db, (tx) => tx.run(ONLY_WHEN_TOLD));
    const db = explaining(platform.db, explained, look);
    await use(platform, wireInstant({ ...platform, db }, { sender: INSTANT_SENDER }).engine);
  } finally {
    await platform.db.close();
    await database.drop();
  }
}

const stepsOf = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)];

const isTable = (step: Step): boolean =>
  step['Relation Name'] !== undefined && step['Node Type'].endsWith('Scan');

/** Whether a node reads the same rows of a table for every row of the batch. */
function isUncorrelated(step: Step): boolean {
  const [below] = step.Plans ?? [];
  if (step['Node Type'] === 'Materialize' && below !== undefined) return isUncorrelated(below);
  return isTable(step) && !/= \w+\.\w/.test(step['Index Cond'] ?? '');
}

const comparesAll = (step: Step): boolean =>
  step['Join Filter'] !== undefined && (step.Plans ?? []).some(isUncorrelated);

/**
 * Returns the nodes that scan a whole table, or compare everything from an index with a whole batch. Reading a queue in index
 * order up to a limit is allowed: that is its first entries.
 */
function longWays(step: Step, isLimited = false): Step[] {
  const kind = step['Node Type'];
  const isWholeTable =
    isTable(step) && step['Index Cond'] === undefined && kind !== 'Tid Scan' && !isLimited;
  const within = (isLimited || kind === 'Limit') && !kind.includes('Sort');
  const below = (step.Plans ?? []).flatMap((plan) => longWays(plan, within));
  return isWholeTable || comparesAll(step) ? [step, ...below] : below;
}

test('the question what is due is answered by the first entry of an index for each queue, and reads nothing else', async () => {
  const roots: Step[] = [];
  const explained: Explain = (_, root) => void roots.push(root);
  await withEngine((_, engine) => engine.nextDue().then(() => undefined), explained, 0);
  assert.deepEqual(
    roots.flatMap((root) => longWays(root)),
    [],
  );
  const steps = roots.flatMap(stepsOf);
  assert.deepEqual(
    steps.filter((step) => step['Node Type'].includes('Sort')),
    [],
  );
  const entries = steps.filter((step) => step['Node Type'] === 'Limit');
  const indexes = steps.filter((step) => step['Index Name'] !== undefined);
  assert.equal(entries.length, indexes.length, 'each reads one entry');
  assert.ok(indexes.length >= 15, `it was explained: ${indexes.length} queues`);
});

/** Collects the statements with such scans. */
function watchForLongWays(): { found: Map<string, Step[]>; explained: Explain } {
  const found = new Map<string, Step[]>();
  const explained: Explain = (sql, root) => {
    const long = longWays(root);
    if (long.length > 0) found.set(sql, long);
  };
  return { found, explained };
}

function assertNone(found: ReadonlyMap<string, Step[]>): void {
  const told = [...found].map(([sql, steps]) => `${sql}\n${JSON.stringify(steps)}`);
  assert.equal(found.size, 0, told.join('\n\n'));
}

const DUE = 1_000;

/** Returns the long scans, by statement, of this many collections, with ANALYZE before each of the first `looks` transactions. */
async function longWaysOf(due: number, looks: number): Promise<Map<string, Step[]>> {
  const { found, explained } = watchForLongWays();
  const use = async (platform: TestPlatform, engine: Engine): Promise<void> => {
    const now = platform.clock.now();
    const merchantId = await seedMerchant(platform);
    await seedSchedules(platform, merchantId, due, now.subtract({ seconds: 1 }));
    await platform.db.forMerchant(merchantId, (tx) =>
      createEndpoint(platform, { tx, now, merchantId }, ENDPOINT),
    );
    await engine.drain();
    const told = await platform.db.read((tx) =>
      tx.row(`SELECT FROM deliveries WHERE status = 'delivered' HAVING count(*) = $1`, [due]),
    );
    assert.notEqual(told, null, 'all were collected, and their events delivered');
  };
  await withEngine(use, explained, looks);
  return found;
}

const ENDPOINT = { url: 'https://127.0.0.1/hooks', eventKinds: ['collection.success'] };

for (const [when, looks] of [
  ['while every queue was empty', 1],
  ['when the first payments had been opened', 2],
  ['when the first payments had been sent', 4],
  ['again and again while the queues grew', 40],
] as const)
  test(`no statement of a collection goes through a table where the planner looked ${when}`, async () => {
    assertNone(await longWaysOf(DUE, looks));
  });

test('no statement of a collection goes through a table where the queues had just been emptied and vacuumed', async () => {
  const { found, explained } = watchForLongWays();
  const use = async (platform: TestPlatform, engine: Engine): Promise<void> => {
    const merchantId = await seedMerchant(platform);
    const collect = async (): Promise<void> => {
      const due = platform.clock.now().subtract({ seconds: 1 });
      await seedSchedules(platform, merchantId, DUE, due);
      await engine.drain();
    };
    await collect();
    await asOwner(platform.db, (tx) => tx.run('VACUUM (ANALYZE)'));
    found.clear();
    await collect();
  };
  await withEngine(use, explained, 0);
  assertNone(found);
});

const SETTLEMENT = {
  settlementId: 'set_a',
  day: Temporal.PlainDate.from('2026-04-01'),
  part: 1,
  carriedPence: 0,
  refundsPence: 0,
  feesPence: 0,
  grossPence: 1,
  currency: 'GBP',
  destination: '',
  statementReference: 'S260401BBBBBBBB',
};

test('what one merchant has to settle is not looked for among the payments of all', async () => {
  const use = async (platform: TestPlatform, engine: Engine): Promise<void> => {
    const merchants: string[] = [];
    for (let n = 0; n < 10; n++) merchants.push(await seedMerchant(platform));
    const collect = async (): Promise<void> => {
      const due = platform.clock.now().subtract({ seconds: 1 });
      for (const merchantId of merchants) await seedSchedules(platform, merchantId, 50, due);
      await engine.drain();
    };
    await collect();
    platform.clock.at = platform.clock.at.add({ hours: 24 * 7 });
    await engine.drain();
    await asOwner(platform.db, (tx) => tx.run('VACUUM ANALYZE')); // everything is settled, nothing waits
    await collect();
    const later = platform.clock.now().add({ hours: 24 * 7 });
    const read = await platform.db.transaction(async (tx) => {
      await insertSettlement(tx, { ...SETTLEMENT, merchantId: merchants[0] ?? '' }, later);
      const before = await rowsRead(tx, ['payments', 'to_settle']);
      const { settlementId } = SETTLEMENT;
      const taken = await assignToSettlement(
        tx,
        merchants[0] ?? '',
        settlementId,
        later,
        100_000_000,
      );
      assert.deepEqual(taken, { grossPence: 50 * AMOUNT_PENCE, feesPence: 0 });
      await postponeDue(tx, merchants[1] ?? '', later, later);
      return (await rowsRead(tx, ['payments', 'to_settle'])) - before;
    });
    assert.ok(read <= 50 * 4, `${read} rows read`);
  };
  await withEngine(use, () => undefined, 0);
});

const isOfLaw = (sql: string): boolean => sql.startsWith('WITH scope');

/** Returns how many pairs of rows a statement compared in vain. */
const pairsIn = (root: Step): number =>
  stepsOf(root).reduce(
    (sum, step) => sum + (step['Rows Removed by Join Filter'] ?? 0) * (step['Actual Loops'] ?? 1),
    0,
  );

/** Returns the statements of laws that compare more pairs than a few for each row, where ANALYZE ran at one of three moments. */
async function tooManyPairs(moment: 'due' | 'collected' | 'settled'): Promise<[string, number][]> {
  const pairs = new Map<string, number>();
  const explained: Explain = (sql, root) => {
    if (isOfLaw(sql)) pairs.set(sql, Math.max(pairs.get(sql) ?? 0, pairsIn(root)));
  };
  const use = async (platform: TestPlatform, engine: Engine): Promise<void> => {
    const merchantId = await seedMerchant(platform);
    const reach = async (now: typeof moment): Promise<unknown> =>
      now === moment ? asOwner(platform.db, (tx) => tx.run('VACUUM (ANALYZE)')) : undefined;
    const collect = async (): Promise<void> => {
      const due = platform.clock.now().subtract({ seconds: 1 });
      await seedSchedules(platform, merchantId, DUE, due);
      await limitConsents(platform.db);
      await reach('due');
      await engine.drain();
    };
    await collect();
    await reach('collected');
    platform.clock.at = platform.clock.at.add({ hours: 24 * 7 });
    await engine.drain();
    await reach('settled');
    if (moment === 'settled') await collect();
    const db = explaining(platform.db, explained, async () => undefined, isOfLaw);
    for (const { law, broken, unknown } of await checkInvariants({ ...platform, db }))
      assert.deepEqual([broken, unknown], [[], undefined], law);
  };
  await withEngine(use, () => undefined, 0);
  assert.ok(pairs.size > LAWS.length, 'the statements of laws were explained');
  return [...pairs].filter(([, count]) => count > 10 * DUE);
}

for (const moment of ['due', 'collected', 'settled'] as const)
  test(`no law compares the rows of a page with those of a table where the planner looked when all was ${moment}`, async () => {
    assert.deepEqual(await tooManyPairs(moment), []);
  });

test('what a customer has granted is found by an index', async () => {
  const use = async (platform: TestPlatform): Promise<void> => {
    const merchantId = await seedMerchant(platform);
    await seedSchedules(platform, merchantId, DUE, platform.clock.now());
    await asOwner(platform.db, (tx) => tx.run('ANALYZE'));
    const read = await platform.db.forMerchant(merchantId, async (tx) => {
      const one = await tx.row<{ customerId: string }>('SELECT customer_id FROM consents LIMIT 1');
      const before = await rowsRead(tx, ['consents']);
      assert.equal((await lockGrantedOf(tx, merchantId, one?.customerId ?? '')).length, 1);
      return (await rowsRead(tx, ['consents'])) - before;
    });
    assert.ok(read <= 5, `${read} rows read`);
  };
  await withEngine(use, () => undefined, 0);
});

test('nor does one of a failure, a retry, a poll, an unknown outcome or a settlement', async () => {
  const h = await openHarness('2026-01-05T09:30:00Z');
  const { found, explained } = watchForLongWays();
  const watched = h.another({ db: (db) => explaining(db, explained, async () => undefined) });
  const live = async (to: string, mood: Partial<BankMood>): Promise<void> => {
    Object.assign(h.bank.mood, mood);
    await h.runUntil(to, watched);
    h.bank.cheerUp();
  };
  try {
    await asOwner(h.db, (tx) => tx.run(ONLY_WHEN_TOLD));
    for (let n = 0; n < 24; n++)
      await h.agreed({
        frequency: 'daily',
        start_date: '2026-01-06T08:00:00Z',
        customer: { phone: newPhone() },
      });
    await seedSchedules(h.platform, h.merchantId, DUE, h.clock.at.add({ hours: 24 * 365 }));
    await asOwner(h.db, (tx) => tx.run('ANALYZE'));
    await live('2026-01-06T09:00:00Z', {});
    await live('2026-01-07T20:00:00Z', { funds: false });
    await live('2026-01-08T09:00:00Z', { losesAnswers: true });
    await live('2026-01-09T08:10:00Z', { slow: true });
    for (const payment of h.bank.payments.values()) h.bank.credit(payment);
    await live('2026-01-12T07:00:00Z', {});
    assert.ok((await settlementsOf(h)).length > 1, 'it came to settlements');
  } finally {
    await h.close();
  }
  assertNone(found);
});
