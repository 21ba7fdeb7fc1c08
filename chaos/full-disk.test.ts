import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeDatabaseCheck } from '../server/src/operators/health/database-check.ts';
import { openDb } from '../server/src/platform/db/db.ts';
import { migrate } from '../server/src/platform/db/migrate.ts';
import { Cluster } from './cluster.ts';
import { Disk } from './disk.ts';

const folder = mkdtempSync(join(tmpdir(), 'recollect-disk-'));
const disk = new Disk(join(folder, 'disk'));
const removeDisk = (): void => {
  disk.unmount();
  rmSync(folder, { recursive: true, force: true });
};

if (disk.unlimited === null)
  test('a full disk is noticed by a process that only reads, and so is its end', fillDisk);
else
  test('no disk is filled where none can be mounted', () => {
    removeDisk();
    assert.match(disk.unlimited ?? '', /no tmpfs/);
  });

async function fillDisk(t: TestContext): Promise<void> {
  const cluster = new Cluster(join(disk.path, 'postgres'));
  const ends: (() => unknown)[] = [removeDisk, () => cluster.stop()];
  t.after(async () => {
    for (const end of ends.reverse()) await end();
  });
  await cluster.make([]);
  await cluster.start();
  await migrate(cluster.url());
  const db = openDb(cluster.url(), 2);
  ends.push(() => db.close());
  const check = makeDatabaseCheck({ api: db, engine: db }, { keptMs: 0, writeEveryMs: 0 });
  assert.equal((await check()).refusal, null);
  disk.fill();
  const full = await check();
  assert.ok(full.milliseconds !== null, 'it answers');
  assert.equal(full.refusal, '53100');
  disk.free();
  assert.equal((await check()).refusal, null);
}
