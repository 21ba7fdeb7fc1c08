import { Recollect, RecollectConnectionError, RecollectError } from '@recollect/sdk';
import { BASE } from '../app/base.ts';
import { isAttended } from './attended.ts';

type QueryValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

const MERCHANT_KEY = 'recollect.merchant';
const TIMEOUT_MS = 30_000;
const ROOT = `${location.origin}${BASE}`;

let merchantId: string | null = readChoice();
const signedOutListeners = new Set<() => void>();

function readChoice(): string | null {
  try {
    return localStorage.getItem(MERCHANT_KEY);
  } catch {
    return null;
  }
}

/** Sets the merchant that this browser acts for; null: the service decides. Kept for the next visit. */
export function chooseMerchant(id: string | null): void {
  merchantId = id;
  try {
    if (id === null) localStorage.removeItem(MERCHANT_KEY);
    else localStorage.setItem(MERCHANT_KEY, id);
  } catch {
    // No storage: the choice lasts as long as the page.
  }
}

/** Returns the merchant this browser acts for, or null before one is known. */
export function chosenMerchant(): string | null {
  return merchantId;
}

/** Calls the listener whenever a response reports that the user is signed out. Returns a function that unsubscribes. */
export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

/** Calls fetch with the session's cookie and the merchant's header; notifies the listeners of a 401. */
const sessionFetch: typeof globalThis.fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  if (merchantId !== null) headers.set('x-recollect-merchant', merchantId);
  if (!isAttended()) headers.set('x-recollect-unattended', '1');
  const response = await globalThis.fetch(input, { ...init, headers, credentials: 'same-origin' });
  if (response.status === 401) for (const listener of signedOutListeners) listener();
  return response;
};

/** The public API, called with the member's session. */
export const recollect = new Recollect({
  apiKey: null,
  baseUrl: ROOT,
  fetch: sessionFetch,
  maxRetries: 1,
});

function addressOf(path: string, query: QueryValues = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  return search.size === 0 ? `${ROOT}${path}` : `${ROOT}${path}?${search}`;
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

async function send<T>(
  method: string,
  path: string,
  parts: { query?: QueryValues | undefined; body?: unknown },
): Promise<T> {
  const { query, body } = parts;
  const response = await sessionFetch(addressOf(path, query), {
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
}

/**
 * Calls the endpoints that only the dashboard needs; paths are below `/dashboard`, such as `/api/overview`. All throw
 * RecollectError or RecollectConnectionError. Empty, null and undefined query values are omitted.
 */
export const dashboard = {
  get: <T>(path: string, query?: QueryValues): Promise<T> => send<T>('GET', path, { query }),
  post: <T>(path: string, body: unknown = {}): Promise<T> => send<T>('POST', path, { body }),
  put: <T>(path: string, body: unknown = {}): Promise<T> => send<T>('PUT', path, { body }),
  delete: <T>(path: string): Promise<T> => send<T>('DELETE', path, {}),
};
