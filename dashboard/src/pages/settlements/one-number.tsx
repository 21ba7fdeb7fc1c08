import type { SettlementLedger } from '../../../../server/src/dashboard/settlements/view.ts';
import { useSettlementLedger } from '../../api/settlements.ts';
import { Card } from '../../ui/card.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Id } from '../../ui/values/id.tsx';
import { Money } from '../../ui/values/money.tsx';
import { LedgerEntries } from '../payments/ledger-entries.tsx';
import { nettedPayments } from './settlement-words.ts';
import './settlements.css';

interface Props {
  settlementId: string;
  currency: string;
}

/** The amount of a settlement from three sources, and whether they agree. */
export function OneNumber({ settlementId, currency }: Props) {
  const ledger = useSettlementLedger(settlementId);
  return (
    <Card title="One number in three places">
      <QueryView query={ledger}>
        {(found) => <Check ledger={found} currency={currency} />}
      </QueryView>
    </Card>
  );
}

/** The ledger entries of a settlement. */
export function SettlementEntries({ settlementId }: { settlementId: string }) {
  const ledger = useSettlementLedger(settlementId);
  return (
    <Card title="In the ledger">
      <QueryView query={ledger}>
        {({ entries, issuer_reference: reference }) => (
          <>
            <LedgerEntries entries={entries} none="Nothing reserved yet." />
            {reference === null ? null : (
              <p className="quiet small">
                The e-money issuer’s pay-out reference: <Id value={reference} />
              </p>
            )}
          </>
        )}
      </QueryView>
    </Card>
  );
}

function Check({ ledger, currency }: { ledger: SettlementLedger; currency: string }) {
  const { settlement, ledger: posted, agrees } = ledger;
  const { name, pence } = nettedPayments(ledger);
  return (
    <div className="stack">
      <dl className="three-places">
        <AmountItem name="This settlement" pence={settlement} currency={currency} />
        <AmountItem name={name} pence={pence} currency={currency} />
        <AmountItem name="The ledger" pence={posted} currency={currency} />
      </dl>
      {agrees ? (
        <Notice tone="success">
          All three match to the penny, and the net column of the CSV adds up to the same total.
        </Notice>
      ) : (
        <Notice tone="danger" title="These do not match">
          This should never happen. Do not reconcile this settlement yet: contact support and quote
          its ID.
        </Notice>
      )}
    </div>
  );
}

function AmountItem({ name, pence, currency }: { name: string; pence: number; currency: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Money amount={{ value: pence, currency }} />
      </dd>
    </div>
  );
}
