/**
 * The lives of payments, attempts and orders: where each may go, and what takes it there. `payments.status` and `stage` together
 * are one state here: `submit` waits for an order to be sent or answered, `track` is at the bank under an id of the bank's,
 * `move` has its money in the customer's wallet.
 */

export type PaymentState = 'pending' | 'submit' | 'track' | 'move' | 'success' | 'failed';

type Edges<S extends string> = Readonly<Record<S, Readonly<Partial<Record<S, string>>>>>;

export const PAYMENT_EDGES: Edges<PaymentState> = {
  pending: {
    submit: 'taken up: the attempt is begun',
    move: 'the money of an earlier attempt arrived',
    failed: 'stopped by a no while nothing was at the bank',
  },
  submit: {
    submit: 'the order never left, or its outcome is not known: it is looked at again',
    track: 'the bank has it under an id',
    move: 'the money arrived',
    pending: 'the attempt failed, a retry is planned',
    failed: 'the attempt failed for good, or a no ended it',
  },
  track: {
    track: 'the bank is asked again',
    move: 'the money arrived',
    pending: 'the attempt failed, a retry is planned',
    failed: 'the attempt failed for good, or a no ended it a day after its last order',
  },
  move: {
    move: 'the transfer is asked for again',
    success: "the money is in the merchant's wallet",
  },
  success: {},
  failed: {
    pending: 'retried by hand',
    move: 'its money arrived late',
  },
};

export type AttemptState = 'started' | 'processing' | 'success' | 'failed';

export const ATTEMPT_EDGES: Edges<AttemptState> = {
  started: {
    processing: 'the bank has it under an id',
    success: 'the money arrived',
    failed: 'a check or the bank refused it, or a no ended it',
  },
  processing: {
    success: 'the money arrived',
    failed: 'the bank did not carry it out, or a no ended it',
  },
  success: {},
  failed: { success: 'its money arrived late' },
};

export type OrderState = 'noted' | 'taken_back';

/** An order is noted before the bank is called, and stands from there on unless it provably never left. */
export const ORDER_EDGES: Edges<OrderState> = {
  noted: { taken_back: 'it provably never left' },
  taken_back: {},
};

/** Throws where the table has no such edge: a defect. */
export function assertPaymentEdge(from: PaymentState, to: PaymentState): void {
  if (PAYMENT_EDGES[from][to] === undefined)
    throw new Error(`a payment cannot go from ${from} to ${to}`);
}
