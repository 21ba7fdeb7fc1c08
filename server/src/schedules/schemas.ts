import Type from 'typebox';
import { Amount, Fields, Instant, InstantInput, OneOf, OrNull } from '../platform/http/schemas.ts';
import { PERIODS } from './limits.ts';

const FREQUENCY_TYPES = ['daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const;

/** The frequency in responses: docs/rules/schedules.md#frequency. */
export const FrequencyAnswer = Type.Object(
  {
    type: OneOf(FREQUENCY_TYPES),
    day: Type.Optional(
      Type.Integer({
        description: 'Day of the month, or of the week (1 = Monday); absent for daily.',
      }),
    ),
    interval: Type.Integer(),
  },
  { description: 'How often is collected.' },
);

/** The frequency in requests: the object, or the type alone. Its fields are checked separately. */
const FrequencyInputSchema = Type.Unsafe<
  | (typeof FREQUENCY_TYPES)[number]
  | { type: (typeof FREQUENCY_TYPES)[number]; day?: number; interval?: number }
>({
  description: 'The object, or its type alone.',
  anyOf: [
    { type: 'string' },
    {
      type: 'object',
      properties: {
        type: { type: 'string', enum: [...FREQUENCY_TYPES] },
        day: { type: 'integer', minimum: 1, maximum: 31 },
        interval: { type: 'integer', minimum: 1 },
      },
    },
    {},
  ],
});

/** The customer in requests: one of the three forms, or the shorthand; checked separately. */
const CustomerInputSchema = Type.Unsafe<unknown>({
  description:
    '`{"type":"phone","value":"+44…"}`, `{"type":"bank_account","account_number":"…","sort_code":"…"}`, `{"type":"user_id","value":"cus_…"}` or `{"phone":"+44…"}`.',
});

const CustomerAnswer = Type.Object({
  id: Type.String(),
  type: OneOf(['phone', 'bank_account', 'user_id']),
  value: Type.Optional(Type.String()),
  account_number: Type.Optional(Type.String()),
  sort_code: Type.Optional(Type.String()),
});

const Metadata = Type.Record(Type.String(), Type.Unknown());

/** The paying account: only the last digits of its number. */
export const PayingAccount = Type.Object(
  { sort_code: Type.String(), account_number: Type.String() },
  {
    description: 'The account that pays, masked; null before it is known.',
    examples: [{ sort_code: '**-**-**', account_number: '****4958' }],
  },
);

const LimitsAnswer = Type.Object(
  { per_payment: Amount, per_period: Amount, period: OneOf(PERIODS) },
  { description: 'The most that one payment, and all payments of one period, may take.' },
);

/** The limits in requests: each may be left out. */
const LimitsInput = Fields(
  {
    per_payment: Type.Optional(OrNull(Amount)),
    per_period: Type.Optional(OrNull(Amount)),
    period: Type.Optional(
      OneOf(PERIODS, 'Follows from the frequency: as it was read, or left out.'),
    ),
  },
  'The most that one payment, and all payments of one period, may take; null, or left out on create: what the terms need.',
);

const ConsentNotice = Type.Object(
  { kind: OneOf(['in_doubt', 'reauthentication_needed', 'limits_changed']), since: Instant },
  {
    description:
      'What keeps, or may keep, the consent from being used: the bank says that it is over and is asked again, the bank wants ' +
      'the customer to authenticate again, or the customer changed the limits at the bank and the schedule no longer fits. ' +
      'Null: nothing.',
  },
);

export const Status = OneOf(['pending_consent', 'active', 'paused', 'cancelled']);

/** The schedule in responses: docs/rules/schedules.md#the-schedule-object. */
export const ScheduleAnswer = Type.Object({
  id: Type.String(),
  status: Status,
  amount: Amount,
  frequency: FrequencyAnswer,
  customer: CustomerAnswer,
  description: Type.String(),
  metadata: OrNull(Metadata),
  start_date: OrNull(Instant),
  end_date: OrNull(Instant),
  max_retries: Type.Integer(),
  limits: LimitsAnswer,
  next_payment_date: OrNull(Instant),
  created_at: Instant,
  consented: OrNull(
    Type.Object({ amount: Amount, frequency: FrequencyAnswer, end_date: OrNull(Instant) }),
  ),
  paying_account: OrNull(PayingAccount),
  consent_notice: OrNull(ConsentNotice),
  consent_url: Type.Optional(Type.String()),
  payments_under_way: Type.Optional(
    Type.Array(Type.Object({ id: Type.String(), amount: Amount, due_date: Instant }), {
      description:
        'Of a single schedule that is paused or cancelled: payments that the bank had already been asked for, and that may still arrive.',
    }),
  ),
});

const changeable = {
  description: Type.String({ minLength: 1, maxLength: 255 }),
  metadata: OrNull(Metadata),
  max_retries: Type.Integer({ minimum: 0, maximum: 10 }),
  limits: OrNull(LimitsInput),
};

export const CreateSchema = Fields({
  amount: Amount,
  frequency: FrequencyInputSchema,
  customer: CustomerInputSchema,
  description: changeable.description,
  metadata: Type.Optional(changeable.metadata),
  start_date: Type.Optional(OrNull(InstantInput)),
  end_date: Type.Optional(OrNull(InstantInput)),
  max_retries: Type.Optional(changeable.max_retries),
  limits: Type.Optional(changeable.limits),
});

export const UpdateSchema = Fields({
  amount: Type.Optional(Amount),
  frequency: Type.Optional(FrequencyInputSchema),
  description: Type.Optional(changeable.description),
  metadata: Type.Optional(changeable.metadata),
  start_date: Type.Optional(InstantInput),
  end_date: Type.Optional(OrNull(InstantInput)),
  max_retries: Type.Optional(changeable.max_retries),
  limits: Type.Optional(changeable.limits),
  status: Type.Optional(OneOf(['active', 'paused', 'cancelled'])),
});

export const UpcomingAnswer = Type.Object({
  data: Type.Array(
    Type.Object({ due_date: Instant, amount: Amount, reason: OrNull(Type.String()) }),
  ),
});
