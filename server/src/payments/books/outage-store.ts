import type { AnswersAgain } from '../../banks/condition-recorder.ts';
import type { PaymentKey } from '../payment/payment.ts';
import { resumeOrders } from './held-store.ts';
import { pollNow } from './queue-store.ts';

/** So many orders show whether a bank that answered once answers again. */
const PROBES = 10;

/**
 * Takes up what waited for a bank: a few orders once it answers at all, and everything once it is well. Otherwise the last one
 * would wait for half an hour after an outage of hours.
 */
export const resumeAfterOutage: AnswersAgain = async ({ tx, now }, bankId, isWell) => {
  if (isWell) return resumeOrders(tx, now, { bankId });
  const next = await tx.rows<PaymentKey>(
    `SELECT merchant_id, payment_id FROM payment_work WHERE bank_id = $1 AND stage = 'submit' AND due_at > $2
     ORDER BY due_at LIMIT ${PROBES}`,
    [bankId, now],
  );
  for (const row of next) await pollNow(tx, now, row);
};
