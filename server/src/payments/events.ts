import Type from 'typebox';
import type { EventDescriptions } from '../platform/events.ts';
import { Amount, Failure, Instant, OneOf, OrNull } from '../platform/http/schemas.ts';
import { NO_RETRY_REASONS } from './payment.ts';

const about = { payment_id: Type.String(), schedule_id: Type.String(), amount: Amount };

/** What merchants are told of a collection (SPEC, "Event kinds"; DECISIONS, "Webhooks"). */
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
} satisfies EventDescriptions;
