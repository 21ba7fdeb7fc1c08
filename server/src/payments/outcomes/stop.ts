import type { Work } from '../../platform/platform.ts';
import type { Schedule } from '../../schedules/terms/schedule.ts';
import { stopUnsent } from '../books/attempt-store.ts';
import { findPaidAttempts } from '../books/candidate-store.ts';
import { moveToRetryOrFailed } from '../books/payment-store.ts';
import { lockStoppable, markStopped, type Stoppable } from '../books/queue-store.ts';
import { STOPPED, type StopCode } from '../payment/attempt.ts';
import { payFromEarlier } from './record-item.ts';

/**
 * Stops the payments of a locked schedule. Those with nothing at the bank end now, whether they are waiting or were just claimed;
 * those whose order may be with the bank are marked: no other order follows, and they run to their end. A payment that ends while
 * the money of an earlier attempt is on the unallocated list is paid with it.
 */
export async function stopPayments(
  work: Work,
  { merchantId, scheduleId }: Pick<Schedule, 'merchantId' | 'scheduleId'>,
  code: StopCode,
): Promise<void> {
  const rows = await lockStoppable(work.tx, merchantId, scheduleId);
  if (rows.length === 0) return;
  const begun = rows.filter((row) => row.status === 'processing');
  const attempts = begun.map((row) => ({ ref: row }));
  const unsent = await stopUnsent(work.tx, work.now, attempts, code);
  const failure = { code, message: STOPPED[code] };
  const end = (some: readonly Stoppable[], from: Stoppable['status']): Promise<void> =>
    moveToRetryOrFailed(
      work,
      some.map((row) => ({ row, failure, isStopped: true, retry: { none: 'stopped' as const } })),
      from,
    );
  await end(
    rows.filter((row) => row.status === 'pending'),
    'pending',
  );
  const ended = begun.filter((row) => unsent.has(row.paymentId));
  await end(ended, 'processing');
  const paid = await findPaidAttempts(work.tx, ended);
  for (const row of ended) {
    const late = paid.get(row.paymentId);
    if (late !== undefined) await payFromEarlier(work, row, late);
  }
  await markStopped(work.tx, merchantId, begun, code);
}
