import Type, { type Static } from 'typebox';
import {
  Amount,
  AmountOrZero,
  Described,
  Failure,
  Id,
  Instant,
  NamedObject,
  OneOf,
  OrNull,
  SignedAmount,
  Text,
} from '../platform/http/schemas/schemas.ts';
import { formatInstant } from '../platform/time/calendar.ts';
import { type Destination, SETTLEMENT_STATUSES, statementReference } from './settlement.ts';
import type { SettlementRow } from './store.ts';

/** A settlement as the API shows it. */
export const SettlementAnswer = NamedObject(
  'Settlement',
  {
    id: Id('set', 'The settlement’s id.'),
    status: OneOf(
      SETTLEMENT_STATUSES,
      '`pending`: not ordered yet, or your pay-outs are on hold. `processing`: with the e-money issuer. `success`: paid ' +
        'out. `failed`: not paid out, or it came back; its money is in your wallet, and goes out with the next settlement ' +
        'or by a retry.',
    ),
    amount: Described(Amount, 'What is paid out: `gross` less `refunds`, `fees` and `carried`.'),
    gross: Described(AmountOrZero, 'The sum of its payments.'),
    refunds: Described(
      SignedAmount,
      'What refunds took since the settlement before; below zero where failed refunds gave back more.',
    ),
    fees: Described(AmountOrZero, 'The sum of the fees of its payments.'),
    carried: Described(AmountOrZero, 'What you owed for recalled payments, netted here.'),
    settlement_date: Type.String({
      format: 'date',
      description: 'The business day on which it is paid out, in London.',
    }),
    statement_reference: Type.String({
      description:
        'What stands on your bank statement: the same for every attempt, and of this settlement alone. Where the issuer has ' +
        'the pay-out under another one, it is that one. Capitals and digits; that of a pay-out of long ago may have small letters.',
      minLength: 6,
      maxLength: 18,
      pattern: '^[A-Za-z0-9]*$',
      examples: ['S260330K7M2Q9XB'],
    }),
    destination_account: NamedObject(
      'DestinationAccount',
      {
        account_number: Type.String({
          description: 'The account number, 8 digits.',
          examples: ['66374958'],
        }),
        sort_code: Type.String({ description: 'The sort code, 6 digits.', examples: ['089999'] }),
        name: Text('The account holder’s name.'),
      },
      'The account that a settlement is paid to.',
    ),
    attempts: Type.Integer({ minimum: 0, description: 'How many times a pay-out was begun.' }),
    error: OrNull(
      Failure,
      'Why it failed, such as `invalid_account`, or `payout_returned` where it came back; `amount_differs` while the operator clears up what the issuer paid. Null: nothing is wrong.',
    ),
    created_at: Described(Instant, 'When it was opened. Its payments are fixed from then on.'),
    completed_at: OrNull(Instant, 'When it was paid out. Null: it was not.'),
    failed_at: OrNull(Instant, 'When it failed, or came back. Null: it has not.'),
  },
  'The payments of one business day, paid out to you together on the next. A day with more than £1,000,000.00 has several.',
);
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
    statement_reference: statementReference(row),
    destination_account: { account_number: accountNumber, sort_code: sortCode, name },
    attempts: row.attempts,
    error: row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage ?? '' },
    created_at: formatInstant(row.createdAt),
    completed_at: formatInstant(row.completedAt),
    failed_at: formatInstant(row.failedAt),
  };
}
