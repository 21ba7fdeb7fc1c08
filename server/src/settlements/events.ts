import Type from 'typebox';
import { Amount, Failure, Id, Instant } from '../platform/http/schemas/schemas.ts';
import type { EventDescriptions } from '../platform/state/events.ts';

const about = {
  settlement_id: Id('set'),
  amount: Amount,
  destination_account: Type.Object({ account_number: Type.String(), sort_code: Type.String() }),
};

/** The events about a settlement: docs/rules/webhooks.md#event-kinds. */
export const SETTLEMENT_EVENTS = {
  'settlement.success': {
    description: "A day's money is in the merchant's bank account",
    data: Type.Object({ ...about, completed_at: Instant }),
  },
  'settlement.failed': {
    description:
      "It was not paid out, or came back (`payout_returned`), and is in the merchant's wallet",
    data: Type.Object({ ...about, error: Failure, failed_at: Instant }),
  },
} satisfies EventDescriptions;
