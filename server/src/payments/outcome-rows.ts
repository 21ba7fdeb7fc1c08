import type { Tx } from '../platform/db.ts';
import { unguessed } from '../platform/unguessed.ts';
import type { Said } from './evidence-store.ts';
import { refs } from './learned-sql.ts';
import type { Learned } from './payment.ts';

/** What `RecordedRow` wants of a payment `p`. */
export const RETURNING = `p.merchant_id, p.payment_id, p.schedule_id, p.wallet_id, p.amount_pence, p.currency, p.attempts,
  p.manual`;

/** An attempt `a` without an end. */
export const STILL_OPEN = unguessed("a.status NOT IN ('success', 'failed')");

export const bankPaymentOf = ({ outcome }: Learned): string | null =>
  'bankPaymentId' in outcome ? outcome.bankPaymentId : null;
const bankStatusOf = ({ outcome }: Learned): string | null =>
  'bankStatus' in outcome ? outcome.bankStatus : null;

/** What the bank reported of its payment; null where it did not. */
export function reportOf({ outcome }: Learned): Said['report'] | null {
  if (outcome.kind !== 'pending' && outcome.kind !== 'credited' && outcome.kind !== 'failed')
    return null;
  const { kind, bankPaymentId, bankStatus } = outcome;
  if (bankPaymentId === null || bankStatus === null) return null;
  return { bankPaymentId, bankStatus, outcome: kind };
}

/** Attempts keep what the bank said; `finishedAt` null: still under way. What says nothing new is not written again. */
export async function markAttempts(
  tx: Tx,
  finishedAt: Temporal.Instant | null,
  learned: readonly Learned[],
  status: 'processing' | 'failed',
): Promise<void> {
  if (learned.length === 0) return;
  const failures = learned.map(({ outcome }) =>
    outcome.kind === 'failed' ? outcome.failure : null,
  );
  await tx.run(
    `UPDATE attempts a SET status = $8, finished_at = $9, error_code = l.code, error_message = l.message,
       bank_payment_id = coalesce(l.bank_payment_id, a.bank_payment_id), bank_status = coalesce(l.bank_status, a.bank_status)
     FROM unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[])
       AS l (merchant_id, payment_id, attempt, bank_payment_id, bank_status, code, message)
     WHERE a.merchant_id = l.merchant_id AND a.payment_id = l.payment_id AND a.number = l.attempt
       AND ${STILL_OPEN} AND (a.status, a.bank_payment_id, a.bank_status) IS DISTINCT FROM
         ($8, coalesce(l.bank_payment_id, a.bank_payment_id), coalesce(l.bank_status, a.bank_status))`,
    [
      ...refs(learned),
      learned.map(bankPaymentOf),
      learned.map(bankStatusOf),
      failures.map((f) => f?.code ?? null),
      failures.map((f) => f?.message ?? null),
      status,
      finishedAt,
    ],
  );
}
