import { formatInstant } from '../platform/calendar.ts';
import type { Tx } from '../platform/db.ts';
import type { Platform } from '../platform/platform.ts';
import type { PaymentUnderWay, Schedule } from '../schedules/schedule.ts';
import { STOPPED, type StopCode } from './order-decision.ts';
import { endAttempts } from './outcomes.ts';
import type { RecordedRow } from './payment.ts';

type Stoppable = RecordedRow & { status: 'pending' | 'processing' };

/**
 * A no to the payments of a locked schedule. Those with nothing at the bank end now, whether they wait or were just taken up;
 * those of which an order may be with the bank are marked: no other order follows, and they run to their end.
 */
export async function stopPayments(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  { merchantId, scheduleId }: Pick<Schedule, 'merchantId' | 'scheduleId'>,
  code: StopCode,
): Promise<void> {
  const rows = await tx.rows<Stoppable>(
    `SELECT merchant_id, payment_id, schedule_id, wallet_id, amount_pence, currency, attempts, manual, status FROM payments
     WHERE merchant_id = $1 AND schedule_id = $2 AND status IN ('pending', 'processing') AND stage IN ('submit', 'track')
     ORDER BY payment_id FOR UPDATE`,
    [merchantId, scheduleId],
  );
  if (rows.length === 0) return;
  const begun = rows.filter((row) => row.status === 'processing');
  const unsent = await endUnsent(tx, now, begun, code);
  const failure = { code, message: STOPPED[code] };
  const end = (some: readonly Stoppable[], from: Stoppable['status']): Promise<void> =>
    endAttempts(
      platform,
      tx,
      now,
      some.map((row) => ({ row, failure, isStopped: true, retry: { none: 'stopped' as const } })),
      from,
    );
  await end(
    rows.filter((row) => row.status === 'pending'),
    'pending',
  );
  await end(
    begun.filter((row) => unsent.has(row.payment_id)),
    'processing',
  );
  await tx.run(
    `UPDATE payments SET stopped_by = $3
     WHERE merchant_id = $1 AND payment_id = ANY ($2) AND status = 'processing' AND stopped_by IS NULL`,
    [merchantId, begun.map((row) => row.payment_id), code],
  );
}

/** Ends attempts that were taken up and not sent; returns their payments. No order is noted while the schedule is locked. */
async function endUnsent(
  tx: Tx,
  now: Temporal.Instant,
  begun: readonly Stoppable[],
  code: StopCode,
): Promise<Set<string>> {
  if (begun.length === 0) return new Set();
  const rows = await tx.rows<{ payment_id: string }>(
    `UPDATE attempts a SET status = 'failed', finished_at = $4, error_code = $5, error_message = $6
     FROM unnest($1::text[], $2::text[], $3::int[]) AS r (merchant_id, payment_id, attempt)
     WHERE a.merchant_id = r.merchant_id AND a.payment_id = r.payment_id AND a.number = r.attempt
       AND a.sent_at IS NULL AND a.status = 'started'
     RETURNING a.payment_id`,
    [
      begun.map((row) => row.merchant_id),
      begun.map((row) => row.payment_id),
      begun.map((row) => row.attempts),
      now,
      code,
      STOPPED[code],
    ],
  );
  return new Set(rows.map((row) => row.payment_id));
}

/** What may still arrive of schedules, the earliest first: an order may be with the bank, or the money has come. */
export async function findUnderWay(
  tx: Tx,
  merchantId: string,
  scheduleIds: readonly string[],
): Promise<PaymentUnderWay[]> {
  const rows = await tx.rows<{
    payment_id: string;
    amount_pence: number;
    currency: string;
    due_date: Temporal.Instant;
  }>(
    `SELECT p.payment_id, p.amount_pence, p.currency, p.due_date FROM payments p
     WHERE p.merchant_id = $1 AND p.schedule_id = ANY ($2) AND p.status = 'processing'
       AND (p.stage <> 'submit' OR EXISTS (SELECT 1 FROM attempts a WHERE a.merchant_id = p.merchant_id
         AND a.payment_id = p.payment_id AND a.number = p.attempts AND a.sent_at IS NOT NULL))
     ORDER BY p.due_date, p.payment_id`,
    [merchantId, scheduleIds],
  );
  return rows.map((row) => ({
    id: row.payment_id,
    amount: { value: row.amount_pence, currency: row.currency },
    due_date: formatInstant(row.due_date),
  }));
}
