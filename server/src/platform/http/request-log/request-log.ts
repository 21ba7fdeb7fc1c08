import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Platform } from '../../platform.ts';
import { realNow } from '../../time/clock.ts';
import { plusMs } from '../../values/instants.ts';
import { cut, redactBody, redactError, redactPath, redactText } from './redaction.ts';
import type { LoggedRequest } from './request-log-store.ts';
import { makeRequestRecorder } from './request-recorder.ts';

const BODY_BYTES = 8 * 1024;
const PATH_BYTES = 512;
const HEADER_BYTES = 256;
const ERROR = 400;

/** Which requests of a scope are recorded: docs/rules/api.md#request-ids. */
export interface Recorded {
  /** Reads are left out even if they are refused. */
  onlyChanges?: boolean;
}

/** The log of merchants' API requests, kept for 7 days of real time. */
export interface RequestLog {
  /** Records the requests of this scope's routes, after the response and if the caller is known. */
  hooks(scope: FastifyInstance, recorded?: Recorded): void;
  /** Resolves when every request answered so far is written. */
  idle(): Promise<void>;
}

/**
 * Makes the log of one server. Recording adds no latency: it begins after the response is sent. Secrets, account details and
 * phone numbers never reach the database. Await `idle` before the database is closed.
 */
export function logRequests({
  db,
  log,
  ids,
  config,
}: Pick<Platform, 'db' | 'log' | 'ids' | 'config'>): RequestLog {
  const recorder = makeRequestRecorder(db, log);
  return {
    idle: () => recorder.idle(),
    hooks(scope, { onlyChanges = false } = {}) {
      const isLeftOut = (method: string, status: number): boolean =>
        method === 'GET' && (onlyChanges || (config.requestLog === 'changes' && status < ERROR));
      const answers = new WeakMap<FastifyRequest, string>();
      scope.addHook('onSend', async (request, reply, payload) => {
        const isKept = request.method !== 'GET' || reply.statusCode >= ERROR;
        if (isKept && typeof payload === 'string') answers.set(request, payload);
      });
      scope.addHook('onResponse', async (request, reply) => {
        const { caller, routeOptions } = request;
        if (caller === null || routeOptions.config.isUnlogged === true) return;
        if (isLeftOut(request.method, reply.statusCode)) return;
        recorder.record({
          merchantId: caller.merchantId,
          callerType: caller.actorId.startsWith('key_') ? 'api_key' : 'user',
          callerId: caller.actorId,
          ...idsOf(request, () => ids.next('req', realNow())),
          ...readRequest(request, reply),
          ...readAnswer(request, reply.statusCode, answers.get(request)),
        });
      });
    },
  };
}

type Read<K extends keyof LoggedRequest> = Pick<LoggedRequest, K>;

/** Returns both ids of a request: our own is unique; the one that the caller sent may name several. */
function idsOf(request: FastifyRequest, next: () => string): Read<'requestId' | 'sentId'> {
  const isOurs = request.headers['x-request-id'] !== request.id;
  return isOurs
    ? { requestId: request.id, sentId: null }
    : { requestId: next(), sentId: request.id };
}

function header(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? cut(redactText(value), HEADER_BYTES) : null;
}

function readRequest(request: FastifyRequest, reply: FastifyReply) {
  const { body } = request;
  const durationMs = Math.round(reply.elapsedTime);
  return {
    at: plusMs(realNow(), -durationMs),
    method: request.method,
    path: cut(redactPath(request.url), PATH_BYTES),
    status: reply.statusCode,
    durationMs,
    idempotencyKey: header(request, 'idempotency-key'),
    userAgent: header(request, 'user-agent'),
    requestBody:
      body === undefined ? null : cut(JSON.stringify(redactBody(request.url, body)), BODY_BYTES),
  };
}

function readAnswer(
  { url }: FastifyRequest,
  status: number,
  text: string | undefined,
): Read<'errorCode' | 'responseBody'> {
  const body = text === undefined ? undefined : parse(text);
  if (body === undefined) return { errorCode: null, responseBody: null };
  const isError = status >= ERROR;
  const { code } = Object(Object(body).error) as { code?: unknown };
  const redacted = isError ? redactError(Object(body)) : redactBody(url, body);
  return {
    errorCode: isError && typeof code === 'string' ? code : null,
    responseBody: cut(JSON.stringify(redacted), BODY_BYTES),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON, so not a response of the API
  }
}
