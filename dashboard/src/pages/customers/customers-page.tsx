import type { CustomerItem } from '../../../../server/src/dashboard/customers/view.ts';
import { useCustomers } from '../../api/customers.ts';
import { Can } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Id } from '../../ui/id.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useTimeZone } from '../../ui/time-zone.tsx';
import { When } from '../../ui/when.tsx';
import type { ListColumn } from '../lists/columns.ts';
import { DayFilter } from '../lists/day-filter.tsx';
import { instantsOf } from '../lists/day-range.ts';
import { DownloadCsv } from '../lists/download-csv.tsx';
import { Filters } from '../lists/filters.tsx';
import { ListTools } from '../lists/list-tools.tsx';
import { type SortChoice, sortOf } from '../lists/sort-select.tsx';
import { useUrlFilter } from '../lists/url-filter.ts';
import { useColumns } from '../lists/use-columns.ts';
import '../lists/lists.css';
import './customers.css';
import { payingAccount } from './paying-account.ts';

const NAMES = ['q', 'from', 'to'] as const;

const SORTS: readonly SortChoice[] = [
  { value: '', label: 'Newest first' },
  { value: 'created_at', label: 'Oldest first' },
];

const COLUMNS: readonly ListColumn<CustomerItem>[] = [
  {
    key: 'customer',
    header: 'Customer',
    cell: ({ name, label, number, email }) => (
      <span className="stacked">
        <span>{label}</span>
        {name === null ? null : (
          <span className="quiet">{email === null ? number : `${number} · ${email}`}</span>
        )}
      </span>
    ),
  },
  {
    key: 'reference',
    header: 'Your reference',
    cell: ({ reference }) => reference ?? <span className="quiet">–</span>,
  },
  {
    key: 'pays_from',
    header: 'Pays from',
    cell: (customer) =>
      customer.bank === null ? (
        <span className="quiet">–</span>
      ) : (
        <span className="stacked">
          <span>{customer.bank.name}</span>
          <span className="quiet">{payingAccount(customer)}</span>
        </span>
      ),
  },
  {
    key: 'schedules',
    header: 'Schedules',
    cell: ({ schedules }) =>
      schedules.total === 0 ? (
        <span className="quiet">None</span>
      ) : (
        `${schedules.active} active of ${schedules.total}`
      ),
  },
  {
    key: 'since',
    header: 'Since',
    cell: (customer) => <When at={customer.created_at} as="date" />,
  },
  {
    key: 'email',
    header: 'Email',
    isExtra: true,
    cell: ({ email }) => email ?? <span className="quiet">–</span>,
  },
  { key: 'number', header: 'Phone or account', isExtra: true, cell: ({ number }) => number },
  { key: 'id', header: 'ID', isExtra: true, cell: ({ id }) => <Id value={id} /> },
];

/** All customers, with a search by name, email, reference, number or id. */
export function CustomersPage() {
  const url = useUrlFilter(NAMES);
  const { values, set, isNarrowed, clear } = url;
  const days = instantsOf(values, useTimeZone());
  const filter = { q: values.q, ...days, sort: sortOf(SORTS, values.sort) };
  const customers = useCustomers(filter);
  const columns = useColumns('customers', COLUMNS, url);
  return (
    <Page title="Customers" actions={<DownloadCsv of="/api/customers" filter={filter} />}>
      <Filters isNarrowed={isNarrowed} onClear={clear}>
        <SearchField
          label="Search customers"
          placeholder="Name, email, reference or number"
          value={values.q}
          onChange={(text) => set('q', text)}
        />
        <DayFilter label="Created from" value={values.from} onChange={(day) => set('from', day)} />
        <DayFilter label="Created to" value={values.to} onChange={(day) => set('to', day)} />
      </Filters>
      <ListTools list="customers" columns={columns} sorts={SORTS} url={url} />
      <QueryView query={customers} skeleton={<Skeleton lines={8} />}>
        {(rows) =>
          rows.length === 0 ? (
            <Nothing isNarrowed={isNarrowed} onClear={clear} />
          ) : (
            <Card isFlush>
              <DataTable<CustomerItem>
                label="Customers"
                rows={rows}
                rowKey={(customer) => customer.id}
                rowHref={(customer) => `/customers/${customer.id}`}
                columns={columns.shown}
              />
              <LoadMore query={customers} />
            </Card>
          )
        }
      </QueryView>
    </Page>
  );
}

function Nothing({ isNarrowed, onClear }: { isNarrowed: boolean; onClear: () => void }) {
  if (isNarrowed)
    return (
      <Empty
        title="No customers match"
        action={<Button onPress={onClear}>Show all customers</Button>}
      >
        Search for whole words of a name, an email address, your reference, a phone number or its
        last four digits, sort code and account number, or an ID. Names and numbers are encrypted,
        so other parts of them find nothing.
      </Empty>
    );
  return (
    <Empty
      title="No customers yet"
      action={
        <Can do="manage_schedules">
          <LinkButton variant="primary" to="/schedules/new">
            Create a schedule
          </LinkButton>
        </Can>
      }
    >
      A customer is added when you create the first schedule for their phone number or bank account.
    </Empty>
  );
}
