import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isOneEditAway } from './one-edit.ts';

const isAlike = (typed: string, word: string): boolean => isOneEditAway([...typed], [...word]);

test('a letter that is missing, too many, wrong or swapped is one edit; two are not', () => {
  for (const typed of ['lindqist', 'lindqqvist', 'lindkvist', 'lindvqist', 'lindqvits', 'lindx'])
    assert.ok(isAlike(typed, 'lindqvist'), typed);
  for (const typed of ['lindkwist', 'lndqist', 'lindvqits', 'lindqvistens', 'berg'])
    assert.ok(!isAlike(typed, 'lindqvist'), typed);
  for (const typed of ['lindqvist', 'lind', ''])
    assert.ok(!isAlike(typed, 'lindqvist'), `${typed} begins the word`);
});

test('it agrees with every edit tried one after the other', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 6 });
  fc.assert(
    fc.property(text, text, (typed, word) => {
      const cuts = Array.from({ length: typed.length + 1 }, (_, n) => n);
      const edits = cuts.flatMap((n) => {
        const [before, after] = [typed.slice(0, n), typed.slice(n)];
        return [
          ...['a', 'b'].flatMap((letter) => [
            before + letter + after,
            ...(after === '' ? [] : [before + letter + after.slice(1)]),
          ]),
          ...(after === '' ? [] : [before + after.slice(1)]),
          ...(after.length < 2 ? [] : [before + after[1] + after[0] + after.slice(2)]),
        ];
      });
      const expected = !word.startsWith(typed) && edits.some((one) => word.startsWith(one));
      assert.equal(isAlike(typed, word), expected, `${typed}, ${word}`);
    }),
    { numRuns: 2000 },
  );
});
