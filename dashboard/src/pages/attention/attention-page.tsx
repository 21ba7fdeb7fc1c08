import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { type Attention, useAttention } from '../../api/attention.ts';
import { BankNotice } from '../../app/notices/bank-notice.tsx';
import { Can } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data/data-table.tsx';
import { Empty } from '../../ui/data/empty.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { Page } from '../../ui/page.tsx';
import { dayWords } from '../../ui/values/days.ts';
import { Money } from '../../ui/values/money.tsx';
import { When } from '../../ui/values/when.tsx';
import { DisputesCard } from '../disputes/disputes-card.tsx';
import { QuestionCard } from '../overview/question-card.tsx';
import '../lists/lists.css';
import '../overview/overview.css';
import { attentionLines } from './attention-words.ts';
import { type Bulk, BulkDialog } from './bulk-dialog.tsx';
import { EndpointsCard } from './endpoints-card.tsx';
import { FailingCard } from './failing-card.tsx';
import { ToConfirmCard } from './to-confirm-card.tsx';

/** Everything that needs somebody, grouped by what it needs, with what can be done at once. */
export function AttentionPage() {
  const attention = useAttention();
  // Kept here: once its schedules are cancelled, a group is no longer on the page, but what was done is still to be read.
  const [bulk, setBulk] = useState<Bulk | null>(null);
  return (
    <Page
      title="Needs attention"
      lead="Disputes, failing schedules, pending consents, and anything that didn’t arrive."
    >
      <BankNotice />
      <QueryView query={attention}>
        {(found) =>
          attentionLines(found).length === 0 ? (
            <Card>
              <Empty title="Nothing needs attention">
                Disputes, failing schedules, waiting consents, failed settlements and webhooks
                appear here.
              </Empty>
            </Card>
          ) : (
            <Parts attention={found} onAct={setBulk} />
          )
        }
      </QueryView>
      {bulk === null ? null : <BulkDialog {...bulk} onClose={() => setBulk(null)} />}
    </Page>
  );
}

interface PartsProps {
  attention: Attention;
  onAct: (bulk: Bulk) => void;
}

function Parts({ attention, onAct }: PartsProps) {
  const { hash } = useLocation();
  useEffect(() => {
    if (hash !== '') document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [hash]);
  const { currency, failing, consents, settlements, endpoints, in_question } = attention;
  const { to_confirm: toConfirm, disputes } = attention;
  return (
    <div className="stack">
      {disputes.length === 0 ? null : <DisputesCard disputes={disputes} />}
      {settlements.length === 0 ? null : <SettlementsCard settlements={settlements} />}
      {failing.map((group) => (
        <FailingCard key={group.reason} group={group} currency={currency} onAct={onAct} />
      ))}
      {endpoints.length === 0 ? null : <EndpointsCard endpoints={endpoints} />}
      {consents.count === 0 ? null : (
        <ConsentsCard
          consents={consents}
          onRemind={(targets) => onAct({ act: 'remind', targets, value: 0, currency })}
        />
      )}
      {toConfirm.length === 0 ? null : <ToConfirmCard waiting={toConfirm} />}
      <div id="in_question">
        <QuestionCard payments={in_question} currency={currency} />
      </div>
    </div>
  );
}

function SettlementsCard({ settlements }: { settlements: Attention['settlements'] }) {
  return (
    <Card title="Settlements that failed" lead="The money is in your wallet." isFlush>
      <DataTable<Attention['settlements'][number]>
        label="Settlements that failed"
        rows={settlements}
        rowKey={(row) => row.id}
        rowHref={(row) => `/settlements/${row.id}`}
        columns={[
          { header: 'Date', cell: (row) => dayWords(row.settlement_date, 'medium') },
          { header: 'Why', cell: (row) => row.message },
          { header: 'Amount', align: 'end', cell: (row) => <Money amount={row.amount} /> },
        ]}
      />
    </Card>
  );
}

interface ConsentsProps {
  consents: Attention['consents'];
  onRemind: (waiting: Attention['consents']['waiting']) => void;
}

function ConsentsCard({ consents, onRemind }: ConsentsProps) {
  const hidden = consents.count - consents.waiting.length;
  return (
    <div id="consents">
      <Card
        title="Consents waiting for the customer"
        lead="They have had a day. Email them their link again, or open a schedule to copy it. The longest wait comes first."
        actions={
          <Can do="manage_schedules">
            <Button size="small" onPress={() => onRemind(consents.waiting)}>
              Remind {consents.waiting.length === 1 ? 'the customer' : 'all'}
            </Button>
          </Can>
        }
        isFlush
      >
        <DataTable<Attention['consents']['waiting'][number]>
          label="Consents waiting for the customer"
          rows={consents.waiting}
          rowKey={(row) => row.schedule.id}
          rowHref={(row) => `/schedules/${row.schedule.id}`}
          columns={[
            { header: 'Schedule', cell: (row) => row.schedule.description },
            { header: 'Customer', cell: (row) => row.customer.label },
            { header: 'Waiting since', cell: (row) => <When at={row.since} as="datetime" /> },
            { header: 'Link expires', cell: (row) => <When at={row.expires_at} as="datetime" /> },
          ]}
        />
        {hidden > 0 ? <p className="list-foot">And {hidden} more, after these.</p> : null}
      </Card>
    </div>
  );
}
