import Type from 'typebox';
import { parseInstant } from '../../time/calendar.ts';
import { invalid } from '../../values/errors.ts';
import { Described, InstantInput, OneOf } from '../schemas/schemas.ts';

/** What is wrong with a text that should be an instant. */
export const WRONG_INSTANT = 'must be an ISO 8601 date-time with an offset or Z';

const Bound = (description: string) =>
  Type.Optional(Described(InstantInput, `${description}. ISO 8601 with an offset or Z.`));

/** Returns `from` and `to` of a list, which limit this field; spread them into a query. */
export const SpanOf = (field: string) => ({
  from: Bound(`Only items with \`${field}\` at or after this moment`),
  to: Bound(`Only items with \`${field}\` before this moment`),
});

const Pence = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }));

/** `amount_from` and `amount_to` of a list; spread them into a query. */
export const AMOUNT_QUERY = {
  amount_from: Pence('Only items with an `amount` of at least this many pence.'),
  amount_to: Pence('Only items with an `amount` of at most this many pence.'),
};

/** Returns `q` of a list: what a person typed. `finds`: what may be searched for. */
export const SearchQuery = (finds: string) =>
  Type.Optional(
    Type.String({ maxLength: 255, description: `Only items that this finds: ${finds}.` }),
  );

/** Returns `sort` of a list: the first order unless another is named; `-` before a name: from the last one on. */
export function SortBy<const T extends readonly [string, ...string[]]>(orders: T) {
  const order = OneOf(
    orders,
    'What the list is sorted by. A `-` reverses the order: `-created_at` is the newest first.',
  );
  return Type.Unsafe<T[number]>({ ...order, default: orders[0] });
}

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

/** Returns the schema of a calendar month in a query. */
export const MonthQuery = (description: string) =>
  Type.Optional(Type.String({ maxLength: 7, description }));

/** Reads a month of a query as its first day; `absent` where there is none. Throws 400 naming the field. */
export function monthOf<T>(
  field: string,
  text: string | undefined,
  absent: T,
): Temporal.PlainDate | T {
  if (text === undefined) return absent;
  if (!MONTH.test(text)) throw invalid({ [field]: 'must be a month such as 2026-03' });
  return Temporal.PlainDate.from(`${text}-01`);
}

/** The orders of a list by when its rows were created. */
export const CREATED_SORTS = ['-created_at', 'created_at'] as const;
export type CreatedSort = (typeof CREATED_SORTS)[number];

/** Returns the schema of an id or a code that a list is filtered by. */
export const IdQuery = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 64, description }));

/** The limits of a list's time: `from` is included, `to` is not. An absent one does not limit. */
export interface Span {
  from?: Temporal.Instant;
  to?: Temporal.Instant;
}

/** `from` and `to` as they are sent. */
export interface SpanQuery {
  from?: string;
  to?: string;
}

/** Reads `from` and `to` of a query. Throws 400 naming each that is not an instant. */
export function readSpan(asked: SpanQuery): Span {
  const span: Span = {};
  const wrong: Record<string, string> = {};
  for (const name of ['from', 'to'] as const) {
    const text = asked[name];
    if (text === undefined) continue;
    const instant = parseInstant(text);
    if (instant === null) wrong[name] = WRONG_INSTANT;
    else span[name] = instant;
  }
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
  return span;
}

/** The limits of a list's amounts in pence, both included. An absent one does not limit. */
export interface Amounts {
  amountFrom?: number | undefined;
  amountTo?: number | undefined;
}

/** Reads `amount_from` and `amount_to` of a query. */
export function readAmounts(asked: { amount_from?: number; amount_to?: number }): Amounts {
  return { amountFrom: asked.amount_from, amountTo: asked.amount_to };
}
