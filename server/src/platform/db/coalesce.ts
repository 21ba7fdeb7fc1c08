import { setTimeout as sleep } from 'node:timers/promises';
import { groupInWork } from '../cluster/shards.ts';

interface Waiting<T> {
  item: T;
  done: () => void;
  failed: (error: unknown) => void;
}

/** From this many items on, a batch shows that there is a load. */
const MANY = 4;

/**
 * Batches concurrent calls: while one batch runs, later calls queue for the next. A batch has at most `mostAtOnce` items, and
 * only the first of those with the same key; what is done for different groups of merchants is not mixed. The returned promise
 * settles with the caller's own item: resolved when its batch is done, rejected with the error of its batch. After a batch of
 * several items the next one gathers for `gatherMs`: under load a statement then serves more of them, and nobody else waits.
 */
export function coalesce<T>(
  mostAtOnce: number,
  keyOf: (item: T) => string,
  work: (items: readonly T[]) => Promise<void>,
  gatherMs = 0,
): (item: T) => Promise<void> {
  const byGroup = new Map<readonly string[] | undefined, Waiting<T>[]>();

  const workOff = async (group: readonly string[] | undefined): Promise<void> => {
    let before = 0;
    for (let waiting = byGroup.get(group); waiting?.length; waiting = byGroup.get(group)) {
      if (before >= MANY && waiting.length < mostAtOnce) await sleep(gatherMs);
      const { batch, later } = split(waiting, mostAtOnce, keyOf);
      byGroup.set(group, later);
      before = gatherMs > 0 ? batch.length : 0;
      try {
        await work(batch.map(({ item }) => item));
        for (const { done } of batch) done();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    byGroup.delete(group);
  };

  return (item) =>
    new Promise((done, failed) => {
      const group = groupInWork();
      const waiting = byGroup.get(group);
      waiting?.push({ item, done, failed });
      if (waiting !== undefined) return;
      byGroup.set(group, [{ item, done, failed }]);
      setImmediate(() => void workOff(group));
    });
}

/** Returns the first items of different keys, at most so many, and the others. */
function split<T>(
  waiting: readonly Waiting<T>[],
  mostAtOnce: number,
  keyOf: (item: T) => string,
): { batch: Waiting<T>[]; later: Waiting<T>[] } {
  const batch = new Map<string, Waiting<T>>();
  const later: Waiting<T>[] = [];
  for (const one of waiting) {
    const key = keyOf(one.item);
    if (batch.has(key) || batch.size === mostAtOnce) later.push(one);
    else batch.set(key, one);
  }
  return { batch: [...batch.values()], later };
}
