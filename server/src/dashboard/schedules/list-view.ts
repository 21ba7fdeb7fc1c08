import Type, { type Static } from 'typebox';
import { PAYMENT_STATUSES } from '../../payments/payment/payment.ts';
import { Amount, Instant, OneOf, OrNull } from '../../platform/http/schemas/schemas.ts';
import type { ScheduleView } from '../../schedules/change/view.ts';

const Frequency = Type.Object({
  type: OneOf(['daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const),
  day: Type.Optional(Type.Integer()),
  interval: Type.Integer(),
});

const ListedTerms = Type.Object({
  amount: Amount,
  frequency: Frequency,
  frequency_text: Type.String({ examples: ['every month on the 1st'] }),
});

/** What the list of schedules shows beside the API's view of each. */
export const ScheduleShown = Type.Object({
  is_failing: Type.Boolean({
    description: 'Active, and the latest collection that has ended failed.',
  }),
  terms: { ...ListedTerms, description: 'What is collected.' },
  asked: OrNull({ ...ListedTerms, description: 'Other terms that wait for the customer.' }),
  customer: Type.String({ description: 'The name, else the number.' }),
  last_payment: OrNull(
    Type.Object({ id: Type.String(), status: OneOf(PAYMENT_STATUSES), due_date: Instant }),
  ),
  consent_waiting: Type.Boolean({ description: 'A consent waits for the customer.' }),
});
export type ScheduleShown = Static<typeof ScheduleShown>;
export type ScheduleItem = ScheduleView & { shown: ScheduleShown };
