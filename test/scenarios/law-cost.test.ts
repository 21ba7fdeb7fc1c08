// Slow: fills the tables to count what every law reads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INSTANT_SENDER, wireInstant } from '../../bench/stand/instant-partners.ts';
import { instantEngine, platformOver, seedDue } from '../../bench/stand/instant-service.ts';
import { limitConsents, seedSchedules } from '../../bench/stand/seed.ts';
import { checkInvariants } from '../../server/src/laws/run/invariant-run.ts';
import { type Db, openDb } from '../../server/src/platform/db/db.ts';
import { realClock } from '../../server/src/platform/time/clock.ts';
import { testDatabase } from '../../server/test-support/database.ts';
import { asOwner } from '../../server/test-support/owner.ts';
import { until } from '../../server/test-support/until.ts';

const CHANGED = 20;
/** Rows read by a look for each collection made since the last one: the audit trail is read, and each law looks it up by keys. */
const MAX_PER_CHANGE = 220;
/** Rows that a look at everything reads for each collection there is; an hourly look reads a twenty-fourth of them. */
const MAX_PER_ROW = 150;

/** Waits until a connection is the only one to its database: the others have then reported what they read. */
const waitForOthers = (watching: Db): Promise<void> =>
  until('the other connections have closed', async () => {
    const others = await watching.read((tx) =>
      tx.rows(
        'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      ),
    );
    return others.length === 0;
  });

/** Returns how many rows an operation on a new pool reads; connections report their statistics when they close. */
async function rowsRead(url: string, work: (db: Db) => Promise<unknown>): Promise<number> {
  const watching = openDb(url, 1);
  const read = async (): Promise<number> => {
    await waitForOthers(watching);
    const row = await watching.read((tx) =>
      tx.row<{ rows: number }>(
        'SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint AS rows FROM pg_stat_user_tables',
      ),
    );
    return row?.rows ?? 0;
  };
  try {
    const before = await read();
    const db = openDb(url, 2);
    await work(db).finally(() => db.close());
    return (await read()) - before;
  } finally {
    await watching.close();
  }
}

/** Collects what is due, under consents with limits. */
async function collectDue(db: Db): Promise<void> {
  await limitConsents(db);
  await instantEngine(db).drain();
}

/** As autovacuum does. */
const analyze = (db: Db): Promise<unknown> => asOwner(db, (tx) => tx.run('ANALYZE'));

/** Looks at all laws, so many hours from now, and finds nothing. */
async function lookIn(hour: number, db: Db): Promise<void> {
  const clock = { now: () => realClock.now().add({ hours: hour }) };
  const platform = { ...platformOver(db), clock };
  for (const { law, broken, unknown } of await checkInvariants(platform, { atLeast: 0 }))
    assert.deepEqual([broken, unknown], [[], undefined], law);
}

/** Returns the rows read by a look at everything, and by one after a few more collections, where this many were made. */
async function costOfLooks(collected: number): Promise<{ whole: number; hourly: number }> {
  const database = await testDatabase();
  try {
    await seedDue(database.url, collected);
    await rowsRead(database.url, (db) => collectDue(db).then(() => analyze(db)));
    const look = (hour: number) => rowsRead(database.url, (db) => lookIn(hour, db));
    const whole = await look(0);
    await look(1);
    await rowsRead(database.url, async (db) => {
      const [merchant] = await db.read((tx) =>
        tx.rows<{ merchantId: string }>('SELECT merchant_id FROM merchants'),
      );
      const due = realClock.now().subtract({ seconds: 1 });
      await seedSchedules(platformOver(db), merchant?.merchantId ?? '', CHANGED, due);
      await collectDue(db);
      await analyze(db);
    });
    return { whole, hourly: await look(2) };
  } finally {
    await database.drop();
  }
}

test('an hourly look reads what changed and a twenty-fourth of what there is', async () => {
  const [few, many] = [await costOfLooks(200), await costOfLooks(800)];
  const perRow = (many.whole - few.whole) / 600;
  assert.ok(perRow <= MAX_PER_ROW, `${perRow.toFixed(1)} rows read for each collection there is`);
  const perRowAnHour = ((many.hourly - few.hourly) / 600) * 24;
  assert.ok(
    perRowAnHour <= MAX_PER_ROW,
    `${perRowAnHour.toFixed(1)} a day for each, at once ${perRow.toFixed(1)}`,
  );
  const perChange = (few.hourly - (200 * perRow) / 24) / CHANGED;
  assert.ok(
    perChange <= MAX_PER_CHANGE,
    `${perChange.toFixed(1)} rows read for each collection that is new`,
  );
});

/** Rows that the looks of a day read for each old collection of its own active schedule: nearly all of them for the schedule. */
const MAX_PER_OLD = 107;
/** Of a few seals of hundreds of transfers, which have their turn on a day is luck; over days it evens out. */
const DAYS = 12;
/** Two looks are a round. */
const HOURS_BETWEEN_LOOKS = 11;

/** Returns the rows read a day by looks of twelve days, forty days after so many collections, when all are settled. */
async function costOfOld(collected: number): Promise<number> {
  const database = await testDatabase();
  try {
    await seedDue(database.url, collected);
    await rowsRead(database.url, async (db) => {
      let hours = 0;
      const clock = { now: () => realClock.now().add({ hours }) };
      const { engine } = wireInstant({ ...platformOver(db), clock }, { sender: INSTANT_SENDER });
      await limitConsents(db);
      for (; hours < 7 * 24; hours += 24) await engine.drain(); // one of the days is a business day
      await analyze(db);
      await lookIn(40 * 24, db); // the first look reads everything
    });
    const rows = await rowsRead(database.url, async (db) => {
      for (let look = 1; look <= 2 * DAYS; look++)
        await lookIn(40 * 24 + look * HOURS_BETWEEN_LOOKS, db);
    });
    return rows / DAYS;
  } finally {
    await database.drop();
  }
}

test('the looks of a day read few rows of what is old', async () => {
  const [few, many] = [await costOfOld(200), await costOfOld(800)];
  const perRow = (many - few) / 600;
  assert.ok(perRow <= MAX_PER_OLD, `${perRow.toFixed(1)} rows read for each old collection`);
});

/** The same, and the collections themselves. */
const MAX_WITH_COLLECTING = 225;
/** How often a connection runs a statement before PostgreSQL keeps its plan. */
const UNTIL_KEPT = 6;

/** Returns the rows read by collections, and by looks on connections that have looked while the tables were all but empty. */
async function costOfKeptPlans(collected: number): Promise<number> {
  const database = await testDatabase();
  try {
    await seedDue(database.url, CHANGED);
    await rowsRead(database.url, collectDue);
    return await rowsRead(database.url, async (db) => {
      for (let hour = 0; hour < UNTIL_KEPT; hour++) await lookIn(hour, db);
      await seedDue(database.url, collected, 'merchants');
      await collectDue(db);
      await lookIn(UNTIL_KEPT, db);
    });
  } finally {
    await database.drop();
  }
}

test('a look reads as few rows for each where its plans are from before the tables grew', async () => {
  const [few, many] = [await costOfKeptPlans(200), await costOfKeptPlans(800)];
  const perRow = (many - few) / 600;
  assert.ok(perRow <= MAX_WITH_COLLECTING, `${perRow.toFixed(1)} rows read for each collection`);
});
