import Type, { type Static } from 'typebox';
import {
  Fields,
  Instant,
  ListOf,
  ListQuery,
  OneOf,
  OrNull,
} from '../../platform/http/schemas/schemas.ts';

/** The query of the request log. */
export const RequestQuery = Fields({
  outcome: Type.Unsafe<'errors' | 'all'>({ ...OneOf(['errors', 'all']), default: 'all' }),
  method: Type.Optional(OneOf(['GET', 'POST', 'PUT', 'DELETE'])),
  path: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'The beginning of the path.' }),
  ),
  ...ListQuery.properties,
});
export type RequestQuery = Static<typeof RequestQuery>;

const requestFields = {
  id: Type.String({ description: 'Unique in the log.' }),
  request_id: Type.String({
    description:
      'The `X-Request-Id` of its answer: the `id`, or what the caller sent, which may name several requests.',
  }),
  at: Instant,
  method: Type.String(),
  path: Type.String({ description: 'With its ids, without secrets.' }),
  status: Type.Integer(),
  duration_ms: Type.Integer(),
  error_code: OrNull(Type.String()),
  caller: Type.Object({
    type: OneOf(['api_key', 'user'] as const),
    id: Type.String(),
    name: Type.String({ description: "The key's name, or the member's." }),
  }),
};

const RequestItem = Type.Object(requestFields);
/** The requests of the last days, in real time, newest first. */
export const RequestList = ListOf(RequestItem);
export type RequestItem = Static<typeof RequestItem>;
export type RequestList = Static<typeof RequestList>;

export const RequestDetail = Type.Object({
  ...requestFields,
  idempotency_key: OrNull(Type.String()),
  user_agent: OrNull(Type.String()),
  request_body: OrNull(
    Type.String({ description: 'JSON, its secrets and account details redacted; the first 8 KB.' }),
  ),
  response_body: OrNull(Type.String({ description: 'The same; null for reads that worked.' })),
});
export type RequestDetail = Static<typeof RequestDetail>;
