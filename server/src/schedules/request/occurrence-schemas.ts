import Type, { type Static } from 'typebox';
import { shownAs } from '../../platform/http/openapi/components.ts';
import {
  Amount,
  Described,
  Fields,
  IdParams,
  Instant,
  NamedObject,
  OrNull,
} from '../../platform/http/schemas/schemas.ts';

/** A coming occurrence in responses. */
export const OccurrenceAnswer = NamedObject(
  'Occurrence',
  {
    due_date: Described(Instant, 'When it is due.'),
    amount: OrNull(
      Amount,
      'What it collects. Null: no amount is set yet; without one nothing is collected.',
    ),
    skipped: Type.Boolean({ description: 'You skip it: nothing is collected.' }),
    changed: Type.Boolean({ description: 'An amount or a skip was set for this occurrence.' }),
    reason: OrNull(
      Type.String(),
      'Why it is not on the day or at the time that was asked for, or does not collect the usual amount. Null: it does both.',
    ),
  },
  'A coming occurrence of a schedule.',
);

export const UpcomingAnswer = Type.Object(
  {
    data: Type.Array(OccurrenceAnswer, {
      description: 'The coming occurrences, the next one first.',
    }),
  },
  { description: 'The coming occurrences of a schedule.' },
);

/** What is asked of a coming occurrence: an amount, or to skip it. */
export type OccurrenceBody = { amount: Static<typeof Amount> } | { skip: true };

const Sum = Described(Amount, 'What the occurrence collects.');
const Skip = Type.Literal(true, { description: 'Nothing is collected.' });

/** What is set for a coming occurrence: one of the two, which `occurrenceErrors` checks. */
export const OccurrenceInput = Type.Unsafe<OccurrenceBody>({
  ...Fields({ amount: Type.Optional(Sum), skip: Type.Optional(Skip) }),
  ...shownAs({
    title: 'OccurrenceChange',
    description: 'What the occurrence collects, or that it is skipped.',
    oneOf: [Fields({ amount: Sum }), Fields({ skip: Skip })],
    examples: [{ amount: { value: 4210, currency: 'GBP' } }],
  }),
});

export const OccurrenceParams = Type.Object({
  id: IdParams.properties.id,
  due_date: Type.String({
    maxLength: 64,
    description: 'The `due_date` of the occurrence, as the list of coming occurrences has it.',
    examples: ['2026-05-01T08:00:00.000Z'],
  }),
});
