import { allocate } from '../../server/src/payments/payment/allocation.ts';
import {
  believesRefusal,
  mayOrder,
  nextStep,
  whyStopped,
} from '../../server/src/payments/payment/attempt.ts';
import { refusalBy, waitingFor } from '../../server/src/payments/payment/waiting.ts';

/** The product's own decisions, on which the explored world runs. A test may replace one of them. */
export const PRODUCT = {
  mayOrder,
  nextStep,
  whyStopped,
  believesRefusal,
  allocate,
  waitingFor,
  refusalBy,
  /** What happens to money that no payment awaits. */
  unexpected: 'list' as 'list' | 'lost',
};

export type Rules = typeof PRODUCT;

/** The size of an explored world, and what its partners may do. */
export interface Size {
  payments: 1 | 2;
  /** How often a person may stop a payment, or request a retry. */
  acts: number;
  /** Attempts of each payment. */
  attempts: 1 | 2;
  /** Orders of each attempt: of several, only the first and the last matter. */
  orders: 1 | 2;
  /** The issuer's notices carry our end-to-end id. */
  namesMoney: boolean;
  /** Money may arrive a penny short. */
  paysShort: boolean;
  /** Orders may reach the bank after their senders have given up waiting. */
  deliversLate: boolean;
  /** The bank may return what it debited, and never report it. */
  returns: boolean;
}
