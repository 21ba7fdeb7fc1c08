import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createTimekeeper, openClock, type SandboxClock } from './clock.ts';
import { openStore, type Store } from './store.ts';

const NOON = Temporal.Instant.from('2026-12-01T12:00:00Z');
/** One per millisecond, as under load. */
const MANY = 500;

let store: Store;
let clock: SandboxClock;
let due: Temporal.Instant[];
/** The time of each step. */
let steps: Temporal.Instant[];

beforeEach(() => {
  store = openStore(':memory:', '');
  clock = openClock(store, () => NOON);
  due = Array.from({ length: MANY }, (_, n) => NOON.subtract({ milliseconds: MANY - n }));
  steps = [];
});
afterEach(() => store.close());

function timekeeper() {
  const work = {
    nextDue: () => due[0] ?? null,
    runDue: async (at: Temporal.Instant) => {
      steps.push(at);
      due = due.filter((one) => Temporal.Instant.compare(one, at) > 0);
    },
  };
  return createTimekeeper(clock, work, (error) => assert.fail(String(error)));
}

test('what fell due one millisecond after another while the clock ran is done in one step', async () => {
  await timekeeper().settle();
  assert.equal(due.length, 0);
  assert.deepEqual(steps.map(String), [String(NOON)]);
});

test('what fell due more than a second apart is done in its order, no step after the present', async () => {
  due = [10_000, 9_500, 3_000, 200].map((milliseconds) => NOON.subtract({ milliseconds }));
  await timekeeper().settle();
  const seconds = steps.map((at) => NOON.since(at).total('seconds'));
  assert.deepEqual(seconds, [9, 2, 0]);
});

test('an advance does each piece of work at its own time', async () => {
  const all = due.map(String);
  clock.set(NOON.subtract({ seconds: 1 }), false);
  await timekeeper().advance(NOON, false);
  assert.deepEqual(steps.map(String), all);
});

test('work that stays due is an error and not a loop without end', async () => {
  const stuck = createTimekeeper(
    clock,
    { nextDue: () => NOON.subtract({ seconds: 5 }), runDue: async () => undefined },
    () => undefined,
  );
  await assert.rejects(stuck.settle(), /stays due/);
});
