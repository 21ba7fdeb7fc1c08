import Type from 'typebox';
import { shownAs } from '../../platform/http/openapi/components.ts';

const SCALARS = ['string', 'number', 'boolean', 'null'].map((type) => ({ type }));

// A type that refers to itself would say more, but many generators of clients cannot compile it.
const documentedSchema = {
  title: 'Metadata',
  description:
    'Names and values of your own, at most 16,384 characters of JSON. Deeper nesting than the schema shows is stored too.',
  type: 'object',
  additionalProperties: {
    title: 'MetadataValue',
    description: 'A value of your own.',
    anyOf: [
      ...SCALARS,
      { type: 'array', items: { title: 'MetadataScalar', anyOf: SCALARS } },
      { type: 'object', additionalProperties: { title: 'MetadataScalar', anyOf: SCALARS } },
    ],
  },
  examples: [{ contract: 'C-1042' }],
};

/** Free JSON that the merchant stores with a schedule. */
export const Metadata = Type.Record(Type.String(), Type.Unknown(), shownAs(documentedSchema));
