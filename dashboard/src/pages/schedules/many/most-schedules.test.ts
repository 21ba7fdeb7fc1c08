import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_SCHEDULES as ACCEPTED } from '../../../../../server/src/schedules/many/body.ts';
import { MOST_SCHEDULES } from './most-schedules.ts';

test('the dashboard offers to select as many schedules as the service changes at once', () => {
  assert.equal(MOST_SCHEDULES, ACCEPTED);
});
