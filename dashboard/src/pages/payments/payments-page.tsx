import type { ReactNode } from 'react';
import type { PaymentItem } from '../../../../server/src/dashboard/payments/view.ts';
import { usePayments } from '../../api/payments.ts';
import { Can } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Id } from '../../ui/id.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Money } from '../../ui/money.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { When } from '../../ui/when.tsx';
import type { ListColumn } from '../lists/columns.ts';
import { DownloadCsv } from '../lists/download-csv.tsx';
import { ListTools } from '../lists/list-tools.tsx';
import { useColumns } from '../lists/use-columns.ts';
import { PAYMENT_SORTS, PaymentFilters, usePaymentFilter } from './payment-filters.tsx';
import '../lists/lists.css';

const COLUMNS: readonly ListColumn<PaymentItem>[] = [
  { key: 'amount', header: 'Amount', cell: (payment) => <Money amount={payment.amount} /> },
  { key: 'status', header: 'Status', cell: statusCell },
  {
    key: 'customer',
    header: 'Customer',
    cell: ({ customer }) => <span className="nowrap">{customer.label}</span>,
  },
  { key: 'schedule', header: 'Schedule', cell: (payment) => payment.schedule.description },
  { key: 'due', header: 'Due', cell: ({ due_date: due }) => dateCell(due) },
  {
    key: 'completed',
    header: 'Collected on',
    isExtra: true,
    cell: ({ completed_at: at }) => dateCell(at),
  },
  { key: 'reason', header: 'Reason', isExtra: true, cell: ({ error }) => error?.message ?? '–' },
  { key: 'attempts', header: 'Attempts', isExtra: true, cell: ({ attempts }) => attempts },
  {
    key: 'settlement',
    header: 'Settlement',
    isExtra: true,
    cell: ({ settlement_id: id }) =>
      id === null ? '–' : <Id value={id} to={`/settlements/${id}`} />,
  },
  { key: 'id', header: 'ID', isExtra: true, cell: ({ id }) => <Id value={id} /> },
];

function dateCell(at: string | null): ReactNode {
  return <span className="nowrap">{at === null ? '–' : <When at={at} as="date" />}</span>;
}

/** Every payment, filtered by the address. */
export function PaymentsPage() {
  const { filter, ...url } = usePaymentFilter();
  const payments = usePayments(filter);
  const columns = useColumns('payments', COLUMNS, url);
  return (
    <Page title="Payments" actions={<DownloadCsv of="/api/payments" filter={{ ...filter }} />}>
      <PaymentFilters {...url} />
      <ListTools list="payments" columns={columns} sorts={PAYMENT_SORTS} url={url} />
      <Card isFlush>
        <QueryView query={payments}>
          {(rows) =>
            rows.length === 0 ? (
              <NothingFound isNarrowed={url.isNarrowed} onClear={url.clear} />
            ) : (
              <>
                <DataTable<PaymentItem>
                  label="Payments"
                  rows={rows}
                  rowKey={(payment) => payment.id}
                  rowHref={(payment) => `/payments/${payment.id}`}
                  columns={columns.shown}
                />
                <LoadMore query={payments} />
              </>
            )
          }
        </QueryView>
      </Card>
    </Page>
  );
}

function NothingFound({ isNarrowed, onClear }: { isNarrowed: boolean; onClear: () => void }) {
  if (isNarrowed)
    return (
      <Empty
        title="No payments match"
        action={
          <Button variant="secondary" onPress={onClear}>
            Show all payments
          </Button>
        }
      >
        Search for words of a schedule, a customer’s name, email, phone or account number, an
        amount, the start of an ID, an instruction ID, or the bank’s payment ID.
      </Empty>
    );
  return (
    <Empty
      title="No payments yet"
      action={
        <Can do="manage_schedules">
          <LinkButton to="/schedules/new" variant="primary">
            Create a schedule
          </LinkButton>
        </Can>
      }
    >
      Payments appear here when active schedules fall due.
    </Empty>
  );
}

function statusCell({ status, error, attempts, next_retry_at: retry }: PaymentItem): ReactNode {
  const tries = attempts > 1 ? `${attempts} attempts. ` : '';
  return (
    <span className="stacked">
      <StatusBadge status={status} of="payment" />
      {status === 'success' || (error === null && retry === null) ? null : (
        <span className="quiet">
          {tries}
          {retry === null ? (
            error?.message
          ) : (
            <>
              Next attempt <When at={retry} as="datetime" />
            </>
          )}
        </span>
      )}
    </span>
  );
}
