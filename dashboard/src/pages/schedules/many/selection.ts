import { useState } from 'react';
import type { ChosenSchedules } from '../../../api/schedule-changes.ts';
import type { ScheduleFilter } from '../../../api/schedules.ts';
import type { RowSelection } from '../../../ui/data/data-table.tsx';

/** The rows of a list that a person has ticked, or all that match its filter. */
export interface Selection<T> {
  rows: RowSelection<T>;
  /** How many are chosen; null: all that match. */
  count: number | null;
  /** What is chosen, as a change of many takes it; null: nothing is. */
  chosen: ChosenSchedules | null;
  chooseAll: () => void;
  clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

/** Keeps which rows of a list are chosen, until its filter changes. */
export function useSelection<T extends { id: string }>(
  filter: ScheduleFilter,
  nameOf: (row: T) => string,
): Selection<T> {
  const { sort: _, ...named } = filter;
  const key = JSON.stringify(named);
  const [kept, setKept] = useState<{ key: string; ids: ReadonlySet<string> | 'all' }>({
    key,
    ids: NONE,
  });
  const ids = kept.key === key ? kept.ids : NONE;
  const choose = (next: ReadonlySet<string> | 'all') => setKept({ key, ids: next });
  const has = (row: T): boolean => ids === 'all' || ids.has(row.id);
  return {
    rows: {
      nameOf,
      has,
      isEvery: ids === 'all',
      toggle(row) {
        if (ids === 'all') return;
        const before = new Set(ids);
        if (!before.delete(row.id)) before.add(row.id);
        choose(before);
      },
      toggleShown(shown) {
        choose(shown.every(has) ? NONE : new Set(shown.map(({ id }) => id)));
      },
    },
    count: ids === 'all' ? null : ids.size,
    chosen: chosenOf(ids, named),
    chooseAll: () => choose('all'),
    clear: () => choose(NONE),
  };
}

function chosenOf(
  ids: ReadonlySet<string> | 'all',
  named: Omit<ScheduleFilter, 'sort'>,
): ChosenSchedules | null {
  if (ids !== 'all') return ids.size === 0 ? null : { schedule_ids: [...ids] };
  const set = Object.entries(named).filter(([, value]) => value !== undefined && value !== '');
  return { filter: Object.fromEntries(set) };
}
