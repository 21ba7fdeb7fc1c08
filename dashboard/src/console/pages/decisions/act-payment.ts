import type { Act, Decision } from '../../api/decisions.ts';

/**
 * Returns the payment with which the dialog of an act starts. Who agrees with a first operator must name the same payment, or
 * none; the payment that they named for one act is not taken over for another.
 */
export function paymentFor(
  { first, payment_id: payment }: Pick<Decision, 'first' | 'payment_id'>,
  act: Act,
): string {
  return (first?.act === act ? first.payment_id : payment) ?? '';
}
