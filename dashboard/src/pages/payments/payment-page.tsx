import type { Payment } from '@recollect/sdk';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { useCustomer } from '../../api/customers.ts';
import { usePayment } from '../../api/payments.ts';
import { useSchedule } from '../../api/schedules.ts';
import { Card } from '../../ui/card.tsx';
import { KeyValue } from '../../ui/data/key-value.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Id } from '../../ui/values/id.tsx';
import { formatMoney } from '../../ui/values/money.tsx';
import { When } from '../../ui/values/when.tsx';
import { RefundPayment } from '../refunds/refund-payment.tsx';
import { RefundsCard } from '../refunds/refunds-card.tsx';
import { Attempts } from './attempts.tsx';
import { Evidence } from './evidence.tsx';
import { RetryPayment } from './retry-payment.tsx';
import { Uncertain } from './uncertain.tsx';
import '../lists/lists.css';

/** One payment: what was requested from the bank, the outcome, and the evidence. */
export function PaymentPage() {
  const { id = '' } = useParams();
  const payment = usePayment(id);
  const { data } = payment;
  return (
    <Page
      title={data === undefined ? 'Payment' : `Payment of ${formatMoney(data.amount)}`}
      back={{ to: '/payments', label: 'Payments' }}
      badge={data === undefined ? undefined : <StatusBadge status={data.status} of="payment" />}
      actions={data === undefined ? undefined : <Actions payment={data} />}
    >
      <QueryView query={payment}>
        {(found) => (
          <>
            <PaymentProblem payment={found} />
            <Uncertain payment={found} />
            <div className="detail">
              <div className="detail-side">
                <Facts payment={found} />
              </div>
              <Attempts payment={found} />
            </div>
            <RefundsCard payment={found} />
            <Evidence paymentId={found.id} />
          </>
        )}
      </QueryView>
    </Page>
  );
}

function Actions({ payment }: { payment: Payment }) {
  return payment.status === 'failed' ? (
    <RetryPayment payment={payment} />
  ) : (
    <RefundPayment payment={payment} />
  );
}

function PaymentProblem({
  payment: { status, error, next_retry_at: retry },
}: {
  payment: Payment;
}) {
  if (error === null || status === 'success') return null;
  if (status === 'failed')
    return (
      <Notice tone="danger" title="This payment failed">
        {error.message} It will not be retried automatically.
      </Notice>
    );
  if (retry === null) return null;
  return (
    <Notice tone="warning" title="The last attempt failed">
      {error.message} Next retry <When at={retry} as="datetime" />.
    </Notice>
  );
}

function Facts({ payment }: { payment: Payment }) {
  const items: [string, ReactNode][] = [
    ['Customer', <CustomerLink key="customer" id={payment.customer_id} />],
    ['Schedule', <ScheduleLink key="schedule" id={payment.schedule_id} />],
    ['Due', <When key="due" at={payment.due_date} as="datetime" />],
  ];
  if (payment.kind === 'ad_hoc') items.push(['Kind', 'Collected once, besides the schedule']);
  if (payment.kind === 'first') items.push(['Kind', 'First payment, on the customer’s consent']);
  if (payment.description !== null) items.push(['For', payment.description]);
  if (payment.completed_at !== null)
    items.push(['Collected', <When key="done" at={payment.completed_at} as="datetime" />]);
  if (payment.fee !== null && payment.fee.value > 0) items.push(['Fee', formatMoney(payment.fee)]);
  if (payment.refunded.value > 0) items.push(['Refunded', formatMoney(payment.refunded)]);
  if (payment.failed_at !== null)
    items.push(['Failed', <When key="failed" at={payment.failed_at} as="datetime" />]);
  if (payment.paying_account !== null)
    items.push(['Paid from', `Account ${payment.paying_account.account_number}`]);
  items.push(['Settlement', <SettlementLink key="settlement" payment={payment} />]);
  items.push(['Payment ID', <Id key="id" value={payment.id} />]);
  return (
    <Card>
      <KeyValue items={items} />
    </Card>
  );
}

function CustomerLink({ id }: { id: string }) {
  const { data } = useCustomer(id);
  return data === undefined ? (
    <Id value={id} to={`/customers/${id}`} />
  ) : (
    <Link to={`/customers/${id}`}>{data.shown.label}</Link>
  );
}

function ScheduleLink({ id }: { id: string }) {
  const { data } = useSchedule(id);
  return data === undefined ? (
    <Id value={id} to={`/schedules/${id}`} />
  ) : (
    <Link to={`/schedules/${id}`}>{data.description || 'No description'}</Link>
  );
}

function SettlementLink({ payment: { status, settlement_id: id } }: { payment: Payment }) {
  if (id !== null) return <Id value={id} to={`/settlements/${id}`} />;
  if (status === 'failed') return 'None: nothing was collected';
  return status === 'success' ? 'Included in the next settlement' : 'After it has been collected';
}
