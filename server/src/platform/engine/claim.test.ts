import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test-support/database.ts';
import { asOwner } from '../../../test-support/owner.ts';
import { rowsRead } from '../../../test-support/rows-read.ts';
import { type Db, openDb, type Tx } from '../db/db.ts';
import { makeLog } from '../log/log.ts';
import { type Claim, claim, claimAndBegin, earliestDue, earliestDueInLanes } from './claim.ts';

const NOW = Temporal.Instant.from('2026-03-02T10:00:00Z');
const LEASE_MS = 60_000;
const JOBS: Claim = { table: 'jobs', key: ['owner', 'n'], returning: 't.n' };

let database: TestDatabase;
let db: Db;

before(async () => {
  database = await testDatabase();
  db = openDb(database.url, 8);
  await asOwner(db, async (tx) => {
    await tx.run(
      `CREATE TABLE jobs (owner text, n int, kind text DEFAULT 'a', tries int DEFAULT 0, claimed_by int, due_at timestamptz,
         PRIMARY KEY (owner, n))`,
    );
    // Created before the first row: no statement uses an index built over changed rows while an older transaction runs
    // anywhere in the cluster.
    await tx.run('CREATE INDEX jobs_of_kind ON jobs (kind, due_at)');
    await tx.run('GRANT ALL ON jobs TO recollect_engine');
  });
});

afterEach(() => db.transaction((tx) => tx.run('DELETE FROM jobs')));

after(async () => {
  await db.close();
  await database.drop();
});

/** Inserts jobs 1 to `count`, the first due `count` seconds ago. */
const due = (count: number): Promise<number> =>
  db.transaction((tx) =>
    tx.run(
      `INSERT INTO jobs (owner, n, due_at)
       SELECT 'o', n, $1::timestamptz - ($2::int - n) * interval '1 second'
       FROM generate_series(1, $2::int) n`,
      [NOW, count],
    ),
  );

const take = async (
  tx: Tx,
  now: Temporal.Instant,
  limit: number,
  what = JOBS,
): Promise<number[]> => {
  const rows = await claim<{ n: number }>(tx, now, LEASE_MS, limit, what);
  return rows.map((row) => row.n).sort((a, b) => a - b);
};

test('what is due longest is claimed first, up to the limit, and nothing that is not due', async () => {
  await due(10);
  const early = NOW.subtract({ seconds: 5 });
  assert.deepEqual(await db.transaction((tx) => take(tx, early, 3)), [1, 2, 3]);
  assert.deepEqual(await db.transaction((tx) => take(tx, early, 100)), [4, 5]);
  assert.deepEqual(await db.transaction((tx) => take(tx, early, 100)), []);
  assert.deepEqual(await db.transaction((tx) => take(tx, NOW, 100)), [6, 7, 8, 9, 10]);
});

test('the limit holds however the database plans the statement', async () => {
  await due(50);
  for (const off of ['enable_hashjoin', 'enable_mergejoin', 'enable_nestloop'])
    await db.transaction(async (tx) => {
      for (const other of [
        'enable_hashjoin',
        'enable_mergejoin',
        'enable_material',
        'enable_memoize',
      ])
        if (other !== off) await tx.run(`SELECT set_config('${other}', 'off', true)`);
      await tx.run(`SELECT set_config('${off}', 'off', true)`);
      assert.equal((await take(tx, NOW, 7)).length, 7, off);
    });
});

test('the limit holds also where the queue was empty when the planner last looked', async () => {
  await asOwner(db, (tx) => tx.run('ANALYZE jobs'));
  await due(50);
  assert.deepEqual(await db.transaction((tx) => take(tx, NOW, 3)), [1, 2, 3]);
  const lanes = await db.transaction((tx) => take(tx, NOW, 3, IN_LANES));
  assert.deepEqual(lanes, [4, 5, 6]);
});

test('what is claimed is nobody else’s while the lease runs, and falls due again after it', async () => {
  await due(3);
  assert.deepEqual(await db.transaction((tx) => take(tx, NOW, 100)), [1, 2, 3]);
  const end = NOW.add({ milliseconds: LEASE_MS });
  const before = end.subtract({ milliseconds: 1 });
  assert.deepEqual(await db.transaction((tx) => take(tx, before, 100)), []);
  assert.ok((await db.read((tx) => earliestDue('jobs').nextDue(tx)))?.equals(end));
  assert.deepEqual(await db.transaction((tx) => take(tx, end, 100)), [1, 2, 3]);
});

test('what is done has no due date and is never claimed again', async () => {
  await due(2);
  await db.transaction((tx) => tx.run('UPDATE jobs SET due_at = NULL WHERE n = 1'));
  const later = NOW.add({ hours: 1 });
  assert.deepEqual(await db.transaction((tx) => take(tx, later, 100)), [2]);
});

test('rows that another transaction holds are skipped and not waited for', async () => {
  await due(10);
  await db.transaction(async (mine) => {
    assert.deepEqual(await take(mine, NOW, 4), [1, 2, 3, 4]);
    assert.deepEqual(await db.transaction((other) => take(other, NOW, 4)), [5, 6, 7, 8]);
  });
});

test('of a claim that is rolled back nothing is left: the rows are due at once', async () => {
  await due(2);
  await assert.rejects(
    db.transaction(async (tx) => {
      await take(tx, NOW, 100);
      throw new Error('died');
    }),
  );
  assert.deepEqual(await db.transaction((tx) => take(tx, NOW, 100)), [1, 2]);
});

test('eight claimers at once take every row, and none twice', async () => {
  await due(200);
  const claimer = async (): Promise<number[]> => {
    const mine: number[] = [];
    for (let empty = 0; empty < 3; ) {
      const rows = await db.transaction((tx) => take(tx, NOW, 7));
      if (rows.length === 0) empty++;
      mine.push(...rows);
    }
    return mine;
  };
  const taken = (await Promise.all(Array.from({ length: 8 }, claimer))).flat();
  assert.deepEqual(
    taken.sort((a, b) => a - b),
    Array.from({ length: 200 }, (_, n) => n + 1),
  );
});

test('a claim takes conditions with values, and sets what else it is told to', async () => {
  await due(4);
  await db.transaction((tx) => tx.run(`UPDATE jobs SET kind = 'b' WHERE n > 2`));
  const what: Claim = {
    ...JOBS,
    where: 't.kind = $3 AND t.n <> ALL($4::int[])',
    values: ['b', [4]],
    set: 'tries = t.tries + 1',
  };
  assert.deepEqual(await db.transaction((tx) => take(tx, NOW, 100, what)), [3]);
  const tried = await db.read((tx) => tx.rows('SELECT n FROM jobs WHERE tries = 1'));
  assert.deepEqual(tried, [{ n: 3 }]);
});

const IN_LANES: Claim = {
  ...JOBS,
  where: 't.tries < $3',
  values: [1],
  lanes: { column: 'kind', full: ['b'] },
};

test('of a lane that is full nothing is claimed, and of the others what is due longest', async () => {
  await due(9);
  await db.transaction((tx) =>
    tx.run(`UPDATE jobs SET kind = CASE n % 3 WHEN 0 THEN 'a' WHEN 1 THEN 'b' ELSE 'c' END`),
  );
  assert.deepEqual(await db.transaction((tx) => take(tx, NOW, 4, IN_LANES)), [2, 3, 6, 9]);
  assert.deepEqual(await db.transaction((tx) => take(tx, NOW, 4, IN_LANES)), [5, 8]);
  const free = { ...IN_LANES, lanes: { column: 'kind', full: [] } };
  assert.deepEqual(await db.transaction((tx) => take(tx, NOW, 4, free)), [1, 4, 7]);
  const first = await db.read((tx) =>
    earliestDueInLanes('kind', 'jobs', "t.kind <> 'b'").nextDue(tx),
  );
  assert.ok(first?.equals(NOW.add({ milliseconds: LEASE_MS })));
});

test('the limit holds in lanes too, and what another transaction holds is skipped', async () => {
  await due(60);
  await db.transaction((tx) =>
    tx.run(`UPDATE jobs SET kind = CASE WHEN n < 40 THEN 'a' ELSE 'c' END`),
  );
  for (const off of ['enable_hashjoin', 'enable_mergejoin', 'enable_material', 'enable_memoize'])
    await db.transaction(async (mine) => {
      await mine.run(`SELECT set_config('${off}', 'off', true)`);
      const held = await take(mine, NOW, 7, IN_LANES);
      assert.equal(held.length, 7, off);
      const other = await db.transaction((tx) => take(tx, NOW, 3, IN_LANES));
      assert.equal(other.filter((n) => !held.includes(n)).length, 3, off);
    });
});

test('a claim reads nothing of what waits in a full lane', async () => {
  await due(2_000);
  await db.transaction((tx) =>
    tx.run(`UPDATE jobs SET kind = CASE WHEN n > 1 THEN 'b' ELSE 'c' END`),
  );
  const read = await db.transaction(async (tx) => {
    const before = await rowsRead(tx, ['jobs']);
    assert.deepEqual(await take(tx, NOW, 10, IN_LANES), [1]);
    await earliestDueInLanes('kind', 'jobs', 'true').nextDue(tx);
    return (await rowsRead(tx, ['jobs'])) - before;
  });
  assert.ok(read <= 10, `${read} rows read`);
});

test('the earliest due moment is that of the rows asked for, or null', async () => {
  assert.equal(await db.read((tx) => earliestDue('jobs').nextDue(tx)), null);
  await due(3);
  const first = await db.read((tx) => earliestDue('jobs', 'n > 1').nextDue(tx));
  assert.ok(first?.equals(NOW.subtract({ seconds: 1 })));
});

/** Claims and begins the due rows of a table of letters; throws for the bad ones. */
const beginApart = (bad: readonly string[], limit = 100): Promise<string[]> =>
  claimAndBegin<{ id: string }, string>({ db, log: makeLog('silent') }, NOW, LEASE_MS, limit, {
    table: 'letters',
    key: ['owner', 'id'],
    where: 't.id <> $3',
    values: ['none'],
    returning: 't.id',
    begin: async (tx, rows) => {
      for (const { id } of rows) {
        if (bad.includes(id)) throw new Error(`cannot begin ${id}`);
        await tx.run('UPDATE letters SET begun = begun + 1 WHERE id = $1', [id]);
      }
      return rows.map((row) => row.id);
    },
  });

test('what cannot be begun is put off for an hour, and what shares its batch is begun once', async (t) => {
  await asOwner(db, async (tx) => {
    await tx.run(
      `CREATE TABLE letters (owner text, id text, begun int DEFAULT 0, due_at timestamptz, claimed_by int, PRIMARY KEY (owner, id))`,
    );
    await tx.run('GRANT ALL ON letters TO recollect_engine');
  });
  t.after(() => asOwner(db, (tx) => tx.run('DROP TABLE letters')));
  const fill = (): Promise<number> =>
    db.transaction((tx) =>
      tx.run(
        `INSERT INTO letters (owner, id, due_at) SELECT 'o', l, $1 FROM unnest($2::text[]) l
         ON CONFLICT (owner, id) DO UPDATE SET due_at = excluded.due_at, begun = 0`,
        [NOW, [...'abcdefgh']],
      ),
    );
  await fill();
  assert.deepEqual((await beginApart([])).sort(), [...'abcdefgh']);
  await fill();
  assert.deepEqual((await beginApart(['c', 'g'])).sort(), [...'abdefh']);
  const rows = await db.read((tx) =>
    tx.rows<{ id: string; begun: number; dueAt: Temporal.Instant }>(
      'SELECT id, begun, due_at FROM letters ORDER BY id',
    ),
  );
  for (const { id, begun, dueAt } of rows) {
    const isBad = id === 'c' || id === 'g';
    assert.equal(begun, isBad ? 0 : 1, id);
    const until = NOW.add({ milliseconds: isBad ? 3_600_000 : LEASE_MS });
    assert.ok(dueAt.equals(until), id);
  }
  await fill();
  assert.deepEqual(await beginApart([...'abcdefgh']), [], 'all are put off');
  assert.deepEqual(await beginApart([]), []);
});
