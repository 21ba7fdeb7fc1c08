import type { Payment } from '@recollect/sdk';
import type { ReactNode } from 'react';
import type { PaymentEvidence } from '../../../../server/src/dashboard/payments/view.ts';
import { usePaymentEvidence } from '../../api/payments.ts';
import { ArchivedNote } from '../../app/notices/archived-note.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data/data-table.tsx';
import { KeyValue } from '../../ui/data/key-value.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { Id } from '../../ui/values/id.tsx';
import { When } from '../../ui/values/when.tsx';
import { Attempts } from './attempts.tsx';
import { LedgerEntries } from './ledger-entries.tsx';
import { bankStatusWords } from './outcome-words.ts';

type BankAttempt = PaymentEvidence['attempts'][number];
type Change = PaymentEvidence['changes'][number];

/** The evidence of a payment, on demand: its attempts, the bank's ids of it, the consent, the ledger, and what happened to it. */
export function Evidence({ payment }: { payment: Payment }) {
  const evidence = usePaymentEvidence(payment.id);
  const hasEnded = payment.status === 'success' || payment.status === 'failed';
  return (
    <Card title="Evidence" lead="What the bank, the ledger and our records say of this payment.">
      <details className="evidence">
        <summary>Show attempts, bank IDs and ledger entries</summary>
        <QueryView query={evidence}>
          {(found) => (
            <div className="stack">
              <Attempts payment={payment} />
              <Names evidence={found} />
              {found.attempts.length === 0 ? null : (
                <AtTheBank evidence={found} none={hasEnded ? 'none' : 'none yet'} />
              )}
              <section className="stack stack-tight">
                <h3>In the ledger</h3>
                <LedgerEntries
                  entries={found.ledger}
                  none={hasEnded ? 'No money moved.' : 'No money has moved yet.'}
                />
              </section>
              <Changes changes={found.changes} />
              <ArchivedNote />
            </div>
          )}
        </QueryView>
      </details>
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
  items.push(['Customer’s wallet', <Id key="wallet" value={wallet.id} />]);
  if (wallet.issuer_wallet_id !== null)
    items.push(['Wallet at the issuer', <Id key="issuer" value={wallet.issuer_wallet_id} />]);
  return <KeyValue items={items} isGrid />;
}

function AtTheBank({ evidence, none }: { evidence: PaymentEvidence; none: string }) {
  const { attempts, consent } = evidence;
  const ordered = attempts.filter(({ sent_at: at }) => at !== null);
  const others = attempts.filter(({ sent_at: at }) => at === null);
  return (
    <section className="stack stack-tight">
      <h3>At the bank</h3>
      {ordered.length === 0 ? null : (
        <Orders attempts={ordered} shownConsent={consent.bank_consent_id} none={none} />
      )}
      {others.length === 0 ? null : (
        <p className="quiet small">
          No payment order has been sent for {others.length === 1 ? 'attempt' : 'attempts'}{' '}
          {others.map((attempt) => attempt.number).join(', ')}. The attempts above have the reason.
        </p>
      )}
    </section>
  );
}

interface OrdersProps {
  attempts: BankAttempt[];
  /** At the bank; one that an attempt was ordered under is shown where it is another. */
  shownConsent: string | null;
  /** What stands for an id that there is not. */
  none: string;
}

/** The attempts whose payment order was sent. */
function Orders({ attempts, shownConsent, none }: OrdersProps) {
  const idOrNone = (id: string | null): ReactNode => (id === null ? none : <Id value={id} />);
  const underOthers = attempts.some(({ bank_consent_id: id }) => id !== shownConsent);
  return (
    <>
      <div className="framed">
        <DataTable<BankAttempt>
          label="Attempts at the bank"
          rows={attempts}
          rowKey={(attempt) => String(attempt.number)}
          columns={[
            { header: 'Attempt', cell: (attempt) => attempt.number },
            { header: 'Instruction', cell: (attempt) => <Id value={attempt.instruction_id} /> },
            { header: 'Bank’s payment ID', cell: (attempt) => idOrNone(attempt.bank_payment_id) },
            {
              header: 'Bank’s status',
              cell: ({ bank_status: status }) => (status === null ? none : bankStatusWords(status)),
            },
            ...(underOthers
              ? [
                  {
                    header: 'Consent at the bank',
                    cell: ({ bank_consent_id: id }: BankAttempt) => idOrNone(id),
                  },
                ]
              : []),
            { header: 'Pay-in', cell: (attempt) => idOrNone(attempt.pay_in_id) },
            {
              header: 'Sent',
              cell: ({ sent_at: at }) => (at === null ? null : <When at={at} as="datetime" />),
            },
          ]}
        />
      </div>
      <p className="quiet small">
        The instruction ID is also the end-to-end ID and the idempotency key. Quote it to the bank.
      </p>
    </>
  );
}

/** All that happened to it, newest first. */
function Changes({ changes }: { changes: Change[] }) {
  const numbered = changes.map((change, place) => ({ ...change, place })).reverse();
  return (
    <section className="stack stack-tight">
      <h3>What happened</h3>
      <div className="framed">
        <DataTable<Change & { place: number }>
          label="What happened"
          rows={numbered}
          rowKey={(change) => String(change.place)}
          columns={[
            { header: 'When', cell: (change) => <When at={change.at} /> },
            { header: 'What happened', cell: ({ title }) => title },
            { header: 'Why', cell: ({ why }) => why },
          ]}
        />
      </div>
    </section>
  );
}
