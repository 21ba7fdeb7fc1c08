import type { MovementKind } from '../issuer.ts';

/**
 * What each status of a Modulr payment means for the money. Final are the processed, returned, cancelled and failed ones alone;
 * whatever the document does not call final is under way, and so is a status that it does not name.
 */
const PAYMENT_STATUSES = {
  SUBMITTED: 'pending',
  SCREENING_REQ: 'pending',
  VALIDATED: 'pending',
  PENDING_FOR_DATE: 'pending',
  PENDING_FOR_FUNDS: 'pending',
  EXT_PROC: 'pending',
  EXT_SENT: 'pending',
  CLEARING: 'pending',
  HELD: 'pending',
  HELD_IN_SUSPENSE: 'pending',
  REPROCESSING: 'pending',
  UNALLOCATED: 'pending',
  VOID: 'pending',
  PROCESSED: 'settled',
  RECONCILED: 'settled',
  // It did leave: its money comes back as a payment of its own, of type PO_REV.
  RETURNED: 'settled',
  CANCELLED: 'failed',
  ER_INVALID: 'failed',
  ER_EXTCONN: 'failed',
  ER_EXTSYS: 'failed',
  ER_EXPIRED: 'failed',
  ER_GENERAL: 'failed',
  ER_BATCH: 'failed',
} as const;

/** The statuses of Modulr's document. */
export const DOCUMENTED_STATUSES = Object.keys(PAYMENT_STATUSES);

/** Returns what a payment's status means for its money. */
export function movementStatus(status: string): 'pending' | 'settled' | 'failed' {
  return Object.hasOwn(PAYMENT_STATUSES, status)
    ? PAYMENT_STATUSES[status as keyof typeof PAYMENT_STATUSES]
    : 'pending';
}

/** Returns our code of a failed payment: `cancelled`, `er_invalid` and others. */
export const failureCode = (status: string): string => status.toLowerCase();

/** Types of transactions that are transfers between Modulr's accounts. */
const INTERNAL = new Set(['INT_INTERC', 'INT_INTRAC']);
/** Types of money that comes back from a pay-out. */
const RETURNS = new Set(['PO_REV']);
/** Types of money that a payer's bank takes back. */
const RECALLS = new Set(['PI_REV', 'PI_FAST_REV']);

/**
 * Returns what a transaction or a payment of this type is. `isOurs`: it carries an external reference, as only an order does; a
 * transfer without one comes from somebody else at Modulr. A type that is none of the usual ones is told by its direction: our
 * books have no such booking, so reconciliation shows it.
 */
export function kindOf(type: string, isCredit: boolean, isOurs: boolean): MovementKind {
  if (RETURNS.has(type)) return 'payout_return';
  if (RECALLS.has(type)) return 'payin_recall';
  if (INTERNAL.has(type) && isOurs) return 'transfer';
  return isCredit ? 'payin' : 'payout';
}
