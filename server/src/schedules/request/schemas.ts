import Type, { type Static } from 'typebox';
import { CustomerAnswer, CustomerInputSchema, PayingAccount } from '../../customers/schemas.ts';
import { shownAs } from '../../platform/http/openapi/components.ts';
import {
  Amount,
  Fields,
  Id,
  IdParams,
  Instant,
  InstantInput,
  NamedObject,
  OneOf,
  OrNull,
} from '../../platform/http/schemas/schemas.ts';
import { PERIODS } from '../limits/limits.ts';
import { AMOUNT_MODES } from '../terms/schedule.ts';
import { NON_WORKING_DAYS } from '../terms/working-day.ts';
import { FrequencyAnswer, FrequencyInputSchema } from './frequency-schemas.ts';
import { Metadata } from './metadata-schema.ts';

const AmountPerPeriod = Type.Object(
  {
    value: { ...Amount.properties.value, maximum: Number.MAX_SAFE_INTEGER },
    currency: Amount.properties.currency,
  },
  {
    title: 'AmountPerPeriod',
    additionalProperties: false,
    description: 'An amount of money that several payments may make up.',
  },
);

const LimitsAnswer = Type.Object(
  { per_payment: Amount, per_period: AmountPerPeriod, period: OneOf(PERIODS) },
  {
    title: 'Limits',
    description: 'The most that one payment, and all payments of one period, may take.',
  },
);

/** The limits in requests: each may be left out. */
const LimitsInput = Type.Object(
  {
    per_payment: Type.Optional(OrNull(Amount)),
    per_period: Type.Optional(OrNull(AmountPerPeriod)),
    period: Type.Optional(
      OneOf(PERIODS, 'Follows from the frequency: as it was read, or left out.'),
    ),
  },
  {
    title: 'LimitsInput',
    additionalProperties: false,
    description:
      'The most that one payment, and all payments of one period, may take; null, or left out on create: what the terms need.',
  },
);

const ConsentNotice = Type.Object(
  { kind: OneOf(['in_doubt', 'reauthentication_needed', 'limits_changed']), since: Instant },
  {
    title: 'ConsentNotice',
    description:
      'What keeps, or may keep, the consent from being used: the bank says that it is over and is asked again, the bank wants ' +
      'the customer to confirm it again (on the page of portal_url; nothing is collected until then), or the customer ' +
      'changed the limits at the bank and the schedule no longer fits. Null: nothing.',
  },
);

export const Status = OneOf(['pending_consent', 'active', 'paused', 'cancelled']);

const Reference = Type.String({
  minLength: 6,
  maxLength: 18,
  description: 'What the customer’s bank statement shows. Default: the end of the schedule’s id.',
  examples: ['FERNHILL 0042'],
});

/** The schedule in responses: docs/rules/schedules.md#the-schedule-object. */
export const ScheduleAnswer = NamedObject('Schedule', {
  id: Id('sch'),
  status: Status,
  amount: Amount,
  frequency: FrequencyAnswer,
  customer: CustomerAnswer,
  description: Type.String({ examples: ['Broadband'] }),
  metadata: OrNull(Metadata),
  start_date: OrNull(Instant),
  end_date: OrNull(Instant),
  max_retries: Type.Integer({ minimum: 0, maximum: 10, examples: [3] }),
  reference: Type.String({
    description: 'What the customer’s bank statement shows.',
    examples: ['FERNHILL 0042'],
  }),
  limits: LimitsAnswer,
  amount_mode: OneOf(AMOUNT_MODES),
  non_working_day: OneOf(NON_WORKING_DAYS),
  next_payment_date: OrNull({
    ...Instant,
    description:
      'The first coming occurrence that is not skipped, or an ad-hoc payment that is due before it.',
  }),
  resume_at: OrNull(Instant),
  created_at: Instant,
  consented: OrNull(
    NamedObject('ConsentedTerms', {
      amount: Amount,
      frequency: FrequencyAnswer,
      end_date: OrNull(Instant),
    }),
  ),
  paying_account: OrNull(PayingAccount),
  consent_notice: OrNull(ConsentNotice),
  consent_url: Type.Optional(
    Type.String({
      description: 'The link where the customer agrees; there while a consent waits for them.',
      examples: ['http://localhost:4000/consent/3yQm0c6vZsHk1t8…'],
    }),
  ),
  portal_url: Type.Optional(
    Type.String({
      description:
        "The customer's page, there once a consent was granted. Whoever has it can stop the payments.",
      examples: ['http://localhost:4000/consent/3yQm0c6vZsHk1t8…'],
    }),
  ),
  payments_under_way: Type.Optional(
    Type.Array(
      NamedObject('PaymentUnderWay', { id: Id('pay'), amount: Amount, due_date: Instant }),
      {
        description:
          'Of a single schedule that is paused or cancelled: payments that the bank had already been asked for, and that may still arrive.',
      },
    ),
  ),
});

const NonWorkingDay = OneOf(
  NON_WORKING_DAYS,
  'Where a collection goes that falls on a weekend or a bank holiday of England and Wales. Default: same.',
);

const changeable = {
  description: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'What the payment is for, as the customer reads it.',
    examples: ['Broadband'],
  }),
  metadata: OrNull(Metadata),
  max_retries: Type.Integer({
    minimum: 0,
    maximum: 10,
    description: 'How often a failed payment is tried again. Default: 3.',
  }),
  reference: OrNull(Reference),
  limits: OrNull(LimitsInput),
  non_working_day: NonWorkingDay,
  amount_mode: OneOf(
    AMOUNT_MODES,
    'per_occurrence: `amount` is the most that one payment takes, and one whose amount was not set is skipped.',
  ),
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
  reference: Type.Optional(changeable.reference),
  limits: Type.Optional(changeable.limits),
  amount_mode: Type.Optional(changeable.amount_mode),
  non_working_day: Type.Optional(changeable.non_working_day),
});

const ResumeAt = Type.String({
  ...InstantInput,
  description:
    'With `status: "paused"`: when the schedule resumes automatically. Null: only by hand.',
});

export const UpdateSchema = Fields({
  amount: Type.Optional(Amount),
  frequency: Type.Optional(FrequencyInputSchema),
  description: Type.Optional(changeable.description),
  metadata: Type.Optional(changeable.metadata),
  start_date: Type.Optional(InstantInput),
  end_date: Type.Optional(OrNull(InstantInput)),
  max_retries: Type.Optional(changeable.max_retries),
  reference: Type.Optional(changeable.reference),
  limits: Type.Optional(changeable.limits),
  amount_mode: Type.Optional(changeable.amount_mode),
  non_working_day: Type.Optional(changeable.non_working_day),
  status: Type.Optional(OneOf(['active', 'paused', 'cancelled'])),
  resume_at: Type.Optional(OrNull(ResumeAt)),
});

/** A coming occurrence in responses. */
export const OccurrenceAnswer = NamedObject('Occurrence', {
  due_date: Instant,
  amount: OrNull(Amount),
  skipped: Type.Boolean(),
  changed: Type.Boolean({ description: 'Whether something was set for this occurrence.' }),
  reason: OrNull(Type.String()),
});

export const UpcomingAnswer = Type.Object({ data: Type.Array(OccurrenceAnswer) });

/** What is asked of a coming occurrence: an amount, or to skip it. */
export type OccurrenceBody = { amount: Static<typeof Amount> } | { skip: true };

const Skip = Type.Literal(true);

/** What is set for a coming occurrence: one of the two, which `occurrenceErrors` checks. */
export const OccurrenceInput = Type.Unsafe<OccurrenceBody>({
  ...Fields({ amount: Type.Optional(Amount), skip: Type.Optional(Skip) }),
  ...shownAs({
    title: 'OccurrenceChange',
    description: 'What the occurrence collects, or that it is left out.',
    oneOf: [Fields({ amount: Amount }), Fields({ skip: Skip })],
    examples: [{ amount: { value: 4210, currency: 'GBP' } }],
  }),
});

export const OccurrenceParams = Type.Object({
  id: IdParams.properties.id,
  due_date: Type.String({
    maxLength: 64,
    description: 'As `upcoming` shows it.',
    examples: ['2026-05-01T08:00:00.000Z'],
  }),
});
