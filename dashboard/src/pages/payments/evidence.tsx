import type { ReactNode } from 'react';
import type { PaymentEvidence } from '../../../../server/src/dashboard/payments/view.ts';
import { usePaymentEvidence } from '../../api/payments.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Id } from '../../ui/id.tsx';
import { KeyValue } from '../../ui/key-value.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Timeline } from '../../ui/timeline.tsx';
import { When } from '../../ui/when.tsx';
import { LedgerEntries } from './ledger-entries.tsx';
import { bankStatusWords } from './outcome-words.ts';

type BankAttempt = PaymentEvidence['attempts'][number];

/** What proves a payment: the bank's names for it, the consent, the ledger, and every change of its state. */
export function Evidence({ paymentId }: { paymentId: string }) {
  const evidence = usePaymentEvidence(paymentId);
  return (
    <Card title="Evidence">
      <QueryView query={evidence}>
        {(found) => (
          <div className="stack">
            <div className="columns">
              <Names evidence={found} />
              <section className="stack stack-tight">
                <h3>Changes of state</h3>
                <Timeline items={found.changes.map(changeItem).reverse()} />
              </section>
            </div>
            {found.attempts.length === 0 ? null : <AtTheBank attempts={found.attempts} />}
            <section className="stack stack-tight">
              <h3>In the ledger</h3>
              <LedgerEntries entries={found.ledger} none="No money has moved yet." />
            </section>
          </div>
        )}
      </QueryView>
    </Card>
  );
}

function Names({ evidence: { bank, consent, wallet } }: { evidence: PaymentEvidence }) {
  const items: [string, ReactNode][] = [
    ['Bank', bank.name],
    ['Consent', <Id key="consent" value={consent.id} />],
  ];
  if (consent.bank_consent_id !== null)
    items.push(['Consent at the bank', <Id key="at-bank" value={consent.bank_consent_id} />]);
  items.push(["Customer's wallet", <Id key="wallet" value={wallet.id} />]);
  if (wallet.issuer_wallet_id !== null)
    items.push(['Wallet at the issuer', <Id key="issuer" value={wallet.issuer_wallet_id} />]);
  return (
    <section className="stack stack-tight">
      <h3>Who and where</h3>
      <KeyValue items={items} />
    </section>
  );
}

function AtTheBank({ attempts }: { attempts: BankAttempt[] }) {
  const idOrNone = (id: string | null): ReactNode => (id === null ? 'none' : <Id value={id} />);
  return (
    <section className="stack stack-tight">
      <h3>At the bank</h3>
      <div className="framed">
        <DataTable<BankAttempt>
          label="Attempts at the bank"
          rows={attempts}
          rowKey={(attempt) => String(attempt.number)}
          columns={[
            { header: 'Attempt', cell: (attempt) => attempt.number },
            { header: 'Instruction', cell: (attempt) => <Id value={attempt.instruction_id} /> },
            { header: "Bank's payment", cell: (attempt) => idOrNone(attempt.bank_payment_id) },
            {
              header: "Bank's status",
              cell: ({ bank_status: status }) =>
                status === null ? 'none' : bankStatusWords(status),
            },
            { header: 'Pay-in', cell: (attempt) => idOrNone(attempt.pay_in_id) },
            {
              header: 'Sent',
              cell: ({ sent_at: at }) =>
                at === null ? 'not sent' : <When at={at} as="datetime" />,
            },
          ]}
        />
      </div>
      <p className="quiet small">
        The instruction is also the end-to-end id and the idempotency key: quote it to the bank.
      </p>
    </section>
  );
}

function changeItem(change: PaymentEvidence['changes'][number]) {
  const tone = { success: 'success', failed: 'danger' } as const;
  return {
    at: change.at,
    title: change.from === null ? change.to : `${change.from} → ${change.to}`,
    detail: change.reason.replaceAll('_', ' '),
    tone: change.to in tone ? tone[change.to as keyof typeof tone] : ('neutral' as const),
  };
}
