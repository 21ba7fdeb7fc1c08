import { useState } from 'react';
import { Link } from 'react-router';
import { ListPage } from '../../../pages/lists/list-page.tsx';
import { Button } from '../../../ui/button.tsx';
import type { Column } from '../../../ui/data/data-table.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { Id } from '../../../ui/values/id.tsx';
import { Money } from '../../../ui/values/money.tsx';
import { When } from '../../../ui/values/when.tsx';
import {
  useDecideSettlement,
  useWaitingSettlements,
  type WaitingSettlement,
} from '../../api/settlements.ts';
import { DecisionDialog } from '../../decision-dialog.tsx';
import { For } from '../../session.tsx';

const WORDS = {
  account: {
    why: 'Its money came back from the account',
    action: 'Confirm the account',
    text: 'Check the account with the merchant first. The money goes out to it with the next settlement.',
    done: 'The account is confirmed. The money goes out with the next settlement.',
  },
  amount: {
    why: 'The issuer has another amount',
    action: 'Ask the issuer again',
    text: 'The issuer must have taken its pay-out back. The settlement then fails, and its money goes with the next.',
    done: 'The issuer is being asked again.',
  },
} as const;

function columns(choose: (chosen: WaitingSettlement) => void): Column<WaitingSettlement>[] {
  return [
    { header: 'Settlement', cell: ({ id }) => <Id value={id} /> },
    {
      header: 'Why',
      cell: ({ waits_for: what, error_message: detail }) => (
        <span className="stacked">
          {WORDS[what].why}
          {detail === null ? null : <span className="quiet small">{detail}</span>}
        </span>
      ),
    },
    { header: 'Since', cell: ({ since }) => <When at={since} /> },
    {
      header: 'Merchant',
      cell: ({ merchant_id: id }) => <Link to={`/merchants/${id}`}>Its merchant</Link>,
    },
    { header: 'Amount', align: 'end', cell: ({ amount }) => <Money amount={amount} /> },
    {
      header: 'Actions',
      align: 'end',
      cell: (one) => (
        <For may="payments">
          <Button size="small" onPress={() => choose(one)}>
            {`${WORDS[one.waits_for].action}…`}
          </Button>
        </For>
      ),
    },
  ];
}

/** /settlements */
export function SettlementsPage() {
  const decide = useDecideSettlement();
  const [chosen, setChosen] = useState<WaitingSettlement | null>(null);
  return (
    <ListPage
      title="Pay-outs in doubt"
      label="Settlements that need an operator"
      lead="Pay-outs that came back, or of which the issuer has another amount, oldest first."
      query={useWaitingSettlements()}
      columns={columns(setChosen)}
      empty={{ title: 'No pay-out needs you' }}
    >
      {chosen === null ? null : (
        <DecisionDialog
          title={`${WORDS[chosen.waits_for].action}?`}
          confirmLabel={WORDS[chosen.waits_for].action}
          onClose={() => setChosen(null)}
          onDecide={async (reason) => {
            await decide.mutateAsync({ settlement: chosen, reason });
            toast(WORDS[chosen.waits_for].done, 'success');
          }}
        >
          {WORDS[chosen.waits_for].text}
        </DecisionDialog>
      )}
    </ListPage>
  );
}
