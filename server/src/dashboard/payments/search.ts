import { readInstructionId } from '../../payments/payment.ts';
import { isId } from '../../platform/ids.ts';

/** The meaning of a search: one of our ids, or a bank's id of a payment. */
export type PaymentTerm =
  | { type: 'payment'; id: string }
  | { type: 'schedule'; id: string }
  | { type: 'bank_payment'; id: string };

/**
 * Reads a search for payments: a payment's id, an attempt's instruction id (`<payment>-a2`), a schedule's id, or a bank's id of a
 * payment. Null: no search.
 */
export function readPaymentSearch(search: string | undefined): PaymentTerm | null {
  const text = (search ?? '').trim();
  if (text === '') return null;
  if (isId('pay', text)) return { type: 'payment', id: text };
  if (isId('sch', text)) return { type: 'schedule', id: text };
  const instruction = readInstructionId(text);
  if (instruction !== null) return { type: 'payment', id: instruction.paymentId };
  return { type: 'bank_payment', id: text };
}
