/**
 * Returns `make`, whose result is returned again for `keptMs`. Callers share a call in progress; one that fails is not kept.
 */
export function cachedFor<T>(keptMs: number, make: () => Promise<T>): () => Promise<T> {
  let latest: { result: Promise<T>; untilMs: number } | null = null;
  return () => {
    if (latest !== null && performance.now() < latest.untilMs) return latest.result;
    const made = { result: make(), untilMs: Number.POSITIVE_INFINITY };
    latest = made;
    const keep = (ms: number) => () => {
      made.untilMs = performance.now() + ms;
    };
    made.result.then(keep(keptMs), keep(0));
    return made.result;
  };
}
