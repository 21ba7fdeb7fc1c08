import Type, { type Static } from 'typebox';
import {
  Amount,
  AmountOrZero,
  Failure,
  Id,
  Instant,
  NamedObject,
  OneOf,
  OrNull,
  SignedAmount,
} from '../platform/http/schemas/schemas.ts';
import { formatInstant } from '../platform/time/calendar.ts';
import { type Destination, SETTLEMENT_STATUSES } from './settlement.ts';
import type { SettlementRow } from './store.ts';

/** A settlement as the API shows it. */
export const SettlementAnswer = NamedObject('Settlement', {
  id: Id('set'),
  status: OneOf(SETTLEMENT_STATUSES),
  amount: {
    ...Amount,
    description: 'What is paid out: `gross` less `refunds`, `fees` and `carried`.',
  },
  gross: { ...AmountOrZero, description: 'The sum of its payments.' },
  refunds: {
    ...SignedAmount,
    description: 'What your refunds took; below zero where failed refunds gave back more.',
  },
  fees: { ...AmountOrZero, description: 'The sum of the fees of its payments.' },
  carried: { ...AmountOrZero, description: 'What you owed for recalled collections, netted here.' },
  settlement_date: Type.String({
    format: 'date',
    description: 'The business day, in London, on which it is paid out.',
  }),
  destination_account: NamedObject('DestinationAccount', {
    account_number: Type.String({ examples: ['66374958'] }),
    sort_code: Type.String({ examples: ['089999'] }),
    name: Type.String(),
  }),
  attempts: Type.Integer({ minimum: 0 }),
  error: OrNull(Failure),
  created_at: Instant,
  completed_at: OrNull(Instant),
  failed_at: OrNull(Instant),
});
export type SettlementView = Static<typeof SettlementAnswer>;

/** Returns a settlement in the only form in which it leaves the service. */
export function viewSettlement(row: SettlementRow, destination: Destination): SettlementView {
  const { sortCode, accountNumber, name } = destination;
  const money = (value: number) => ({ value, currency: row.currency });
  return {
    id: row.settlementId,
    status: row.status,
    amount: money(row.amountPence),
    gross: money(row.grossPence),
    refunds: money(row.refundsPence),
    fees: money(row.feesPence),
    carried: money(row.carriedPence),
    settlement_date: row.settleDate.toString(),
    destination_account: { account_number: accountNumber, sort_code: sortCode, name },
    attempts: row.attempts,
    error: row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage ?? '' },
    created_at: formatInstant(row.createdAt),
    completed_at: formatInstant(row.completedAt),
    failed_at: formatInstant(row.failedAt),
  };
}
