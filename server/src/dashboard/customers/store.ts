import type { Tx } from '../../platform/db/db.ts';

export interface ScheduleCounts {
  customerId: string;
  active: number;
  total: number;
}

/** Returns the number of schedules per customer; customers without any are absent. */
export async function countSchedules(
  tx: Tx,
  merchantId: string,
  customerIds: readonly string[],
): Promise<Map<string, ScheduleCounts>> {
  const rows = await tx.rows<ScheduleCounts>(
    `SELECT customer_id, count(*) FILTER (WHERE status = 'active') AS active, count(*) AS total
     FROM schedules WHERE merchant_id = $1 AND customer_id = ANY($2::text[]) GROUP BY customer_id`,
    [merchantId, customerIds],
  );
  return new Map(rows.map((row) => [row.customerId, row]));
}

/** Returns the sums of a customer's payments that succeeded and that finally failed. */
export async function sumPayments(
  tx: Tx,
  merchantId: string,
  customerId: string,
): Promise<{ status: 'success' | 'failed'; value: number; count: number }[]> {
  return tx.rows(
    `SELECT p.status, sum(p.amount_pence)::bigint AS value, count(*) AS count
     FROM schedules s JOIN payments p ON p.merchant_id = s.merchant_id AND p.schedule_id = s.schedule_id
     WHERE s.merchant_id = $1 AND s.customer_id = $2 AND p.status IN ('success', 'failed') GROUP BY p.status`,
    [merchantId, customerId],
  );
}

export interface CustomerWallet {
  walletId: string;
  status: 'planned' | 'reserved' | 'open' | 'closing' | 'closed';
  balancePence: number;
}

/** Returns a customer's wallet in use, with its balance in our ledger. */
export function findCustomerWallet(
  tx: Tx,
  merchantId: string,
  customerId: string,
): Promise<CustomerWallet | null> {
  return tx.row<CustomerWallet>(
    `SELECT w.wallet_id, w.status, coalesce(a.balance_pence, 0) AS balance_pence
     FROM wallets w LEFT JOIN accounts a ON a.merchant_id = w.merchant_id AND a.account_id = w.wallet_id
     WHERE w.merchant_id = $1 AND coalesce(w.customer_id, '') = $2 AND w.status IN ('planned', 'reserved', 'open')`,
    [merchantId, customerId],
  );
}
