import { watchNetworkCalls } from '../../platform/network/network-call.ts';

/** What a call returned or threw. */
export type CallResult = { value: unknown } | { error: unknown };

/** How the calls of a port are measured. */
interface Measuring<T> {
  /** The methods that call nobody. */
  besides: readonly (keyof T)[];
  /** Null: no call, because nothing left for the partner: a stored token, for example. */
  outcomeOf(result: CallResult, hasCalled: boolean): string | null;
  /** `about`: what was given, and what came back. */
  done(operation: string, outcome: string, seconds: number, about: readonly unknown[]): void;
}

/**
 * Returns the same port with every call measured under its method's name in snake case. A list that is read page by page is one
 * call, which takes as long as its pages.
 */
export function measureCalls<T extends object>(port: T, measuring: Measuring<T>): T {
  const { besides, outcomeOf, done } = measuring;
  return new Proxy(port, {
    get(target, name: string) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      if (besides.includes(name as keyof T)) return member.bind(target);
      const operation = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return (...given: unknown[]) => {
        const ended = (result: CallResult, ms: number, hasCalled: boolean): void => {
          const outcome = outcomeOf(result, hasCalled);
          const about = 'value' in result ? [...given, result.value] : given;
          if (outcome !== null) done(operation, outcome, ms / 1000, about);
        };
        const started = performance.now();
        const { result: answer, hasCalled } = watchNetworkCalls((): unknown =>
          member.apply(target, given),
        );
        // The pages of a list are read later, by its reader.
        if (isAsyncIterable(answer))
          return measuredItems(answer, (result, ms) => ended(result, ms, true));
        return measured(answer, (result) =>
          ended(result, performance.now() - started, hasCalled()),
        );
      };
    },
  });
}

async function measured(answer: unknown, ended: (result: CallResult) => void): Promise<unknown> {
  try {
    const value = await answer;
    ended({ value });
    return value;
  } catch (error) {
    ended({ error });
    throw error;
  }
}

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** Passes the items on. Only the wait for them counts, not what the reader does with them. */
async function* measuredItems(
  items: AsyncIterable<unknown>,
  ended: (result: CallResult, ms: number) => void,
): AsyncGenerator<unknown> {
  const iterator = items[Symbol.asyncIterator]();
  let ms = 0;
  let result: CallResult = { value: undefined };
  try {
    while (true) {
      const started = performance.now();
      const next = await iterator.next().finally(() => {
        ms += performance.now() - started;
      });
      if (next.done === true) return;
      yield next.value;
    }
  } catch (error) {
    result = { error };
    throw error;
  } finally {
    ended(result, ms);
    await iterator.return?.();
  }
}
