interface Waiting<T> {
  item: T;
  done: () => void;
  failed: (error: unknown) => void;
}

/**
 * Batches concurrent calls: while one batch runs, later calls queue for the next. A batch has at most `mostAtOnce` items, and
 * only the first of those with the same key. The returned promise settles with the caller's own item: resolved when its batch
 * is done, rejected with the error of its batch.
 */
export function coalesce<T>(
  mostAtOnce: number,
  keyOf: (item: T) => string,
  work: (items: readonly T[]) => Promise<void>,
): (item: T) => Promise<void> {
  let waiting: Waiting<T>[] = [];
  let isWorking = false;

  const take = (): Waiting<T>[] => {
    const batch = new Map<string, Waiting<T>>();
    const later: Waiting<T>[] = [];
    for (const one of waiting) {
      const key = keyOf(one.item);
      if (batch.has(key) || batch.size === mostAtOnce) later.push(one);
      else batch.set(key, one);
    }
    waiting = later;
    return [...batch.values()];
  };

  const workOff = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = take();
      try {
        await work(batch.map(({ item }) => item));
        for (const { done } of batch) done();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    isWorking = false;
  };

  return (item) =>
    new Promise((done, failed) => {
      waiting.push({ item, done, failed });
      if (isWorking) return;
      isWorking = true;
      void workOff();
    });
}
