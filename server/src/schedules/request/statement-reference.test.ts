import assert from 'node:assert/strict';
import { test } from 'node:test';
import { referenceErrors, statementReference } from './statement-reference.ts';

test('a reference is 6 to 18 characters that every bank passes on', () => {
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
