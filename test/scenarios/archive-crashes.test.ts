// Slow: kills a process at every step of the archive.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyArchives } from '../../server/src/archive/show.ts';
import { MANIFEST } from '../../server/src/archive/write.ts';
import type { Db } from '../../server/src/platform/db/db.ts';
import { listEvents } from '../../server/src/webhooks/event-store.ts';
import { replayEvents, resendEvent } from '../../server/src/webhooks/resend.ts';
import { archived, assertOnce, stored } from '../../server/test-support/archived.ts';
import { asked, assertLaws } from '../../server/test-support/books.ts';
import { Dead, Doomed } from '../../server/test-support/crash.ts';
import type { Harness } from '../../server/test-support/harness.ts';
import { type Months, openMonths, sharedMonths } from './archive-months.ts';

const openShared = sharedMonths();

/** Asserts that each of these rows is in the database or in the archive, or in both. */
async function assertKept(h: Harness, before: readonly string[]): Promise<void> {
  // In this order: what is deleted in between is in the archive already.
  const inDatabase = await stored(h.db);
  const kept = new Set([...inDatabase, ...(await archived(h.db)).names]);
  assert.deepEqual(
    before.filter((name) => !kept.has(name)),
    [],
    'lost',
  );
}

for (const afterwards of [false, true])
  test(`killed ${afterwards ? 'after' : 'before'} any statement, a run loses nothing, and the next one finishes`, async (t) => {
    const { h, archive, expireLease } = await openShared(t);
    const before = await stored(h.db);
    let crashes = 0;
    for (let step = 1; ; step += 5) {
      const doomed = new Doomed(step, afterwards, 'statement');
      const run = archive(doomed.wrap.db(h.db));
      if (
        await run.then(
          () => true,
          (error) => !(error instanceof Dead) && assert.fail(error),
        )
      )
        break;
      crashes++;
      await assertKept(h, before);
      if (crashes % 10 === 0) await assertLaws(h);
      await expireLease();
    }
    assert.ok(crashes > 10, `it was killed ${crashes} times`);
    await assertOnce(h.db, before);
    assert.deepEqual(await verifyArchives(h.platform), []);
    await assertLaws(h);
  });

const ALONE = new URL('./archive-alone.ts', import.meta.url);

/** Archives in a process of its own, and kills that at its n-th transaction; false: it came to its end before. */
async function killAt(n: number, { h, folder }: Months): Promise<boolean> {
  const url = h.db.libraryPool().options.connectionString ?? '';
  const child = fork(ALONE, [url, folder, h.clock.at.toString()], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.on('message', (transaction) => transaction === n && child.kill('SIGKILL'));
  const [code] = await once(child, 'exit');
  assert.ok(code === 0 || code === null, `it ended with ${code}`);
  return code === null;
}

test('a process that is killed wherever it is loses nothing, and the next one finishes', async (t) => {
  const months = await openShared(t);
  const { h } = months;
  const before = await stored(h.db);
  let kills = 0;
  for (let n = 2; await killAt(n, months); n += 6) {
    kills++;
    await assertKept(h, before);
    await months.expireLease();
  }
  assert.ok(kills > 5, `it was killed ${kills} times`);
  await assertOnce(h.db, before);
  assert.deepEqual(await verifyArchives(h.platform), []);
  const files = await readdir(months.folder, { recursive: true });
  assert.deepEqual(
    files.filter((name) => /work|part/.test(name)),
    [],
  );
  await assertLaws(h);
});

/** Returns the database with something done once, before the first transaction that finds an archive such as `where` says. */
function meeting(db: Db, where: string, act: () => Promise<unknown>): Db {
  let isMet = false;
  return {
    ...db,
    async transaction(work, options) {
      const found = () => db.read((tx) => tx.row(`SELECT FROM archives WHERE ${where}`));
      if (!isMet && (await found()) !== null) {
        isMet = true;
        await act();
      }
      return db.transaction(work, options);
    },
  };
}
const WRITING = 'verified_at IS NULL';
const DELETING = 'verified_at IS NOT NULL AND ended_at IS NULL';

for (const [doing, where] of [
  ['writes', WRITING],
  ['deletes', DELETING],
] as const)
  test(`a process that stalls while it ${doing}, and is overtaken, changes nothing afterwards`, async (t) => {
    const { h, archive, expireLease } = await openShared(t);
    const before = await stored(h.db);
    const overtaken = meeting(h.db, where, async () => {
      await expireLease();
      await archive();
    });
    await assert.rejects(archive(overtaken), /another process has taken over/);
    await assertOnce(h.db, before);
    assert.deepEqual(await verifyArchives(h.platform), []);
    await assertLaws(h);
  });

test('a run that cannot write deletes nothing, leaves no files, and is in nobody’s way', async (t) => {
  const { h, folder, archive, archives } = await openShared(t);
  const before = await stored(h.db);
  await writeFile(join(folder, '2026-02'), 'where the folder of February should be');
  await assert.rejects(archive(), /ENOTDIR/);
  await assertOnce(h.db, before);
  assert.deepEqual(
    (await archives()).map(({ month }) => month),
    ['2026-01-01'],
  );
  await rm(join(folder, '2026-02'));
  await archive();
  assert.equal((await archives()).length, 3);
  await assertOnce(h.db, before);
});

/** Archives until the first month is verified, and not further. */
async function stopAfterVerification({ h, archive, expireLease }: Months): Promise<void> {
  const killed = () => Promise.reject(new Dead('killed'));
  await assert.rejects(archive(meeting(h.db, DELETING, killed)), Dead);
  await expireLease();
}

test('nothing is deleted while a file is not what was written', async (t) => {
  const months = await openShared(t);
  const { h, folder, archive } = months;
  await stopAfterVerification(months);
  const before = await stored(h.db);
  const [file = ''] = (await readdir(join(folder, '2026-01'))).filter((name) =>
    name.includes('events.'),
  );
  await writeFile(join(folder, '2026-01', file), 'something else');
  await assert.rejects(archive(), /events\.ndjson\.gz/);
  assert.deepEqual(await stored(h.db), before);
  const [manifest = ''] = (await readdir(join(folder, '2026-01'))).filter((name) =>
    name.endsWith(MANIFEST),
  );
  await writeFile(join(folder, '2026-01', manifest), '{}');
  assert.match((await verifyArchives(h.platform)).join(), /is not the manifest that was written/);
});

test('what is sent again between writing and deleting stays in the database', async (t) => {
  const months = await openShared(t);
  const { h, archive, archives, endpointId } = months;
  await stopAfterVerification(months);
  const page = { limit: 1000, offset: 0 };
  const { data: rows } = await h.db.read((tx) =>
    listEvents(tx, h.merchantId, { undelivered: false }, page),
  );
  const first = rows.findLast(({ kind }) => kind === 'collection.success');
  const before = await stored(h.db);
  await h.db.transaction((tx) =>
    resendEvent(h.platform, asked(h, tx), first?.eventId ?? '', endpointId),
  );
  await archive();
  const [january] = await archives();
  assert.deepEqual(january?.stayed, [first?.subjectId]);
  assert.equal(january?.leftOver, 1);
  await assertOnce(h.db, before);
  await assertLaws(h);
});

test('beside collections, retries and replays that go on, nothing is lost and the laws hold', async (t) => {
  const { h, archive, endpointId } = await openMonths(t);
  h.bank.mood.funds = false;
  const before = await stored(h.db);
  const replay = () =>
    h.db.transaction((tx) =>
      replayEvents(h.platform, asked(h, tx), {
        endpointId,
        from: Temporal.Instant.from('2026-01-01T00:00:00Z'),
        to: h.clock.at,
        onlyUndelivered: true,
      }),
    );
  const moving = h.runUntil('2026-08-25T12:00:00Z');
  await Promise.all([moving, archive(), replay()]);
  h.bank.cheerUp();
  await assertKept(h, before);
  await h.runUntil('2026-09-20T12:00:00Z');
  await archive();
  await assertLaws(h);
});

test('two runs at once: one archives, the other says so', async (t) => {
  const { h, archive } = await openShared(t);
  const before = await stored(h.db);
  const runs = await Promise.allSettled([archive(), archive()]);
  const refused = runs.filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 1);
  assert.match(
    String((refused[0] as PromiseRejectedResult).reason),
    /another process is archiving/,
  );
  await assertOnce(h.db, before);
});
