import type { ReactNode } from 'react';
import type { PaymentItem } from '../../../../server/src/dashboard/payments/view.ts';
import { usePayments } from '../../api/payments.ts';
import { Can } from '../../app/session.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Id } from '../../ui/values/id.tsx';
import { Money } from '../../ui/values/money.tsx';
import { When } from '../../ui/values/when.tsx';
import type { ListColumn } from '../lists/columns.ts';
import { DownloadCsv } from '../lists/download-csv.tsx';
import { ShapedListPage } from '../lists/list-page.tsx';
import { ListTotals } from '../lists/list-totals.tsx';
import { MetadataText } from '../settlements/metadata-text.tsx';
import { PAYMENT_SORTS, PaymentFilters, usePaymentFilter } from './payment-filters.tsx';

const COLUMNS: readonly ListColumn<PaymentItem>[] = [
  { key: 'amount', header: 'Amount', cell: (payment) => <Money amount={payment.amount} /> },
  { key: 'status', header: 'Status', cell: statusCell },
  {
    key: 'customer',
    header: 'Customer',
    cell: ({ shown }) => <span className="nowrap">{shown.customer}</span>,
  },
  { key: 'schedule', header: 'Schedule', cell: (payment) => payment.shown.description },
  { key: 'due', header: 'Due', cell: ({ due_date: due }) => dateCell(due) },
  {
    key: 'completed',
    header: 'Collected on',
    isExtra: true,
    cell: ({ completed_at: at }) => dateCell(at),
  },
  { key: 'reason', header: 'Reason', isExtra: true, cell: ({ error }) => error?.message ?? '–' },
  { key: 'attempts', header: 'Attempts', isExtra: true, cell: ({ attempts }) => attempts.length },
  { key: 'bank', header: 'Bank', isExtra: true, cell: ({ shown }) => shown.bank },
  {
    key: 'reference',
    header: 'Customer reference',
    isExtra: true,
    cell: ({ customer_reference: reference }) => reference ?? '–',
  },
  {
    key: 'metadata',
    header: 'Your data',
    isExtra: true,
    cell: ({ metadata }) => <MetadataText metadata={metadata} />,
  },
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
  return (
    <ShapedListPage
      title="Payments"
      actions={<DownloadCsv of="/api/v1/payments" filter={{ ...filter }} />}
      filters={<PaymentFilters {...url} />}
      url={url}
      list="payments"
      sorts={PAYMENT_SORTS}
      bar={<ListTotals of="/api/v1/payments" filter={{ ...filter }} noun="payment" />}
      query={usePayments(filter)}
      columns={COLUMNS}
      rowPath="/payments"
      unmatched={{
        title: 'No payments match',
        showAll: 'Show all payments',
        text: (
          <>
            Search for words of a schedule, a customer’s name, email, phone or account number, an
            amount, the start of an ID, an instruction ID, or the bank’s payment ID.
          </>
        ),
      }}
      empty={{
        title: 'No payments yet',
        text: 'Payments appear here when active schedules fall due.',
        action: (
          <Can do="manage_schedules">
            <LinkButton to="/schedules/new" variant="primary">
              Create a schedule
            </LinkButton>
          </Can>
        ),
      }}
    />
  );
}

function statusCell({ status, error, attempts, next_retry_at: retry }: PaymentItem): ReactNode {
  const tries = attempts.length > 1 ? `${attempts.length} attempts. ` : '';
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
