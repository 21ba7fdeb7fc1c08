import { LedgerEntries } from '../../../pages/payments/ledger-entries.tsx';
import { bankStatusWords } from '../../../pages/payments/outcome-words.ts';
import { Card } from '../../../ui/card.tsx';
import { DataTable } from '../../../ui/data/data-table.tsx';
import { Timeline } from '../../../ui/data/timeline.tsx';
import { Id } from '../../../ui/values/id.tsx';
import { When } from '../../../ui/values/when.tsx';
import type { FullDecision } from '../../api/decisions.ts';

type Evidence = NonNullable<FullDecision['evidence']>;
type Attempt = Evidence['attempts'][number];

/** What the bank was sent and said, attempt by attempt. */
function AtTheBank({ bank, attempts }: Evidence) {
  return (
    <section className="stack stack-tight">
      <h3>At {bank.name}</h3>
      <div className="framed">
        <DataTable<Attempt>
          label="Attempts at the bank"
          rows={attempts}
          rowKey={({ number }) => String(number)}
          columns={[
            { header: 'End-to-end ID', cell: ({ instruction_id: id }) => <Id value={id} /> },
            {
              header: 'Sent',
              cell: ({ sent_at: at }) => (at === null ? 'Not sent' : <When at={at} />),
            },
            {
              header: 'The bank says',
              cell: ({ bank_status: status }) =>
                status === null ? 'Nothing yet' : bankStatusWords(status),
            },
            {
              header: 'Bank’s payment ID',
              cell: ({ bank_payment_id: id }) => (id === null ? 'None' : <Id value={id} />),
            },
            {
              header: 'Pay-in',
              cell: ({ pay_in_id: id }) => (id === null ? 'None' : <Id value={id} />),
            },
          ]}
        />
      </div>
    </section>
  );
}

/** What the bank said and when, the issuer's entry and our ledger, and what has become of it so far. */
export function DecisionEvidence({ decision }: { decision: FullDecision }) {
  const { evidence, ledger, changes } = decision;
  const entries = [...ledger, ...(evidence?.ledger ?? [])];
  const steps = [...changes, ...(evidence?.changes ?? [])]
    .toReversed()
    .toSorted((a, b) => b.at.localeCompare(a.at));
  if (evidence === null && entries.length + steps.length === 0) return null;
  return (
    <Card title="Evidence">
      <div className="stack">
        {evidence === null || evidence.attempts.length === 0 ? null : <AtTheBank {...evidence} />}
        <section className="stack stack-tight">
          <h3>In our ledger</h3>
          <LedgerEntries entries={entries} none="Nothing is booked." />
        </section>
        {steps.length === 0 ? null : (
          <section className="stack stack-tight">
            <h3>So far</h3>
            <Timeline
              items={steps.map(({ at, title, why }, place) => ({
                key: `${at} ${place}`,
                at,
                title,
                detail: why,
                tone: 'neutral',
              }))}
            />
          </section>
        )}
      </div>
    </Card>
  );
}
