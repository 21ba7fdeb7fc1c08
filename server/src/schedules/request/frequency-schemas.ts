import Type from 'typebox';
import { schemaPath, shownAs } from '../../platform/http/openapi/components.ts';
import { OneOf } from '../../platform/http/schemas/schemas.ts';
import { FREQUENCY_BOUNDS, FREQUENCY_TYPES, type FrequencyType } from '../terms/frequency.ts';

/** The frequency in responses: docs/rules/schedules.md#frequency. */
export const FrequencyAnswer = Type.Object(
  {
    type: OneOf(FREQUENCY_TYPES),
    day: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 31,
        description: 'Day of the month, or of the week (1 = Monday); absent for daily.',
        examples: [15],
      }),
    ),
    interval: Type.Integer({ minimum: 1, maximum: 365, examples: [1] }),
  },
  { title: 'Frequency', description: 'How often is collected.' },
);

function documentedForm(type: FrequencyType): object {
  const { lastDay, longestInterval } = FREQUENCY_BOUNDS[type];
  const of = lastDay === 7 ? 'Day of the week, 1 is Monday' : 'Day of the month';
  const day = Type.Integer({
    minimum: 1,
    maximum: lastDay ?? 1,
    description: `${of}. Default: that of \`start_date\`, else today's.`,
    examples: [1],
  });
  const interval = Type.Integer({
    minimum: 1,
    maximum: longestInterval,
    description: '2 is every second one. Default: 1.',
  });
  return Type.Object(
    {
      type: Type.Literal(type),
      ...(lastDay === null ? {} : { day: Type.Optional(day) }),
      interval: Type.Optional(interval),
    },
    { title: nameOf(type), additionalProperties: false },
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
      'How often to collect. The type alone, such as `"monthly"`, is accepted too. Without `start_date` the first collection ' +
      'comes on the next such day: within a month for every longer type too.',
    type: 'object',
    oneOf: FREQUENCY_TYPES.map(documentedForm),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(FREQUENCY_TYPES.map((type) => [type, schemaPath(nameOf(type))])),
    },
  }),
);
