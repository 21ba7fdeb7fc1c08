import type { Dispute } from '@recollect/sdk';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { useCustomerLabel } from '../../api/customers.ts';
import { useDispute } from '../../api/disputes.ts';
import { usePayment } from '../../api/payments.ts';
import { useCan } from '../../app/session.tsx';
import { Card } from '../../ui/card.tsx';
import { KeyValue } from '../../ui/data/key-value.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Id } from '../../ui/values/id.tsx';
import { formatMoney, Money } from '../../ui/values/money.tsx';
import { useNow } from '../../ui/values/time-zone.tsx';
import { When } from '../../ui/values/when.tsx';
import { DownloadFile } from '../lists/download-csv.tsx';
import { AnswerDispute } from './answer-dispute.tsx';
import { RAISED_BY, REASONS } from './dispute-words.ts';
import '../lists/lists.css';

/** One dispute: what is disputed and until when it has to be answered, what can be done, and the file of what proves it. */
export function DisputePage() {
  const { id = '' } = useParams();
  const dispute = useDispute(id);
  const mayTakeFile = useCan('refund_payments');
  const { data } = dispute;
  return (
    <Page
      title={data === undefined ? 'Dispute' : `Dispute of ${formatMoney(data.amount)}`}
      back={{ to: '/disputes', label: 'Disputes' }}
      badge={data === undefined ? undefined : <StatusBadge status={data.status} of="dispute" />}
      actions={data === undefined ? undefined : <Actions dispute={data} />}
    >
      <QueryView query={dispute}>
        {(found) => (
          <>
            <Deadline dispute={found} />
            <Card title="What is disputed">
              <Facts dispute={found} />
            </Card>
            <Card
              title="The case file"
              actions={
                mayTakeFile ? (
                  <DownloadFile
                    of={`/api/v1/disputes/${encodeURIComponent(found.id)}/file`}
                    ending="zip"
                    label="Download case file"
                  />
                ) : undefined
              }
            >
              <p>
                What was agreed, how it was authenticated, each order with the bank’s answer, what
                the banks say now with their signatures, what was notified, and the money: as PDF
                and JSON, signed. It names the account that paid, so only people who may refund
                payments can take it. The activity says who did.
              </p>
            </Card>
          </>
        )}
      </QueryView>
    </Page>
  );
}

function Actions({ dispute }: { dispute: Dispute }) {
  const { data } = usePayment(dispute.payment_id);
  const customer = useCustomerLabel(data?.customer_id ?? '');
  return data === undefined ? null : <AnswerDispute dispute={dispute} customer={customer} />;
}

function Deadline({ dispute: { status, deadline, refund_id: refundId } }: { dispute: Dispute }) {
  const isLate = Date.parse(deadline) < useNow();
  if (status !== 'open') return null;
  if (refundId !== null)
    return (
      <Notice
        tone={isLate ? 'danger' : 'warning'}
        title={
          isLate
            ? 'The deadline has passed, and the refund still waits'
            : 'The refund waits for money in your wallet'
        }
      >
        It is paid, and the dispute closed, once the next collections bring enough. The money is due
        back by <When at={deadline} as="datetime" />.
      </Notice>
    );
  return (
    <Notice
      tone={isLate ? 'danger' : 'warning'}
      title={isLate ? 'The deadline has passed' : 'It waits for your answer'}
    >
      {isLate ? 'It should have been answered by ' : 'Refund it or answer it by '}
      <When at={deadline} as="datetime" />.
    </Notice>
  );
}

function Facts({ dispute }: { dispute: Dispute }) {
  const { data: payment } = usePayment(dispute.payment_id);
  const customer = useCustomerLabel(payment?.customer_id ?? '');
  const items: [string, ReactNode][] = [
    ['Customer', customer],
    ['Raised by', RAISED_BY[dispute.raised_by]],
    ['Raised', <When key="raised" at={dispute.created_at} as="datetime" />],
    ['Reason', REASONS[dispute.reason]],
  ];
  if (dispute.note !== null) items.push(['What they said', dispute.note]);
  items.push([
    'Payment',
    <Id key="payment" value={dispute.payment_id} to={`/payments/${dispute.payment_id}`} />,
  ]);
  if (dispute.status === 'open')
    items.push(['Still asked for', <Money key="left" amount={dispute.left} />]);
  else {
    items.push(['Given back', <Money key="returned" amount={dispute.returned} />]);
    items.push(['Ended', <When key="ended" at={dispute.ended_at ?? ''} as="datetime" />]);
  }
  if (dispute.refund_id !== null)
    items.push(['Refund', <Id key="refund" value={dispute.refund_id} />]);
  if (dispute.answer !== null) items.push(['Your answer', dispute.answer]);
  items.push(['Dispute ID', <Id key="id" value={dispute.id} />]);
  return <KeyValue items={items} isGrid />;
}
