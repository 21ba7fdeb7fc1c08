import type { Sender } from '../src/payments/stages/submit.ts';

/** Has no room at any bank: whatever is opened waits in the queue. */
export const NO_SENDER: Sender = {
  full: () => [],
  room: () => 0,
  busy: () => [],
  send: () => undefined,
  makesRoom: async () => undefined,
  idle: async () => undefined,
  halt: { isHalted: false },
};
