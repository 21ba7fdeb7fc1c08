type Fetch = typeof globalThis.fetch;

const KEY = 'idempotency-key';
const REPLAYED = 'idempotent-replayed';
const LOWEST_OUTAGE = 500;
/** Refusals that say nothing of an earlier try under the same key. */
const SILENT_STATUSES: readonly number[] = [401, 403, 429];
/** A later press is meant as a new change: the member has seen the outcome by then. */
const KEPT_FOR_MS = 10 * 60_000;

/** A change with an unknown outcome. */
interface Unclear {
  key: string;
  /** What it changes: the id in its address, or the address where it has none. */
  object: string;
  since: number;
}

const objectOf = (url: string): string => /\/([a-z]{3}_\w+)/.exec(url)?.[1] ?? url;

/**
 * Returns a fetch that repeats a change under its first key while the outcome is unknown, so that pressing the button again makes
 * no second one: for ten minutes at most, and until another change of the same object is answered. `onRepeated` is called where
 * the first try had made the change. See docs/rules/api.md#idempotency.
 */
export function repeatingUnclear(fetch: Fetch, onRepeated: () => void): Fetch {
  const calls = new Map<string, Unclear>();
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    const own = headers.get(KEY);
    if (own === null) return fetch(input, init);
    const call = JSON.stringify([init?.method, String(input), init?.body]);
    const now = Date.now();
    for (const [name, { since }] of calls) if (now - since > KEPT_FOR_MS) calls.delete(name);
    const earlier = calls.get(call);
    const { key, object } = earlier ?? { key: own, object: objectOf(String(input)) };
    headers.set(KEY, key);
    if (earlier === undefined) calls.set(call, { key, object, since: now });
    const response = await fetch(input, { ...init, headers });
    if (!(await isKnown(response, earlier !== undefined))) return response;
    for (const [name, one] of calls) if (one.object === object) calls.delete(name);
    if (key !== own && response.headers.get(REPLAYED) === 'true' && response.ok) onRepeated();
    return response;
  };
}

/** Whether an answer says the outcome of the change: the service's own, whole, and not of something else. */
async function isKnown(response: Response, wasUnclear: boolean): Promise<boolean> {
  const { status, ok } = response;
  if (status >= LOWEST_OUTAGE || (wasUnclear && SILENT_STATUSES.includes(status))) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  if (ok) return body !== undefined;
  const { code } = Object(Object(body).error);
  return typeof code === 'string' && code !== 'request_in_progress';
}
