import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  clock,
  db,
  NOW,
  nothing,
  pile,
  silent,
  until,
} from '../../../test-support/slices/stages.ts';
import type { Db } from '../db/db.ts';
import { makeLog } from '../log/log.ts';
import { machineClock } from '../time/clock-skew.ts';
import { makeEngine } from './engine.ts';

test('drain runs every stage, batch by batch, until nothing is due', async () => {
  const [one, other] = [pile(25), pile(3)];
  const engine = makeEngine(db, clock, silent, [one, other]);
  assert.equal((await engine.drain()).done, 28);
  assert.deepEqual([one.left, other.left], [0, 0]);
  assert.equal((await engine.drain()).done, 0);
});

test('drain returns when the next work is due, and the present moment for work that cannot be claimed', async () => {
  const at = (moment: Temporal.Instant) =>
    pile(0, { nextDue: async () => moment, run: async () => 0 });
  const [locked, later] = [at(NOW), at(NOW.add({ hours: 1 }))];
  const drained = await makeEngine(db, clock, silent, [later, locked]).drain();
  assert.deepEqual([drained.done, String(drained.nextDue)], [0, String(NOW)]);
  const next = (await makeEngine(db, clock, silent, [pile(3), later]).drain()).nextDue;
  assert.equal(String(next), String(NOW.add({ hours: 1 })));
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
  assert.equal((await makeEngine(db, clock, silent, [last, first]).drain()).done, 4);
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

test('drain can leave a stage that is sending, and the next one waits for it', async () => {
  let isSending = false;
  const sending = pile(1, {
    isSending: () => isSending,
    idle: async () => {
      await sleep(5);
      isSending = false;
    },
  });
  const { run } = sending;
  sending.run = (...asked) => {
    isSending = true;
    return run(...asked);
  };
  const engine = makeEngine(db, clock, silent, [sending]);
  const left = await engine.drain({ leavesSending: true });
  assert.deepEqual([left.done, left.isSending, isSending], [1, true, true]);
  const after = await engine.drain();
  assert.deepEqual([after.done, after.isSending, isSending], [0, false, false]);
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

test('a running engine does what is due, and what falls due, on its own', async () => {
  const stage = pile(30);
  const engine = makeEngine(db, clock, silent, [stage]);
  engine.start();
  engine.start(); // a second start has no effect
  try {
    await until(() => stage.left === 0);
    assert.ok(stage.runs >= 4);
  } finally {
    await engine.stop();
  }
});

test('a stage that throws is retried and logged, and the others go on', async () => {
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
  assert.match(lines[0] ?? '', /"event":"engine.stage_failed","stage":"failing".*bank of nowhere/);
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
  await engine.stop(); // a second stop has nothing to do
});

test('a stop halts what is claimed and not begun, waits, and then gives back what was handed on', async () => {
  const halt = { isHalted: false };
  const done: string[] = [];
  const stage = {
    ...pile(1, { idle: async () => void done.push(`idle, halted: ${halt.isHalted}`) }),
    halt,
    handBack: async () => {
      done.push('back');
      throw new Error('no database');
    },
  };
  const engine = makeEngine(db, clock, silent, [stage]);
  engine.start();
  assert.equal(halt.isHalted, false);
  await engine.stop();
  assert.deepEqual(done, ['idle, halted: true', 'back']);
  engine.start();
  assert.equal(halt.isHalted, false);
  await engine.stop();
});

test('stages that say by SQL when they have work are asked for in one statement, the others separately', async () => {
  const asked: string[] = [];
  const looked: Db = {
    ...db,
    transaction: (work) =>
      work({
        rows: nothing,
        run: nothing,
        insert: nothing,
        unawaited: nothing,
        afterCommit: nothing,
        row: async <R extends object>(sql: string) => {
          asked.push(sql);
          return { at: NOW, s0: null, s1: NOW.add({ hours: 2 }) } as R;
        },
      }),
  };
  const stages = [
    pile(0, { dueSql: 'SELECT min(a) FROM one' }),
    pile(0, { nextDue: async () => NOW.add({ hours: 3 }) }),
    pile(0, { dueSql: 'SELECT min(b) FROM other' }),
  ];
  const engine = makeEngine(looked, clock, silent, stages);
  assert.ok((await engine.nextDue())?.equals(NOW.add({ hours: 2 })));
  assert.deepEqual(asked, [
    'SELECT clock_timestamp() AS at, (SELECT min(a) FROM one) AS s0, (SELECT min(b) FROM other) AS s1',
  ]);
  assert.equal((await engine.drain()).done, 0);
  assert.equal(asked.length, 2);
});

/** The log of an engine, by event. */
function eventsOf(lines: readonly string[]): string[] {
  return lines.map((line) => (JSON.parse(line) as { event: string }).event);
}

test('while the database is gone the engine says so once, and once when it is back', async () => {
  const lines: string[] = [];
  const log = makeLog('warn', { write: (line) => void lines.push(line) });
  let isGone = false;
  const gone = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' });
  const flaky: Db = {
    ...db,
    transaction: (work, options) => (isGone ? Promise.reject(gone) : db.transaction(work, options)),
  };
  const stages = ['a', 'b', 'c'].map((name) =>
    pile(1_000, {
      name,
      run: async () => {
        if (isGone) throw gone;
        return 1;
      },
    }),
  );
  const engine = makeEngine(flaky, clock, log, stages);
  engine.start();
  try {
    await sleep(100);
    isGone = true;
    await until(() => lines.length > 0);
    await sleep(1_500);
    isGone = false;
    engine.wake();
    await until(() => eventsOf(lines).includes('engine.database_back'));
  } finally {
    await engine.stop();
  }
  assert.deepEqual(eventsOf(lines), ['engine.database_lost', 'engine.database_back']);
});

test('an engine whose clock is wrong says so and claims nothing, and works on when it is right', async () => {
  const lines: string[] = [];
  const log = makeLog('warn', { write: (line) => void lines.push(line) });
  let hours = 25;
  const shifted: Db = {
    ...db,
    transaction: (work, options) =>
      db.transaction(
        (tx) =>
          work({
            ...tx,
            row: async <R extends object>() =>
              ({ at: Temporal.Now.instant().subtract({ hours }) }) as R,
          }),
        options,
      ),
  };
  const stage = pile(1);
  const engine = makeEngine(shifted, clock, log, [stage]);
  engine.start();
  try {
    await until(() => machineClock.isTooFar());
    engine.wake();
    await sleep(200);
    assert.equal(stage.runs, 0);
    assert.ok(Math.abs((machineClock.aheadMs() ?? 0) - 25 * 3_600_000) < 5_000);
    hours = 0;
    engine.wake();
    await until(() => stage.left === 0);
  } finally {
    await engine.stop();
  }
  assert.deepEqual(eventsOf(lines), ['engine.clock_skewed', 'engine.clock_right']);
  assert.match(lines[0] ?? '', /"seconds_ahead":90000,"claims":false/);
});

test('a drain by a clock that is ahead does nothing that is not due by the database’s', async () => {
  const ahead = { now: () => NOW, within: async () => NOW.subtract({ minutes: 1 }) };
  const read: Db['read'] = (work) => db.transaction((tx) => work(tx), { isQueuePeek: true });
  const stage = pile(1);
  const engine = makeEngine({ ...db, read }, ahead, silent, [stage]);
  assert.equal((await engine.drain()).done, 0);
  ahead.within = async () => NOW;
  assert.equal((await engine.drain()).done, 1);
});
