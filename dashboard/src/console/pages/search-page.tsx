import { useUrlFilter } from '../../pages/lists/url-filter.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data/data-table.tsx';
import { Empty } from '../../ui/data/empty.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { Page } from '../../ui/page.tsx';
import { type Found, useSearch } from '../api/search.ts';
import { For } from '../session.tsx';
import { FindCustomer } from './find-customer.tsx';

/** Where a match leads: to itself where the console has a page for it, else to its merchant. */
function hrefOf({ kind, id, merchant_id }: Found): string {
  if (kind === 'user') return `/users?${new URLSearchParams({ q: id })}`;
  if (kind === 'unallocated_money') return `/decisions/unallocated_money/${id}`;
  if (kind === 'customer') return `/customers/${id}`;
  return `/merchants/${merchant_id ?? id}`;
}

function Results({ rows }: { rows: readonly Found[] }) {
  if (rows.length === 0)
    return (
      <Card>
        <Empty title="Nothing matches">
          <For may="support">
            <p>To find customers by name, phone number, email or reference, use the form below.</p>
          </For>
        </Empty>
      </Card>
    );
  return (
    <Card isFlush>
      <DataTable<Found>
        label="Matches"
        rows={rows}
        rowKey={({ id }) => id}
        rowHref={hrefOf}
        columns={[
          { header: 'Name', cell: ({ title }) => title },
          { header: 'What it is', cell: ({ kind }) => kind.replaceAll('_', ' ') },
          { header: 'ID', cell: ({ id }) => <code>{id}</code> },
        ]}
      />
    </Card>
  );
}

/** /search */
export function SearchPage() {
  const { values, field } = useUrlFilter(['q']);
  const search = useSearch(values.q);
  return (
    <Page title="Search" lead="Across all merchants.">
      <SearchField
        label="Search everything"
        placeholder="Any ID, reference, merchant or user"
        {...field('q')}
      />
      {values.q === '' ? null : (
        <QueryView query={search}>{({ data }) => <Results rows={data} />}</QueryView>
      )}
      <For may="support">
        <FindCustomer key={values.q} searched={values.q} />
      </For>
    </Page>
  );
}
