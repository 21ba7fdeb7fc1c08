import { allocate } from '../../server/src/payments/allocation.ts';
import {
  believesRefusal,
  mayOrder,
  nextStep,
  whyStopped,
} from '../../server/src/payments/attempt.ts';
import { refusalBy, waitingFor } from '../../server/src/payments/operator/waiting.ts';

/** The decisions that the explored world runs on: the product's own. A test may take one of them back. */
export const PRODUCT = {
  mayOrder,
  nextStep,
  whyStopped,
  believesRefusal,
  allocate,
  waitingFor,
  refusalBy,
  /** Where money goes that no payment waits for. */
  unexpected: 'list' as 'list' | 'lost',
};

export type Rules = typeof PRODUCT;

/** How large an explored world is, and what its partners may do. */
export interface Size {
  payments: 1 | 2;
  /** How often a person may say no, or ask for a retry. */
  acts: number;
  /** Attempts of each payment. */
  attempts: 1 | 2;
  /** Orders of each attempt: of several only the first and the last decide. */
  orders: 1 | 2;
  /** The issuer's notices carry our end-to-end id. */
  namesMoney: boolean;
  /** Money may arrive a penny short. */
  paysShort: boolean;
  /** Orders may reach the bank after their senders have given up on them. */
  deliversLate: boolean;
  /** The bank may return what it debited, and never say so. */
  returns: boolean;
}
