import Type from 'typebox';
import { schemaPath, shownAs } from '../../platform/http/openapi/components.ts';
import { OneOf } from '../../platform/http/schemas/schemas.ts';
import { FREQUENCY_BOUNDS, FREQUENCY_TYPES, type FrequencyType } from '../terms/frequency.ts';

const INTERVAL =
  'How many units from one collection to the next: 2 with `weekly` is every second week.';

/** Returns one form of the frequency as the document shows it: of a request, where parts may be left out, or of a response. */
function documentedForm(type: FrequencyType, isAsked: boolean): object {
  const { noun, lastDay, longestInterval } = FREQUENCY_BOUNDS[type];
  const of =
    lastDay === 7
      ? 'The day of the week, 1 (Monday) to 7.'
      : 'The day of the month; in a month without that day, the last one.';
  const part = (maximum: number, description: string, byDefault: string) => {
    const text = isAsked ? `${description} Default: ${byDefault}` : description;
    const schema = Type.Integer({ minimum: 1, maximum, description: text, examples: [1] });
    return isAsked ? Type.Optional(schema) : schema;
  };
  return Type.Object(
    {
      // Not a literal: in webhooks it would be another schema than in routes.
      type: OneOf([type], 'The unit that `interval` counts.'),
      ...(lastDay !== null && { day: part(lastDay, of, 'that of `start_date`, else today’s.') }),
      interval: part(longestInterval, INTERVAL, '1.'),
    },
    {
      title: nameOf(type, isAsked),
      ...(isAsked && { additionalProperties: false }),
      description: `Every ${noun}, or every so many.`,
    },
  );
}

function nameOf(type: FrequencyType, isAsked: boolean): string {
  const words = type.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Frequency${isAsked ? 'Input' : ''}`;
}

/** Returns all forms of the frequency, told apart by their type. */
const documentedForms = (isAsked: boolean): object => ({
  type: 'object',
  oneOf: FREQUENCY_TYPES.map((type) => documentedForm(type, isAsked)),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(
      FREQUENCY_TYPES.map((type) => [type, schemaPath(nameOf(type, isAsked))]),
    ),
  },
});

/** The frequency in responses: docs/rules/schedules.md#frequency. */
export const FrequencyAnswer = Type.Object(
  {
    type: OneOf(FREQUENCY_TYPES),
    day: Type.Optional(Type.Integer()),
    interval: Type.Integer(),
  },
  shownAs({
    title: 'Frequency',
    description: 'How often payments are collected.',
    ...documentedForms(false),
  }),
);

/** The frequency in requests: the object, or the type alone; `frequencyErrors` checks it. */
export const FrequencyInputSchema = Type.Unsafe<
  FrequencyType | { type: FrequencyType; day?: number; interval?: number }
>(
  shownAs({
    title: 'FrequencyInput',
    description:
      'How often payments are collected. The type alone, such as `"monthly"`, is accepted too. Without `start_date` the first collection comes on the next such day, so within a month for quarterly and yearly schedules too; to begin in another month, give one. A day that a month lacks falls on its last day, and the next month uses your day again. The time of day stays through changes of the clocks.',
    ...documentedForms(true),
  }),
);
