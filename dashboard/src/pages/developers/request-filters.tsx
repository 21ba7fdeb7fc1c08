import type { RequestQuery } from '../../../../server/src/dashboard/requests/view.ts';
import type { RequestFilter } from '../../api/developers.ts';
import { choicesOf } from '../../ui/fields/choices.ts';
import { FilterSelect } from '../../ui/fields/filter-select.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { type UrlFilter, useUrlFilter } from '../lists/url-filter.ts';

type Name = 'outcome' | 'method' | 'path';

const METHODS: Readonly<Record<NonNullable<RequestQuery['method']>, string>> = {
  GET: 'GET',
  POST: 'POST',
  PUT: 'PUT',
  DELETE: 'DELETE',
};

/** Returns the request log's filter from the address. */
export function useRequestFilter(): UrlFilter<Name> & { filter: RequestFilter } {
  const url = useUrlFilter<Name>(['outcome', 'method', 'path']);
  const { outcome, method, path } = url.values;
  const filter: RequestFilter = {
    ...(outcome === 'errors' ? { outcome } : {}),
    ...(Object.hasOwn(METHODS, method) ? { method } : {}),
    ...(path === '' ? {} : { path }),
  };
  return { ...url, filter };
}

/** The filters of the request log. */
export function RequestFilters({ field }: UrlFilter<Name>) {
  return (
    <>
      <SearchField label="Path" placeholder="/api/v1/schedules" {...field('path')} />
      <FilterSelect
        label="Outcome"
        {...field('outcome')}
        options={[
          { value: '', label: 'All responses' },
          { value: 'errors', label: 'Errors only' },
        ]}
      />
      <FilterSelect
        label="Method"
        {...field('method')}
        options={choicesOf(METHODS, 'All methods')}
      />
    </>
  );
}
