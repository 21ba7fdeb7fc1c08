// Slow: starts and kills four whole programs.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Program } from '../../chaos/program.ts';
import { openDb } from '../../server/src/platform/db/db.ts';
import { until } from '../../server/test-support/until.ts';
import { type LiveWorld, openLiveWorld, statusOf } from './live-world.ts';

/** The role of each process: one of each kind, and a second engine. */
const ROLES = ['api', 'portal', 'engine', 'engine'] as const;
const SCHEDULES = 6;

describe('four processes', () => {
  let world: LiveWorld;
  let services: Program[];

  before(async () => {
    world = await openLiveWorld(ROLES.length, { front: [0], portal: [1] });
    await world.command('migrate');
    services = ROLES.map((role, n) => world.process(`${role}-${n}`, role, world.ports[n] ?? 0));
    for (const one of services) one.start();
    await world.openShop(() => Promise.all(services.map((one) => one.ready())));
  });
  after(() => world?.close());

  test('each process does what its role is, and nothing else', async () => {
    const answers = await Promise.all(
      world.ports.map(async (port) => [
        await statusOf(port, '/healthz'),
        await statusOf(port, '/api/v1/schedules'),
        await statusOf(port, '/consent/no-such-link'),
      ]),
    );
    assert.deepEqual(answers, [
      [200, 401, 404],
      [200, 404, 404],
      [200, 404, 404],
      [200, 404, 404],
    ]);
  });

  test('together they collect: each payment once, with its webhook', async () => {
    const { receiver, partners } = world;
    const made = await world.collectDaily(SCHEDULES);
    await until(
      'every collection has its webhook',
      () => receiver.of('collection.success').length === SCHEDULES,
    );
    const paid = receiver.of('collection.success').map(([, { data }]) => data.schedule_id);
    assert.deepEqual(paid.sort(), made.map(({ id }) => id).sort());
    const atBank = (await partners.control.books('bank', 'payments')) as { status: string }[];
    assert.equal(atBank.length, SCHEDULES);
    const db = openDb(world.databaseUrl, 1);
    const attempts = await db.read((tx) => tx.rows('SELECT FROM attempts'));
    await db.close();
    assert.equal(attempts.length, SCHEDULES, 'one attempt each');
    await world.command('audit'); // fails if a law of money is broken
  });

  test('an engine that is killed leaves the work to the other one', async () => {
    const { receiver, clock } = world;
    const [, , first] = services;
    await first?.kill();
    const before = receiver.of('collection.success').length;
    clock.step(Temporal.Duration.from({ hours: 26 })); // a day has 25 hours when the clocks go back
    await until(
      'the next day is collected by the engine that is left',
      () => receiver.of('collection.success').length === before + SCHEDULES,
    );
  });
});
