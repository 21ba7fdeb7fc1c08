import Type, { type Static } from 'typebox';
import {
  Described,
  Instant,
  NamedObject,
  OneOf,
  OrNull,
} from '../../platform/http/schemas/schemas.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { PAYEE_REASONS, PAYEE_RESULTS, type PayeeCheck, type PayeeReason } from './payee-check.ts';

export const PayeeCheckView = NamedObject(
  'PayeeCheck',
  {
    result: OneOf(
      PAYEE_RESULTS,
      '`unavailable`: nobody could say. Whatever it is, the change takes its course.',
    ),
    bank_name: OrNull(
      Type.String(),
      'The holder’s name as the bank has it. Null: the bank tells it of a close match alone.',
    ),
    reason: OrNull(
      OneOf(Object.keys(PAYEE_REASONS) as PayeeReason[]),
      'What is known besides, or why there is no verdict. Null: nothing.',
    ),
    checked_at: Described(Instant, 'When the bank was asked.'),
  },
  'What an account’s bank said of the account holder’s name (Confirmation of Payee).',
);

/** Returns a check as everybody sees it who sees the account. */
export function viewPayeeCheck(check: PayeeCheck): Static<typeof PayeeCheckView> {
  const { result, reason, bankName, askedAt } = check;
  return { result, bank_name: bankName, reason, checked_at: formatInstant(askedAt) };
}
