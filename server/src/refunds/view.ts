import { formatInstant } from '../platform/calendar.ts';
import type { Amount } from '../platform/money.ts';
import type { RefundStatus } from './refund.ts';
import type { RefundRow } from './store.ts';

/** A refund as the API shows it: docs/rules/refunds.md#the-refund-object. */
export interface RefundView {
  id: string;
  payment_id: string;
  amount: Amount;
  status: RefundStatus;
  reason: string | null;
  error: { code: string; message: string } | null;
  created_at: string;
  completed_at: string | null;
  failed_at: string | null;
}

/** Returns a refund in the only form in which it leaves the service. */
export function viewRefund(row: RefundRow): RefundView {
  return {
    id: row.refund_id,
    payment_id: row.payment_id,
    amount: { value: row.amount_pence, currency: row.currency },
    status: row.status,
    reason: row.reason,
    error:
      row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
    created_at: formatInstant(row.created_at),
    completed_at: formatInstant(row.completed_at),
    failed_at: formatInstant(row.failed_at),
  };
}
