import { useState } from 'react';
import { Link } from 'react-router';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import type { Column } from '../../../ui/data/data-table.tsx';
import { Empty } from '../../../ui/data/empty.tsx';
import { ListCard } from '../../../ui/data/list-card.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { When } from '../../../ui/values/when.tsx';
import {
  type Breach,
  type Receipt,
  useBreaches,
  useExplain,
  useReceipts,
} from '../../api/safeguarding.ts';
import { DecisionDialog } from '../../decision-dialog.tsx';
import { For } from '../../session.tsx';
import { BREACHES, pounds } from './day-words.ts';
import { SafeguardingPage } from './safeguarding-page.tsx';

function About({ breach: { kind, about } }: { breach: Breach }) {
  if (kind === 'receipt') return <Link to={`/decisions/unallocated_money/${about}`}>{about}</Link>;
  return <When at={about} as="date" />;
}

/** The end of the day before a midnight, as people say it. */
function EndOf({ at }: { at: string }) {
  const dayBefore = new Date(Date.parse(at) - 1).toISOString();
  return (
    <>
      End of <When at={dayBefore} as="date" />
    </>
  );
}

function columns(choose: (breach: Breach) => void): Column<Breach>[] {
  return [
    { header: 'What', cell: ({ kind }) => BREACHES[kind] },
    { header: 'About', cell: (breach) => <About breach={breach} /> },
    {
      header: 'Amount',
      align: 'end',
      cell: ({ amount_pence: pence }) => (pence === null ? '–' : pounds(pence)),
    },
    { header: 'By', cell: ({ deadline }) => <EndOf at={deadline} /> },
    {
      header: 'Put right',
      cell: ({ ended_at: at }) =>
        at === null ? <Badge tone="danger">Still stands</Badge> : <When at={at} />,
    },
    {
      header: 'Explanation',
      cell: (breach) => (
        <>
          {breach.explanation === null ? null : `${breach.explained_by}: ${breach.explanation} `}
          <For may="payments">
            <Button size="small" onPress={() => choose(breach)}>
              {breach.explanation === null ? 'Explain…' : 'Explain again…'}
            </Button>
          </For>
        </>
      ),
    },
  ];
}

const RECEIPTS: readonly Column<Receipt>[] = [
  {
    header: 'Money',
    cell: ({ id }) => <Link to={`/decisions/unallocated_money/${id}`}>{id}</Link>,
  },
  { header: 'Amount', align: 'end', cell: (one) => pounds(one.amount_pence) },
  { header: 'Arrived', cell: (one) => <When at={one.arrived_at} /> },
  { header: 'Allocate by', cell: (one) => <EndOf at={one.allocate_by} /> },
];

/** /safeguarding/breaches */
export function BreachesPage() {
  const explain = useExplain();
  const [chosen, setChosen] = useState<Breach | null>(null);
  return (
    <SafeguardingPage lead="What was not done by its time, each once, with why and what was done.">
      <ListCard
        title="Receipts of no client yet"
        query={useReceipts()}
        columns={RECEIPTS}
        empty={<Empty title="All money is allocated" />}
      />
      <ListCard
        title="Register of breaches"
        query={useBreaches()}
        columns={columns(setChosen)}
        empty={<Empty title="The register is empty">Everything so far was done by its time.</Empty>}
      />
      {chosen === null ? null : (
        <DecisionDialog
          title="Explain this breach"
          confirmLabel="Explain"
          onClose={() => setChosen(null)}
          onDecide={async (explanation) => {
            const { kind, about } = chosen;
            await explain.mutateAsync({ kind, about, explanation });
            toast('The breach is explained.', 'success');
          }}
        >
          {BREACHES[chosen.kind]}. Say why, what was done, and who was told.
        </DecisionDialog>
      )}
    </SafeguardingPage>
  );
}
