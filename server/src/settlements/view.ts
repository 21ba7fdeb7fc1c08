import { formatInstant } from '../platform/calendar.ts';
import type { Amount } from '../platform/money.ts';
import type { Destination, SettlementStatus } from './settlement.ts';
import type { SettlementRow } from './store.ts';

/** A settlement as the API shows it. */
export interface SettlementView {
  id: string;
  status: SettlementStatus;
  /** The amount paid out: `gross` less `refunds`, `fees` and `carried`. */
  amount: Amount;
  gross: Amount;
  refunds: Amount;
  fees: Amount;
  carried: Amount;
  /** The business day, in London, on which it is paid out. */
  settlement_date: string;
  destination_account: { account_number: string; sort_code: string; name: string };
  attempts: number;
  error: { code: string; message: string } | null;
  created_at: string;
  completed_at: string | null;
  failed_at: string | null;
}

/** Returns a settlement in the only form in which it leaves the service. */
export function viewSettlement(row: SettlementRow, destination: Destination): SettlementView {
  const { sortCode, accountNumber, name } = destination;
  const money = (value: number): Amount => ({ value, currency: row.currency });
  return {
    id: row.settlement_id,
    status: row.status,
    amount: money(row.amount_pence),
    gross: money(row.gross_pence),
    refunds: money(row.refunds_pence),
    fees: money(row.fees_pence),
    carried: money(row.carried_pence),
    settlement_date: row.settle_date.toString(),
    destination_account: { account_number: accountNumber, sort_code: sortCode, name },
    attempts: row.attempts,
    error:
      row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
    created_at: formatInstant(row.created_at),
    completed_at: formatInstant(row.completed_at),
    failed_at: formatInstant(row.failed_at),
  };
}
