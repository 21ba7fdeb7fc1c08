import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestDatabase, testDatabase } from '../../test-support/database.ts';
import { until } from '../../test-support/until.ts';
import { type Db, openDb } from '../platform/db/db.ts';
import { whileAdvancing, whileMoving } from './advance-lock.ts';
import { makeSandboxClock, type SandboxClock } from './clock.ts';
import { readProgress, recordBegin } from './progress-store.ts';

const HOUR_MS = 3_600_000;
const SECOND_MS = 1_000;

let database: TestDatabase;
let db: Db;
let began: number;

before(async () => {
  database = await testDatabase();
  db = openDb(database.url, 4);
});
after(async () => {
  await db.close();
  await database.drop();
});
beforeEach(async () => {
  await db.transaction((tx) => tx.run('DELETE FROM sandbox_clock'));
  began = performance.now();
});

/** Returns how many milliseconds a clock is ahead of the machine's. */
const ahead = (clock: SandboxClock): number =>
  clock.now().epochMilliseconds - Temporal.Now.instant().epochMilliseconds;

/** Whether two offsets agree within a second; a held clock loses the time that passes meanwhile. */
const isNear = (value: number, wanted: number): boolean =>
  value <= wanted + SECOND_MS && value >= wanted - SECOND_MS - (performance.now() - began);

test('A new clock is the real one', async () => {
  const clock = await makeSandboxClock(db);
  assert.ok(isNear(ahead(clock), 0));
  await clock.close();
});

test('A held clock stands still, and goes on from there, also after a restart', async () => {
  const clock = await makeSandboxClock(db);
  const at = clock.now().add({ hours: 1 });
  await whileAdvancing(db, async () => {
    await clock.hold(at);
    await sleep(20);
    assert.ok(clock.now().equals(at));
    assert.equal(clock.isHeld(), true);
    await clock.release();
  });
  assert.ok(isNear(ahead(clock), HOUR_MS));
  assert.equal(Temporal.Instant.compare(clock.now(), at) >= 0, true);
  await clock.close();
  const again = await makeSandboxClock(db);
  assert.ok(isNear(ahead(again), HOUR_MS));
  await again.close();
});

test('The clocks of other processes follow', async () => {
  const [one, other] = [await makeSandboxClock(db), await makeSandboxClock(db)];
  const at = one.now().add({ hours: 2 });
  await whileAdvancing(db, async () => {
    await one.hold(at);
    await until('it is held too', () => other.isHeld() && other.now().equals(at));
    await one.release();
  });
  await until('it goes on', () => !other.isHeld());
  assert.ok(isNear(ahead(other), 2 * HOUR_MS));
  await Promise.all([one.close(), other.close()]);
});

test('The clock never goes backwards', async () => {
  const clock = await makeSandboxClock(db);
  const at = clock.now().add({ hours: 1 });
  await clock.hold(at);
  assert.ok((await clock.hold(at.subtract({ seconds: 1 }))).equals(at));
  await db.transaction((tx) => tx.run('UPDATE sandbox_clock SET held_at = NULL, offset_ms = 0'));
  await clock.close();
  assert.equal(Temporal.Instant.compare(clock.now(), at) >= 0, true);
});

test('What is read while a change is being written does not undo it', async () => {
  const clock = await makeSandboxClock(db);
  await clock.hold(clock.now().add({ hours: 1 }));
  const held: boolean[] = [];
  const [releasing] = await db.transaction(async (tx) => {
    await tx.run('UPDATE sandbox_clock SET life = life');
    const waiting = clock.release(); // for the row
    await db.transaction((other) => other.rows("SELECT pg_notify('sandbox_clock', '')"));
    for (let looks = 0; looks < 20; looks++) {
      await sleep(10);
      held.push(clock.isHeld());
    }
    return [waiting];
  });
  await releasing;
  await clock.close();
  assert.deepEqual([...new Set(held)], [false]);
});

test('A clock that was held by a process that died goes on from there', async () => {
  const died = await makeSandboxClock(db);
  await died.hold(died.now().add({ hours: 3 }));
  await died.close();
  const clock = await makeSandboxClock(db);
  assert.equal(clock.isHeld(), false);
  assert.ok(isNear(ahead(clock), 3 * HOUR_MS));
  await clock.close();
});

/** Returns a database that refuses changes on request. */
function refusing(): { db: Db; refuses: boolean } {
  const world: { db: Db; refuses: boolean } = {
    refuses: false,
    db: {
      ...db,
      transaction: ((work, options) =>
        world.refuses
          ? Promise.reject(new Error('gone'))
          : db.transaction(work, options)) as Db['transaction'],
    },
  };
  return world;
}

test('A release that the database did not take is made up for when it is back', async () => {
  const world = refusing();
  const clock = await makeSandboxClock(world.db);
  await whileAdvancing(db, async () => {
    await clock.hold(clock.now().add({ hours: 1 }));
    world.refuses = true;
    await assert.rejects(clock.release());
    world.refuses = false;
  });
  await clock.look();
  assert.equal(clock.isHeld(), true, 'as the database has it');
  await until('it goes on', () => !clock.isHeld());
  assert.ok(isNear(ahead(clock), HOUR_MS), 'from where it was held');
  await clock.close();
});

test('A hold that the database did not take leaves the time where it was', async () => {
  const world = refusing();
  const clock = await makeSandboxClock(world.db);
  world.refuses = true;
  const holding = clock.hold(clock.now().add({ hours: 30 * 24 }));
  assert.ok(isNear(ahead(clock), 0), 'whoever asks meanwhile');
  await assert.rejects(holding);
  await clock.look();
  assert.ok(isNear(ahead(clock), 0) && !clock.isHeld());
  await clock.close();
});

test('Whoever moves a clock knows what another process has made of it, also where nobody told', async () => {
  const deaf = { ...db, listen: async () => async () => undefined };
  const [one, other] = [await makeSandboxClock(db), await makeSandboxClock(deaf)];
  await whileAdvancing(db, async () => {
    await one.hold(one.now().add({ hours: 48 }));
    await one.release();
  });
  const seen = await whileMoving(db, other, async () => ahead(other));
  assert.ok(isNear(seen, 48 * HOUR_MS));
  await Promise.all([one.close(), other.close()]);
});

test('A process that starts during an advance of another leaves the clock held', async () => {
  const advancing = await makeSandboxClock(db);
  await whileAdvancing(db, async () => {
    await advancing.hold(advancing.now().add({ hours: 1 }));
    const started = await makeSandboxClock(db);
    assert.equal(started.isHeld(), true);
    await started.close();
  });
  await advancing.close();
});

test('A new life begins at real time in every process, and what was held is over', async () => {
  const [one, other] = [await makeSandboxClock(db), await makeSandboxClock(db)];
  await whileAdvancing(db, async () => {
    await one.hold(one.now().add({ hours: 5 }));
    await until('it is held too', () => other.isHeld());
  });
  for (let lives = 0; lives < 2; lives++) {
    const seen: Temporal.Instant[] = [];
    const born = await one.restart(async (tx, now) => {
      seen.push(now);
      await tx.run('SELECT 1');
    });
    assert.ok(seen[0]?.equals(born) && isNear(ahead(one), 0) && !one.isHeld());
    await until('it goes on', () => !other.isHeld() && isNear(ahead(other), 0));
    await other.hold(other.now().add({ hours: 3 }));
    await other.release();
    await until('it has moved', () => isNear(ahead(one), 3 * HOUR_MS));
  }
  await Promise.all([one.close(), other.close()]);
});

test('A life that cannot be ended goes on', async () => {
  const clock = await makeSandboxClock(db);
  await clock.hold(clock.now().add({ hours: 1 }));
  await clock.release();
  await assert.rejects(
    clock.restart(() => Promise.reject(new Error('no'))),
    /no/,
  );
  assert.ok(isNear(ahead(clock), HOUR_MS));
  await clock.close();
});

test('An advance whose process was cut off has ended, once another one starts', async () => {
  const crashed = await makeSandboxClock(db);
  const to = crashed.now().add({ hours: 5 });
  const progress = () => db.read(readProgress);
  await whileAdvancing(db, async () => {
    await db.transaction((tx) => recordBegin(tx, crashed.now(), to));
    await (await makeSandboxClock(db)).close();
    assert.equal((await progress())?.reached, null, 'it is under way');
  });
  await (await makeSandboxClock(db)).close();
  const ended = await progress();
  assert.deepEqual([ended?.reached === null, ended?.error], [false, 'The service was stopped.']);
  await crashed.restart(async () => undefined);
  assert.equal(await progress(), null, 'a new life has had none');
  await crashed.close();
});
