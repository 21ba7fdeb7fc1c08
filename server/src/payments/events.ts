import Type from 'typebox';
import type { EventDescriptions } from '../platform/events.ts';
import { Amount, Failure, Instant, OneOf, OrNull } from '../platform/http/schemas.ts';
import { NO_RETRY_REASONS } from './payment.ts';

const about = { payment_id: Type.String(), schedule_id: Type.String(), amount: Amount };

/** The events about a payment: docs/rules/webhooks.md#event-kinds. */
export const PAYMENT_EVENTS = {
  'collection.success': {
    tells: "The money is in the merchant's wallet",
    data: Type.Object({ ...about, completed_at: Instant }),
  },
  'collection.failed': {
    tells: 'An attempt failed; `next_retry_at` is null on the last',
    data: Type.Object({
      ...about,
      error: Failure,
      failed_at: Instant,
      attempt: Type.Integer({
        description: 'The last one made, counted from 1; 0 where none was.',
      }),
      next_retry_at: OrNull(Instant),
      no_retry_reason: OrNull(OneOf(NO_RETRY_REASONS)),
      reason: Type.Optional(
        OneOf(
          ['stopped'],
          'There where a cancellation, a pause or a withdrawal ended the payment.',
        ),
      ),
    }),
  },
  'collection.returned': {
    tells: 'The money was recalled after the success of the collection, and the merchant owes it',
    data: Type.Object({ ...about, reason: Type.String(), returned_at: Instant }),
  },
  'payment.unexpected_money': {
    tells:
      'Money arrived that may belong to this payment and that it does not wait for, or somebody decided what becomes of it',
    data: Type.Object({
      id: Type.String({
        description: 'Of the money: it is told again under the same id when it is decided on.',
      }),
      ...about,
      status: OneOf(['open', 'allocated', 'accepted_in_part', 'returned', 'paid_on']),
      reason: OneOf([
        'nothing_awaited',
        'another_amount',
        'another_wallet',
        'paid_already',
        'later_attempt',
        'left_over',
      ]),
      arrived_at: Instant,
    }),
  },
} satisfies EventDescriptions;
