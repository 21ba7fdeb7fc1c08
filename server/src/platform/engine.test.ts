import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from './db.ts';
import { dueBy, makeEngine, type Stage } from './engine.ts';
import { makeLog } from './log.ts';

const NOW = Temporal.Instant.from('2026-03-02T10:00:00Z');
const silent = makeLog('silent');
const nothing = (): never => {
  throw new Error('the engine needs no such thing');
};

/** A database that is only looked at. Its claims are tested where the stages are. */
const db: Db = {
  transaction: (work, options) =>
    options?.onlyLooks === true ? work({ rows: nothing, row: nothing, run: nothing }) : nothing(),
  forMerchant: nothing,
  listen: nothing,
  libraryPool: nothing,
  close: async () => undefined,
  read: nothing,
};

const clock = { at: NOW, now: () => clock.at };

/** A stage over a pile of work. */
interface Pile extends Stage {
  left: number;
  runs: number;
  run: Stage['run'];
}

/** A pile of which each run takes up to its batch. */
function pile(size: number, more: Partial<Stage> = {}): Pile {
  const pile: Pile = {
    left: size,
    runs: 0,
    name: 'pile',
    batch: 10,
    nextDue: async () => (pile.left > 0 ? NOW : null),
    run: async (_now: Temporal.Instant, limit: number) => {
      pile.runs++;
      const taken = Math.min(pile.left, limit);
      pile.left -= taken;
      return taken;
    },
    ...more,
  };
  return pile;
}

/** Waits until something holds, for at most two seconds. */
async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400 && !holds(); tries++) await sleep(5);
  assert.ok(holds(), 'it never came to hold');
}

test('drain runs every stage, batch by batch, until nothing is due', async () => {
  const [one, other] = [pile(25), pile(3)];
  const engine = makeEngine(db, clock, silent, [one, other]);
  assert.equal(await engine.drain(), 28);
  assert.deepEqual([one.left, other.left], [0, 0]);
  assert.equal(await engine.drain(), 0);
});

test('drain goes round again while one stage makes work for another', async () => {
  const last = pile(0);
  const first = pile(2, {
    batch: 1,
    run: async () => {
      if (first.left === 0) return 0;
      first.left--;
      last.left++;
      return 1;
    },
  });
  assert.equal(await makeEngine(db, clock, silent, [last, first]).drain(), 4);
});

test('drain waits for what a stage set off before it looks again', async () => {
  const order: string[] = [];
  const stage = pile(11, {
    idle: async () => {
      await sleep(5);
      order.push('idle');
    },
  });
  await makeEngine(db, clock, silent, [stage]).drain();
  assert.deepEqual(order, ['idle', 'idle']);
});

test('drain gives up on a stage that never finishes what it claims', async () => {
  const engine = makeEngine(db, clock, silent, [pile(1, { run: async () => 1 })]);
  await assert.rejects(engine.drain(), /still work after 100000 rounds/);
});

test('the next due moment is the earliest of all stages, or null', async () => {
  const at = (moment: Temporal.Instant | null) => pile(0, { nextDue: async () => moment });
  const later = NOW.add({ hours: 1 });
  const engine = makeEngine(db, clock, silent, [at(later), at(null), at(NOW)]);
  assert.ok((await engine.nextDue())?.equals(NOW));
  assert.equal(await makeEngine(db, clock, silent, [at(null)]).nextDue(), null);
});

test('a running engine does what is due, and what falls due, by itself', async () => {
  const stage = pile(30);
  const engine = makeEngine(db, clock, silent, [stage]);
  engine.start();
  engine.start(); // once is enough
  try {
    await until(() => stage.left === 0);
    assert.ok(stage.runs >= 4);
  } finally {
    await engine.stop();
  }
});

test('a stage that throws is tried again, is told of in the log, and the others go on', async () => {
  const lines: string[] = [];
  const log = makeLog('error', { write: (line) => void lines.push(line) });
  const failing = pile(1, {
    name: 'failing',
    run: async () => {
      failing.runs++;
      throw new Error('bank of nowhere');
    },
  });
  const steady = pile(1);
  const engine = makeEngine(db, clock, log, [failing, steady]);
  engine.start();
  try {
    await until(() => failing.runs === 1 && steady.left === 0);
    engine.wake();
    await until(() => failing.runs === 2);
    steady.left = 5;
    engine.wake();
    await until(() => steady.left === 0);
  } finally {
    await engine.stop();
  }
  assert.match(lines[0] ?? '', /"stage":"failing".*bank of nowhere/);
});

test('a stage whose look fails is tried again too', async () => {
  let looks = 0;
  const stage = pile(0, {
    nextDue: async () => {
      looks++;
      throw new Error('no database');
    },
  });
  const engine = makeEngine(db, clock, silent, [stage]);
  engine.start();
  await until(() => looks === 1);
  engine.wake();
  await until(() => looks === 2);
  await engine.stop();
});

test('a wake between the look and the sleep is not lost', async () => {
  const looking = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  let looks = 0;
  const stage = pile(0, {
    nextDue: async () => {
      if (++looks === 1) {
        looking.resolve();
        await goOn.promise;
        return null; // nothing to be seen yet: it would sleep for a second
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
  const began = performance.now();
  await until(() => stage.left === 0);
  assert.ok(performance.now() - began < 500 && stage.runs > runs);
  await engine.stop();
});

test('what is due but held by somebody else is not asked for without a pause', async () => {
  const stage = pile(0, { nextDue: async () => NOW.subtract({ hours: 1 }) });
  stage.run = async () => {
    stage.runs++;
    return 0;
  };
  const engine = makeEngine(db, clock, silent, [stage]);
  engine.start();
  await sleep(200);
  await engine.stop();
  assert.ok(stage.runs >= 2 && stage.runs <= 10, `${stage.runs} runs`);
});

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
  for (let n = 0; n < 40; n++) {
    engine.wake();
    await sleep(5);
  }
  await engine.stop();
  assert.ok(looks >= 2 && looks <= 12, `${looks} looks`);
  assert.equal(idle.runs, 1);
});

test('what one stage makes for the next is taken up at once', async () => {
  const last = pile(0);
  const first = pile(1, {
    run: async () => {
      if (first.left === 0) return 0;
      first.left = 0;
      setTimeout(() => last.left++, 60); // as when a partner answers a little later
      return 1;
    },
  });
  const engine = makeEngine(db, clock, silent, [last, first]);
  engine.start();
  const began = performance.now();
  await until(() => first.left === 0 && last.runs > 1);
  assert.ok(performance.now() - began < 900);
  assert.equal(last.left, 0);
  await engine.stop();
});

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

test('stop waits for what is under way and begins nothing more', async () => {
  const begun = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const done: string[] = [];
  const stage = pile(20, {
    run: async () => {
      stage.runs++;
      begun.resolve();
      await finish.promise;
      done.push('run');
      return 10;
    },
    idle: async () => {
      await sleep(5);
      done.push('idle');
    },
  });
  const engine = makeEngine(db, clock, silent, [stage]);
  engine.start();
  await begun.promise;
  let hasStopped = false;
  const stopped = engine.stop().then(() => {
    hasStopped = true;
  });
  await sleep(20);
  assert.equal(hasStopped, false);
  finish.resolve();
  await stopped;
  assert.deepEqual(done, ['run', 'idle']);
  assert.equal(stage.runs, 1);
  await engine.stop(); // a second one has nothing to do
});

test('stop does not sit out a sleep, and an engine can be started again', async () => {
  const stage = pile(0);
  const engine = makeEngine(db, clock, silent, [stage]);
  engine.start();
  await until(() => stage.runs === 1);
  await sleep(20);
  const began = performance.now();
  await engine.stop();
  assert.ok(performance.now() - began < 500);
  stage.left = 1;
  engine.start();
  await until(() => stage.left === 0);
  await engine.stop();
});

test('stages that say by SQL when they have work are asked for in one statement, the others by themselves', async () => {
  const asked: string[] = [];
  const looked: Db = {
    ...db,
    transaction: (work) =>
      work({
        rows: nothing,
        run: nothing,
        row: async <R extends object>(sql: string) => {
          asked.push(sql);
          return { s0: null, s1: NOW.add({ hours: 2 }) } as R;
        },
      }),
  };
  const stages = [
    pile(0, dueBy('SELECT min(a) FROM one')),
    pile(0, { nextDue: async () => NOW.add({ hours: 3 }) }),
    pile(0, dueBy('SELECT min(b) FROM other')),
  ];
  const engine = makeEngine(looked, clock, silent, stages);
  assert.ok((await engine.nextDue())?.equals(NOW.add({ hours: 2 })));
  assert.deepEqual(asked, [
    'SELECT (SELECT min(a) FROM one) AS s0, (SELECT min(b) FROM other) AS s1',
  ]);
  assert.equal(await engine.drain(), 0);
  assert.equal(asked.length, 2);
});
