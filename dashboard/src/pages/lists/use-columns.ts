import { useEffect, useState } from 'react';
import type { SavedView } from '../../api/saved-views.ts';
import { type ListColumn, nameColumns, shownKeys } from './columns.ts';
import type { UrlFilter } from './url-filter.ts';

const keyOf = (list: string): string => `recollect.columns.${list}`;

function remembered(list: string): string {
  try {
    return localStorage.getItem(keyOf(list)) ?? '';
  } catch {
    return ''; // no storage: the choice lasts as long as the address
  }
}

function remember(list: string, named: string): void {
  try {
    if (named === '') localStorage.removeItem(keyOf(list));
    else localStorage.setItem(keyOf(list), named);
  } catch {
    // as above
  }
}

/** The columns of a list that are shown, and a function to show or hide one. */
export interface ShownColumns<T> {
  all: readonly ListColumn<T>[];
  shown: readonly ListColumn<T>[];
  toggle: (key: string) => void;
}

/** Returns the columns that the address names, else those that this browser chose last, else the usual ones. */
export function useColumns<T>(
  list: SavedView['list'],
  all: readonly ListColumn<T>[],
  url: Pick<UrlFilter<never>, 'values' | 'set'>,
): ShownColumns<T> {
  const [own, setOwn] = useState(() => remembered(list));
  // The address follows a moment after a choice, and the next choice may come before it.
  const [chosen, setChosen] = useState<string | null>(null);
  const inAddress = url.values.columns === '' ? own : url.values.columns;
  const keys = shownKeys(all, chosen ?? inAddress);
  const { set } = url;
  const isUnsaid = url.values.columns === '' && nameColumns(all, keys) !== '';
  useEffect(() => {
    if (chosen === inAddress) setChosen(null);
  }, [chosen, inAddress]);
  useEffect(() => {
    if (isUnsaid) set('columns', own); // what is seen can be shared
  });
  return {
    all,
    shown: all.filter(({ key }) => keys.includes(key)),
    toggle: (key) => {
      const next = keys.includes(key) ? keys.filter((one) => one !== key) : [...keys, key];
      const text = nameColumns(all, next);
      remember(list, text);
      setOwn(text);
      setChosen(text);
      set('columns', text);
    },
  };
}
