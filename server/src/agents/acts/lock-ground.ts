import { findPayment, lockPayment } from '../../payments/books/read-store.ts';
import type { Tx } from '../../platform/db/db.ts';
import { findSchedule, lockSchedule, lockSchedulesUnder } from '../../schedules/books/store.ts';
import { lockInSettlement } from '../../wallets/ledger-store.ts';

type Lock = (tx: Tx, merchantId: string, id: string) => Promise<unknown>;

/** The locks of the endpoints that take more than their schedule, in the order in which these take them. */
const LOCKS: Readonly<Record<string, Lock>> = {
  async createPayment(tx, merchantId, scheduleId) {
    const schedule = await findSchedule(tx, merchantId, scheduleId);
    const consentId = schedule?.consentId ?? null;
    if (consentId !== null) await lockSchedulesUnder(tx, { merchantId, scheduleId, consentId });
    return lockSchedule(tx, merchantId, scheduleId);
  },
  async retryPayment(tx, merchantId, paymentId) {
    const payment = await findPayment(tx, merchantId, paymentId);
    if (payment !== null) await lockSchedule(tx, merchantId, payment.scheduleId);
    return lockPayment(tx, merchantId, paymentId);
  },
  async createRefund(tx, merchantId, paymentId) {
    await lockInSettlement(tx, merchantId);
    return lockPayment(tx, merchantId, paymentId);
  },
};

/**
 * Locks what an act is about, as its endpoint will: how it stands is read after that, so nothing changes between the look and
 * the act. `id`: null where the act creates something.
 */
export async function lockGround(
  tx: Tx,
  merchantId: string,
  operation: string,
  id: string | null,
): Promise<void> {
  if (id !== null) await (LOCKS[operation] ?? lockSchedule)(tx, merchantId, id);
}
