import { RecollectConnectionError, RecollectError } from './errors.ts';
import { type Failed, isUnclear, pause, waitBeforeNext } from './retries.ts';

/** How the client reaches the service. */
export interface ClientOptions {
  /**
   * `rk_test_…` or `rk_live_…`. It is a secret: keep it on your server. Null sends none: in a browser, the session
   * cookie of the dashboard speaks for the caller.
   */
  apiKey: string | null;
  /** The address of the service, without `/api/v1`. Where it has a path, that stands before every path of the API. */
  baseUrl: string;
  /** In place of the global `fetch`. */
  fetch?: typeof globalThis.fetch;
  /** How long one try may take, in milliseconds. Default: 30,000. */
  timeoutMs?: number;
  /** How often a request is tried again. Default: 2. */
  maxRetries?: number;
}

/** What can be said of a single call. */
export interface CallOptions {
  /** In place of a random one; for POST and PUT only. */
  idempotencyKey?: string;
  /** Ends the call; it then throws the signal's reason. */
  signal?: AbortSignal;
  /** In place of the client's. */
  timeoutMs?: number;
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** One call, as a resource describes it. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base URL; its ids went through `segment`. */
  path: string;
  query?: object;
  body?: object;
  /** The service takes no `Idempotency-Key` here: not tried again unless it is known that nothing happened. */
  onlyOnce?: boolean;
  /** How long it may take where the caller says nothing, in milliseconds; in place of the client's. */
  timeoutMs?: number;
}

/** A call as it is sent: the same at every try, its `Idempotency-Key` included. */
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

/** An id as a segment of a path. Throws TypeError for one that would name another path. */
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

/** Sends calls to the service: authenticated, each with its time limit, and tried again where that is safe and useful. */
export class Api {
  readonly #options: ClientOptions;
  readonly #root: string;
  readonly #fetch: typeof globalThis.fetch;

  /** Throws TypeError without a key, or with a base URL that is none. */
  constructor(options: ClientOptions) {
    if (options.apiKey !== null && !options.apiKey) throw new TypeError('apiKey is missing');
    if (!URL.canParse(options.baseUrl)) throw new TypeError('baseUrl is not a URL');
    this.#options = options;
    this.#root = options.baseUrl.replace(/\/+$/, '');
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  }

  /** The answer of a call. Throws RecollectError, RecollectConnectionError, or the reason of the caller's signal. */
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

/** What fetch throws hides its reason in `cause`. */
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

/** Reads the error envelope; null where the body is not one. See docs/rules/api.md#errors. */
function readEnvelope(body: unknown): Envelope | null {
  const { error } = (body ?? {}) as { error?: Partial<Envelope> | null };
  if (typeof error?.code !== 'string' || typeof error.message !== 'string') return null;
  const { code, message, details } = error;
  return details === undefined ? { code, message } : { code, message, details };
}
