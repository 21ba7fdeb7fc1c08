import { AsyncLocalStorage } from 'node:async_hooks';

interface Watch {
  hasCalled: boolean;
  /** Who watches the work that this is a part of. */
  around: Watch | undefined;
}

const watching = new AsyncLocalStorage<Watch>();

/** Marks the work under way as one that called a partner: every client of a partner says so before a request leaves. */
export function noteNetworkCall(): void {
  for (let watch = watching.getStore(); watch !== undefined; watch = watch.around)
    watch.hasCalled = true;
}

/** Runs `work`; `hasCalled` returns whether it has called a partner so far, or used only what is known here. */
export function watchNetworkCalls<T>(work: () => T): { result: T; hasCalled(): boolean } {
  const watch: Watch = { hasCalled: false, around: watching.getStore() };
  return { result: watching.run(watch, work), hasCalled: () => watch.hasCalled };
}
