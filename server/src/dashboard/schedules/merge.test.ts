import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Merged, type MergePosition, mergeLatest, positionAfter } from './merge.ts';

type Change = { changeId: number; at: Temporal.Instant };
type Told = { sequence: number; createdAt: Temporal.Instant };

const at = (seconds: number): Temporal.Instant =>
  Temporal.Instant.fromEpochMilliseconds(seconds * 1000);

/** Two lists, each latest first. Now and then a clock was wrong: then the order of writing counts. */
const lists = fc
  .tuple(fc.array(fc.nat(20), { maxLength: 30 }), fc.array(fc.nat(20), { maxLength: 30 }))
  .map(([changes, events]) => ({
    changes: changes.map((s, i) => ({ changeId: changes.length - i, at: at(s) })),
    events: events.map((s, i) => ({ sequence: events.length - i, createdAt: at(s) })),
  }));

const nameOf = ({ change, event }: Merged<Change, Told>): string =>
  change === null ? `e${event.sequence}` : `c${change.changeId}`;

test('pages of any size show everything once, in one and the same order', () => {
  fc.assert(
    fc.property(lists, fc.integer({ min: 1, max: 7 }), ({ changes, events }, limit) => {
      const seen: string[] = [];
      let shown: MergePosition = {
        change: Number.MAX_SAFE_INTEGER,
        event: Number.MAX_SAFE_INTEGER,
      };
      for (let page = 0; page <= changes.length + events.length; page++) {
        const merged = mergeLatest(
          changes.filter((c) => c.changeId < shown.change).slice(0, limit + 1),
          events.filter((e) => e.sequence < shown.event).slice(0, limit + 1),
        );
        const entries = merged.slice(0, limit);
        seen.push(...entries.map(nameOf));
        shown = positionAfter(shown, entries);
        if (merged.length <= limit) break;
      }
      assert.deepEqual(seen, mergeLatest(changes, events).map(nameOf));
      assert.equal(new Set(seen).size, changes.length + events.length);
    }),
  );
});

test('what is in order comes out in order, the event before the change that it tells of', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.array(fc.nat(20)), (changes, events) => {
      const latestFirst = (a: number, b: number): number => b - a;
      const merged = mergeLatest(
        changes.toSorted(latestFirst).map((s, i) => ({ changeId: i, at: at(s) })),
        events.toSorted(latestFirst).map((s, i) => ({ sequence: i, createdAt: at(s) })),
      );
      const keys = merged.map(
        ({ change, event }) =>
          (change?.at ?? event?.createdAt ?? at(0)).epochMilliseconds + (event === null ? 0 : 1),
      );
      assert.deepEqual(keys, keys.toSorted(latestFirst));
    }),
  );
});
