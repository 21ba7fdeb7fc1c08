import { useState } from 'react';
import { ListPage } from '../../../pages/lists/list-page.tsx';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import type { Column } from '../../../ui/data/data-table.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { formatMoney } from '../../../ui/values/money.tsx';
import { When } from '../../../ui/values/when.tsx';
import { type Bank, type BankDecision, useBanks, useDecideBank } from '../../api/banks.ts';
import { DecisionDialog } from '../../decision-dialog.tsx';
import { For } from '../../session.tsx';
import { BankDayStrip } from './bank-day.tsx';

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
    text: 'The service acts again on what the bank says about consents. Check with the bank first.',
    done: 'The bank’s answers about consents count again.',
  },
} as const satisfies Record<BankDecision, object>;

const nameOf = (bank: Bank): string => bank.name ?? bank.id;

const CONDITION: Readonly<Record<Bank['condition'], readonly [Tone, string]>> = {
  operational: ['success', 'Operational'],
  degraded: ['warning', 'Degraded'],
  down: ['danger', 'Down'],
};

const OPERATIONS: Readonly<Record<Bank['operations'][number]['operation'], string>> = {
  consent: 'consents',
  token: 'our access',
  funds: 'checks of funds',
  payment: 'payment orders',
  read: 'reading payments',
};

/** How the bank answers, since when, and which calls are in trouble. */
function Condition({ bank: { condition, since, operations } }: { bank: Bank }) {
  if (since === null) return <Badge tone="neutral">Not called yet</Badge>;
  const [tone, label] = CONDITION[condition];
  const troubled = operations.filter((one) => one.condition !== 'operational');
  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      {condition === 'operational' ? null : (
        <>
          <span className="quiet small">
            Since <When at={since} />
          </span>
          <span className="quiet small">
            Affects {troubled.map((one) => OPERATIONS[one.operation]).join(', ')}
          </span>
        </>
      )}
    </>
  );
}

const countOf = (count: number, noun: string): string =>
  `${count} ${count === 1 ? noun : `${noun}s`}`;

/** What is due at the bank and not sent: "17 payments of 3 merchants, £85.00". */
function waitingWords({ payments, merchants, amount }: Bank['waiting']): string {
  return `${countOf(payments, 'payment')} of ${countOf(merchants, 'merchant')}, ${formatMoney(amount)}`;
}

function Waiting({ waiting }: { waiting: Bank['waiting'] }) {
  if (waiting.payments === 0) return <span className="quiet bank-waiting">Nothing</span>;
  return (
    <span className="stacked bank-waiting">
      {waitingWords(waiting)}
      {waiting.since === null ? null : (
        <span className="quiet small">
          Since <When at={waiting.since} />
        </span>
      )}
    </span>
  );
}

/** The name of a bank, and how many consents it has. */
function Name({ bank }: { bank: Bank }) {
  const { consents_granted: granted, consents_in_doubt: doubted } = bank;
  return (
    <span className="stacked bank-name">
      {nameOf(bank)}
      <span className="quiet small">
        {countOf(granted, 'consent')}
        {doubted === 0 ? null : `, ${doubted} in doubt`}
      </span>
    </span>
  );
}

/** Says what a decision does, and what it is about now. */
function textFor({ bank, decision }: Chosen): string {
  const { text } = WORDS[decision];
  if (decision === 'trust') return text;
  const { waiting } = bank;
  if (waiting.payments === 0) return `${text} No payment waits for this bank now.`;
  const waits = waiting.payments === 1 ? 'waits' : 'wait';
  return decision === 'stop'
    ? `${text} ${waitingWords(waiting)}, ${waits} until you resume it.`
    : `${text} Waiting for this bank now: ${waitingWords(waiting)}.`;
}

function State({ bank }: { bank: Bank }) {
  const { stopped, distrusted_since: distrusted } = bank;
  return (
    <span className="stacked">
      <Condition bank={bank} />
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

function columns(choose: (chosen: Chosen) => void): Column<Bank>[] {
  return [
    { header: 'Bank', cell: (bank) => <Name bank={bank} /> },
    { header: 'State', cell: (bank) => <State bank={bank} /> },
    { header: 'Last 24 hours', cell: (bank) => <BankDayStrip day={bank} /> },
    { header: 'Waiting', cell: ({ waiting }) => <Waiting waiting={waiting} /> },
    {
      header: 'Actions',
      align: 'end',
      cell: (bank) => (
        <For may="payments">
          <Menu
            label={`Actions for ${nameOf(bank)}`}
            items={decisionsFor(bank).map((decision) => ({
              label: `${WORDS[decision].label}…`,
              onAction: () => choose({ bank, decision }),
            }))}
          />
        </For>
      ),
    },
  ];
}

/** /banks */
export function BanksPage() {
  const decide = useDecideBank();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  return (
    <ListPage
      title="Banks"
      lead="How each bank answers, what waits for it, and whether orders go there."
      query={useBanks()}
      columns={columns(setChosen)}
    >
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
          {textFor(chosen)}
        </DecisionDialog>
      )}
    </ListPage>
  );
}
