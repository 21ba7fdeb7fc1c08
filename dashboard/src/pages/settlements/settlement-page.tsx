import type { Settlement } from '@recollect/sdk';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { useSettlement } from '../../api/settlements.ts';
import { Card } from '../../ui/card.tsx';
import { KeyValue } from '../../ui/data/key-value.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { dayWords } from '../../ui/values/days.ts';
import { Id } from '../../ui/values/id.tsx';
import { formatMoney } from '../../ui/values/money.tsx';
import { When } from '../../ui/values/when.tsx';
import { DownloadCsv } from '../lists/download-csv.tsx';
import { OneNumber, SettlementEntries } from './one-number.tsx';
import { RetrySettlement } from './retry-settlement.tsx';
import { SettlementPayments } from './settlement-payments.tsx';
import { accountText } from './settlement-words.ts';
import { StatementReference } from './statement-reference.tsx';
import { Waterfall } from './waterfall.tsx';
import '../lists/lists.css';

/** One settlement: the amount paid out, its payments, and that all sources agree. */
export function SettlementPage() {
  const { id = '' } = useParams();
  const settlement = useSettlement(id);
  const { data } = settlement;
  return (
    <Page
      title={data === undefined ? 'Settlement' : `Settlement of ${formatMoney(data.amount)}`}
      back={{ to: '/settlements', label: 'Settlements' }}
      badge={data === undefined ? undefined : <StatusBadge status={data.status} of="settlement" />}
      actions={
        data === undefined ? undefined : (
          <>
            <DownloadCsv of={`/api/settlements/${encodeURIComponent(data.id)}`} />
            {data.status === 'failed' ? <RetrySettlement settlement={data} /> : null}
          </>
        )
      }
    >
      <QueryView query={settlement}>
        {(found) => (
          <>
            {found.error === null ? null : <SettlementProblem settlement={found} />}
            <div className="detail">
              <div className="detail-side">
                <Facts settlement={found} />
              </div>
              <Waterfall settlement={found} />
            </div>
            <SettlementPayments settlement={found} />
            <OneNumber settlementId={found.id} currency={found.amount.currency} />
            <SettlementEntries settlementId={found.id} />
          </>
        )}
      </QueryView>
    </Page>
  );
}

function SettlementProblem({ settlement: { error } }: { settlement: Settlement }) {
  if (error?.code === 'payout_returned')
    return (
      <Notice tone="danger" title="The pay-out was returned">
        {error.message}. The money is in your wallet. Pay-outs wait until you change your settlement
        account, or confirm it by retrying this settlement.
      </Notice>
    );
  if (error?.code === 'amount_differs')
    return (
      <Notice tone="warning" title="We are looking into this pay-out">
        The e-money issuer shows a different amount for this settlement. You do not need to do
        anything.
      </Notice>
    );
  return (
    <Notice tone="danger" title="The pay-out failed">
      {error?.message} The money is in your wallet. It is included in the next day’s settlement
      automatically, or you can retry this one now.
    </Notice>
  );
}

function Facts({ settlement }: { settlement: Settlement }) {
  const { completed_at: completed, failed_at: failed } = settlement;
  const items: [string, ReactNode][] = [
    [
      'On your statement',
      <StatementReference key="reference" value={settlement.statement_reference} />,
    ],
    ['Date', dayWords(settlement.settlement_date, 'medium')],
    ['Paid to', accountText(settlement.destination_account)],
    ['Pay-out attempts', settlement.attempts],
  ];
  if (completed !== null)
    items.push(['Paid out', <When key="paid" at={completed} as="datetime" />]);
  if (failed !== null) items.push(['Failed', <When key="failed" at={failed} as="datetime" />]);
  items.push(['Settlement ID', <Id key="id" value={settlement.id} />]);
  return (
    <Card>
      <KeyValue items={items} />
    </Card>
  );
}
