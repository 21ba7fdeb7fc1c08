import assert from 'node:assert/strict';
import { test } from 'node:test';
import { edgeOf, reachable } from '../platform/state-machine.ts';
import { ATTEMPTS, type AttemptState, PAYMENTS, type PaymentState } from './states.ts';

test('from every state of a payment there is a way to success and to failure, but a success stays', () => {
  for (const state of Object.keys(PAYMENTS.states) as PaymentState[]) {
    const ends = reachable(PAYMENTS, state);
    assert.ok(ends.has('success'), state);
    assert.equal(ends.has('failed'), state !== 'success' && state !== 'move', state);
  }
});

test('an attempt that was taken for failed may yet be paid, and no other end changes', () => {
  const ends = (Object.keys(ATTEMPTS.states) as AttemptState[]).filter(
    (state) => reachable(ATTEMPTS, state).size === 1,
  );
  assert.deepEqual(ends, ['success']);
});

test('every failure and every success of a payment names its event, and nothing else does', () => {
  for (const { from, to, event } of PAYMENTS.edges) {
    const isFailure = to === 'failed' || (to === 'pending' && from !== 'failed');
    const expected = isFailure
      ? 'collection.failed'
      : to === 'success'
        ? 'collection.success'
        : undefined;
    assert.equal(event, expected, `${from} to ${to}`);
  }
});

test('what the table does not name is refused', () => {
  assert.throws(() => edgeOf(PAYMENTS, 'success', 'failed'), /from success to failed/);
  edgeOf(PAYMENTS, 'failed', 'move');
});
