// Slow: starts and kills whole programs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { Program } from '../../chaos/program.ts';
import { type Db, openDb } from '../../server/src/platform/db/db.ts';
import { freePorts } from '../../server/test-support/free-ports.ts';
import { until } from '../../server/test-support/until.ts';
import { isRunning } from '../process/recollect.ts';
import { type LiveWorld, openLiveWorld } from './live-world.ts';

const SCHEDULES = 4;

interface Line {
  engine?: number;
  event?: string;
  pid?: number;
  signal?: string;
}

describe('a process with two engines', () => {
  let world: LiveWorld;
  let db: Db;
  let first: Program;
  let operatorPort: number;
  /** How long it took from the start to the end of the first look at the laws. */
  let lookMs: number;

  before(async () => {
    world = await openLiveWorld(2, { front: [0], portal: [0] });
    await world.command('migrate');
    const front = world.process('front', 'api,portal', world.ports[0] ?? 0);
    [operatorPort = 0] = await freePorts(1);
    const settings = { ENGINES: '2', OPERATOR_PORT: String(operatorPort), LOG_LEVEL: 'info' };
    Object.assign(world.settings, settings);
    first = world.process('engines', 'engine', world.ports[1] ?? 0);
    for (const key of Object.keys(settings)) delete world.settings[key];
    for (const one of [front, first]) one.start();
    const began = performance.now();
    await world.openShop(() => Promise.all([front.ready(), first.ready()]));
    db = openDb(world.databaseUrl, 1);
    await until('the laws have been looked at', async () => (await lookedAt()) !== null);
    lookMs = performance.now() - began;
  });
  after(async () => {
    await db?.close();
    await world?.close();
  });

  const lines = (): Line[] =>
    readFileSync(join(world.dir, 'engines.log'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line);
  /** The second engine, as the first one has started it last. */
  const second = (): number =>
    lines().findLast((line) => line.engine === 2 && line.pid !== undefined)?.pid ?? 0;
  async function lookedAt(): Promise<Temporal.Instant | null> {
    const newest = 'SELECT max(checked_at) AS at FROM law_findings';
    return (await db.read((tx) => tx.row<{ at: Temporal.Instant | null }>(newest)))?.at ?? null;
  }

  /** The processes that said a moment ago that they are at work. */
  const beats = async (): Promise<number[]> => {
    const recent = `SELECT process_id FROM engine_heartbeats WHERE beat_at > clock_timestamp() - interval '6 seconds'`;
    const rows = await db.read((tx) => tx.rows<{ processId: number }>(recent));
    return rows.map((row) => row.processId);
  };

  /** How much an engine has claimed, as its own operators' port tells. */
  async function claimedBy(engine: number): Promise<number> {
    const { body } = await request(`http://127.0.0.1:${operatorPort + engine - 1}/metrics`);
    const counts = (await body.text()).matchAll(/^recollect_stage_items_total\{.*\} (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  test('both are at work, and each shows its metrics', async () => {
    await until('both engines are at work', async () => (await beats()).length === 2);
    for (const engine of [1, 2]) await claimedBy(engine);
  });

  test('while the first stands still, the second collects, each payment once', async () => {
    const { receiver } = world;
    first.signal('SIGSTOP');
    try {
      await world.collectDaily(SCHEDULES);
      await until(
        'every collection has its webhook',
        () => receiver.of('collection.success').length === SCHEDULES,
      );
    } finally {
      first.signal('SIGCONT');
    }
    assert.ok((await claimedBy(2)) >= SCHEDULES);
    const attempts = await db.read((tx) => tx.rows('SELECT FROM attempts'));
    assert.equal(attempts.length, SCHEDULES, 'one attempt each');
    await world.command('audit'); // fails if a law of money is broken
  });

  test('a second engine that is killed is there again, and the log says so', async () => {
    const [pid, known] = [second(), await beats()];
    process.kill(pid, 'SIGKILL');
    await until('another one was started', () => second() !== pid);
    await until('the other one is at work', async () =>
      (await beats()).some((id) => !known.includes(id)),
    );
    await claimedBy(2);
    assert.deepEqual(
      lines().flatMap(({ event, engine, signal }) =>
        event === 'engine.process_ended' ? [{ engine, signal }] : [],
      ),
      [{ engine: 2, signal: 'SIGKILL' }],
    );
  });

  test('the first alone looks at the laws', async () => {
    const before = await lookedAt();
    await sleep(lookMs); // the second was started just now
    assert.equal(String(await lookedAt()), String(before));
  });

  test('where the first is killed, the second ends on its own', async () => {
    const pid = second();
    assert.equal(isRunning(pid), true);
    await first.kill();
    await until('the second engine has ended', () => !isRunning(pid));
  });

  test('a stop takes the second engine along', async () => {
    const ended = await beats();
    const fresh = async () => (await beats()).filter((id) => !ended.includes(id));
    first.start();
    await until('both are at work again', async () => (await fresh()).length === 2);
    const pid = second();
    await first.stop();
    assert.equal(isRunning(pid), false);
    assert.deepEqual(await fresh(), [], 'both have said that they claim nothing any more');
  });
});
