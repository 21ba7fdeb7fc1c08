import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY_HOURS, SLOTS, turnOf } from './turns.ts';

const START = Temporal.Instant.from('2026-03-02T10:00:00Z');
const after = (minutes: number): Temporal.Instant => START.add({ minutes });

/** Minutes from one round to the next, which begins within a day. */
const lengths = fc.array(fc.integer({ min: 1, max: DAY_HOURS * 60 }), {
  minLength: 1,
  maxLength: 200,
});

test('whatever the lengths of rounds, an old row has its turn in one that covers its hour', () => {
  fc.assert(
    fc.property(lengths, fc.nat(), (rounds, any) => {
      let began = 0;
      const turns = rounds.map((length) => {
        const slots = turnOf(after(began), after(began), false).slots;
        began += length;
        return slots;
      });
      const hour = Math.floor(after(any % began).epochMilliseconds / 3_600_000) % SLOTS;
      assert.ok(turns.some((slots) => slots.includes(hour)));
    }),
  );
});

test('a round of a day reads a twenty-seventh of the old rows, and each hour of it once', () => {
  fc.assert(
    fc.property(fc.nat(10_000_000), (minutes) => {
      const { slots } = turnOf(after(minutes), after(minutes), false);
      assert.equal(slots.length, DAY_HOURS + 1);
      assert.equal(new Set(slots).size, slots.length);
      assert.ok(slots.every((slot) => slot >= 0 && slot < SLOTS));
    }),
  );
  assert.equal(new Set(turnOf(START, START, true).slots).size, SLOTS, 'or all of them');
});
