import { RecollectConnectionError, refusalOf } from './errors.ts';
import { type Reply, replyOf, type WithResponse } from './reply.ts';
import {
  type Failed,
  isUnclear,
  pause,
  secondsOf,
  unknownAfter,
  waitBeforeNext,
} from './retries.ts';
import { VERSION } from './version.ts';

/** One attempt of a call, for a log or a metric. */
export interface RequestAttempt {
  method: string;
  url: string;
  /** Counted from 1. */
  number: number;
  idempotencyKey: string | null;
}

/** How an attempt went. `status` and `requestId` are null where no answer came. */
export interface RequestResult extends RequestAttempt {
  status: number | null;
  requestId: string | null;
  milliseconds: number;
}

/** How the client reaches the service. */
export interface ClientOptions {
  /**
   * `rk_test_…` or `rk_live_…`. It is a secret: keep it on your server. Null sends no key: in a browser, the dashboard's session
   * cookie authenticates the caller.
   */
  apiKey: string | null;
  /** The URL of the service, without `/api/v1`. If it has a path, every API path is appended to it. */
  baseUrl: string;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch;
  /** Timeout of one attempt, in milliseconds. Default: 30,000. */
  timeoutMs?: number;
  /** Maximum number of retries per request. Default: 2. */
  maxRetries?: number;
  /** Your program, added to `User-Agent`: whoever runs the service can then tell you what they see of it. */
  appInfo?: { name: string; version?: string; url?: string };
  /** Called before each attempt. What it throws ends the call. */
  onRequest?: (attempt: RequestAttempt) => void;
  /** Called after each attempt. */
  onResponse?: (result: RequestResult) => void;
}

/** Options of a single call. */
export interface CallOptions {
  /** Replaces the random key; for POST and PUT only. */
  idempotencyKey?: string;
  /** Aborts the call, which then throws the signal's reason. */
  signal?: AbortSignal;
  /** Overrides the client's timeout. */
  timeoutMs?: number;
  /** Overrides the client's number of retries. */
  maxRetries?: number;
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** One call, as a resource describes it. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to the base URL; its ids are encoded with `segment`. */
  path: string;
  query?: object;
  body?: object;
  /** The service accepts no `Idempotency-Key` here: the call is retried only if it certainly had no effect. */
  onlyOnce?: boolean;
  /** Default timeout of this call, in milliseconds; overrides the client's. */
  timeoutMs?: number;
}

/** A call as it is sent: identical on every attempt, including its `Idempotency-Key`. */
interface Prepared {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
  idempotencyKey: string | null;
  signal: AbortSignal | undefined;
  timeoutMs: number;
}

type Tried<T> = { value: WithResponse<T> } | { error: Failed };

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRIES = 2;

/** Encodes an id as a path segment. Throws TypeError for an id that would change the path. */
export function segment(id: string): string {
  if (typeof id !== 'string' || id === '' || id === '.' || id === '..')
    throw new TypeError(`This is not an id: ${JSON.stringify(id)}`);
  return encodeURIComponent(id);
}

function withQuery(url: string, query: object | undefined): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries((query ?? {}) as Query))
    if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? url : `${url}?${search}`;
}

/** Returns the text of `User-Agent`. */
function userAgentOf(appInfo: ClientOptions['appInfo']): string {
  const ours = `recollect-typescript/${VERSION}`;
  if (appInfo === undefined) return ours;
  const { name, version, url } = appInfo;
  const theirs = version === undefined ? name : `${name}/${version}`;
  return url === undefined ? `${ours} ${theirs}` : `${ours} ${theirs} (${url})`;
}

/** Sends authenticated calls to the service, each with a timeout, and retries them where that is safe and useful. */
export class Api {
  readonly #options: ClientOptions;
  readonly #root: string;
  readonly #fetch: typeof globalThis.fetch;
  readonly #userAgent: string;

  /** Throws TypeError if the key is missing or the base URL is invalid. */
  constructor(options: ClientOptions) {
    if (options.apiKey !== null && !options.apiKey) throw new TypeError('apiKey is missing');
    if (!URL.canParse(options.baseUrl)) throw new TypeError('baseUrl is not a URL');
    this.#options = options;
    this.#root = options.baseUrl.replace(/\/+$/, '');
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.#userAgent = userAgentOf(options.appInfo);
  }

  /**
   * Sends a call and returns its reply. It rejects with RecollectError, RecollectConnectionError, or the reason of the caller's
   * signal.
   */
  send<T>(call: Call, options: CallOptions = {}): Reply<T> {
    return replyOf(this.#send<T>(call, options));
  }

  async #send<T>(call: Call, options: CallOptions): Promise<WithResponse<T>> {
    const request = this.#prepare(call, options);
    const mostTries = 1 + (options.maxRetries ?? this.#options.maxRetries ?? DEFAULT_RETRIES);
    let wasUnclear = false;
    for (let tried = 1; ; tried++) {
      const result = await this.#try<T>(request, tried);
      if ('value' in result) return result.value;
      const { error } = result;
      const isLast = tried >= mostTries || (call.onlyOnce === true && isUnclear(error));
      const wait = isLast ? null : waitBeforeNext(error, tried, wasUnclear);
      if (wait === null)
        throw call.method === 'GET' ? error : (unknownAfter(error, wasUnclear) ?? error);
      wasUnclear ||= isUnclear(error);
      await pause(wait, request.signal);
    }
  }

  #prepare(call: Call, options: CallOptions): Prepared {
    const { method, path, query, body } = call;
    const takesKey = (method === 'POST' || method === 'PUT') && call.onlyOnce !== true;
    const idempotencyKey = takesKey ? (options.idempotencyKey ?? crypto.randomUUID()) : null;
    const { apiKey } = this.#options;
    return {
      url: withQuery(`${this.#root}${path}`, query),
      method,
      headers: {
        accept: 'application/json',
        // In a browser the session speaks for the caller, and the browser for itself.
        ...(apiKey === null
          ? {}
          : { authorization: `Bearer ${apiKey}`, 'user-agent': this.#userAgent }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      idempotencyKey,
      signal: options.signal,
      timeoutMs:
        options.timeoutMs ?? call.timeoutMs ?? this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    };
  }

  async #try<T>(request: Prepared, number: number): Promise<Tried<T>> {
    const { method, url, idempotencyKey } = request;
    const attempt = { method, url, number, idempotencyKey };
    this.#options.onRequest?.(attempt);
    const began = Date.now();
    const answer = await this.#fetchOnce(request);
    const milliseconds = Date.now() - began;
    const isAnswer = !(answer instanceof RecollectConnectionError);
    const status = isAnswer ? answer.response.status : null;
    const requestId = isAnswer ? answer.response.headers.get('x-request-id') : null;
    this.#options.onResponse?.({ ...attempt, status, requestId, milliseconds });
    return isAnswer ? toResult<T>(answer, request, this.#root) : { error: answer };
  }

  async #fetchOnce(request: Prepared): Promise<Answer | RecollectConnectionError> {
    const { signal, timeoutMs, idempotencyKey } = request;
    signal?.throwIfAborted();
    const ending = new AbortController();
    const end = () => ending.abort();
    const timer = setTimeout(end, timeoutMs);
    signal?.addEventListener('abort', end, { once: true });
    try {
      const response = await this.#fetch(request.url, {
        method: request.method,
        headers: request.headers,
        body: request.body ?? null,
        redirect: 'manual', // followed, it might repeat the request elsewhere; Cloudflare Workers know no 'error'
        signal: ending.signal,
      });
      return { response, text: await response.text() };
    } catch (cause) {
      signal?.throwIfAborted();
      const why = ending.signal.aborted ? `none within ${timeoutMs} ms` : reasonOf(cause);
      const message = `No answer to ${request.method} ${request.url.split('?')[0]}: ${why}`;
      return new RecollectConnectionError(message, { cause, idempotencyKey });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
  }
}

interface Answer {
  response: Response;
  text: string;
}

/** Errors thrown by fetch carry the reason in `cause`. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { message, cause } = thrown;
  return cause instanceof Error && cause.message !== '' ? `${message} (${cause.message})` : message;
}

function toResult<T>(answer: Answer, { idempotencyKey }: Prepared, root: string): Tried<T> {
  const { status, ok, headers } = answer.response;
  const body = parse(answer.text);
  const requestId = headers.get('x-request-id');
  if (ok && body !== undefined) {
    const isReplayed = headers.get('idempotent-replayed') === 'true';
    return { value: { data: body as T, response: { status, headers, requestId, isReplayed } } };
  }
  const envelope = readEnvelope(body);
  if (envelope === null) {
    const message = `The answer is not the service's: ${whatCame(answer.response)}`;
    return { error: new RecollectConnectionError(message, { idempotencyKey, status }) };
  }
  const retryAfter = secondsOf(headers.get('retry-after'));
  const docUrl = `${root}/docs/errors/${encodeURIComponent(envelope.code)}`;
  const known = { status, requestId, idempotencyKey, retryAfter, docUrl };
  return { error: refusalOf({ ...envelope, ...known }) };
}

/** Says what came in place of an answer: a proxy's page, or a redirect, of which browsers show nothing. */
function whatCame({ status, headers, type }: Response): string {
  if (type === 'opaqueredirect') return 'a redirect. Is baseUrl right?';
  const to = headers.get('location');
  if (to !== null) return `HTTP status ${status} to ${to}. Is baseUrl right?`;
  return `HTTP status ${status}, ${headers.get('content-type') ?? 'without a content type'}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Envelope {
  code: string;
  message: string;
  details?: Record<string, string>;
}

/** Reads the error envelope; null if the body is not one. See docs/rules/api.md#errors. */
function readEnvelope(body: unknown): Envelope | null {
  const { error } = (body ?? {}) as { error?: Partial<Envelope> | null };
  if (typeof error?.code !== 'string' || typeof error.message !== 'string') return null;
  const { code, message, details } = error;
  return details === undefined ? { code, message } : { code, message, details };
}
