import Type from 'typebox';
import { CustomerAnswer, CustomerInputSchema, PayingAccount } from '../../customers/schemas.ts';
import {
  Amount,
  Described,
  Fields,
  Id,
  Instant,
  InstantInput,
  NamedObject,
  OneOf,
  OrNull,
} from '../../platform/http/schemas/schemas.ts';
import { PERIODS } from '../limits/limits.ts';
import { AMOUNT_MODES } from '../terms/schedule.ts';
import { NON_WORKING_DAYS } from '../terms/working-day.ts';
import { FirstPaymentAnswer, FirstPaymentInput } from './first-payment-schemas.ts';
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
    description: 'An amount of money that several payments may add up to.',
  },
);

const LimitsAnswer = NamedObject(
  'Limits',
  {
    per_payment: Described(Amount, 'The most that one payment takes.'),
    per_period: Described(
      AmountPerPeriod,
      'The most that all payments of one period take together.',
    ),
    period: OneOf(PERIODS, 'The period of `per_period`. It follows from the frequency.'),
  },
  'The most that the schedule may take. The customer sees the limits before agreeing, and the bank enforces them.',
);

/** The limits in requests: each may be left out. */
const LimitsInput = Type.Object(
  {
    per_payment: Type.Optional(
      OrNull(Amount, 'The most that one payment takes, at least `amount`. Null: `amount`.'),
    ),
    per_period: Type.Optional(
      OrNull(
        AmountPerPeriod,
        'The most that all payments of one period take together, at least what its occurrences need. Null: what they need.',
      ),
    ),
    period: Type.Optional(
      OneOf(
        PERIODS,
        'It cannot be chosen, because it follows from the frequency: leave it out, or send it as it was read.',
      ),
    ),
  },
  {
    title: 'LimitsInput',
    additionalProperties: false,
    description:
      'The most that the schedule may take. On create, a limit that is left out is what the amount and the frequency need.',
  },
);

const ConsentNotice = NamedObject(
  'ConsentNotice',
  {
    kind: OneOf(
      ['in_doubt', 'reauthentication_needed', 'limits_changed'],
      '`in_doubt`: the bank reports that the consent has ended, and we check again; nothing is collected meanwhile. ' +
        '`reauthentication_needed`: the bank wants the customer to confirm the consent again, on the page of ' +
        '`portal_url`; nothing is collected until then. `limits_changed`: the customer changed the limits at the bank, ' +
        'and a coming payment exceeds them.',
    ),
    since: Described(Instant, 'Since when.'),
  },
  'What prevents collections under the consent, or may prevent them.',
);

export const Status = OneOf(
  ['pending_consent', 'active', 'paused', 'cancelled'],
  '`pending_consent`: the customer has not agreed yet. `active`: it collects. `paused`: nothing is collected until it is resumed. `cancelled`: it is over for good.',
);

const Reference = Type.String({
  minLength: 6,
  maxLength: 18,
  examples: ['FERNHILL 0042'],
});

const amountMode = OneOf(
  AMOUNT_MODES,
  '`fixed`, the default: every occurrence collects the amount. `per_occurrence`: each collects what you set for it, and ' +
    'is skipped where you set nothing; the amount is the most that one takes, unless the limits allow more.',
);

const nonWorkingDay = OneOf(
  NON_WORKING_DAYS,
  'When a collection is due that falls on a weekend or a bank holiday of England and Wales. `same`, the default: on that ' +
    'day. `next`: on the working day after it. `previous`: on the one before it. A daily schedule takes only `same`.',
);

/** The schedule in responses: docs/rules/schedules.md#the-schedule-object. */
/** What a merchant should know of terms that are allowed. */
export const Warnings = Type.Array(
  Type.Object({
    code: OneOf(
      ['max_gap'],
      '`max_gap`: more than twelve months lie between two collections, or until the first. Some banks end a consent that lies ' +
        'unused for 13 months.',
    ),
    message: Type.String({ description: 'The same, for people.' }),
  }),
  { description: 'What you should know of terms that are allowed; mostly nothing.' },
);

export const ScheduleAnswer = NamedObject(
  'Schedule',
  {
    id: Id('sch', 'The schedule’s id.'),
    status: Status,
    amount: Described(
      Amount,
      'What each occurrence collects, as you last asked. While a change waits for the customer, collections go by `consented`.',
    ),
    frequency: Described(FrequencyAnswer, 'How often it collects, as you last asked.'),
    customer: CustomerAnswer,
    description: Type.String({
      description: 'What the payments are for, as the customer reads it.',
      examples: ['Broadband'],
    }),
    metadata: OrNull(Metadata, 'Your own data. Null: none.'),
    start_date: OrNull(Instant, 'From when on it collects, as you sent it. Null: you sent none.'),
    end_date: OrNull(
      Instant,
      'When it ends; an occurrence at this very moment is still collected. Null: it goes on until it is cancelled.',
    ),
    max_retries: Type.Integer({
      minimum: 0,
      maximum: 10,
      description: 'How many times a failed payment is retried automatically, at most.',
      examples: [3],
    }),
    reference: Type.String({
      description:
        'What the customer’s bank statement shows: your reference, or the one made for you, in the characters that every bank takes, letters, digits, blanks, `.` and `-`.',
      examples: ['FERNHILL 0042'],
    }),
    limits: LimitsAnswer,
    first_payment: OrNull(
      FirstPaymentAnswer,
      'What is collected once, as soon as the customer has agreed, before the first occurrence. Null: nothing.',
    ),
    amount_mode: amountMode,
    non_working_day: nonWorkingDay,
    next_payment_date: OrNull(
      Instant,
      'When it collects next: the first coming occurrence that is not skipped, or an ad-hoc payment that is due before it. ' +
        'Before the customer has agreed, the first occurrence if they agree now. Retries do not count. Null: nothing is to come.',
    ),
    resume_at: OrNull(
      Instant,
      'When the paused schedule resumes automatically. Null: only when you resume it.',
    ),
    created_at: Described(Instant, 'When it was created.'),
    consented: OrNull(
      NamedObject(
        'ConsentedTerms',
        {
          amount: Described(Amount, 'What each occurrence collects.'),
          frequency: FrequencyAnswer,
          end_date: OrNull(Instant, 'When it ends. Null: it goes on until it is cancelled.'),
        },
        'The terms that the customer agreed to.',
      ),
      'The terms that the customer agreed to. Collections go by them until the customer agrees to others. Null: before the first consent.',
    ),
    paying_account: OrNull(
      PayingAccount,
      'The account that the customer pays from, masked. Null: it is not known yet.',
    ),
    consent_notice: OrNull(
      ConsentNotice,
      'What prevents collections under the consent, or may prevent them; the most serious, if there are several. Null: nothing.',
    ),
    warnings: Warnings,
    consent_url: Type.Optional(
      Type.String({
        description:
          'The link on which the customer agrees, to a new schedule, to changed terms or to another account. Present while a consent waits for the customer.',
        examples: ['http://localhost:4000/consent/3yQm0c6vZsHk1t8…'],
      }),
    ),
    consent_for: Type.Optional(
      OneOf(
        ['terms', 'another_account'],
        'What the customer is asked for on `consent_url`. `terms`: what is shown holds once they have agreed. ' +
          '`another_account`: it holds already, and they are asked to pay it from another account.',
      ),
    ),
    portal_url: Type.Optional(
      Type.String({
        description:
          'The customer’s own page: what was agreed, all payments, and the way to stop them. Present once a consent was granted. Whoever has the link can stop the payments.',
        examples: ['http://localhost:4000/consent/3yQm0c6vZsHk1t8…'],
      }),
    ),
    payments_under_way: Type.Optional(
      Type.Array(
        NamedObject(
          'PaymentUnderWay',
          {
            id: Id('pay', 'The payment’s id.'),
            amount: Described(Amount, 'What it collects.'),
            due_date: Described(Instant, 'When it was due.'),
          },
          'A payment that may still arrive, although its schedule is paused or cancelled.',
        ),
        {
          description:
            'Payments that were with the bank when the schedule was paused or cancelled, and may still arrive. Present on a single schedule that is paused or cancelled.',
        },
      ),
    ),
  },
  'A series of collections from one customer.',
);

const changeable = {
  description: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'What the payments are for, as the customer reads it.',
    examples: ['Broadband'],
  }),
  metadata: OrNull(Metadata, 'Your own data, always sent as a whole. Null: none.'),
  max_retries: Type.Integer({
    minimum: 0,
    maximum: 10,
    description: 'How many times a failed payment is retried automatically, at most. 3 unless set.',
  }),
  limits: OrNull(
    LimitsInput,
    'The most that the schedule may take. Null: what the amount and the frequency need.',
  ),
  non_working_day: nonWorkingDay,
  amount_mode: amountMode,
};

const REFERENCE =
  'What the customer’s bank statement shows: letters, digits, blanks and the characters `/ - ? : ( ) . , + &` and the apostrophe. Null: your statement name and the customer’s `reference`, such as `FERNHILL C10400`, or a code in its place or behind it.';

const END_DATE =
  'When it ends; an occurrence at this very moment is still collected. ISO 8601 with an offset or Z. Null: it goes on until it is cancelled.';

export const CreateSchema = Fields(
  {
    amount: Described(Amount, 'What each occurrence collects.'),
    frequency: FrequencyInputSchema,
    customer: CustomerInputSchema,
    description: changeable.description,
    metadata: Type.Optional(changeable.metadata),
    start_date: Type.Optional(
      OrNull(
        InstantInput,
        'When it starts: the first collection comes at the first moment from then on that fits the frequency, and every ' +
          'one at this time of day. It must not be in the past. ISO 8601 with an offset or Z. Null: it starts now, and ' +
          'collects at 09:00 in your time zone.',
      ),
    ),
    end_date: Type.Optional(OrNull(InstantInput, END_DATE)),
    max_retries: Type.Optional(changeable.max_retries),
    reference: Type.Optional(OrNull(Reference, REFERENCE)),
    limits: Type.Optional(changeable.limits),
    amount_mode: Type.Optional(changeable.amount_mode),
    non_working_day: Type.Optional(changeable.non_working_day),
    first_payment: Type.Optional(
      OrNull(
        FirstPaymentInput,
        'What is collected once, as soon as the customer has agreed, before the first occurrence: a joining fee, a deposit, ' +
          'the rest of this month. Null: nothing.',
      ),
    ),
  },
  'A new schedule.',
);

export const UpdateSchema = Fields(
  {
    amount: Type.Optional(Described(Amount, 'What each occurrence collects.')),
    frequency: Type.Optional(FrequencyInputSchema),
    description: Type.Optional(changeable.description),
    metadata: Type.Optional(changeable.metadata),
    start_date: Type.Optional(
      Described(
        InstantInput,
        'When it starts. It can be changed only before the first payment. ISO 8601 with an offset or Z.',
      ),
    ),
    end_date: Type.Optional(OrNull(InstantInput, END_DATE)),
    max_retries: Type.Optional(changeable.max_retries),
    reference: Type.Optional(
      OrNull(
        Reference,
        `${REFERENCE} It can be changed only before the customer has agreed: null then leaves it.`,
      ),
    ),
    limits: Type.Optional(changeable.limits),
    amount_mode: Type.Optional(changeable.amount_mode),
    non_working_day: Type.Optional(changeable.non_working_day),
    status: Type.Optional(
      OneOf(
        ['active', 'paused', 'cancelled'],
        '`active` resumes a paused schedule, `paused` pauses it, `cancelled` ends it for good. The status that it has changes nothing.',
      ),
    ),
    resume_at: Type.Optional(
      OrNull(
        InstantInput,
        'With `status: "paused"`: when the schedule resumes automatically. ISO 8601 with an offset or Z. Null: only when you resume it.',
      ),
    ),
  },
  'Changes of a schedule. A field that is left out stays as it is.',
);
