import type { CustomerItem } from '../../../../server/src/dashboard/customers/view.ts';
import { useCustomers } from '../../api/customers.ts';
import { Can } from '../../app/session.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Id } from '../../ui/values/id.tsx';
import { useTimeZone } from '../../ui/values/time-zone.tsx';
import { When } from '../../ui/values/when.tsx';
import type { ListColumn } from '../lists/columns.ts';
import { DayFilter } from '../lists/day-filter.tsx';
import { instantsOf } from '../lists/day-range.ts';
import { DownloadCsv } from '../lists/download-csv.tsx';
import { ShapedListPage } from '../lists/list-page.tsx';
import { ListTotals } from '../lists/list-totals.tsx';
import { type SortChoice, sortOf } from '../lists/sort-select.tsx';
import { useUrlFilter } from '../lists/url-filter.ts';
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
    cell: ({ name, email, shown: { label, number } }) => (
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
      payingAccount(customer) ?? <span className="quiet">{customer.bank?.name ?? '–'}</span>,
  },
  {
    key: 'schedules',
    header: 'Schedules',
    cell: ({ shown: { schedules } }) =>
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
  { key: 'number', header: 'Phone or account', isExtra: true, cell: ({ shown }) => shown.number },
  { key: 'id', header: 'ID', isExtra: true, cell: ({ id }) => <Id value={id} /> },
];

/** All customers, with a search by name, email, reference, number or id. */
export function CustomersPage() {
  const url = useUrlFilter(NAMES);
  const { values, field } = url;
  const days = instantsOf(values, useTimeZone());
  const filter = { q: values.q, ...days, sort: sortOf(SORTS, values.sort) };
  return (
    <ShapedListPage
      title="Customers"
      actions={<DownloadCsv of="/api/v1/customers" filter={filter} />}
      filters={
        <>
          <SearchField
            label="Search customers"
            placeholder="Name, email, reference or number"
            {...field('q')}
          />
          <DayFilter label="Created from" {...field('from')} />
          <DayFilter label="Created to" {...field('to')} />
        </>
      }
      url={url}
      list="customers"
      sorts={SORTS}
      bar={<ListTotals of="/api/v1/customers" filter={{ ...filter }} noun="customer" isCountOnly />}
      query={useCustomers(filter)}
      columns={COLUMNS}
      rowPath="/customers"
      unmatched={{
        title: 'No customers match',
        showAll: 'Show all customers',
        text: (
          <>
            Search for three letters or more from the beginning of a name, an email address, your
            reference, a phone number or its last four digits, sort code and account number, or an
            ID. Names and numbers are encrypted, so other parts of them find nothing.
          </>
        ),
      }}
      empty={{
        title: 'No customers yet',
        text: (
          <>
            A customer is added when you create the first schedule for their phone number or bank
            account.
          </>
        ),
        action: (
          <Can do="manage_schedules">
            <LinkButton variant="primary" to="/schedules/new">
              Create a schedule
            </LinkButton>
          </Can>
        ),
      }}
    />
  );
}
