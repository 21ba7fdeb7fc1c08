// Slow: starts whole programs on a restored database.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Cluster } from '../../chaos/cluster.ts';
import type { Program } from '../../chaos/program.ts';
import { copyBase } from '../../chaos/standby.ts';
import { Wire } from '../../chaos/wire.ts';
import { openDb, type Tx } from '../../server/src/platform/db/db.ts';
import { freePorts } from '../../server/test-support/free-ports.ts';
import { until } from '../../server/test-support/until.ts';
import { type LiveWorld, openLiveWorld, type WorldDatabase } from '../scenarios/live-world.ts';

const SCHEDULES = 16;
const APART = Temporal.Duration.from({ milliseconds: 1500 });
/** The moment to restore to is that of the first look that finds as many collected. */
const UNDER_WAY = 3;
const LOST_HOUR = Temporal.Duration.from({ hours: 1 });
const WHILE_HELD = Temporal.Duration.from({ minutes: 20 });
const A_DAY = Temporal.Duration.from({ hours: 26 });

/** A PostgreSQL whose log is archived, and the address that leads to whichever cluster serves. */
interface Archived {
  primary: Cluster;
  wire: Wire;
  archive: string;
  database: WorldDatabase;
  /** Restores the base backup to a moment in a new folder, and leads the service there. */
  restoreTo(moment: string): Promise<void>;
  backUp(): Promise<void>;
}

async function openArchived(): Promise<Archived> {
  const [dir, archive] = await Promise.all(
    ['recollect-data-', 'recollect-archive-'].map((name) => mkdtemp(join(tmpdir(), name))),
  );
  if (dir === undefined || archive === undefined) throw new Error('no folder');
  await chmod(archive, 0o777); // PostgreSQL may run as another user
  const primary = new Cluster(join(dir, 'primary'));
  await primary.make([
    'archive_mode = on',
    `archive_command = 'test ! -f "${archive}/%f" && cp "%p" "${archive}/%f.part" && mv "${archive}/%f.part" "${archive}/%f"'`,
  ]);
  await primary.start();
  const wire = await Wire.open([primary.port]);
  const restored = new Cluster(join(dir, 'restored'));
  return {
    ...{ primary, wire, archive },
    database: {
      url: primary.url('service', wire.port),
      async drop() {
        wire.close();
        await Promise.all([primary.stop(), restored.stop()]);
        await Promise.all([dir, archive].map((path) => rm(path, { recursive: true, force: true })));
      },
    },
    backUp: () => copyBase(primary, restored),
    async restoreTo(moment) {
      restored.configure([
        `restore_command = 'cp "${archive}/%f" "%p"'`,
        `recovery_target_time = '${moment}'`,
        `recovery_target_action = 'promote'`,
      ]);
      await writeFile(join(restored.folder.cluster, 'recovery.signal'), '');
      await restored.start();
      await until('the restored database takes writes', () =>
        restored.ask((db) =>
          db.read(async (tx) => {
            const row = await tx.row<{ busy: boolean }>('SELECT pg_is_in_recovery() AS busy');
            return row?.busy === false;
          }),
        ),
      );
      wire.leadTo(restored.port);
    },
  };
}

/** Closes the current log file, and resolves when the archive has it. */
async function archiveAll({ primary, archive }: Archived): Promise<void> {
  const file = await primary.ask((db) =>
    db.read((tx) => tx.row<{ name: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS name')),
  );
  await until('the log is archived', () => existsSync(join(archive, file?.name ?? '')));
}

async function inBooks<T>({ databaseUrl }: LiveWorld, read: (tx: Tx) => Promise<T>): Promise<T> {
  const db = openDb(databaseUrl, 1);
  try {
    return await db.read(read);
  } finally {
    await db.close();
  }
}

/** How many payments have succeeded, and when that was by the database's clock. */
async function successes(world: LiveWorld): Promise<{ count: number; at: string }> {
  const sql = `SELECT count(*)::int AS count, clock_timestamp()::text AS at FROM payments WHERE status = 'success'`;
  const row = await inBooks(world, (tx) => tx.row<{ count: number; at: string }>(sql));
  assert.ok(row);
  return row;
}

const haveSucceeded = (world: LiveWorld, count: number): Promise<void> =>
  until(`${count} payments have succeeded`, async () => (await successes(world)).count === count);

/** The orders that the bank has, by our payment. */
async function debits({ partners }: LiveWorld): Promise<Map<string, number>> {
  const all = (await partners.control.books('bank', 'payments')) as {
    end_to_end_id: string;
    debited: boolean;
  }[];
  const ours = all
    .filter((one) => one.debited)
    .map((one) => one.end_to_end_id.replace(/-a\d+$/, ''));
  return new Map([...Map.groupBy(ours, (id) => id)].map(([id, some]) => [id, some.length]));
}

async function payOuts({ partners }: LiveWorld): Promise<number> {
  const all = (await partners.control.books('issuer', 'movements')) as { kind: string }[];
  return all.filter(({ kind }) => kind === 'payout').length;
}

const dayOf = (world: LiveWorld): string =>
  world.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate().toString();

/** The open differences of a day's report, as kind, pence and side. */
async function reconcile(world: LiveWorld, day: string): Promise<string[]> {
  const report = JSON.parse(await world.command('reconcile', 'run', day, '--json'));
  assert.equal(report.unknown, null);
  const all = report.differences as { item: string; what: string; resolved_at: string | null }[];
  return all
    .filter((one) => one.resolved_at === null)
    .map(({ item, what }) => `${item}: ${what}`)
    .map((text) => /^line \d+: (\w+) \S+ of (\d+) \((\w+)\)/.exec(text)?.slice(1).join(' ') ?? text)
    .sort();
}

/** What the issuer has of a schedule that the books no longer know, and of its first collection. */
const OF_THE_LOST_SCHEDULE = ['payin 1000 credit', 'transfer 1000 credit', 'transfer 1000 debit'];
const OF_THE_LOST_REFUND = ['payout 100 debit'];

/** Works on while the books are as they will not be: a refund, and a schedule with its first collection. */
async function workInTheGap(world: LiveWorld): Promise<{ refunded: string }> {
  const { client } = world;
  const [paid] = (await client.payments.list({ status: 'success' })).data;
  assert.ok(paid);
  await client.payments.refund(paid.id, { amount: { value: 100, currency: 'GBP' } });
  await until('the refund is paid out', async () => (await payOuts(world)) === 1);
  await world.collectDaily(1);
  return { refunded: paid.id };
}

test('a database restored to the middle of a due run collects everything once, and reconciliation names the gap', async () => {
  const archived = await openArchived();
  const world = await openLiveWorld(1, { front: [0], portal: [0] }, async () => archived.database);
  try {
    await world.command('migrate');
    const { secret } = JSON.parse(await world.command('operator', 'create', 'Robin Fern'));
    const [operatorPort = 0] = await freePorts(1);
    Object.assign(world.settings, {
      OPERATOR_PORT: String(operatorPort),
      RECOLLECT_OPERATOR_URL: `http://127.0.0.1:${operatorPort}`,
      RECOLLECT_OPERATOR_KEY: secret,
    });
    const service: Program = world.process('service', 'api,portal,engine', world.ports[0] ?? 0);
    service.start();
    await world.openShop(() => service.ready());
    await archived.backUp();

    await world.collectDaily(SCHEDULES, APART);
    const day = dayOf(world);
    let middle = await successes(world);
    await until('the run is under way', async () => {
      middle = await successes(world);
      return middle.count >= UNDER_WAY;
    });
    await haveSucceeded(world, SCHEDULES);
    const { refunded } = await workInTheGap(world);
    await haveSucceeded(world, SCHEDULES + 1);
    const before = await debits(world);
    assert.equal(before.size, SCHEDULES + 1);
    await archiveAll(archived);
    await service.kill();
    archived.primary.kill();

    world.clock.step(LOST_HOUR);
    await archived.restoreTo(middle.at);
    const left = (await successes(world)).count;
    assert.ok(left > 0 && left < SCHEDULES, `${left} of ${SCHEDULES} are left`);
    await world.command('hold', 'everything', '--reason', 'restored');
    service.start();
    await service.ready();
    const lost = [...OF_THE_LOST_SCHEDULE, ...OF_THE_LOST_REFUND].sort();
    // Pay-ins that the service has not found yet are named too.
    const named = await reconcile(world, day);
    assert.ok(
      lost.every((line) => named.includes(line)),
      `${named}`,
    );
    await haveSucceeded(world, SCHEDULES); // the money pays for them
    assert.deepEqual(await debits(world), before, 'nothing was ordered');
    assert.deepEqual(await reconcile(world, day), lost);
    await world.command(...'release everything --held-for restored --reason reconciled'.split(' '));
    world.clock.step(WHILE_HELD);
    await world.client.payments.refund(refunded, { amount: { value: 100, currency: 'GBP' } });
    await until('the refund is known again', async () => {
      const [refund] = (await world.client.payments.refunds(refunded)).data;
      return refund?.status === 'success';
    });
    assert.equal(await payOuts(world), 1, 'the refund was paid out once');
    assert.deepEqual(await reconcile(world, day), OF_THE_LOST_SCHEDULE);
    await world.command('audit'); // fails if a law of money is broken

    world.clock.step(A_DAY);
    await haveSucceeded(world, 2 * SCHEDULES);
    const after = await debits(world);
    assert.ok(
      [...after.values()].every((times) => times === 1),
      'nobody was debited twice',
    );
    assert.equal(after.size, 2 * SCHEDULES + 1);
  } finally {
    await world.close();
  }
});
