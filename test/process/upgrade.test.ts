// Slow: runs two versions of the program side by side.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Program } from '../../chaos/program.ts';
import { openDb } from '../../server/src/platform/db/db.ts';
import { MIGRATIONS, migrate } from '../../server/src/platform/db/migrate.ts';
import { emptyDatabase } from '../../server/test-support/database.ts';
import { until } from '../../server/test-support/until.ts';
import { type LiveWorld, openLiveWorld, ROOT } from '../scenarios/live-world.ts';

/** Before the first release, the previous version is the last one before the schema became one migration. */
const LAST_OF_OLD = 'server/migrations/0156_room_for_updates.sql';
const SCHEDULES = 12;
const WRITERS = 4;
const EVERY_MS = 20;
const A_DAY = Temporal.Duration.from({ hours: 26 }); // a day has 25 hours when the clocks go back

/** What the next version might add: whoever does not know it works on. */
const NEXT = `
  ALTER TABLE payments ADD COLUMN next_note text;
  ALTER TABLE schedules ADD COLUMN next_count int NOT NULL DEFAULT 0;
  CREATE TABLE next_notes (merchant_id text NOT NULL REFERENCES merchants, note text);
  CREATE INDEX payments_by_next_note ON payments (merchant_id, next_note) WHERE next_note IS NOT NULL;
`;

const git = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)('git', ['-C', ROOT, ...args])).stdout.trim();

/** Returns the commit of the previous version: of the last release before this one, or `LAST_OF_OLD`. Null: no history. */
async function previousCommit(): Promise<string | null> {
  const release = git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^');
  const before = () => git('log', '--diff-filter=AM', '--format=%H', '-1', '--', LAST_OF_OLD);
  const found = await release.catch(before).catch(() => '');
  return found === '' ? null : found;
}

/** Writes a version into a folder, beside the packages of this one, which has what an earlier one needs: date-holidays. */
async function checkOut(commit: string, folder: string): Promise<void> {
  const archive = join(folder, 'version.tar');
  await git('archive', '--output', archive, commit, 'server', 'chaos', 'package.json');
  await promisify(execFile)('tar', ['-xf', archive, '-C', folder]);
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await mkdir(join(folder, 'dashboard'));
  await symlink(join(ROOT, 'dashboard/dist'), join(folder, 'dashboard/dist'));
}

/** Where versions have their migrations: this one, and those before it. */
const MIGRATE = ['server/src/platform/db/migrate.ts', 'server/src/platform/migrate.ts'];

/** Makes the tables as the version in a folder makes them. */
async function migrateAs(root: string, url: string): Promise<void> {
  const file = MIGRATE.map((path) => join(root, path)).find(existsSync);
  const version = (await import(file ?? '')) as { migrate: typeof migrate };
  await version.migrate(url);
}

/** Migrates to what the version after this one might be, while everything runs. */
async function migrateToNext(url: string, folder: string): Promise<void> {
  const next = join(folder, 'next-migrations');
  await cp(MIGRATIONS, next, { recursive: true });
  await writeFile(join(next, '9999_next.sql'), NEXT);
  assert.deepEqual(await migrate(url, next), ['9999_next']);
}

/** Writes and reads without a pause until it is ended; returns how often, and fails with the first error. */
function keepBusy({ client }: LiveWorld, scheduleIds: readonly string[]) {
  let isOver = false;
  let changes = 0;
  const work = Array.from({ length: WRITERS }, async (_, n) => {
    const id = scheduleIds[n] ?? '';
    while (!isOver) {
      changes += 1;
      const metadata = { change: String(changes) };
      assert.deepEqual((await client.schedules.update(id, { metadata })).metadata, metadata);
      assert.equal((await client.schedules.get(id)).id, id);
      await sleep(EVERY_MS);
    }
  });
  const all = Promise.all(work);
  all.catch(() => undefined); // reported when it is ended
  return async (): Promise<number> => {
    isOver = true;
    await all;
    return changes;
  };
}

async function nextDayIsCollected({ receiver, clock }: LiveWorld): Promise<void> {
  const before = receiver.of('collection.success').length;
  clock.step(A_DAY);
  await until(
    'the day is collected',
    () => receiver.of('collection.success').length === before + SCHEDULES,
  );
}

async function assertNothingLost({ receiver, databaseUrl, command }: LiveWorld, days: number) {
  const db = openDb(databaseUrl, 1);
  const rows = await db.read((tx) =>
    tx.rows<{ status: string; attempts: number }>('SELECT status, attempts FROM payments'),
  );
  await db.close();
  assert.equal(rows.length, SCHEDULES * days);
  assert.ok(rows.every(({ status, attempts }) => status === 'success' && attempts === 1));
  assert.deepEqual(receiver.faults, []);
  await command('audit'); // fails if a law of money is broken
}

test('the previous version and this one work side by side under load, and nothing is lost or refused', async (t) => {
  const commit = await previousCommit();
  if (commit === null)
    t.diagnostic('no git history here: this version stands for the previous one too');
  const folder = await mkdtemp(join(tmpdir(), 'recollect-previous-'));
  const world = await openLiveWorld(2, { front: [0, 1], portal: [0, 1] }, emptyDatabase);
  try {
    if (commit !== null) await checkOut(commit, folder);
    const previous = commit === null ? ROOT : folder;
    const start = (name: string, n: number, root: string): Program => {
      const one = world.process(name, 'api,portal,engine', world.ports[n] ?? 0, root);
      one.start();
      return one;
    };
    await migrateAs(previous, world.databaseUrl);
    await world.command('migrate');
    const [one, two] = [start('old-1', 0, previous), start('old-2', 1, previous)];
    await world.openShop(() => Promise.all([one.ready(), two.ready()]));
    const schedules = await world.collectDaily(SCHEDULES);
    const { receiver } = world;
    await until('the first day', () => receiver.of('collection.success').length === SCHEDULES);

    const endLoad = keepBusy(
      world,
      schedules.map(({ id }) => id),
    );
    await one.stop();
    await start('new-1', 0, ROOT).ready();
    await nextDayIsCollected(world);
    await migrateToNext(world.databaseUrl, folder);
    await nextDayIsCollected(world);
    await two.stop();
    await start('new-2', 1, ROOT).ready();
    await nextDayIsCollected(world);
    assert.ok((await endLoad()) > 0);
    await assertNothingLost(world, 4);
  } finally {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  }
});
