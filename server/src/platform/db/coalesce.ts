import { groupInWork } from '../cluster/shards.ts';

interface Waiting<T> {
  item: T;
  done: () => void;
  failed: (error: unknown) => void;
}

/**
 * Batches concurrent calls: while one batch runs, later calls queue for the next. A batch has at most `mostAtOnce` items, and
 * only the first of those with the same key; what is done for different groups of merchants is not mixed. The returned promise
 * settles with the caller's own item: resolved when its batch is done, rejected with the error of its batch.
 */
export function coalesce<T>(
  mostAtOnce: number,
  keyOf: (item: T) => string,
  work: (items: readonly T[]) => Promise<void>,
): (item: T) => Promise<void> {
  const byGroup = new Map<readonly string[] | undefined, Waiting<T>[]>();

  const workOff = async (group: readonly string[] | undefined): Promise<void> => {
    for (let waiting = byGroup.get(group); waiting?.length; waiting = byGroup.get(group)) {
      const batch = new Map<string, Waiting<T>>();
      const later: Waiting<T>[] = [];
      for (const one of waiting) {
        const key = keyOf(one.item);
        if (batch.has(key) || batch.size === mostAtOnce) later.push(one);
        else batch.set(key, one);
      }
      byGroup.set(group, later);
      try {
        await work([...batch.values()].map(({ item }) => item));
        for (const { done } of batch.values()) done();
      } catch (error) {
        for (const { failed } of batch.values()) failed(error);
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
