import { RecollectConnectionError, RecollectError } from '@recollect/sdk';

type QueryValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * Calls endpoints with JSON. All throw RecollectError or RecollectConnectionError. Empty, null and undefined query values are
 * omitted.
 */
export interface JsonClient {
  get: <T>(path: string, query?: QueryValues) => Promise<T>;
  post: <T>(path: string, body?: unknown) => Promise<T>;
  put: <T>(path: string, body?: unknown) => Promise<T>;
  delete: <T>(path: string) => Promise<T>;
}

const TIMEOUT_MS = 30_000;

/** Makes a client of the endpoints below an address. */
export function jsonClient(root: string, fetch: typeof globalThis.fetch): JsonClient {
  const send = async <T>(
    method: string,
    path: string,
    parts: { query?: QueryValues | undefined; body?: unknown },
  ): Promise<T> => {
    const { query, body } = parts;
    const response = await fetch(addressOf(root, path, query), {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((cause: unknown) => {
      throw new RecollectConnectionError(`No response to ${method} ${path}.`, {
        cause,
        idempotencyKey: null,
      });
    });
    const answer = await parse(response);
    if (!response.ok || answer === undefined) throw refusalOf(response, answer);
    return answer as T;
  };
  return {
    get: (path, query) => send('GET', path, { query }),
    post: (path, body = {}) => send('POST', path, { body }),
    put: (path, body = {}) => send('PUT', path, { body }),
    delete: (path) => send('DELETE', path, {}),
  };
}

function addressOf(root: string, path: string, query: QueryValues = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  return search.size === 0 ? `${root}${path}` : `${root}${path}?${search}`;
}

interface Envelope {
  error?: { code?: unknown; message?: unknown; details?: Record<string, string> };
}

/** Returns the error in a response; `unexpected_response` if it is not one of ours. */
function refusalOf(response: Response, body: unknown): RecollectError {
  const { error } = (body ?? {}) as Envelope;
  const isOurs = typeof error?.code === 'string' && typeof error.message === 'string';
  return new RecollectError({
    code: isOurs ? String(error.code) : 'unexpected_response',
    message: isOurs
      ? String(error.message)
      : `Unexpected response (HTTP status ${response.status}).`,
    details: isOurs ? error.details : undefined,
    status: response.status,
    requestId: response.headers.get('x-request-id'),
  });
}

async function parse(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}
