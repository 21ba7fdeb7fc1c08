import Type, { type Static } from 'typebox';
import { Instant, OneOf, OrNull } from '../../platform/http/schemas/schemas.ts';

const DateText = Type.String({ examples: ['2026-03-30'] });
const Pence = Type.Integer({ description: 'In pence.' });
const Count = Type.Integer({ minimum: 0 });
const Sum = Type.Object({ value: Pence, count: Count });
export type Sum = Static<typeof Sum>;

const made = {
  currency: Type.String(),
  as_of: { ...Instant, description: 'The figures are of this moment.' },
};

const rated = {
  due: { ...Sum, description: 'Whose first attempt has ended.' },
  failed: { ...Sum, description: 'Failed at least once.' },
  failure_rate: OrNull(
    Type.Number({ description: 'Payments that failed at least once among those due: 0 to 1.' }),
  ),
};

const outcomes = {
  ...rated,
  recovered: { ...Sum, description: 'Collected since, by a retry.' },
  waiting: { ...Sum, description: 'Waiting for a retry, or with the bank again.' },
  lost: { ...Sum, description: 'Failed for good.' },
  recovered_share: OrNull(
    Type.Number({ description: 'Recovered payments among those recovered or lost: 0 to 1.' }),
  ),
};

const Outcomes = Type.Object(outcomes);
export type Outcomes = Static<typeof Outcomes>;

const FailurePart = Type.Object({
  part: Type.String({
    description:
      'The reason, the bank, or the place of the bound where the amounts or ages begin, from 1.',
  }),
  message: OrNull(Type.String({ description: 'What a reason means.' })),
  ...outcomes,
  before: { ...Type.Object(rated), description: 'In as many days before.' },
});
export type FailurePart = Static<typeof FailurePart>;
const Parts = Type.Array(FailurePart);

/** Failures of one week or month for one reason. */
const FailureLine = Type.Object({
  from: DateText,
  to: DateText,
  reason: Type.String(),
  message: Type.String(),
  ...outcomes,
});
export type FailureLine = Static<typeof FailureLine>;

/** Payments that failed, by reason over time. */
export const FailureReport = Type.Object({
  ...made,
  from: DateText,
  to: DateText,
  by: OneOf(['week', 'month']),
  total: Outcomes,
  before: { ...Outcomes, description: 'In as many days before.' },
  parts: Type.Object(
    { reason: Parts, bank: Parts, amount: Parts, age: Parts },
    {
      description:
        'The same payments by reason and bank, the most money failed first, and by amount and age of the schedule.',
    },
  ),
  bounds: Type.Object(
    { amount: Type.Array(Pence), age: Type.Array(Count) },
    { description: 'Where the parts by amount begin, in pence, and by age, in days.' },
  ),
  periods: Type.Array(Type.Object({ from: DateText, to: DateText, ...outcomes }), {
    description: 'Every period of the range, the oldest first.',
  }),
  lines: Type.Array(FailureLine),
});
export type FailureReport = Static<typeof FailureReport>;

const Age = Type.Object({
  label: Type.String({ examples: ['31–60 days'] }),
  from: OrNull(DateText),
  to: OrNull(DateText),
  ...Sum.properties,
});

const Debtor = Type.Object({
  customer: Type.Object({ id: Type.String(), label: Type.String() }),
  ages: Type.Array(Sum, { description: 'One for each age.' }),
  total: Sum,
  oldest: { ...Instant, description: 'When the oldest of them was due.' },
});
export type Debtor = Static<typeof Debtor>;

/** What failed and was not collected since, by its age. */
export const AgeingReport = Type.Object({
  ...made,
  ages: Type.Array(Age, { description: 'By days since the due date, the youngest first.' }),
  total: Sum,
  customers: Type.Array(Debtor, { description: 'Who owes most, first.' }),
  customers_total: Count,
});
export type AgeingReport = Static<typeof AgeingReport>;

const Cohort = Type.Object({
  month: Type.String({ examples: ['2026-03'] }),
  schedules: { ...Count, description: 'That became active in this month.' },
  active: { ...Count, description: 'Of them, those that are active now.' },
  collected: Type.Array(Sum, {
    description: 'In that month, the one after it, and so on up to the present one.',
  }),
  total: Sum,
});
export type Cohort = Static<typeof Cohort>;

/** What schedules collected, by the month in which they became active. */
export const CohortReport = Type.Object({
  ...made,
  from: Type.String(),
  to: Type.String(),
  cohorts: Type.Array(Cohort, { description: 'Every month of the range, the oldest first.' }),
  total: Sum,
});
export type CohortReport = Static<typeof CohortReport>;

const calendarSums = {
  planned: { ...Sum, description: 'Collected, waiting, failed and to come.' },
  collected: { ...Sum, description: 'Of what was due, collected on that day or since.' },
  waiting: { ...Sum, description: 'Of what was due: with the bank, or waiting for a retry.' },
  failed: { ...Sum, description: 'Of what was due, failed for good.' },
  coming: { ...Sum, description: 'Still to fall due. An amount that is not set yet is not in it.' },
  settled: { ...Sum, description: 'Settlements paid out on that day.' },
};

/** A month of collections, day by day. */
export const CalendarReport = Type.Object({
  ...made,
  month: Type.String({ examples: ['2026-03'] }),
  today: DateText,
  days: Type.Array(
    Type.Object({
      date: DateText,
      is_business_day: Type.Boolean({ description: 'Settlements are paid out on such days.' }),
      ...calendarSums,
    }),
    { description: 'Every day of the month.' },
  ),
  total: Type.Object(calendarSums),
});
export type CalendarReport = Static<typeof CalendarReport>;
