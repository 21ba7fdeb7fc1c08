import Type from 'typebox';
import { parseInstant } from '../../time/calendar.ts';
import { invalid } from '../../values/errors.ts';
import { InstantInput } from '../schemas/schemas.ts';

/** What is wrong with a text that should be an instant. */
export const WRONG_INSTANT = 'must be an ISO 8601 date-time with an offset or Z';

/** `from` and `to` of a list; spread them into a query. */
export const SPAN_QUERY = {
  from: Type.Optional({ ...InstantInput, description: 'ISO 8601 with an offset or Z; included.' }),
  to: Type.Optional({
    ...InstantInput,
    description: 'ISO 8601 with an offset or Z; not included.',
  }),
};

const Pence = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }));

/** `amount_from` and `amount_to` of a list; spread them into a query. */
export const AMOUNT_QUERY = {
  amount_from: Pence('The least amount, in pence; included.'),
  amount_to: Pence('The largest amount, in pence; included.'),
};

/** An id or a code that a list is filtered by. */
export const IdQuery = Type.Optional(Type.String({ minLength: 1, maxLength: 64 }));

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
