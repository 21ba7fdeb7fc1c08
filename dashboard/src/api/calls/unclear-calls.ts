type Fetch = typeof globalThis.fetch;

const KEY = 'idempotency-key';
const LOWEST_OUTAGE = 500;
/** Refusals that say nothing of an earlier try under the same key. */
const SILENT_STATUSES: readonly number[] = [401, 403, 429];

/**
 * Returns a fetch that keeps the key of each change whose outcome nobody knows, until the page is left: whoever presses the
 * button again repeats that change, and makes no second one. See docs/rules/api.md#idempotency.
 */
export function repeatingUnclear(fetch: Fetch): Fetch {
  const unclear = new Map<string, string>();
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    const own = headers.get(KEY);
    if (own === null) return fetch(input, init);
    const call = JSON.stringify([init?.method, String(input), init?.body]);
    const earlier = unclear.get(call);
    const key = earlier ?? own;
    headers.set(KEY, key);
    unclear.set(call, key);
    const response = await fetch(input, { ...init, headers });
    const isSilent = earlier !== undefined && SILENT_STATUSES.includes(response.status);
    if (response.status < LOWEST_OUTAGE && !isSilent && !(await isAtWork(response)))
      unclear.delete(call);
    return response;
  };
}

/** Whether the answer is that another request with the key is being processed. */
async function isAtWork(response: Response): Promise<boolean> {
  if (response.status !== 409) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return Object(Object(body).error).code === 'request_in_progress';
}
