import Type, { type Static } from 'typebox';
import { shownAs } from '../../platform/http/openapi/components.ts';
import { Amount, Described, Fields, NamedObject } from '../../platform/http/schemas/schemas.ts';
import { amountErrors } from '../../platform/values/money.ts';
import { ScheduleFilterQuery } from '../request/list-query.ts';
import { asObject, updateErrors } from '../request/request.ts';
import { UpdateSchema } from '../request/schemas.ts';
import type { Raise } from './new-amount.ts';

/** The most schedules that one change takes. */
export const MOST_SCHEDULES = 5000;

const LEAST_PERCENT = -99;
const MOST_PERCENT = 100;
const MOST_ROUND_TO = 10_000;

const Percent = NamedObject(
  'PercentChange',
  {
    percent: Type.Number({
      minimum: LEAST_PERCENT,
      maximum: MOST_PERCENT,
      description:
        'By how many per cent the amount as you last asked for it changes, with at most two decimals. Not 0; below 0 it goes down.',
      examples: [8],
    }),
    round_to: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_ROUND_TO,
        default: 1,
        description:
          'The new amount is rounded to a multiple of this many pence; what lies in the middle is rounded up.',
        examples: [10],
      }),
    ),
  },
  'A change of amounts by per cent.',
);

type PercentChange = { percent: number; round_to?: number };

/** An amount for all, or a change by per cent; `amountChangeErrors` checks it. */
const AmountChange = Type.Unsafe<Static<typeof Amount> | PercentChange>(
  shownAs({
    description: 'The same amount for all of them, or a change of each by per cent.',
    oneOf: [Described(Amount, 'The amount that each collects from then on.'), Percent],
  }),
);

const { status, limits } = UpdateSchema.properties;

/** What changes in each schedule, in requests and responses. */
export const Change = NamedObject(
  'ChangeOfSchedules',
  {
    amount: Type.Optional(AmountChange),
    limits: Type.Optional(limits),
    status: Type.Optional(status),
    send_link: Type.Optional(
      Type.Boolean({
        description:
          'Whether we send each customer who then has to agree the consent link, by email or text message, once a day at most.',
      }),
    ),
  },
  'What changes in each schedule, as in an update of one. At least one field.',
);
export type ManyChange = Static<typeof Change>;

/** The body of POST /schedule_changes: which schedules, and what changes. */
export const ScheduleChangeBody = {
  ...Fields(
    {
      schedule_ids: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
          minItems: 1,
          maxItems: MOST_SCHEDULES,
          uniqueItems: true,
          description: `The schedules, at most ${MOST_SCHEDULES}. Left out where \`filter\` names them.`,
        }),
      ),
      filter: Type.Optional(
        Described(
          { ...ScheduleFilterQuery, title: 'ScheduleFilter' },
          `All schedules that the list has with this filter, at most ${MOST_SCHEDULES}. An empty object: every schedule.`,
        ),
      ),
      change: Change,
      preview: Type.Optional(
        Type.Boolean({
          default: false,
          description:
            'Only says what would become of each schedule. Run the change by its id to carry it out.',
        }),
      ),
    },
    'A change of many schedules.',
  ),
  examples: [
    {
      filter: { status: 'active' },
      change: { amount: { percent: 8, round_to: 10 } },
      preview: true,
    },
  ],
};
export type ScheduleChangeBody = Static<typeof ScheduleChangeBody>;

/** Validates a body beyond its shape; returns every wrong field by dotted path. */
export function changeErrors(body: unknown, now: Temporal.Instant): Record<string, string> {
  const fields = asObject(body);
  const change = asObject(fields?.change);
  if (fields === null) return {};
  const isNamed = fields.schedule_ids !== undefined;
  const which: Record<string, string> = {};
  if (isNamed && fields.filter !== undefined) which.filter = 'must be left out beside schedule_ids';
  if (!isNamed && fields.filter === undefined) which.schedule_ids = 'must be given, or filter';
  return { ...which, ...(change === null ? {} : fieldErrors(change, now)) };
}

function fieldErrors(
  { amount, ...rest }: Record<string, unknown>,
  now: Temporal.Instant,
): Record<string, string> {
  const under = Object.entries(updateErrors(rest, now)).map(([name, why]) => [
    `change.${name}`,
    why,
  ]);
  const errors: Record<string, string> = Object.fromEntries(under);
  const isNothing = [amount, rest.limits, rest.status].every((field) => field === undefined);
  if (isNothing && rest.send_link !== true)
    errors.change = 'must have amount, limits, status or send_link';
  return amount === undefined ? errors : { ...errors, ...amountChangeErrors(amount) };
}

function amountChangeErrors(amount: unknown): Record<string, string> {
  const fields = asObject(amount);
  if (fields === null || !('percent' in fields || 'round_to' in fields))
    return amountErrors(amount, 'change.amount');
  const { percent, round_to: roundTo, ...unknown } = fields;
  const errors: Record<string, string> = {};
  const wrong = percentError(percent);
  if (wrong !== null) errors['change.amount.percent'] = wrong;
  if (roundTo !== undefined && !isWholeUpTo(roundTo, MOST_ROUND_TO))
    errors['change.amount.round_to'] = `must be a whole number of pence from 1 to ${MOST_ROUND_TO}`;
  for (const name of Object.keys(unknown))
    errors[`change.amount.${name}`] = 'is not a known field beside percent';
  return errors;
}

function percentError(percent: unknown): string | null {
  if (typeof percent !== 'number' || !(percent >= LEAST_PERCENT && percent <= MOST_PERCENT))
    return `must be a number from ${LEAST_PERCENT} to ${MOST_PERCENT}`;
  if (percent === 0) return 'must not be 0';
  return /^-?\d+(\.\d{1,2})?$/.test(String(percent)) ? null : 'must have at most two decimals';
}

const isWholeUpTo = (value: unknown, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most;

/** Returns the raise that a checked change asks for; null: it asks for none. */
export function raiseOf({ amount }: ManyChange): Raise | null {
  if (amount === undefined || !('percent' in amount)) return null;
  return {
    basisPoints: Math.round(amount.percent * 100),
    roundToPence: amount.round_to ?? 1,
  };
}
