import { FilterSelect } from '../../ui/fields/filter-select.tsx';
import type { UrlFilter } from './url-filter.ts';

/** An order of a list, as the service names it; '' for the usual one. */
export interface SortChoice {
  value: string;
  label: string;
}

interface SortSelectProps {
  sorts: readonly SortChoice[];
  url: Pick<UrlFilter<never>, 'values' | 'set'>;
}

/** Returns the order that the address names, or '' if the list has no such order. */
export function sortOf(sorts: readonly SortChoice[], named: string): string {
  return sorts.find(({ value }) => value === named)?.value ?? '';
}

/** Chooses the order of a list. */
export function SortSelect({ sorts, url }: SortSelectProps) {
  return (
    <FilterSelect
      label="Sort"
      value={sortOf(sorts, url.values.sort)}
      onChange={(value) => url.set('sort', value)}
      options={sorts}
    />
  );
}
