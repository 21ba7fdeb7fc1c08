import { RecollectConnectionError, RecollectError } from './errors.ts';
import { type Failed, isUnclear, pause, waitBeforeNext } from './retries.ts';

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
}

/** Options of a single call. */
export interface CallOptions {
  /** Replaces the random key; for POST and PUT only. */
  idempotencyKey?: string;
  /** Aborts the call, which then throws the signal's reason. */
  signal?: AbortSignal;
  /** Overrides the client's timeout. */
  timeoutMs?: number;
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

type Tried<T> = { value: T } | { error: Failed; retryAfter: string | null };

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

/** Sends authenticated calls to the service, each with a timeout, and retries them where that is safe and useful. */
export class Api {
  readonly #options: ClientOptions;
  readonly #root: string;
  readonly #fetch: typeof globalThis.fetch;

  /** Throws TypeError if the key is missing or the base URL is invalid. */
  constructor(options: ClientOptions) {
    if (options.apiKey !== null && !options.apiKey) throw new TypeError('apiKey is missing');
    if (!URL.canParse(options.baseUrl)) throw new TypeError('baseUrl is not a URL');
    this.#options = options;
    this.#root = options.baseUrl.replace(/\/+$/, '');
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  }

  /**
   * Sends a call and returns its response. Throws RecollectError, RecollectConnectionError, or the reason of the caller's
   * signal.
   */
  async send<T>(call: Call, options: CallOptions = {}): Promise<T> {
    const request = this.#prepare(call, options);
    const mostTries = 1 + (this.#options.maxRetries ?? DEFAULT_RETRIES);
    let wasUnclear = false;
    for (let tried = 1; ; tried++) {
      const result = await this.#try<T>(request);
      if ('value' in result) return result.value;
      const { error, retryAfter } = result;
      if (tried >= mostTries || (call.onlyOnce === true && isUnclear(error))) throw error;
      const wait = waitBeforeNext(error, tried, wasUnclear, retryAfter);
      if (wait === null) throw error;
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
        ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
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

  async #try<T>(request: Prepared): Promise<Tried<T>> {
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
        redirect: 'error',
        signal: ending.signal,
      });
      return toResult<T>(response, await response.text(), idempotencyKey);
    } catch (cause) {
      signal?.throwIfAborted();
      const why = ending.signal.aborted ? `none within ${timeoutMs} ms` : reasonOf(cause);
      const message = `No answer to ${request.method} ${request.url.split('?')[0]}: ${why}`;
      const error = new RecollectConnectionError(message, { cause, idempotencyKey });
      return { error, retryAfter: null };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
  }
}

/** Errors thrown by fetch carry the reason in `cause`. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { message, cause } = thrown;
  return cause instanceof Error && cause.message !== '' ? `${message} (${cause.message})` : message;
}

function toResult<T>(response: Response, text: string, idempotencyKey: string | null): Tried<T> {
  const body = parse(text);
  if (response.ok && body !== undefined) return { value: body as T };
  const { status, headers } = response;
  const known = { status, requestId: headers.get('x-request-id'), idempotencyKey };
  const envelope = readEnvelope(body) ?? {
    code: 'unexpected_response',
    message: `The answer is not the service's: HTTP status ${status}`,
  };
  const error = new RecollectError({ ...envelope, ...known });
  return { error, retryAfter: headers.get('retry-after') };
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
