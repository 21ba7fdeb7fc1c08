import Type, { type TObject, type TProperties, type TSchema, type TUnsafe } from 'typebox';
import { ERROR_STATUS, type ErrorCode } from '../../values/errors.ts';
import { FAILURE_CODES } from '../../values/failure-codes.ts';
import type { IdPrefix } from '../../values/ids.ts';
import { LARGEST_AMOUNT } from '../../values/money.ts';

/** Returns the schema of an object that accepts only the named fields: for a request's body, or a part of it. */
export function Fields<T extends TProperties>(properties: T, description?: string): TObject<T> {
  return Type.Object(properties, {
    additionalProperties: false,
    ...(description === undefined ? {} : { description }),
  });
}

/** Returns the schema of an object in a response; the OpenAPI document keeps it among its components under this name. */
export function NamedObject<T extends TProperties>(
  title: string,
  properties: T,
  description?: string,
): TObject<T> {
  return Type.Object(properties, { title, ...(description === undefined ? {} : { description }) });
}

/** A keyword for the OpenAPI document: what a component says of itself, where another description stands in its place. */
export const OWN_DESCRIPTION = 'x-own-description';

/** Returns a schema with what it is in this place. The component of its name keeps its own description. */
export function Described<T extends object>(schema: T, description: string): T {
  const own = 'description' in schema ? schema.description : undefined;
  return { ...schema, description, [OWN_DESCRIPTION]: own };
}

/** Returns the schema of a text in a response. */
export function Text(description: string) {
  return Type.String({ description });
}

/** Returns the schema of a string that is one of a few words. */
export function OneOf<const T extends readonly string[]>(
  words: T,
  description?: string,
): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({
    type: 'string',
    enum: words,
    ...(description === undefined ? {} : { description }),
  });
}

/**
 * Returns the schema of a word in a response that is one of these today; a newer service may send others. The document keeps
 * the words of today as a component of this name.
 */
export function KnownWord(
  title: string,
  words: readonly string[],
  description: string,
): TUnsafe<string> {
  const today = { title, type: 'string', enum: words, description: 'Those of today.' };
  const examples = words.slice(0, 1);
  return Type.Unsafe<string>({ anyOf: [today, { type: 'string' }], description, examples });
}

/** Returns the schema of a value that may be null; the description says what null means. */
export function OrNull<T extends TSchema>(schema: T, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}

const ID_EXAMPLE = '032atfSALfDo4duUde5x6C';

/** Returns the schema of an id. */
export function Id(prefix: IdPrefix, description?: string) {
  return Type.String({
    examples: [`${prefix}_${ID_EXAMPLE}`],
    ...(description === undefined ? {} : { description }),
  });
}

/** An instant in a response: `formatInstant` of platform/calendar. */
export const Instant = Type.String({
  format: 'date-time',
  description: 'ISO 8601 in UTC with milliseconds.',
  examples: ['2026-03-29T08:00:00.000Z'],
});

/** An instant in a request; the slice's semantic check parses it and requires an offset. */
export const InstantInput = Type.String({
  description: 'ISO 8601 with an offset or Z.',
  maxLength: 64,
  // Far away: what an example asks for must not lie in the past.
  examples: ['2099-04-01T09:00:00+01:00'],
});

/** Why something failed: a code to act on, and a message for people. */
export const Failure = NamedObject(
  'Failure',
  {
    code: KnownWord('FailureCode', FAILURE_CODES, 'What your program acts on. Codes may be added.'),
    message: Type.String({
      description: 'The same in a sentence, for your team.',
      examples: ['There was not enough money in the customer’s account.'],
    }),
  },
  'Why something failed.',
);

const amountOf = (
  title: string,
  description: string,
  value: { minimum: number; maximum: number; examples: number[] },
) =>
  Type.Object(
    {
      value: Type.Integer({
        minimum: value.minimum,
        maximum: value.maximum,
        description: 'A whole number of pence.',
        examples: value.examples,
      }),
      currency: Type.String({
        pattern: '^[A-Z]{3}$',
        description: 'ISO 4217: `GBP`, the only currency so far.',
        examples: ['GBP'],
      }),
    },
    { title, additionalProperties: false, description },
  );

/** An amount on the wire. The currency is checked by the slice: docs/rules/api.md#amounts-on-the-wire. */
export const Amount = amountOf('Amount', 'An amount of money.', {
  minimum: 1,
  maximum: LARGEST_AMOUNT,
  examples: [4999],
});

/** The same, but `value` may be 0, and is not bound to what one payment may carry. */
export const AmountOrZero = amountOf('AmountOrZero', 'An amount of money, which may be zero.', {
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  examples: [0],
});

/** The same, but `value` may be below 0 too. */
export const SignedAmount = amountOf(
  'SignedAmount',
  'An amount of money, which may be below zero.',
  { minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, examples: [0] },
);

/** `limit`, and `offset` or `after`, of every list: docs/rules/api.md#lists. */
export const ListQuery = Fields({
  limit: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 10,
    description: 'How many to return.',
  }),
  offset: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'How many to skip. Refused beside `after`.',
  }),
  after: Type.Optional(
    Type.String({
      maxLength: 4096,
      description:
        'The `next_cursor` of the page before, or `start` for the first page. A cursor is good for the same filters and the same `sort`. By cursor nothing is counted, so a page is fast at any length of the list; and no item comes twice or is missed, whatever is added meanwhile.',
    }),
  ),
});

/** The response of every list, newest first unless sorted otherwise. */
export function ListOf<T extends TSchema>(item: T) {
  const properties = {
    data: Type.Array(item, { description: 'The items of this page.' }),
    total: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'How many match, on all pages. Absent where the page was read with `after`.',
      }),
    ),
    next_cursor: Type.Optional(
      Type.String({
        description: 'What `after` takes for the next page. Absent on the last page.',
      }),
    ),
  };
  const { title } = item as { title?: string };
  const description = 'A page of a list.';
  return Type.Object(properties, {
    description,
    ...(title === undefined ? {} : { title: `${title}List` }),
  });
}

/** The response of a list whose items have an `amount`; its query has `SUM_QUERY`. */
export function MoneyListOf<T extends TSchema>(item: T) {
  const { properties, ...list } = ListOf(item);
  const total_amount = Type.Optional(
    Described(AmountOrZero, 'What the amounts of all that match add up to. Absent without `sum`.'),
  );
  return Type.Object({ ...properties, total_amount }, { ...list });
}

/** `sum` of a list whose items have an `amount`; spread it into a query. */
export const SUM_QUERY = {
  sum: Type.Optional(
    Type.Boolean({
      description:
        'Whether `total_amount` adds up what matches, on all pages. Refused beside `after`.',
    }),
  ),
};

/** The `:id` of a path; a malformed id gets 404, like an unknown one. */
export const IdParams = Type.Object({ id: Type.String() });

const codes = Object.keys(ERROR_STATUS) as ErrorCode[];

/** The error envelope: docs/rules/api.md#errors. */
export const ErrorEnvelope = Type.Object(
  {
    error: Type.Object(
      {
        code: KnownWord('ErrorCode', codes, 'What your program acts on. Codes may be added.'),
        message: Text('What is wrong, in a sentence for developers.'),
        details: Type.Optional(
          Type.Record(Type.String(), Type.String(), {
            description:
              'More about it, by name. With `invalid_request`: what is wrong with each field, by its dotted path, such as `amount.value`.',
          }),
        ),
      },
      { description: 'What is wrong.' },
    ),
  },
  { description: 'The body of every response that is not 200.' },
);

const LONGEST_REASON = 500;

/** Why something is decided, for the audit trail; blanks are no reason. */
export const Reason = (description: string) =>
  Type.String({ minLength: 1, maxLength: LONGEST_REASON, pattern: '\\S', description });
