import Type from 'typebox';
import { schemaPath, shownAs } from '../../platform/http/openapi/components.ts';
import { NamedObject, OneOf } from '../../platform/http/schemas/schemas.ts';
import { FREQUENCY_BOUNDS, FREQUENCY_TYPES, type FrequencyType } from '../terms/frequency.ts';

const INTERVAL =
  'How many units from one collection to the next: 2 with `weekly` is every second week.';

/** The frequency in responses: docs/rules/schedules.md#frequency. */
export const FrequencyAnswer = NamedObject(
  'Frequency',
  {
    type: OneOf(FREQUENCY_TYPES, 'The unit that `interval` counts.'),
    day: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 31,
        description:
          'The day of the week, 1 (Monday) to 7, of a weekly schedule; the day of the month of a longer one. In a month without that day it is the last day. Absent for daily.',
        examples: [15],
      }),
    ),
    interval: Type.Integer({
      minimum: 1,
      maximum: 365,
      description: INTERVAL,
      examples: [1],
    }),
  },
  'How often payments are collected.',
);

function documentedForm(type: FrequencyType): object {
  const { noun, lastDay, longestInterval } = FREQUENCY_BOUNDS[type];
  const of =
    lastDay === 7
      ? 'The day of the week, 1 (Monday) to 7'
      : 'The day of the month; in a month without that day, the last one';
  const day = Type.Integer({
    minimum: 1,
    maximum: lastDay ?? 1,
    description: `${of}. Default: that of \`start_date\`, else today’s.`,
    examples: [1],
  });
  const interval = Type.Integer({
    minimum: 1,
    maximum: longestInterval,
    description: `${INTERVAL} Default: 1.`,
  });
  return Type.Object(
    {
      type: Type.Literal(type, { description: 'The unit that `interval` counts.' }),
      ...(lastDay === null ? {} : { day: Type.Optional(day) }),
      interval: Type.Optional(interval),
    },
    {
      title: nameOf(type),
      additionalProperties: false,
      description: `Every ${noun}, or every so many.`,
    },
  );
}

function nameOf(type: FrequencyType): string {
  const words = type.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Frequency`;
}

/** The frequency in requests: the object, or the type alone; `frequencyErrors` checks it. */
export const FrequencyInputSchema = Type.Unsafe<
  FrequencyType | { type: FrequencyType; day?: number; interval?: number }
>(
  shownAs({
    title: 'FrequencyInput',
    description:
      'How often payments are collected. The type alone, such as `"monthly"`, is accepted too. Without `start_date` the ' +
      'first collection comes on the next such day, so within a month for quarterly and yearly schedules too.',
    type: 'object',
    oneOf: FREQUENCY_TYPES.map(documentedForm),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(FREQUENCY_TYPES.map((type) => [type, schemaPath(nameOf(type))])),
    },
  }),
);
