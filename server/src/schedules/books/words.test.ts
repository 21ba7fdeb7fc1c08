import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amountEntry, wordsOfSchedule } from './words.ts';

test('a schedule is found by the words of its description, its reference and the values of its metadata', () => {
  assert.deepEqual(
    wordsOfSchedule({
      scheduleId: 'sch_1',
      description: 'Café membership, gold',
      reference: 'FERNHILL 0042',
      metadata: { order: 'A-17', seats: 3, nested: { plan: ['Gold', null, true] } },
    }),
    ['cafe', 'membership', 'gold', 'fernhill', '0042', 'a', '17', '3'],
  );
  assert.deepEqual(
    wordsOfSchedule({ scheduleId: 'sch_9', description: 'x', reference: null, metadata: null }),
    ['x', 'sch', '9'],
    'the derived reference too',
  );
});

test('metadata without end adds a bounded number of words of bounded length', () => {
  const many = Array.from({ length: 500 }, (_, n) => `word${n}`);
  const words = wordsOfSchedule({
    scheduleId: 'sch_1',
    description: 'x'.repeat(255),
    reference: null,
    metadata: { many },
  });
  assert.equal(words.length, 60);
  assert.equal(words[0], 'x'.repeat(64));
  assert.equal(amountEntry(4999), '£000000004999');
});
