// Slow: packs two versions of the program, and runs them side by side.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Program } from '../../chaos/program.ts';
import { packService } from '../../scripts/release/build.ts';
import { openDb } from '../../server/src/platform/db/db.ts';
import { MIGRATIONS, migrate } from '../../server/src/platform/db/migrate.ts';
import { emptyDatabase } from '../../server/test-support/database.ts';
import { until } from '../../server/test-support/until.ts';
import { type LiveWorld, openLiveWorld, ROOT } from '../scenarios/live-world.ts';

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

/** A version as it is run: the folder that `server/src/main.ts` is in. */
type Root = string;

/** Returns the commit of the last release before this one, which is told by its subject where no tag is kept; null: none. */
async function lastRelease(): Promise<string | null> {
  const asked = ['log', '--grep', '^Release [0-9]', '--format=%H', '-1', 'HEAD^'];
  const commit = await git(...asked).catch(() => ''); // no history here
  return commit === '' ? null : commit;
}

/** Packs a version as a release does, and unpacks it, with what gives its processes the clock of the test. */
async function unpacked(checkout: string, folder: string): Promise<Root> {
  const { name, bytes } = await packService(checkout);
  const archive = join(folder, name);
  await writeFile(archive, bytes);
  await promisify(execFile)('tar', ['-xzf', archive, '-C', folder]);
  const root = join(folder, name.replace(/\.tgz$/, ''));
  await mkdir(join(root, 'chaos'));
  await copyFile(join(checkout, 'chaos/preload.ts'), join(root, 'chaos/preload.ts'));
  return root;
}

/** Packs the release of a commit, with the packages that are installed here, and unpacks it. */
async function releaseOf(commit: string, folder: string): Promise<Root> {
  const checkout = join(folder, 'checkout');
  await mkdir(folder);
  await git('worktree', 'add', '--quiet', '--detach', checkout, commit);
  try {
    for (const part of ['.', 'server', 'dashboard', 'sandbox', 'sdk']) {
      const packages = join(ROOT, part, 'node_modules');
      if (existsSync(packages)) await symlink(packages, join(checkout, part, 'node_modules'));
    }
    return await unpacked(checkout, folder);
  } finally {
    await git('worktree', 'remove', '--force', checkout);
  }
}

/** Makes the tables as the version in a folder makes them. */
async function migrateAs(root: Root, url: string): Promise<void> {
  const file = join(root, 'server/src/platform/db/migrate.ts');
  const version = (await import(file)) as { migrate: typeof migrate };
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

/** Lets a day pass, and does something as soon as its first collection is told; waits until all are. */
async function aDayIsCollected(
  { receiver, clock }: LiveWorld,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const told = (): number => receiver.of('collection.success').length;
  const before = told();
  clock.step(A_DAY);
  await until('the first of the day', () => told() > before);
  await meanwhile();
  await until('the day is collected', () => told() === before + SCHEDULES);
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

test('two packed versions work side by side under load, and back again, and nothing is lost or refused', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-versions-'));
  const world = await openLiveWorld(2, { front: [0, 1], portal: [0, 1] }, emptyDatabase);
  try {
    const current = await unpacked(ROOT, folder);
    const release = await lastRelease();
    if (release === null)
      t.diagnostic('no release in the history: this version stands for the previous one too');
    const previous = release === null ? current : await releaseOf(release, join(folder, 'old'));
    const start = (name: string, n: number, root: Root): Program => {
      const one = world.process(name, 'api,portal,engine', world.ports[n] ?? 0, root);
      one.start();
      return one;
    };
    const replace = async (old: Program, name: string, n: number, root: Root): Promise<Program> => {
      await old.stop();
      const one = start(name, n, root);
      await one.ready();
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
    await aDayIsCollected(world); // the old version on the new database
    let first = one;
    const forward = async (): Promise<void> => {
      first = await replace(first, 'new-1', 0, current);
    };
    await aDayIsCollected(world, forward);
    first = await replace(first, 'old-again-1', 0, previous);
    await aDayIsCollected(world);
    await forward();
    await migrateToNext(world.databaseUrl, folder);
    await aDayIsCollected(world, () => replace(two, 'new-2', 1, current));
    await aDayIsCollected(world);
    const changes = await endLoad();
    assert.ok(changes > 0);
    await assertNothingLost(world, 6);
    const payments = `${SCHEDULES * 6} payments with one attempt each`;
    const versions = `${basename(previous)} and ${basename(current)}`;
    t.diagnostic(`${versions}: ${payments}; ${changes} changes asked for, made and read meanwhile`);
  } finally {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  }
});
