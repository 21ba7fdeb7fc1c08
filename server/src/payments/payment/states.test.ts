import assert from 'node:assert/strict';
import { test } from 'node:test';
import { edgeOf, reachable, type StateMachine } from '../../platform/state/state-machine.ts';
import { ATTEMPTS, PAYMENTS, type PaymentState } from './states.ts';

const wayOn = (machine: StateMachine, state: string): [to: string, why: string][] =>
  machine.edges.filter(({ from }) => from === state).map(({ to, why }) => [to, why]);

test('from every state of a payment there is a way to success and to failure, but a success stays', () => {
  for (const state of Object.keys(PAYMENTS.states) as PaymentState[]) {
    const ends = reachable(PAYMENTS, state);
    assert.ok(ends.has('success'), state);
    assert.equal(ends.has('failed'), state !== 'success', state);
  }
  assert.deepEqual(wayOn(PAYMENTS, 'success'), []);
});

test('a payment whose money arrived fails by an operator’s word alone', () => {
  assert.deepEqual(wayOn(PAYMENTS, 'move'), [
    ['success', "it is in the merchant's wallet"],
    ['failed', 'an operator put its money on the unallocated list'],
  ]);
});

test('an attempt that ended changes by its money alone: late, or put on the unallocated list', () => {
  assert.deepEqual(wayOn(ATTEMPTS, 'failed'), [
    ['success', 'late payment: its money arrived after all'],
  ]);
  assert.deepEqual(wayOn(ATTEMPTS, 'success'), [
    ['failed', 'an operator put its money on the unallocated list'],
  ]);
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
