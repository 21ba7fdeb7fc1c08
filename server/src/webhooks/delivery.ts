import { edges, type StateMachine, statuses } from '../platform/state/state-machine.ts';

/**
 * held: it occurred, or was waiting, while the endpoint was disabled, and waits to be replayed; if the endpoint is deleted,
 * it has failed.
 */
export type DeliveryStatus = 'pending' | 'held' | 'failed' | 'delivered';

/**
 * The states of an event's delivery to one endpoint. An acknowledgement counts whatever has happened to the delivery
 * meanwhile.
 */
export const DELIVERIES: StateMachine<DeliveryStatus> = {
  noun: 'deliveries',
  table: 'deliveries',
  key: ['merchant_id', 'delivery_id'],
  states: statuses('pending', 'held', 'failed', 'delivered'),
  begins: ['pending', 'held'],
  edges: [
    ...edges<DeliveryStatus>(
      ['pending', 'held', 'failed', 'delivered'],
      'delivered',
      'the endpoint acknowledged it',
    ),
    { from: 'pending', to: 'failed', why: 'the last try was not acknowledged' },
    { from: 'pending', to: 'held', why: 'its endpoint was disabled or deleted' },
    ...edges<DeliveryStatus>(
      ['pending', 'held', 'failed', 'delivered'],
      'pending',
      'sent again by hand, or its endpoint was enabled again',
    ),
  ],
};
