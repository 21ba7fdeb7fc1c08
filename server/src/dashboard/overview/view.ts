import Type, { type Static } from 'typebox';
import { WAITING_REASONS } from '../../payments/payment/waiting.ts';
import { Instant, OneOf, OrNull } from '../../platform/http/schemas/schemas.ts';

const DateText = Type.String({ examples: ['2026-03-30'] });
const Pence = Type.Integer({ description: 'In pence.' });
const Count = Type.Integer({ minimum: 0 });
const Sum = Type.Object({ value: Pence, count: Count });

const Day = Type.Object(
  { date: DateText, collected: Sum, failed: Sum, settled: Sum },
  { description: "A day of the merchant's calendar." },
);

/** An endpoint with deliveries that did not arrive. */
export const FailingEndpoint = Type.Object({
  endpoint_id: Type.String(),
  url: Type.String(),
  status: Type.String(),
  undelivered: Count,
  last_error: OrNull(Type.String()),
});

const Law = Type.Object({
  law: Type.String(),
  sentence: Type.String(),
  holds: OrNull(Type.Boolean({ description: 'Null: not known.' })),
  unknown: OrNull(
    Type.Object(
      { since: Instant, reason: Type.String() },
      { description: 'What could not be compared, and since when; null: everything was.' },
    ),
  ),
});

/** A payment that waits for a person, or has unexpected money beside it. */
export const InQuestion = Type.Object({
  payment_id: Type.String(),
  value: Pence,
  reason: OneOf([...WAITING_REASONS, 'unexpected_money']),
  since: Instant,
});

const totals = {
  collected: Sum,
  failed: Sum,
  settled: Sum,
  success_rate: OrNull(
    Type.Number({ description: 'Of what was collected or finally failed: 0 to 1.' }),
  ),
};

/** The dashboard's first page. */
export const OverviewView = Type.Object({
  currency: Type.String(),
  days: Type.Array(Day, { description: 'Every day asked for, the oldest first.' }),
  ...totals,
  before: Type.Object(totals, { description: 'As many days, before those.' }),
  upcoming: Type.Object(
    { ...Sum.properties, days: Type.Array(Type.Object({ date: DateText, ...Sum.properties })) },
    {
      description:
        'What active schedules, and those whose pause ends by then, are to collect in the next 30 days, with ad-hoc payments. Retries, and occurrences without an amount yet, are not counted.',
    },
  ),
  wallet: Type.Object({ value: Pence, currency: Type.String() }),
  in_question: Type.Array(InQuestion, {
    description:
      'Payments that wait for a person or have unexpected money beside them: the oldest five.',
  }),
  next_settlement: OrNull(
    Type.Object(
      { date: DateText, value: Pence },
      { description: 'Less refunds, fees and what is owed; null: nothing would be paid out.' },
    ),
  ),
  schedules: Type.Object({
    pending_consent: Count,
    active: Count,
    paused: Count,
    cancelled: Count,
  }),
  webhooks: Type.Object({
    endpoints: Count,
    undelivered: Type.Integer({
      minimum: 0,
      description: 'Events: those that the event log lists with `delivery=undelivered`.',
    }),
    failing: Type.Array(FailingEndpoint),
  }),
  laws: Type.Object({ checked_at: OrNull(Instant), findings: Type.Array(Law) }),
});
export type OverviewView = Static<typeof OverviewView>;
