import { isDebited } from '../banks/bank.ts';
import type { Tx } from '../platform/db.ts';
import { stopped } from './answers.ts';
import { takeArrival } from './arrivals.ts';
import { LAST_ORDER_AT } from './attempt-store.ts';
import { ARRIVES_WITHIN, isOver, type StopCode } from './order-decision.ts';
import type { Outcome } from './payment.ts';
import type { SubmitDeps } from './send.ts';

/** A payment at the bank that a no has met. */
export interface StoppedRow {
  merchant_id: string;
  payment_id: string;
  wallet_id: string;
  amount_pence: number;
  attempts: number;
  stopped_by: StopCode;
}

/**
 * Returns the outcome of a payment that a no has met and that its bank, asked just now, has not ended. A day after its last
 * order it ends with the reason of the no, unless its money has come or the bank has ever said that it debited the customer: a
 * bank that is silent now does not take that back.
 */
export async function endWhenOver(
  { platform, issuer }: Pick<SubmitDeps, 'platform' | 'issuer'>,
  row: StoppedRow,
  outcome: Outcome,
): Promise<Outcome> {
  if (outcome.kind === 'pending' && isDebited(outcome.bankStatus)) return outcome;
  const standing = await platform.db.read((tx) => findStanding(tx, row));
  const last = standing?.last_order_at ?? standing?.sent_at ?? null;
  if (standing === null || last === null || isDebited(standing.bank_status ?? '')) return outcome;
  if (!isOver(last.add(ARRIVES_WITHIN), platform.clock.now())) return outcome;
  try {
    const isThere = await takeArrival(platform, issuer, {
      merchantId: row.merchant_id,
      walletId: row.wallet_id,
      paymentId: row.payment_id,
      attempt: row.attempts,
      amountPence: row.amount_pence,
      since: standing.sent_at ?? last,
    });
    return isThere ? outcome : stopped(row.stopped_by, null);
  } catch (error) {
    platform.log.warn(
      { payment_id: row.payment_id, err: error },
      'the issuer did not tell whether a payment came',
    );
    return outcome;
  }
}

function findStanding(
  tx: Tx,
  row: StoppedRow,
): Promise<{
  sent_at: Temporal.Instant | null;
  last_order_at: Temporal.Instant | null;
  bank_status: string | null;
} | null> {
  return tx.row(
    `SELECT a.sent_at, ${LAST_ORDER_AT} AS last_order_at, a.bank_status FROM attempts a
     WHERE a.merchant_id = $1 AND a.payment_id = $2 AND a.number = $3`,
    [row.merchant_id, row.payment_id, row.attempts],
  );
}
