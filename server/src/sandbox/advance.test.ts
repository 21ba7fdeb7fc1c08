import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../platform/config/config.ts';
import type { Db, Tx } from '../platform/db/db.ts';
import { makeLog } from '../platform/log/log.ts';
import { ApiError } from '../platform/values/errors.ts';
import { type AdvanceDeps, advance } from './advance.ts';
import { PartnerError } from './control.ts';

const START = Temporal.Instant.from('2026-03-02T10:00:00Z');
const at = (hours: number): Temporal.Instant => START.add({ minutes: Math.round(hours * 60) });

/** Returns a world without databases: what is due on each side, and a log of what was done when. */
function makeWorld(here: number[], outside: number[]) {
  const diary: string[] = [];
  let now = START;
  let isTaken = false;
  const hour = (): number => now.since(START).total('hours');
  const first = (list: number[]): Temporal.Instant | null => {
    const least = Math.min(...list);
    return Number.isFinite(least) ? at(least) : null;
  };
  const take = (list: number[]): number[] => {
    const due = list.filter((one) => one <= hour());
    for (const one of due) list.splice(list.indexOf(one), 1);
    return due;
  };
  const tx = {
    row: async () => {
      const taken = !isTaken;
      isTaken = true;
      return { taken };
    },
    rows: async () => [],
    run: async () => 0,
  } as unknown as Tx;
  const db = {
    transaction: async (work: (tx: Tx) => Promise<unknown>) => {
      const mine = !isTaken;
      try {
        return await work(tx);
      } finally {
        if (mine) isTaken = false;
      }
    },
  } as unknown as Db;
  const world = {
    diary,
    hour,
    refuse: null as PartnerError | null,
    /** Where another process has put the clock, without notifying us. */
    movedTo: null as Temporal.Instant | null,
    /** Called when something is drained. */
    onDrain: (_hour: number): void => undefined,
    stop: new AbortController(),
    isStopAsked: false,
    deps: {
      get stopping(): AbortSignal {
        return world.stop.signal;
      },
      platform: { db, log: makeLog('silent'), config: readConfig({}) },
      waitingFor: () => [],
      clock: {
        now: () => now,
        isHeld: () => false,
        isStopAsked: (): boolean => world.isStopAsked,
        hold: async (to: Temporal.Instant) => {
          now = to;
          return to;
        },
        release: async () => void diary.push('released'),
        look: async () => {
          if (world.movedTo !== null) now = world.movedTo;
        },
        close: async () => undefined,
      },
      engine: {
        start: () => void diary.push('started'),
        stop: async () => void diary.push('stopped'),
        drain: async () => {
          const due = take(here);
          for (const one of due) diary.push(`here ${one}`);
          if (due.length > 0) world.onDrain(hour());
          return { done: due.length, nextDue: first(here), isSending: false };
        },
      },
      control: {
        setClock: async (to: Temporal.Instant, running: boolean) => {
          if (world.refuse !== null && !running) throw world.refuse;
          assert.ok(to.equals(now));
          for (const one of take(outside)) diary.push(`outside ${one}`);
          if (running) diary.push('partners run');
          return first(outside);
        },
      },
    } satisfies AdvanceDeps,
  };
  return world;
}

const AFTERWARDS = ['released', 'partners run', 'started'];

test('Everything on the way happens in its order, on both sides, and nothing beyond', async () => {
  const { deps, diary, hour } = makeWorld([5, 1, 3, 9], [2, 4, 8]);
  const span = await advance(deps, { to: at(6) });
  assert.deepEqual(diary, [
    'stopped',
    'here 1',
    'outside 2',
    'here 3',
    'outside 4',
    'here 5',
    ...AFTERWARDS,
  ]);
  assert.ok(span.from.equals(START) && span.to.equals(at(6)));
  assert.equal(hour(), 6);
});

test('It begins where another process has just left the clock', async () => {
  const world = makeWorld([], []);
  world.movedTo = at(48);
  const { from, to } = await advance(world.deps, {
    by: new Temporal.Duration(0, 0, 0, 1),
    timeZone: 'UTC',
  });
  assert.ok(from.equals(at(48)) && to.equals(at(72)));
});

test('What one side causes on the other at the same moment happens at that moment', async () => {
  const outside: number[] = [];
  const here = [1];
  const world = makeWorld(here, outside);
  world.onDrain = (hour) => {
    if (hour === 1 && world.diary.length < 3) outside.push(1, 1.5);
    if (world.diary.includes('outside 1') && !world.diary.includes('here 1.5')) here.push(1.5);
  };
  await advance(world.deps, { to: at(2) });
  assert.deepEqual(world.diary.slice(1, -3), ['here 1', 'outside 1', 'outside 1.5']);
});

test('A moment that something is due at already is not jumped over', async () => {
  const { deps, diary } = makeWorld([-1], [-2]);
  await advance(deps, { to: at(1) });
  assert.deepEqual(diary.slice(0, 3), ['stopped', 'outside -2', 'here -1']);
});

test('Back, nowhere, or more than five years on is refused, and nothing is stopped', async () => {
  const { deps, diary } = makeWorld([1], []);
  for (const to of [START, START.subtract({ seconds: 1 }), START.add({ hours: 24 * 366 * 5 })])
    await assert.rejects(
      advance(deps, { to }),
      (error) => error instanceof ApiError && error.code === 'invalid_request',
    );
  assert.deepEqual(diary, []);
});

test('Whatever goes wrong, the clock goes on from where it came to', async () => {
  const world = makeWorld([1, 2], []);
  world.onDrain = (hour) => {
    if (hour === 1) world.refuse = new PartnerError('the books are closed', 409);
  };
  await assert.rejects(advance(world.deps, { to: at(3) }), /the books are closed/);
  assert.deepEqual(world.diary, ['stopped', 'here 1', ...AFTERWARDS]);
  assert.equal(world.hour(), 1);
});

test('A service that stops ends an advance where it has come to', async () => {
  const world = makeWorld([1, 2], []);
  world.onDrain = () => world.stop.abort();
  await assert.rejects(advance(world.deps, { to: at(3) }), /being stopped/);
  assert.deepEqual([world.hour(), world.diary.at(1)], [1, 'here 1']);
});

test('Who asks it to stop finds the clock at the moment it had reached, with that moment’s work done', async () => {
  const world = makeWorld([1, 2], []);
  world.onDrain = (hour) => {
    world.isStopAsked = hour === 1;
  };
  const { to, stopped } = await advance(world.deps, { to: at(3) });
  assert.ok(to.equals(at(1)) && stopped);
  assert.deepEqual(world.diary, ['stopped', 'here 1', ...AFTERWARDS]);
});

test('A partner that is being started again is waited for', async () => {
  const world = makeWorld([1], [2]);
  world.refuse = new PartnerError('does not answer', null);
  setTimeout(() => {
    world.refuse = null;
  }, 300);
  await advance(world.deps, { to: at(3) });
  assert.deepEqual(world.diary, ['stopped', 'here 1', 'outside 2', ...AFTERWARDS]);
});

test('A second advance at the same time is refused', async () => {
  const { deps } = makeWorld([1], []);
  const first = advance(deps, { to: at(3) });
  await assert.rejects(
    advance(deps, { to: at(4) }),
    (error) => error instanceof ApiError && error.code === 'clock_busy',
  );
  await first;
});

test('A service whose engine runs elsewhere does not start one', async () => {
  const { deps, diary } = makeWorld([1], []);
  const platform = { ...deps.platform, config: readConfig({ ROLES: 'api' }) };
  await advance({ ...deps, platform }, { to: at(2) });
  assert.ok(!diary.includes('started'));
});
