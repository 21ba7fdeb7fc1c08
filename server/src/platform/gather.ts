interface Waiting<T> {
  item: T;
  done: () => void;
  failed: (error: unknown) => void;
}

/**
 * Does work for many callers together: while one piece of it is under way, what is asked for next gathers for the following
 * one, `mostAtOnce` at the most, and of the items with the same key only the first. The answer settles when the caller's own
 * item is done, or with the error of the piece it was in.
 */
export function gather<T>(
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
