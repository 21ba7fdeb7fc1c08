import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import type { TSchema } from 'typebox';
import { VERSION } from '../../config/config.ts';
import type { Platform } from '../../platform.ts';
import { ERROR_STATUS, type ErrorCode } from '../../values/errors.ts';
import type { IdPrefix } from '../../values/ids.ts';
import { takesIdempotencyKey } from '../calls/idempotency.ts';
import { addDocuments } from '../calls/response-coding.ts';
import type { Route } from '../calls/route.ts';
import { ErrorEnvelope, Id } from '../schemas/schemas.ts';
import { withComponents } from './components.ts';
import { readExamples, withExamples } from './examples.ts';
import { postmanCollection } from './postman.ts';

const ABOUT_API = `Recurring collections over open banking: schedules, the customer's consent, payments, settlements
and webhooks. Amounts are integers in pence, instants are ISO 8601 in UTC.

Send an \`Idempotency-Key\` with every POST and PUT, and repeat the request with the same key when no response came.`;

const REQUEST_ID = {
  type: 'string',
  description: "Names this request in the service's log. Where the request has one, it is kept.",
};
const ANSWER_HEADERS = {
  'X-Request-Id': REQUEST_ID,
  'RateLimit-Limit': { type: 'integer', description: 'How many requests a minute may have.' },
  'RateLimit-Remaining': { type: 'integer', description: 'Requests left in this minute.' },
  'RateLimit-Reset': { type: 'integer', description: 'Seconds until the minute is over.' },
};
const REPLAYED = {
  type: 'string',
  enum: ['true'],
  description: 'This is the response to an earlier request with the same `Idempotency-Key`.',
};
const RETRY_AFTER = { type: 'integer', description: 'Seconds to wait.' };

const COMMON_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
  'unauthorized',
  'rate_limit_exceeded',
  'internal_error',
  'service_unavailable',
];
const WITH_BODY: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type'];
const WITH_KEY: readonly ErrorCode[] = ['idempotency_conflict', 'request_in_progress'];

function errorAnswers(route: Route): Record<string, object> {
  const codes = new Set([
    ...COMMON_ERRORS,
    ...(route.errors ?? []),
    ...(route.method === 'GET' || route.method === 'DELETE' ? [] : WITH_BODY),
    ...(takesIdempotencyKey(route) ? WITH_KEY : []),
  ]);
  const byStatus = Map.groupBy(codes, (code) => ERROR_STATUS[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, those]) => [
      status,
      {
        description: those.map((code) => `\`${code}\``).join(', '),
        headers:
          status === 429 || status === 503
            ? { 'X-Request-Id': REQUEST_ID, 'Retry-After': RETRY_AFTER }
            : { 'X-Request-Id': REQUEST_ID },
        content: { 'application/json': { schema: { $ref: 'Error#' } } },
      },
    ]),
  );
}

/** Marks fields with a default as optional, though the handler always gets them. */
function asSent(query: TSchema): object {
  const { required, properties } = query as {
    required?: string[];
    properties?: Record<string, { default?: unknown }>;
  };
  return {
    ...query,
    required: (required ?? []).filter((name) => properties?.[name]?.default === undefined),
  };
}

/** Says of the id in a path which one it is, with an example: in `/schedules/:id` that of a schedule. */
function withIdExamples(path: string, params: TSchema): object {
  const { properties = {} } = params as { properties?: Record<string, object> };
  const of = Object.entries(properties).map(([name, schema]): [string, object] => {
    const own = ID_OF[path.split(`/:${name}`, 1)[0]?.split('/').at(-1) ?? ''];
    return [
      name,
      own === undefined ? schema : { ...Id(own[0], `The id of the ${own[1]}.`), ...schema },
    ];
  });
  return { ...params, properties: Object.fromEntries(of) };
}

const ID_OF: Readonly<Record<string, readonly [IdPrefix, string]>> = {
  schedules: ['sch', 'schedule'],
  schedule_changes: ['chg', 'change'],
  customers: ['cus', 'customer'],
  payments: ['pay', 'payment'],
  refunds: ['ref', 'refund'],
  disputes: ['dsp', 'dispute'],
  settlements: ['set', 'settlement'],
  webhook_endpoints: ['end', 'webhook endpoint'],
  events: ['evt', 'event'],
  api_keys: ['key', 'API key'],
  prepared_acts: ['act', 'prepared act'],
  merchants: ['mer', 'merchant'],
  operators: ['opr', 'operator'],
  keys: ['key', 'key'],
  users: ['usr', 'user'],
  unallocated: ['una', 'unallocated item'],
};

const keyHeader = {
  'Idempotency-Key': {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    description:
      'A text of your own, a new one for each thing that you mean to do. Within 24 hours the same request with the same key gets the first response again, and another request with it is refused with 409 `idempotency_conflict`.',
  },
};

/** Many clients send `{}` with every POST and PUT, also where there is nothing to say. */
const EMPTY_BODY = {
  type: 'object',
  properties: {},
  additionalProperties: false,
  description: 'Nothing needs to be sent; an empty object may be.',
};

function bodyOf({ body, method }: Route, title: string): { body?: object } {
  if (body !== undefined) return { body: { title, ...body } };
  return method === 'POST' || method === 'PUT' ? { body: { title, ...EMPTY_BODY } } : {};
}

/** Returns one endpoint as the OpenAPI document shows it. */
export function documented(route: Route): FastifySchema {
  const name = route.operationId.replace(/^./, (letter) => letter.toUpperCase());
  return {
    operationId: route.operationId,
    ...(route.command === undefined ? {} : { 'x-cli': route.command }),
    ...(route.scope === null ? {} : { 'x-scope': route.scope }),
    summary: route.summary,
    tags: [route.tag],
    ...(route.description === undefined ? {} : { description: route.description }),
    ...(route.params === undefined ? {} : { params: withIdExamples(route.path, route.params) }),
    ...(route.query === undefined ? {} : { querystring: asSent(route.query) }),
    ...bodyOf(route, `${name}Request`),
    headers: {
      type: 'object',
      properties: { 'X-Request-Id': REQUEST_ID, ...(takesIdempotencyKey(route) ? keyHeader : {}) },
    },
    response: {
      200: {
        description: 'Done.',
        headers: takesIdempotencyKey(route)
          ? { ...ANSWER_HEADERS, 'Idempotent-Replayed': REPLAYED }
          : ANSWER_HEADERS,
        content: {
          'application/json': { schema: { title: `${name}Response`, ...route.response } },
        },
      },
      ...errorAnswers(route),
    },
  };
}

/** What a document says besides its routes. */
export interface Documented {
  title: string;
  about: string;
  /** What its API keys look like. */
  keys: string;
  /** Where the API is reached; null: where the document was read. */
  baseUrl: string | null;
  webhooks: Record<string, object>;
  /** What each tag is about, in the order in which they are shown. */
  tags: Readonly<Record<string, string>>;
  /** Whether `examples.json` has examples of it. */
  hasExamples: boolean;
  /** The path of the document and of its Postman collection, without the file's name. */
  prefix: string;
}

/** Returns what the document of the merchants' API says. */
export const ofApi = (
  { config }: Platform,
  { webhooks = {}, tags = {} }: Partial<Pick<Documented, 'webhooks' | 'tags'>>,
): Documented => ({
  title: config.brand.name,
  about: ABOUT_API,
  keys: 'An API key: `rk_test_…` in the sandbox, `rk_live_…` live.',
  baseUrl: config.baseUrl,
  webhooks,
  tags,
  hasExamples: true,
  prefix: '',
});

/**
 * Collects the routes added after it, and the webhooks, into an OpenAPI 3.1 document at `openapi.json`, and a
 * Postman collection of it at `postman.json`.
 */
export async function addOpenApi(
  app: FastifyInstance,
  platform: Platform,
  { title, about, keys, baseUrl, webhooks, tags, hasExamples, prefix }: Documented,
): Promise<void> {
  const docs = `${platform.config.baseUrl.replace(/\/+$/, '')}/docs`;
  const guides = `${docs}/guides`;
  const { name, supportEmail } = platform.config.brand;
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title,
        version: VERSION,
        description: `${about}\n\nGuides: [${guides}](${guides}).`,
        contact: { name, url: docs, ...(supportEmail !== null && { email: supportEmail }) },
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      externalDocs: { url: docs },
      servers: [{ url: baseUrl ?? '/' }],
      tags: Object.entries(tags).map(([tag, description]) => ({ name: tag, description })),
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: keys },
        },
      },
      security: [{ apiKey: [] }],
      webhooks,
    },
    hideUntagged: true,
    refResolver: {
      buildLocalReference: (json, _base, _fragment, i) =>
        typeof json.$id === 'string' ? json.$id : `schema${i}`,
    },
  });
  app.addSchema({ $id: 'Error', ...ErrorEnvelope });
  let made: { document: string; postman: string } | null = null;
  const make = (): NonNullable<typeof made> => {
    const bare = withComponents(app.swagger());
    const examples = hasExamples ? readExamples() : null;
    const document = examples === null ? bare : withExamples(bare, examples);
    const postman = postmanCollection(document, examples);
    return { document: JSON.stringify(document), postman: JSON.stringify(postman, null, 2) };
  };
  addDocuments(app, (scope) => {
    for (const [path, kind] of [
      [`${prefix}/openapi.json`, 'document'],
      [`${prefix}/postman.json`, 'postman'],
    ] as const)
      scope.get(path, { schema: { hide: true } }, async (_request, reply) => {
        made ??= make();
        return reply.type('application/json; charset=utf-8').send(made[kind]);
      });
  });
}
