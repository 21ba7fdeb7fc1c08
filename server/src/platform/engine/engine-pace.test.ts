import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertQuick, elapsed } from '../../../test-support/quick.ts';
import { clock, db, NOW, pile, silent, until } from '../../../test-support/slices/stages.ts';
import { makeEngine } from './engine.ts';
import type { Stage } from './stage.ts';

/** The number of looks or runs allowed in `ms` milliseconds: one every 25, plus the first and the last. */
const allowedIn = (ms: number): number => 2 + ms / 25;

test('a wake between the look and the sleep is not lost', () => assertQuick(500, wakeWhileLooking));

async function wakeWhileLooking(): Promise<number> {
  const looking = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  let looks = 0;
  const stage = pile(0, {
    nextDue: async () => {
      if (++looks === 1) {
        looking.resolve();
        await goOn.promise;
        return null; // nothing due yet: would sleep for a second
      }
      return stage.left > 0 ? NOW : null;
    },
  });
  const engine = makeEngine(db, clock, silent, [stage]);
  engine.start();
  await looking.promise;
  const runs = stage.runs;
  stage.left = 1;
  engine.wake();
  goOn.resolve();
  const ms = await elapsed(() => until(() => stage.left === 0));
  assert.ok(stage.runs > runs);
  await engine.stop();
  return ms;
}

test('what is due but held by somebody else is not asked for without a pause', async () => {
  const stage = pile(0, { nextDue: async () => NOW.subtract({ hours: 1 }) });
  stage.run = async () => {
    stage.runs++;
    return 0;
  };
  const engine = makeEngine(db, clock, silent, [stage]);
  const ms = await elapsed(async () => {
    engine.start();
    await sleep(200);
    while (stage.runs < 2) await sleep(20);
    await engine.stop();
  });
  assert.ok(stage.runs >= 2 && stage.runs <= allowedIn(ms), `${stage.runs} runs in ${ms} ms`);
});

test('a stage without room is asked again when there is some, and hardly before', () =>
  assertQuick(200, askWithoutRoom));

async function askWithoutRoom(): Promise<number> {
  const room = Promise.withResolvers<void>();
  let rooms = 0;
  const stage = pile(0, {
    nextDue: async () => NOW.subtract({ hours: 1 }),
    makesRoom: () => (rooms++ === 0 ? room.promise : new Promise(() => undefined)),
  });
  const engine = makeEngine(db, clock, silent, [stage]);
  engine.start();
  await until(() => rooms === 1);
  room.resolve();
  const withRoom = await elapsed(() => until(() => rooms === 2));
  const without = await elapsed(() => until(() => rooms === 3));
  assert.ok(without >= 240, `asked again after ${without} ms without room`);
  await engine.stop();
  return withRoom;
}

test('however often it is woken, it asks what is due in one statement, and stages without work are not run', async () => {
  let looks = 0;
  const idle = pile(0, {
    nextDue: async () => {
      looks++;
      return null;
    },
  });
  const engine = makeEngine(db, clock, silent, [idle]);
  engine.start();
  await until(() => looks === 1);
  const ms = await elapsed(async () => {
    for (let n = 0; n < 40; n++) {
      engine.wake();
      await sleep(5);
    }
    await engine.stop();
  });
  assert.ok(looks >= 2 && looks <= allowedIn(ms), `${looks} looks in ${ms} ms`);
  assert.equal(idle.runs, 0);
});

test('what one stage makes for the next is taken up at once', () =>
  assertQuick(900, makeForTheNext));

async function makeForTheNext(): Promise<number> {
  const last = pile(0);
  const first = pile(1, {
    run: async () => {
      if (first.left === 0) return 0;
      first.left = 0;
      setTimeout(() => last.left++, 60); // as when a partner responds a little later
      return 1;
    },
  });
  const engine = makeEngine(db, clock, silent, [last, first]);
  engine.start();
  const ms = await elapsed(() => until(() => first.left === 0 && last.runs > 1));
  assert.equal(last.left, 0);
  await engine.stop();
  return ms;
}

test('a stage that found less than a batch lets work gather; a full batch is followed by the next one', async () => {
  const began: { trickle: number[]; queue: number[] } = { trickle: [], queue: [] };
  const recorded = (name: 'trickle' | 'queue', done: number): Stage =>
    pile(1, {
      run: async () => {
        began[name].push(performance.now());
        if (name === 'queue') await sleep(1);
        return done;
      },
    });
  const engine = makeEngine(db, clock, silent, [recorded('trickle', 1), recorded('queue', 10)]);
  engine.start();
  await until(() => began.trickle.length === 3);
  await engine.stop();
  const [first = 0, second = 0, third = 0] = began.trickle;
  assert.ok(second - first > 90 && third - second > 90, began.trickle.join(' '));
  assert.ok(began.queue.length > began.trickle.length, `${began.queue.length} full batches`);
});

test('stop does not sit out a sleep, and an engine can be started again', () =>
  assertQuick(500, stopAsleep));

async function stopAsleep(): Promise<number> {
  const stage = pile(0);
  const engine = makeEngine(db, clock, silent, [stage]);
  engine.start();
  await until(() => stage.runs === 1);
  await sleep(20);
  const ms = await elapsed(() => engine.stop());
  stage.left = 1;
  engine.start();
  await until(() => stage.left === 0);
  await engine.stop();
  return ms;
}
