import type { Report as Health } from '../../../../server/src/operators/health/report.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data/data-table.tsx';
import { Empty } from '../../ui/data/empty.tsx';
import { ListCard } from '../../ui/data/list-card.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { useBanks } from '../api/banks.ts';
import { useDecisions, useDecisionTotals } from '../api/decisions.ts';
import { useHealth } from '../api/health.ts';
import { useMerchants } from '../api/merchants.ts';
import { DECISION_COLUMNS } from './decisions/decision-columns.tsx';
import { MERCHANT_COLUMNS } from './merchants/merchant-table.tsx';

type Meaning = readonly [Tone, string];

const HEALTH: Readonly<Record<Health['status'], Meaning>> = {
  ok: ['success', 'Healthy'],
  degraded: ['warning', 'Needs a look'],
  failing: ['danger', 'Failing'],
};
const ENGINE: Readonly<Record<Health['engine']['status'], Meaning>> = {
  running: ['success', 'Running'],
  stuck: ['danger', 'Stuck'],
  paused: ['neutral', 'Paused while the clock moves'],
  stopped: ['danger', 'Stopped'],
  not_here: ['neutral', 'Not in this process'],
};
const PARTNER: Readonly<Record<Health['issuer']['status'], Meaning>> = {
  answers: ['success', 'Answers'],
  no_answer: ['danger', 'No answer'],
  not_called: ['neutral', 'Not called lately'],
};
const CONDITION: Readonly<Record<NonNullable<Health['banks'][number]['condition']>, Meaning>> = {
  operational: ['success', 'Operational'],
  degraded: ['warning', 'Degraded'],
  down: ['danger', 'Down'],
};
const UNREAD: Meaning = ['neutral', 'Not known'];
const NOT_CALLED: Meaning = ['neutral', 'Not called yet'];
const STOPPED: Meaning = ['warning', 'Stopped by an operator'];
const DATABASE: Readonly<Record<Health['database']['status'], Meaning>> = {
  answers: ['success', 'Answers'],
  cannot_write: ['danger', 'Cannot be written'],
  no_answer: ['danger', 'No answer'],
};

function MeaningBadge({ meaning: [tone, label] }: { meaning: Meaning }) {
  return <Badge tone={tone}>{label}</Badge>;
}

interface Part {
  name: string;
  meaning: Meaning;
  detail: string;
}

const ago = (seconds: number | null): string =>
  seconds === null ? '' : `Last answer ${seconds} s ago`;

type BankHealth = Health['banks'][number];

function meaningOf({ stopped, condition, since_seconds: since }: BankHealth): Meaning {
  if (stopped) return STOPPED;
  if (condition === 'operational' && since === null) return NOT_CALLED;
  return condition === null ? UNREAD : CONDITION[condition];
}

function detailOf({ condition, since_seconds: seconds, waiting }: BankHealth): string {
  const since =
    condition === 'operational' || seconds === null ? [] : [`For ${Math.ceil(seconds / 60)} min`];
  const count = waiting?.payments ?? 0;
  const waits = count === 0 ? [] : [`${count} ${count === 1 ? 'payment waits' : 'payments wait'}`];
  return [...since, ...waits].join(', ');
}

function partsOf(health: Health, nameOf: (bankId: string) => string): Part[] {
  const { engine, database, issuer, banks } = health;
  const { milliseconds } = database;
  const looked = engine.looked_seconds_ago;
  return [
    {
      name: 'Engine',
      meaning: ENGINE[engine.status],
      detail: looked === null ? '' : `Looked for due work ${looked} s ago`,
    },
    {
      name: 'Database',
      meaning: DATABASE[database.status],
      detail: milliseconds === null ? '' : `Answered within ${milliseconds} ms`,
    },
    {
      name: 'E-money issuer',
      meaning: PARTNER[issuer.status],
      detail: ago(issuer.answered_seconds_ago),
    },
    ...banks.filter(hasNews).map((bank) => ({
      name: nameOf(bank.bank),
      meaning: meaningOf(bank),
      detail: detailOf(bank),
    })),
    ...notCalled(banks.filter((bank) => !hasNews(bank)).length),
    ...holidaysOf(health),
  ];
}

const hasNews = (bank: BankHealth): boolean =>
  meaningOf(bank) !== NOT_CALLED || detailOf(bank) !== '';

/** One line for all the banks of which there is nothing to say. */
function notCalled(count: number): Part[] {
  if (count === 0) return [];
  return [
    {
      name: count === 1 ? 'One more bank' : `${count} more banks`,
      meaning: NOT_CALLED,
      detail: '',
    },
  ];
}

/** What settings change about the bank holidays that the version knows; nothing is said where they change nothing. */
function holidaysOf({ bank_holidays: { extra, without } }: Health): Part[] {
  if (extra.length + without.length === 0) return [];
  const more = extra.length === 0 ? [] : [`Also ${extra.join(', ')}`];
  const less = without.length === 0 ? [] : [`Not ${without.join(', ')}`];
  return [
    {
      name: 'Bank holidays',
      meaning: ['neutral', 'Changed by settings'],
      detail: [...more, ...less].join('. '),
    },
  ];
}

function HealthCard({ health }: { health: Health }) {
  const { data: banks = [] } = useBanks();
  const nameOf = (id: string): string => banks.find((bank) => bank.id === id)?.name ?? id;
  return (
    <Card
      title="Health of this process"
      actions={<MeaningBadge meaning={HEALTH[health.status]} />}
      isFlush
    >
      {health.problems.map(({ part, says, runbook }) => (
        <Notice key={part + says} tone="warning" title={part}>
          {says} Runbook: {runbook}.
        </Notice>
      ))}
      <DataTable<Part>
        label="Parts of the service"
        rows={partsOf(health, nameOf)}
        rowKey={({ name }) => name}
        columns={[
          { header: 'Part', cell: ({ name }) => name },
          { header: 'State', cell: ({ meaning }) => <MeaningBadge meaning={meaning} /> },
          { header: 'Detail', cell: ({ detail }) => detail || <span className="quiet">–</span> },
        ]}
      />
    </Card>
  );
}

const MOST_SHOWN = 5;

/** What has waited longest for a person. */
function WaitingCard() {
  const { total = 0 } = useDecisionTotals().data ?? {};
  return (
    <ListCard
      title="Needs a decision"
      actions={
        <LinkButton to="/decisions" size="small">
          {total > MOST_SHOWN ? `See all ${total}` : 'See all'}
        </LinkButton>
      }
      query={{ ...useDecisions({}, MOST_SHOWN), hasNextPage: false }}
      columns={DECISION_COLUMNS}
      rowPath="/decisions"
      empty={<Empty title="No decisions pending" />}
    />
  );
}

const HELD = [
  ['suspended', 'Suspended merchants'],
  ['pay_outs', 'Merchants whose pay-outs are held'],
] as const;

function HeldCard({ hold, title }: { hold: string; title: string }) {
  const merchants = useMerchants({ q: '', hold });
  return (
    <ListCard
      title={title}
      label="Merchants"
      actions={
        <LinkButton to={`/merchants?hold=${hold}`} size="small">
          See all
        </LinkButton>
      }
      query={merchants}
      columns={MERCHANT_COLUMNS}
      rowPath="/merchants"
      empty={<Empty title="None" />}
    />
  );
}

/** / */
export function OverviewPage() {
  const health = useHealth();
  return (
    <Page title="Overview" lead="Service health, work waiting for you, and holds.">
      <QueryView query={health}>{(data) => <HealthCard health={data} />}</QueryView>
      <WaitingCard />
      {HELD.map(([hold, title]) => (
        <HeldCard key={hold} hold={hold} title={title} />
      ))}
    </Page>
  );
}
