import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { toast } from '../../ui/toast.tsx';
import { When } from '../../ui/when.tsx';
import { type Bank, type BankDecision, useBanks, useDecideBank } from '../api/banks.ts';
import { DecisionDialog } from '../decision-dialog.tsx';
import { For } from '../session.tsx';

const WORDS = {
  stop: {
    label: 'Stop',
    text: 'No payment order goes to the bank. Payments wait, and go on when it is resumed.',
    done: 'Orders to the bank are stopped.',
  },
  resume: {
    label: 'Resume',
    text: 'Payment orders go to the bank again.',
    done: 'Orders go to the bank again.',
  },
  trust: {
    label: 'Trust again',
    text: 'The service acts again on what the bank says about consents. Ask the bank first what happened.',
    done: 'The bank’s answers about consents count again.',
  },
} as const satisfies Record<BankDecision, object>;

const nameOf = (bank: Bank): string => bank.name ?? bank.id;

function State({ bank }: { bank: Bank }) {
  const { stopped, distrusted_since: distrusted } = bank;
  if (stopped === null && distrusted === null) return <Badge tone="success">Open</Badge>;
  return (
    <span className="stacked">
      {stopped === null ? null : (
        <>
          <Badge tone="danger">Stopped</Badge>
          <span className="quiet small">
            “{stopped.reason}” ({stopped.by}, <When at={stopped.since} />)
          </span>
        </>
      )}
      {distrusted === null ? null : (
        <>
          <Badge tone="warning">Not trusted</Badge>
          <span className="quiet small">
            Since <When at={distrusted} />
          </span>
        </>
      )}
    </span>
  );
}

interface Chosen {
  bank: Bank;
  decision: BankDecision;
}

const decisionsFor = (bank: Bank): BankDecision[] => [
  bank.stopped === null ? 'stop' : 'resume',
  ...(bank.distrusted_since === null ? [] : (['trust'] as const)),
];

/** /banks */
export function BanksPage() {
  const banks = useBanks();
  const decide = useDecideBank();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  return (
    <Page title="Banks" lead="Whether orders go to a bank, and whether its answers count.">
      <QueryView query={banks}>
        {({ data }) => (
          <Card isFlush>
            <DataTable<Bank>
              label="Banks"
              rows={data}
              rowKey={({ id }) => id}
              columns={[
                { header: 'Bank', cell: nameOf },
                { header: 'State', cell: (bank) => <State bank={bank} /> },
                { header: 'Consents', cell: (bank) => String(bank.consents_granted) },
                { header: 'In doubt', cell: (bank) => String(bank.consents_in_doubt) },
                {
                  header: 'Actions',
                  align: 'end',
                  cell: (bank) => (
                    <For may="payments">
                      <Menu
                        label={`Actions for ${nameOf(bank)}`}
                        items={decisionsFor(bank).map((decision) => ({
                          label: `${WORDS[decision].label}…`,
                          onAction: () => setChosen({ bank, decision }),
                        }))}
                      />
                    </For>
                  ),
                },
              ]}
            />
          </Card>
        )}
      </QueryView>
      {chosen === null ? null : (
        <DecisionDialog
          title={`${WORDS[chosen.decision].label}: ${nameOf(chosen.bank)}`}
          confirmLabel={WORDS[chosen.decision].label}
          tone={chosen.decision === 'stop' ? 'danger' : 'primary'}
          onClose={() => setChosen(null)}
          onDecide={async (reason) => {
            await decide.mutateAsync({ id: chosen.bank.id, decision: chosen.decision, reason });
            toast(WORDS[chosen.decision].done, 'success');
          }}
        >
          {WORDS[chosen.decision].text}
        </DecisionDialog>
      )}
    </Page>
  );
}
