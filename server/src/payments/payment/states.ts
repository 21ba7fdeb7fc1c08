import { edges, type StateMachine, statuses } from '../../platform/state/state-machine.ts';

/**
 * The state machines of payments and attempts. A payment's `status` and the `stage` of its work are one state here: in `wait` an
 * attempt is to begin, in `submit` an order is to be sent or its response is awaited, in `track` the bank has it under an id, in
 * `move` its money is in the customer's wallet.
 */

export type PaymentState = 'pending' | 'submit' | 'track' | 'move' | 'success' | 'failed';

export const PAYMENTS: StateMachine<PaymentState> = {
  noun: 'payments',
  table: 'payments',
  work: 'payment_work',
  key: ['merchant_id', 'payment_id'],
  states: {
    pending: { status: 'pending', stage: 'wait' },
    submit: { status: 'processing', stage: 'submit' },
    track: { status: 'processing', stage: 'track' },
    move: { status: 'processing', stage: 'move' },
    success: { status: 'success', stage: null },
    failed: { status: 'failed', stage: null },
  },
  begins: ['pending'],
  edges: [
    { from: 'pending', to: 'submit', why: 'claimed: an attempt begins' },
    { from: 'submit', to: 'submit', why: 'claimed again: not sent yet, or the outcome is unknown' },
    ...edges(['submit', 'track'], 'track', 'the bank has it under an id'),
    ...edges(['submit', 'track'], 'move', 'its money arrived'),
    ...edges(['pending', 'failed'], 'move', 'late payment: the money of a failed attempt arrived'),
    ...edges(['submit', 'track'], 'pending', 'failed, a retry follows', 'collection.failed'),
    ...edges(['submit', 'track'], 'failed', 'failed for good, or stopped', 'collection.failed'),
    { from: 'pending', to: 'failed', why: 'stopped before its retry', event: 'collection.failed' },
    {
      from: 'move',
      to: 'success',
      why: "it is in the merchant's wallet",
      event: 'collection.success',
    },
    {
      from: 'move',
      to: 'failed',
      why: 'an operator put its money on the unallocated list',
      event: 'collection.failed',
    },
    { from: 'failed', to: 'pending', why: 'retried by hand' },
  ],
};

export type AttemptState = 'started' | 'processing' | 'success' | 'failed';

export const ATTEMPTS: StateMachine<AttemptState> = {
  noun: 'attempts',
  table: 'attempts',
  key: ['merchant_id', 'payment_id', 'number'],
  states: statuses('started', 'processing', 'success', 'failed'),
  begins: ['started'],
  edges: [
    ...edges<AttemptState>(['started', 'processing'], 'processing', 'the bank has it under an id'),
    ...edges<AttemptState>(['started', 'processing'], 'success', 'its money arrived'),
    ...edges<AttemptState>(
      ['started', 'processing'],
      'failed',
      'refused, not carried out, or stopped',
    ),
    { from: 'failed', to: 'success', why: 'late payment: its money arrived after all' },
    { from: 'success', to: 'failed', why: 'an operator put its money on the unallocated list' },
  ],
};
