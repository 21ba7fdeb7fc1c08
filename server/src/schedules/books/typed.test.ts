import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTyped } from './typed.ts';

test('an amount is read as people write it', () => {
  for (const [typed, pence] of [
    ['49.99', 4999],
    ['£49.99', 4999],
    ['£ 1,250.00', 125_000],
    ['1250', 125_000],
    ['50', 5000],
    ['0.50', 50],
    ['49.9', 4990],
  ] as const)
    assert.equal(readTyped(typed).pence, pence, typed);
  for (const typed of ['07700900123', '1,25', '49,99', 'abc', '', '1.000', '99999999999999', '-5'])
    assert.equal(readTyped(typed).pence, null, typed);
});

test('the beginning of an id is one of its kind; anything else is none', () => {
  assert.deepEqual(readTyped(' sch_0324 ').id, { type: 'sch', prefix: 'sch_0324' });
  assert.deepEqual(readTyped('pay_A').id, { type: 'pay', prefix: 'pay_A' });
  for (const typed of ['sch_', 'sch', 'foo_123', 'sch_0324!', 'x sch_0324'])
    assert.equal(readTyped(typed).id, null, typed);
});
