import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAILURE_MESSAGES } from '../../../../server/src/banks/failure-messages.ts';
import { REASON_OPTIONS } from './reasons.ts';

test('every reason of a failure can be filtered by', () => {
  const values = REASON_OPTIONS.map(({ value }) => value);
  assert.deepEqual(values.toSorted(), ['', 'unknown', ...Object.keys(FAILURE_MESSAGES)].toSorted());
});
