import Type, { type Static } from 'typebox';
import { CONSENT_STATUSES } from '../../consents/consent.ts';
import { Amount, Instant, ListOf, OneOf, OrNull } from '../../platform/http/schemas/schemas.ts';
import { OccurrenceAnswer } from '../../schedules/request/occurrence-schemas.ts';
import { Warnings } from '../../schedules/request/schemas.ts';
import { Actor } from '../actor.ts';

/** A customer in one line. */
export const CustomerLabel = Type.Object({
  id: Type.String(),
  label: Type.String({
    description: 'The name, else the phone number, or sort code and account number.',
  }),
});

/** What a form's terms would collect. */
export const TermsPreview = Type.Object({
  frequency_text: Type.String(),
  warnings: Warnings,
  occurrences: Type.Array(OccurrenceAnswer),
  statement_name: Type.String(),
  reference: OrNull(
    Type.String(),
    'The default reference on the statement. Null: the statement name, and a code of the schedule’s id.',
  ),
});
export type TermsPreview = Static<typeof TermsPreview>;

/** What a change of a schedule would need and do. */
export const ChangePreview = Type.Object({
  needs: OneOf(['nothing', 'new_consent'] as const),
  reason: Type.String({ description: 'Why, for people.' }),
  frequency_text: Type.String(),
  warnings: Warnings,
  occurrences: Type.Array(OccurrenceAnswer),
});
export type ChangePreview = Static<typeof ChangePreview>;

const TimelineEntry = Type.Object({
  at: Instant,
  kind: OneOf(['state_change', 'event'] as const),
  object_id: Type.String(),
  object: OneOf([
    'schedule',
    'consent',
    'payment',
    'wallet',
    'settlement',
    'refund',
    'dispute',
    'notice',
    'other',
  ] as const),
  title: Type.String({ description: 'What happened, in a sentence.' }),
  reason: OrNull(Type.String({ description: 'Why.' })),
  from: OrNull(Type.String()),
  to: OrNull(Type.String()),
  actor: OrNull(Actor),
  event: OrNull(
    Type.Object({
      id: Type.String(),
      kind: Type.String(),
      delivery: OneOf(['delivered', 'pending', 'failed', 'held', 'no_endpoint'] as const),
    }),
  ),
});
/** Everything that happened to a schedule and its objects, newest first. */
export const TimelineList = ListOf(TimelineEntry);
export type TimelineEntry = Static<typeof TimelineEntry>;
export type TimelineList = Static<typeof TimelineList>;

const Pence = Type.Integer({ description: 'In pence.' });
const Limit = Type.Object({
  period: OneOf(['payment', 'day', 'week', 'fortnight', 'month', 'half_year', 'year'] as const),
  alignment: OrNull(OneOf(['calendar', 'consent'] as const)),
  amount: Pence,
  used: OrNull(Pence),
  planned: OrNull(
    Type.Integer({
      description: 'In pence: what waits to be sent or is still to come; it is not used.',
    }),
  ),
  left: OrNull(Pence),
  from: OrNull(Instant),
  to: OrNull(Instant),
});

/**
 * The consent of a schedule: how often it collects, in words, the open link, the agreement at the bank, and past consents; and
 * whether the schedule is failing, as its list says, and whether its customer can be sent a link.
 */
export const ScheduleConsent = Type.Object({
  is_failing: Type.Boolean(),
  is_reachable: Type.Boolean({ description: 'Whether the customer can be sent a link.' }),
  frequency_text: Type.String({ examples: ['every year on 15 March'] }),
  consented_frequency_text: OrNull(Type.String({ description: 'Of the terms agreed to.' })),
  live: OrNull(
    Type.Object(
      { amount: Amount, frequency_text: Type.String() },
      {
        description: 'What is collected while other terms wait for the customer; null: none wait.',
      },
    ),
  ),
  link: OrNull(
    Type.Object({
      url: Type.String(),
      expires_at: Instant,
      is_for_another_account: Type.Boolean({
        description: 'Whether the customer was asked to pay from another account.',
      }),
    }),
  ),
  agreement: OrNull(
    Type.Object({
      consent_id: Type.String(),
      bank: Type.Object({ id: Type.String(), name: Type.String() }),
      bank_consent_id: OrNull(Type.String()),
      granted_at: OrNull(Instant),
      begins_at: OrNull(Instant, 'When something can first be collected. Null: now.'),
      valid_to: OrNull(Instant),
      limits: Type.Array(Limit),
      schedules: Type.Array(Type.String(), { description: 'Those that collect under it.' }),
    }),
  ),
  history: Type.Array(
    Type.Object({
      consent_id: Type.String(),
      status: OneOf(CONSENT_STATUSES),
      bank: OrNull(Type.Object({ id: Type.String(), name: Type.String() })),
      created_at: Instant,
      granted_at: OrNull(Instant),
      ended_at: OrNull(Instant),
    }),
  ),
});
export type ScheduleConsent = Static<typeof ScheduleConsent>;

/** The link to a customer's page. */
export const PortalLink = Type.Object({ url: Type.String() });
export type PortalLink = Static<typeof PortalLink>;

/** A reminder of the consent that waits for the customer. */
export const Reminded = Type.Object({
  is_sent: Type.Boolean({
    description: 'False: this service has no mail server and keeps emails.',
  }),
  by: OneOf(['email', 'text'] as const),
});
export type Reminded = Static<typeof Reminded>;
