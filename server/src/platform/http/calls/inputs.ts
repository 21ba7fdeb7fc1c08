import Type, { type TSchema } from 'typebox';
import { invalid } from '../../values/errors.ts';
import { checker, queryReader, unstorable } from '../schemas/fields.ts';
import type { Route } from './route.ts';

/** The parts of a request, typed by the route's schemas. */
export interface Inputs {
  params: unknown;
  query: unknown;
  body: unknown;
}

/** The same parts, before they are checked. */
export interface RawInputs extends Inputs {
  query: object;
}

const EmptyObject = Type.Object({}, { additionalProperties: false });

/** Rejects unknown fields in bodies and queries, whatever the schema leaves open. */
function closed(schema: TSchema | undefined): TSchema {
  if (schema === undefined) return EmptyObject;
  if (!('properties' in schema) || 'additionalProperties' in schema) return schema;
  return { ...schema, additionalProperties: false };
}

/** Throws 400 for text that cannot be stored, and for values nested too deeply to work on. */
export function refuseUnstorable(raw: RawInputs): void {
  const details = { ...unstorable(raw.params), ...unstorable(raw.query), ...unstorable(raw.body) };
  if (Object.keys(details).length > 0) throw invalid(details);
}

/**
 * Returns a function that checks all parts of a request at once, by schemas and by the route's semantic check. It throws one
 * 400 naming every wrong field; if both find a fault in a field, the semantic check's message is used.
 */
export function inputsOf(
  route: Pick<Route, 'params' | 'query' | 'body' | 'check'>,
): (raw: RawInputs, now: Temporal.Instant) => Inputs {
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
    const isTaken = Object.values(checked).every((part) => part.details === null);
    if (!isTaken || Object.keys(details).length > 0) throw invalid(details);
    return {
      params: checked.params.value,
      query: checked.query.value,
      body: checked.body.value,
    };
  };
}
