import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSwitched } from '../../ui/fields/choices.ts';
import { kindOptions, SUBSCRIBED_KINDS, subscribedKinds } from './event-kinds.ts';

const NEWER = 'payment.retry_scheduled';

test('every kind can be chosen, with when it is sent', () => {
  const options = kindOptions([]);
  assert.deepEqual(
    options.map(({ value }) => value),
    SUBSCRIBED_KINDS,
  );
  assert.ok(options.every(({ description }) => description !== undefined));
});

test('an endpoint that is edited keeps a kind that this page does not know', () => {
  const kinds = subscribedKinds([NEWER, 'collection.success']);
  assert.deepEqual(kinds, ['collection.success', NEWER]);
  const offered = kindOptions(kinds).map(({ value }) => value);
  assert.equal(offered.at(-1), NEWER);
  assert.deepEqual(withSwitched(offered, kinds, 'schedule.paused', true), [
    'collection.success',
    'schedule.paused',
    NEWER,
  ]);
});
