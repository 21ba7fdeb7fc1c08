import { RecollectConnectionError, RecollectError } from './errors.ts';

/** What one attempt may throw. */
export type Failed = RecollectError | RecollectConnectionError;

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;
/** The rate limit is per minute: whether to wait longer is up to the caller. */
const LONGEST_RETRY_AFTER_MS = 60_000;
/** Refusals that say nothing of an earlier attempt under the same key: it may have taken effect. */
const SILENT_STATUSES: readonly number[] = [401, 403, 429];
const IN_PROGRESS = 'request_in_progress';

/** Returns true if the failed request may have taken effect. */
export function isUnclear(error: Failed): boolean {
  return error instanceof RecollectConnectionError || error.status >= 500;
}

/**
 * Returns the delay before the next attempt, in milliseconds; null: do not retry. Retries failed connections, 429 and 5xx, and,
 * after an attempt with an unknown outcome, 409 `request_in_progress`: that attempt is still being processed. `tried`: the
 * number of attempts made. Not before `retryAfter` of the error.
 */
export function waitBeforeNext(error: Failed, tried: number, wasUnclear: boolean): number | null {
  const isWorthIt =
    isUnclear(error) ||
    (error instanceof RecollectError &&
      (error.status === 429 || (wasUnclear && error.code === IN_PROGRESS)));
  if (!isWorthIt) return null;
  const asked = error instanceof RecollectError ? error.retryAfter : null;
  if (asked !== null) return asked * 1000 > LONGEST_RETRY_AFTER_MS ? null : asked * 1000;
  const most = Math.min(FIRST_WAIT_MS * 2 ** (tried - 1), LONGEST_WAIT_MS);
  return most / 2 + (Math.random() * most) / 2;
}

/**
 * Returns what a refusal means that does not say whether the call takes effect: an earlier attempt may have, or another request
 * with the same key, which is still being processed, may yet. Returns null for any other error.
 */
export function unknownAfter(error: Failed, wasUnclear: boolean): RecollectConnectionError | null {
  if (!(error instanceof RecollectError)) return null;
  const { code, status, message, details, idempotencyKey } = error;
  // The code alone also says that something else is under way, unrelated to this call.
  const isKeyInUse = code === IN_PROGRESS && details?.['Idempotency-Key'] !== undefined;
  const isSilent = SILENT_STATUSES.includes(status) || code === IN_PROGRESS;
  if (!isKeyInUse && !(wasUnclear && isSilent)) return null;
  const why = wasUnclear
    ? 'An earlier attempt may have taken effect; of the last one'
    : 'Another request with this key may take effect';
  return new RecollectConnectionError(`${why}: ${message}`, {
    cause: error,
    idempotencyKey,
    status,
  });
}

/** Returns the seconds that a `Retry-After` asks for, a number or a date; null: it is neither, or absent. */
export function secondsOf(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

/** Waits. If the signal aborts, throws its reason. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
