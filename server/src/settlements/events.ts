import Type from 'typebox';
import { Amount, Described, Failure, Id, Instant, Text } from '../platform/http/schemas/schemas.ts';
import type { EventDescriptions } from '../platform/state/events.ts';

const about = {
  settlement_id: Id('set', 'The settlement.'),
  amount: Described(Amount, 'What it pays out.'),
  statement_reference: Text('What stands on your bank statement.'),
  destination_account: Type.Object(
    {
      account_number: Text('The account number, 8 digits.'),
      sort_code: Text('The sort code, 6 digits.'),
    },
    { description: 'The account that it is paid to.' },
  ),
};

/** The events about a settlement: docs/rules/webhooks.md#event-kinds. */
export const SETTLEMENT_EVENTS = {
  'settlement.success': {
    description: 'a settlement was paid out to your bank account',
    data: Type.Object({ ...about, completed_at: Described(Instant, 'When it was paid out.') }),
  },
  'settlement.failed': {
    description:
      'a settlement was not paid out, or came back (`payout_returned`). Its money is in your wallet',
    data: Type.Object({
      ...about,
      error: Described(Failure, 'Why it failed, or came back.'),
      failed_at: Described(Instant, 'When it failed, or came back.'),
    }),
  },
} satisfies EventDescriptions;
