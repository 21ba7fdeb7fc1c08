import { type Issuer, IssuerRefused, type Movement, type PayoutOrder } from './issuer.ts';

/** The issuer's response about a pay-out; `movementId` is null if it refused the order. Without `reference`: it named none. */
export type PayOutAnswer = Pick<Movement, 'status' | 'error' | 'amountPence'> & {
  movementId: string | null;
  reference?: string;
};

/** Refusals that mean that an order exists, or may exist, under this key: its outcome is unknown. */
const KEY_IN_USE = new Set(['idempotency_conflict', 'request_in_progress']);

/** Orders a pay-out. A refusal is final, unless an earlier call under this key succeeded: then its movement counts. */
export async function orderPayOut(issuer: Issuer, order: PayoutOrder): Promise<PayOutAnswer> {
  try {
    return await issuer.payOut(order);
  } catch (error) {
    if (!(error instanceof IssuerRefused)) throw error;
    const made = await issuer.findMovement(order.idempotencyKey);
    const { code, message } = error;
    if (made === null && KEY_IN_USE.has(code)) throw error;
    const { amountPence } = order;
    return made ?? { movementId: null, status: 'failed', amountPence, error: { code, message } };
  }
}
