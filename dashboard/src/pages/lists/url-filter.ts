import { useSearchParams } from 'react-router';

/** What the address narrows a list to. */
export interface UrlFilter<K extends string> {
  /** '' where the address does not say. */
  values: Readonly<Record<K, string>>;
  set: (name: K, value: string) => void;
  clear: () => void;
  isNarrowed: boolean;
}

/** Keeps a list's filters in the address, so that they survive a reload and can be passed on. */
export function useUrlFilter<K extends string>(names: readonly K[]): UrlFilter<K> {
  const [search, setSearch] = useSearchParams();
  const pairs = names.map((name) => [name, search.get(name) ?? ''] as const);
  const change = (edit: (next: URLSearchParams) => void) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        edit(next);
        return next;
      },
      { replace: true },
    );
  return {
    values: Object.fromEntries(pairs) as Record<K, string>,
    isNarrowed: pairs.some(([, value]) => value !== ''),
    set: (name, value) =>
      change((next) => (value === '' ? next.delete(name) : next.set(name, value))),
    clear: () =>
      change((next) => {
        for (const name of names) next.delete(name);
      }),
  };
}
