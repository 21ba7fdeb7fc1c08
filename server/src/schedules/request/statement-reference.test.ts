import assert from 'node:assert/strict';
import { test } from 'node:test';
import { referenceErrors, statementReference } from './statement-reference.ts';

test('a reference is 6 to 18 characters of those that Faster Payments knows, and enough of it is left for every bank', () => {
  for (const fine of [
    'GYM042',
    'Fernhill 0042/b',
    "A.B-(c)'+&?:,/1",
    'x'.repeat(18),
    null,
    undefined,
  ])
    assert.deepEqual(referenceErrors(fine), {}, String(fine));
  for (const wrong of [
    '',
    'GYM42',
    'x'.repeat(19),
    ' GYM042',
    'GYM042 ',
    'GYM£042',
    'Zoë 0042',
    'GYM\n042',
    'GYM_042',
    'G(1)/,:',
    'Echo 0042',
    'shell exec 1',
  ])
    assert.deepEqual(Object.keys(referenceErrors(wrong)), ['reference'], wrong);
});

test('where none is given, the schedule is recognised by the end of its id', () => {
  const scheduleId = 'sch_0324xwgHGvthP7HbMhurkO';
  const derived = statementReference({ scheduleId, reference: null });
  assert.equal(derived, 'XWGHGVTHP7HBMHURKO');
  assert.deepEqual(referenceErrors(derived), {});
  assert.equal(statementReference({ scheduleId, reference: 'GYM 042' }), 'GYM 042');
});

test('an id that would spell what a bank refuses is written without it', () => {
  const derived = statementReference({ scheduleId: 'sch_0324xwgHGvEcHoHbMhurkO', reference: null });
  assert.equal(derived, 'XWGHGVXHBMHURKO');
  assert.deepEqual(referenceErrors(derived), {});
});

test('a statement shows a reference in the characters that every bank takes', () => {
  const shown = (reference: string) => statementReference({ scheduleId: 'sch_1', reference });
  assert.equal(shown('Fernhill 0042/b'), 'Fernhill 0042-b');
  assert.equal(shown("B&B O'Hara: 7"), 'B and B OHara 7');
});
