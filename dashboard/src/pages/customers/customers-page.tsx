import { useSearchParams } from 'react-router';
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
import { When } from '../../ui/when.tsx';
import { DownloadCsv } from '../lists/download-csv.tsx';
import './customers.css';

/** All customers, with a search by phone number, account or id. */
export function CustomersPage() {
  const [params, setParams] = useSearchParams();
  const search = params.get('search') ?? '';
  const setSearch = (text: string) =>
    setParams(text === '' ? {} : { search: text }, { replace: true });
  const customers = useCustomers(search === '' ? undefined : search);
  return (
    <Page title="Customers" actions={<DownloadCsv of="/api/customers" filter={{ search }} />}>
      <div className="filters">
        <SearchField
          label="Search customers"
          placeholder="Phone number, account or ID"
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
        Search for a full phone number (+44…), sort code and account number, or an ID. These are
        encrypted, so part of one finds nothing.
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
        { header: 'Customer', cell: (customer) => customer.label },
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
        { header: 'ID', cell: (customer) => <Id value={customer.id} /> },
      ]}
    />
  );
}
