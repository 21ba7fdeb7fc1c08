import Type, { type TSchema } from 'typebox';
import { invalid } from '../errors.ts';
import { checker, queryReader, unstorable } from './fields.ts';
import type { Route } from './route.ts';

/** What a request carries, before it is checked. */
export interface RawInputs {
  params: unknown;
  query: object;
  body: unknown;
}

/** The same, as the route's schemas say. */
export interface Inputs {
  params: unknown;
  query: unknown;
  body: unknown;
}

const nothing = Type.Object({}, { additionalProperties: false });

/** A body, and what is asked for in a query, take no unknown fields, whatever the schema leaves open. */
function closed(schema: TSchema | undefined): TSchema {
  if (schema === undefined) return nothing;
  if (!('properties' in schema) || 'additionalProperties' in schema) return schema;
  return { ...schema, additionalProperties: false };
}

/** Throws 400 for text that could not be stored and for bodies nested too deeply to work on. */
export function refuseUnstorable(raw: RawInputs): void {
  const details = { ...unstorable(raw.params), ...unstorable(raw.query), ...unstorable(raw.body) };
  if (Object.keys(details).length > 0) throw invalid(details);
}

/**
 * Checks everything that a request carries at once, by schemas and by the route's semantic check. The function throws
 * one 400 naming every wrong field; where both have something to say of a field, the semantic check has the word.
 */
export function inputsOf(route: Route): (raw: RawInputs, now: Temporal.Instant) => Inputs {
  const params = checker(route.params ?? Type.Object({}), 'path');
  const querySchema = closed(route.query);
  const readQuery = queryReader(querySchema);
  const query = checker(querySchema, 'query');
  const body = checker(closed(route.body), 'body');
  return (raw, now) => {
    const sentBody = raw.body === undefined ? {} : raw.body;
    const checked = {
      params: params(raw.params),
      query: query(readQuery(raw.query)),
      body: body(sentBody),
    };
    const details = {
      ...checked.params.details,
      ...checked.query.details,
      ...checked.body.details,
      ...route.check?.(sentBody, now),
    };
    if (Object.keys(details).length > 0) throw invalid(details);
    return {
      params: checked.params.value,
      query: checked.query.value,
      body: checked.body.value,
    };
  };
}
