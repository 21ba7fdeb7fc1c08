import { type Server, STATUS_CODES } from 'node:http';
import Fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { shareOut } from '../db/pools.ts';
import type { Platform } from '../platform.ts';
import { realNow } from '../time/clock.ts';
import { ApiError } from '../values/errors.ts';
import { addAdmission, reportRefusals } from './admission/admission.ts';
import { ARRIVAL, boundConnections, endConnection } from './admission/connections.ts';
import { type Work, WorkQueue } from './admission/work-queue.ts';
import type { Authenticate } from './calls/auth.ts';
import { refuseOtherEncodings } from './calls/bodies.ts';
import { envelope, headersOf, reportFailure, toApiError } from './calls/errors.ts';
import { addNotFound } from './calls/not-found.ts';
import { addRateLimits, keyGuards } from './calls/rate-limit.ts';
import { addDocuments } from './calls/response-coding.ts';
import type { PlainRoutes, Route } from './calls/route.ts';
import { addHealth } from './health.ts';
import { type Guard, mountRoutes } from './mount.ts';
import { addOpenApi, ofApi } from './openapi/openapi.ts';
import { addReference } from './openapi/reference.ts';

/** The parts of an HTTP server. */
export interface HttpParts {
  platform: Platform;
  /** The endpoints of the API. */
  routes: readonly Route[];
  /** The webhooks that the OpenAPI document shows, by kind of event. */
  webhooks?: Record<string, object>;
  /** What each tag of the OpenAPI document is about. */
  tags?: Readonly<Record<string, string>>;
  authenticate: Authenticate;
  /** Checks that a key may call an endpoint. Absent: every key may call every endpoint. */
  allow?: (route: Route) => Guard;
  /** Registers the routes beside the API: the portal's pages, notifications of banks and of the issuer. */
  plain?: PlainRoutes;
  /** Records requests and responses of the API. */
  record?: (scope: FastifyInstance) => void;
  /** Bounds what is worked on at once. Default: by the connections to the database. */
  queue?: WorkQueue;
  /** Called for every response. */
  measure?: MeasureRequest;
  /** Checks every response against its schema and fails with 500 on a mismatch: for tests. */
  checkResponses?: boolean;
}

/** Notes a response, by the pattern of its route; null: no route serves the path. */
export type MeasureRequest = (route: string | null, status: number, elapsedMs: number) => void;

const BODY_LIMIT = 256 * 1024;
/** A request that did not arrive in time. */
const REQUEST_TIMEOUT = 408;
const SANE_REQUEST_ID = /^[\w.:+/=-]{1,128}$/;
const JSON_TYPE = 'application/json; charset=utf-8';

/** Returns the headers of every response; pages set their own policy. */
function safetyHeaders(baseUrl: string): Readonly<Record<string, string>> {
  const headers = {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
  return baseUrl.startsWith('https:')
    ? { ...headers, 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
    : headers;
}

function refuse(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
): FastifyReply {
  const error = toApiError(thrown, request.routeOptions.bodyLimit);
  if (error.status >= 500) reportFailure(platform, request, thrown);
  return reply
    .code(error.status)
    .headers({ 'x-request-id': request.id, 'cache-control': 'no-store', ...headersOf(error) })
    .type(JSON_TYPE)
    .send(envelope(error));
}

/** Sends the error envelope even to requests that are not valid HTTP. */
function clientErrors({ ids }: Platform): FastifyServerOptions['clientErrorHandler'] {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    const status = (refused: number): number => (isLate ? REQUEST_TIMEOUT : refused);
    const refusal =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? new ApiError('headers_too_large', 'The headers are larger than 16 KB.')
        : new ApiError('invalid_request', 'This is not a valid HTTP request.');
    const body = envelope(refusal);
    const lines = [
      `HTTP/1.1 ${status(refusal.status)} ${STATUS_CODES[status(refusal.status)]}`,
      `Content-Type: ${JSON_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${ids.next('req', realNow())}`,
      'Cache-Control: no-store',
      'Connection: close',
    ];
    endConnection(socket, `${lines.join('\r\n')}\r\n\r\n${body}`);
  };
}

function serverOptions(platform: Platform): FastifyHttpOptions<Server> {
  return {
    loggerInstance: platform.log.ofLibrary,
    // A path may contain a link's secret: our own hook logs only the route's pattern.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    requestTimeout: ARRIVAL.wholeMs,
    http: { headersTimeout: ARRIVAL.headersMs, connectionsCheckingInterval: ARRIVAL.lookEveryMs },
    trustProxy: platform.config.trustProxy === null ? false : [...platform.config.trustProxy],
    requestIdHeader: false,
    genReqId: (request) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && SANE_REQUEST_ID.test(given)
        ? given
        : platform.ids.next('req', realNow());
    },
    return503OnClosing: false, // requests that arrive while closing are still served
    frameworkErrors: (error, request, reply) => void refuse(platform, request, reply, error),
    clientErrorHandler: clientErrors(platform),
  };
}

/** What machines ask every few seconds: that all is well would fill the log. */
const PROBES = new Set(['/healthz', '/readyz', '/health', '/metrics']);
const FIRST_REFUSAL = 400;

function addConduct(app: FastifyInstance, platform: Platform, measure?: MeasureRequest): void {
  const safety = safetyHeaders(platform.config.baseUrl);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...safety, 'x-request-id': request.id });
  });
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close'); // otherwise an idle connection would keep the server up
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? null;
    measure?.(route, reply.statusCode, reply.elapsedTime);
    const fields = {
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      merchant: request.caller?.merchantId,
    };
    if (PROBES.has(route ?? '') && reply.statusCode < FIRST_REFUSAL)
      request.log.debug(fields, 'request');
    else request.log.info(fields, 'request');
  });
  app.setErrorHandler((error, request, reply) => refuse(platform, request, reply, error));
  // Routes check their own inputs, all parts at once, and return finished bodies.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
}

/** Makes an HTTP server with the conduct of all of ours and without a route. `close()` finishes the requests in progress. */
export function makeBareServer(
  platform: Platform,
  most: { connections: number },
  measure?: MeasureRequest,
): FastifyInstance {
  const app = Fastify(serverOptions(platform));
  app.decorateRequest('caller', null);
  boundConnections(app, most.connections);
  addConduct(app, platform, measure);
  refuseOtherEncodings(app);
  return app;
}

/** How many requests are worked on for each connection to the database: not all of them wait for it at the same time. */
const SLOTS_PER_CONNECTION = 4;

/** Makes the queue of the requests of one server. `count`: called for each refused request. */
export function makeWorkQueue(
  { config, log }: Pick<Platform, 'config' | 'log'>,
  count: (work: Work) => void = () => undefined,
): WorkQueue {
  const report = reportRefusals(log);
  return new WorkQueue(shareOut(config).api * SLOTS_PER_CONNECTION, (work) => {
    count(work);
    report(work);
  });
}

/** Makes the server of the API and the pages, ready to listen or to be injected into. */
export async function makeHttpServer(parts: HttpParts): Promise<FastifyInstance> {
  const { config } = parts.platform;
  const app = makeBareServer(parts.platform, { connections: config.maxConnections }, parts.measure);
  addAdmission(app, parts.queue ?? makeWorkQueue(parts.platform));
  await addRateLimits(app, parts.platform);
  addNotFound(app);
  addHealth(app, parts.platform);
  await addOpenApi(app, parts.platform, ofApi(parts.platform, parts));
  addDocuments(app, (scope) => addReference(scope, config));
  const guards = keyGuards(parts.authenticate);
  await mountRoutes(app, {
    ...parts,
    guards: (route) => (parts.allow === undefined ? guards : [...guards, parts.allow(route)]),
    documented: true,
  });
  await app.register((scope, _options, done) => {
    Promise.resolve(parts.plain?.(scope)).then(() => done(), done);
  });
  await app.ready();
  return app;
}
