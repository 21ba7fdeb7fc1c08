import { useSearchParams } from 'react-router';
import type { CustomerItem } from '../../../../server/src/dashboard/customers/view.ts';
import { useCustomers } from '../../api/customers.ts';
import { Can } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { When } from '../../ui/when.tsx';
import { DownloadCsv } from '../lists/download-csv.tsx';
import '../lists/lists.css';
import './customers.css';
import { payingAccount } from './paying-account.ts';

/** All customers, with a search by name, email, reference, number or id. */
export function CustomersPage() {
  const [params, setParams] = useSearchParams();
  const search = params.get('q') ?? '';
  const setSearch = (text: string) => setParams(text === '' ? {} : { q: text }, { replace: true });
  const customers = useCustomers(search === '' ? undefined : search);
  return (
    <Page title="Customers" actions={<DownloadCsv of="/api/customers" filter={{ q: search }} />}>
      <div className="filters">
        <SearchField
          label="Search customers"
          placeholder="Name, email, reference or number"
          value={search}
          onChange={setSearch}
        />
      </div>
      <QueryView query={customers} skeleton={<Skeleton lines={8} />}>
        {(rows) =>
          rows.length === 0 ? (
            <Nothing isNarrowed={search !== ''} onClear={() => setSearch('')} />
          ) : (
            <Card isFlush>
              <CustomersTable rows={rows} />
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

function CustomersTable({ rows }: { rows: readonly CustomerItem[] }) {
  return (
    <DataTable<CustomerItem>
      label="Customers"
      rows={rows}
      rowKey={(customer) => customer.id}
      rowHref={(customer) => `/customers/${customer.id}`}
      columns={[
        {
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
          header: 'Your reference',
          cell: ({ reference }) => reference ?? <span className="quiet">–</span>,
        },
        {
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
          header: 'Schedules',
          cell: ({ schedules }) =>
            schedules.total === 0 ? (
              <span className="quiet">None</span>
            ) : (
              `${schedules.active} active of ${schedules.total}`
            ),
        },
        { header: 'Since', cell: (customer) => <When at={customer.created_at} as="date" /> },
      ]}
    />
  );
}
