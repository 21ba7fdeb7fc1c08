import { isUnavailable } from './db/unavailable.ts';

/** A row that somebody holds, or a deadlock with others that hold rows: said of some rows, not of the database. */
const OF_SOME_ROWS = /^(40|55P03)/;

/** Whether an error says that nothing at all can be done just now, with whichever rows. */
export function isOfTheDatabase(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return isUnavailable(error) && !OF_SOME_ROWS.test(code);
}

/**
 * Does a piece of work with all items at once; where that fails, with each half of them, and so on down to the item that
 * cannot be done: it goes to `failed`, and the others are done anyway. `work` must leave nothing behind where it
 * throws. Answers what the pieces answered. Throws an error that `isOfAll` says is no item's fault (by default: the database
 * cannot be asked), and what `failed` throws.
 */
export async function allOrApart<T, R>(
  items: readonly T[],
  work: (some: readonly T[]) => Promise<R[]>,
  failed: (item: T, error: unknown) => Promise<void> | void,
  isOfAll: (error: unknown) => boolean = isOfTheDatabase,
): Promise<R[]> {
  if (items.length === 0) return [];
  try {
    return await work(items);
  } catch (error) {
    if (isOfAll(error)) throw error;
    const [only, ...others] = items;
    if (only !== undefined && others.length === 0) {
      await failed(only, error);
      return [];
    }
    const middle = Math.ceil(items.length / 2);
    return [
      ...(await allOrApart(items.slice(0, middle), work, failed, isOfAll)),
      ...(await allOrApart(items.slice(middle), work, failed, isOfAll)),
    ];
  }
}
