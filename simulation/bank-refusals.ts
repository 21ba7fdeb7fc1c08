import type { PaymentError } from '../server/src/banks/bank.ts';
import type { Chance } from './chance.ts';

/** Makes nothing until the customer has authenticated again. */
export const REAUTHENTICATION_REQUIRED: PaymentError = {
  code: 'reauthentication_required',
  message: 'no',
  kind: 'retryable',
  bankCode: 'U028',
};
/** The account holds less than the order. */
export const NO_FUNDS: PaymentError = {
  code: 'insufficient_funds',
  message: 'no',
  kind: 'retryable',
  bankCode: 'AM04',
};

/** Returns what kind of no an order gets that is refused: the same one each time. */
export const kindOfRefusal = (chance: Chance, key: string): PaymentError['kind'] =>
  chance.pick(['retryable', 'retryable', 'retryable', 'final', 'consent_gone'], key, 'kind');
