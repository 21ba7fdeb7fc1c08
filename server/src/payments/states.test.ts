import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ATTEMPT_EDGES,
  type AttemptState,
  assertPaymentEdge,
  ORDER_EDGES,
  type OrderState,
  PAYMENT_EDGES,
  type PaymentState,
} from './states.ts';

/** The states that can be reached from one, itself included. */
function reachable<S extends string>(
  edges: Record<S, Partial<Record<S, string>>>,
  from: S,
): Set<S> {
  const seen = new Set<S>([from]);
  for (const state of seen) for (const to of Object.keys(edges[state]) as S[]) seen.add(to);
  return seen;
}

test('from every state of a payment there is a way to success and to failure, but a success stays', () => {
  for (const state of Object.keys(PAYMENT_EDGES) as PaymentState[]) {
    const ends = reachable<PaymentState>(PAYMENT_EDGES, state);
    assert.ok(ends.has('success'), state);
    assert.equal(ends.has('failed'), state !== 'success' && state !== 'move', state);
  }
});

test('an attempt that was taken for failed may yet be paid, and no other end changes', () => {
  const ends = (Object.keys(ATTEMPT_EDGES) as AttemptState[]).filter(
    (state) => reachable<AttemptState>(ATTEMPT_EDGES, state).size === 1,
  );
  assert.deepEqual(ends, ['success']);
});

test('an order that was taken back stays so', () => {
  assert.deepEqual([...reachable<OrderState>(ORDER_EDGES, 'taken_back')], ['taken_back']);
});

test('what the table does not name is refused', () => {
  assert.throws(() => assertPaymentEdge('success', 'failed'), /from success to failed/);
  assertPaymentEdge('failed', 'move');
});
