import type { Payment } from '@recollect/sdk';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { useBankName } from '../../api/banks.ts';
import { useCustomer } from '../../api/customers.ts';
import { usePayment } from '../../api/payments.ts';
import { useSchedule } from '../../api/schedules.ts';
import { Card } from '../../ui/card.tsx';
import { KeyValue } from '../../ui/data/key-value.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { Page } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Id } from '../../ui/values/id.tsx';
import { maskedAccount } from '../../ui/values/masked-account.ts';
import { formatMoney } from '../../ui/values/money.tsx';
import { DisputePayment } from '../disputes/dispute-payment.tsx';
import { RefundPayment } from '../refunds/refund-payment.tsx';
import { RefundsCard } from '../refunds/refunds-card.tsx';
import { Evidence } from './evidence.tsx';
import { LifeLine } from './life-line.tsx';
import { RetryPayment } from './retry-payment.tsx';
import { Uncertain } from './uncertain.tsx';
import '../lists/lists.css';
import './payments.css';

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
            <Uncertain payment={found} />
            <LifeLine payment={found} />
            <Card>
              <Facts payment={found} />
            </Card>
            <RefundsCard payment={found} />
            <Evidence payment={found} />
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
    <>
      <DisputePayment payment={payment} />
      <RefundPayment payment={payment} />
    </>
  );
}

function Facts({ payment }: { payment: Payment }) {
  const bankName = useBankName(payment.bank_id);
  const items: [string, ReactNode][] = [
    ['Customer', <CustomerLink key="customer" id={payment.customer_id} />],
    ['Schedule', <ScheduleLink key="schedule" id={payment.schedule_id} />],
  ];
  if (payment.kind === 'ad_hoc') items.push(['Kind', 'Collected once, besides the schedule']);
  if (payment.kind === 'first') items.push(['Kind', 'First payment, on the customer’s consent']);
  if (payment.description !== null) items.push(['For', payment.description]);
  if (payment.fee !== null && payment.fee.value > 0) items.push(['Fee', formatMoney(payment.fee)]);
  if (payment.paying_account !== null)
    items.push(['Account', maskedAccount(payment.paying_account, bankName)]);
  items.push(['Payment ID', <Id key="id" value={payment.id} />]);
  return <KeyValue items={items} isGrid />;
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
