/** Does the work for each item, at most `width` at a time; throws the first error once no work is in progress. */
export async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const lane = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  const lanes = Array.from({ length: Math.min(width, items.length) }, lane);
  const failed = (await Promise.allSettled(lanes)).find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}
