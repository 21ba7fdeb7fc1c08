import { isUnavailable } from '../connection/unavailable.ts';
import { errorCode } from '../values/thrown.ts';

/** A locked row or a deadlock: an error of some rows, not of the database. */
const OF_SOME_ROWS = /^(40|55P03)/;

/** Whether an error means that the database is unavailable, whichever rows are concerned. */
export function isDatabaseFailure(error: unknown): boolean {
  return isUnavailable(error) && !OF_SOME_ROWS.test(errorCode(error));
}

/**
 * Runs `work` on the whole batch. If it throws, bisects the batch until only the failing items remain, and reports each to
 * `onFailure`; the others are done. `work` must leave nothing behind when it throws. Returns the results of all runs, in
 * order. Throws an error that is no single item's fault (`isOfAll`; by default: the database is unavailable), and what
 * `onFailure` throws.
 */
export async function isolateFailures<T, R>(
  items: readonly T[],
  work: (some: readonly T[]) => Promise<R[]>,
  onFailure: (item: T, error: unknown) => Promise<void> | void,
  isOfAll: (error: unknown) => boolean = isDatabaseFailure,
): Promise<R[]> {
  if (items.length === 0) return [];
  try {
    return await work(items);
  } catch (error) {
    if (isOfAll(error)) throw error;
    const [only, ...others] = items;
    if (only !== undefined && others.length === 0) {
      await onFailure(only, error);
      return [];
    }
    const middle = Math.ceil(items.length / 2);
    return [
      ...(await isolateFailures(items.slice(0, middle), work, onFailure, isOfAll)),
      ...(await isolateFailures(items.slice(middle), work, onFailure, isOfAll)),
    ];
  }
}
