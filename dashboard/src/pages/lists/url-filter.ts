import { useEffect, useRef } from 'react';
import { useLocation, useNavigation, useSearchParams } from 'react-router';

/** How a list is shown, beside its filters. */
type DisplayParameter = 'sort' | 'columns';

/** A list's filter in the address. */
export interface UrlFilter<K extends string> {
  /** '' if the address does not set it. */
  values: Readonly<Record<K | DisplayParameter, string>>;
  set: (name: K | DisplayParameter, value: string) => void;
  /** The value of one, and what sets it: the properties of a field. */
  field: (name: K | DisplayParameter) => { value: string; onChange: (value: string) => void };
  clear: () => void;
  isNarrowed: boolean;
}

/** Keeps a list's filters, its sort and its columns in the address, so that they survive a reload and can be shared. */
export function useUrlFilter<K extends string>(names: readonly K[]): UrlFilter<K> {
  const [search, setSearch] = useSearchParams();
  const pairs = [...names, 'sort' as const, 'columns' as const].map(
    (name) => [name, search.get(name) ?? ''] as const,
  );
  // The address follows a moment after a change, so each change builds on the last one requested.
  const asked = useRef(search);
  useEffect(() => {
    asked.current = search;
  }, [search]);
  // A search reported while the next page loads would call the user back to this list.
  const leavesFor = useNavigation().location?.pathname;
  const { pathname } = useLocation();
  const isLeaving = leavesFor !== undefined && leavesFor !== pathname;
  const change = (edit: (next: URLSearchParams) => void) => {
    if (isLeaving) return;
    const next = new URLSearchParams(asked.current);
    edit(next);
    asked.current = next;
    setSearch(next, { replace: true });
  };
  const values = Object.fromEntries(pairs) as Record<K | DisplayParameter, string>;
  const set = (name: K | DisplayParameter, value: string) =>
    change((next) => (value === '' ? next.delete(name) : next.set(name, value)));
  return {
    values,
    isNarrowed: names.some((name) => search.get(name)),
    set,
    field: (name) => ({ value: values[name], onChange: (value) => set(name, value) }),
    clear: () =>
      change((next) => {
        for (const name of names) next.delete(name);
      }),
  };
}
